"""Who of a connection is the client, when no SYN and no port says it."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from ...packages import load_package

_METHOD_FRAME = 1
_SASL_FRAME = b"\x02\x01"  # of AMQP 1.0, at offset 4: the header is two words long, the type is SASL
# Descriptor codes of SASL frames, to whether the client sends them: mechanisms, init, challenge, response, outcome.
_SASL_SENT_BY_CLIENT = {0x40: False, 0x41: True, 0x42: False, 0x43: True, 0x44: False}


def client_by_port(flow: bytes, server_ports: Collection[int]) -> bool | None:
    """Whether this is the flow from the client, if just one of its ports is that of a server; else None."""
    from_server, to_server = (
        int.from_bytes(port, "big") in server_ports for port in (flow[-4:-2], flow[-2:])
    )
    return None if from_server == to_server else to_server


def client_sent(data: bytes) -> tuple[bool, str] | None:
    """Does this look like the beginning of what a client sends, or a server?

    Args:
        data: The beginning of a segment.

    Returns:
        Whether it is from the client, and what says so, as in ``Connection.role_by``; None if it does not say.
    """
    if data.startswith(b"AMQP"):
        return True, "header"
    if len(data) >= 12 and data[0] == _METHOD_FRAME:
        sender = _senders().get(int.from_bytes(data[7:11], "big"))
        return None if sender is None else (sender == "client", "method")
    if data[4:6] == _SASL_FRAME and data[8:10] == b"\x00\x53" and data[10:]:
        by_client = _SASL_SENT_BY_CLIENT.get(data[10])
        return None if by_client is None else (by_client, "method")
    return None


@cache
def _senders() -> dict[int, str]:
    """Class and method id to the only side that sends it."""
    methods = load_package("amqp_0_9_1_rabbitmq").METHODS
    return {ids: next(iter(each.SENT_BY)) for ids, each in methods.items() if len(each.SENT_BY) == 1}
