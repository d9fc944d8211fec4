"""One decoder for all that proton sends, from the first protocol header on, however the octets arrive."""

from __future__ import annotations

import socket
from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install '.[peers]'")

from amqp_1_0.performatives import Close, Open
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome

from tests.patience import PATIENCE

from .proton_peer import Proton, served


@pytest.mark.parametrize("most", [1, 7, 65536])
def test_from_the_first_header_to_close(most: int) -> None:
    """We say everything at once, and proton answers with the outcome of the login and a header in one go."""
    said = [
        amqp.PROTOCOL_HEADERS["sasl"],
        amqp.encode_frame(0, SaslInit("ANONYMOUS")),
        amqp.PROTOCOL_HEADERS["amqp"],
        amqp.encode_frame(0, Open("pipelined")),
        amqp.encode_frame(0, Close()),
    ]
    heard: list[Any] = []
    decoder = amqp.FrameDecoder()
    with served(Proton()) as (port, _), socket.create_connection(("127.0.0.1", port), PATIENCE) as stream:
        stream.sendall(b"".join(said))
        while not heard or type(heard[-1]) is not Close:
            data = stream.recv(most)
            assert data, heard
            heard += [performative for _, performative, _ in decoder.feed(data)]
    assert [type(frame) for frame in heard] == [
        amqp.ProtocolHeader,
        SaslMechanisms,
        SaslOutcome,
        amqp.ProtocolHeader,
        Open,
        Close,
    ]
    assert (heard[0].layer, heard[3].layer) == ("sasl", "amqp")
    assert heard[2].code is SaslCode.OK
