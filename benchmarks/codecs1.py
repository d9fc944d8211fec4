"""Compares the generated 1.0 codec with python-qpid-proton and azure's ``_pyamqp``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import amqp_1_0 as ours

from . import messages1 as data
from . import peers1 as peers
from .harness import Result, compare

PURE = {
    "decode transfer + message": {"proton": 1.6, "azure": 1.4},
    "encode transfer + message": {"proton": 2.5, "azure": 6.0},
    "encode message": {"proton": 2.5, "azure": 6.0},
    "decode a list of 50": {"proton": 3.0},
    "encode a list of 50": {"proton": 3.0},
    "decode a map of 50": {"proton": 3.0},
    "encode a map of 50": {"proton": 3.0},
}
COMPILED = {
    "decode transfer + message": {"proton": 7.0, "azure": 5.0},
    "encode transfer + message": {"proton": 5.5, "azure": 12.0},
    "encode message": {"proton": 5.5, "azure": 12.0},
    "decode a list of 50": {"proton": 5.0},
    "encode a list of 50": {"proton": 5.0},
    "decode a map of 50": {"proton": 7.0},
    "encode a map of 50": {"proton": 7.0},
}
MESSAGES = 50


def encode_ours(transfer: Any, message: Any) -> bytes:
    """A frame with the transfer and the message."""
    return ours.encode_frame(0, transfer, message.encode())


def decode_ours(stream: bytes) -> list[Any]:
    """The transfer and the message of each frame."""
    frames, _ = ours.decode_frames(stream)
    return [(transfer, ours.decode_message(payload)) for _, transfer, payload in frames]


def message_workloads() -> list[Result]:
    """A stream of transfers, each with a whole message; one of them; and the message alone."""
    transfer, message = data.our_transfer(), data.our_message()
    stream = encode_ours(transfer, message) * MESSAGES
    payload = message.encode()
    proton_parts, azure_parts = peers.build_proton(), peers.build_azure()
    assert decode_ours(stream)[-1] == (transfer, message)
    assert decode_ours(peers.encode_proton(*proton_parts)) == [(transfer, message)]
    assert decode_ours(peers.encode_azure(*azure_parts)) == [(transfer, message)]
    _check_decoded(peers.decode_proton(stream)[-1], peers.decode_azure(stream)[-1])
    return [
        compare(
            "decode transfer + message",
            lambda: decode_ours(stream),
            {"proton": lambda: peers.decode_proton(stream), "azure": lambda: peers.decode_azure(stream)},
            MESSAGES,
        ),
        compare(
            "decode message",
            lambda: ours.decode_message(payload),
            {
                "proton": lambda: peers.decode_proton_message(payload),
                "proton, fields not read": lambda: peers.decode_proton_unread(payload),
                "azure": lambda: peers.decode_azure_message(payload),
            },
            1,
        ),
        compare(
            "encode transfer + message",
            lambda: encode_ours(transfer, message),
            {
                "proton": lambda: peers.encode_proton(*proton_parts),
                "azure": lambda: peers.encode_azure(*azure_parts),
            },
            1,
        ),
        compare(
            "encode message",
            message.encode,
            {"proton": proton_parts[1].encode, "azure": lambda: peers.encode_azure_message(azure_parts[1])},
            1,
        ),
        compare(
            "build and encode transfer + message",
            lambda: encode_ours(data.our_transfer(), data.our_message()),
            {
                "proton": lambda: peers.encode_proton(*peers.build_proton()),
                "azure": lambda: peers.encode_azure(*peers.build_azure()),
            },
            1,
        ),
    ]


def _check_decoded(proton_found: Any, azure_found: Any) -> None:
    """The peers have found all that was sent."""
    transfer, fields = proton_found
    assert transfer.value[:5] == list(data.TRANSFER.values())[:5]
    assert fields[-2:] == (data.APPLICATION_PROPERTIES, data.BODY)
    assert fields[1] == data.HEADER["priority"] and fields[4] == data.PROPERTIES["message_id"]
    transfer, message = azure_found
    assert transfer[:5] == list(data.TRANSFER.values())[:5]
    assert message.properties.message_id == data.PROPERTIES["message_id"].encode()
    assert message.data == [data.BODY]
    assert len(message.application_properties) == len(data.APPLICATION_PROPERTIES)


def value_workloads() -> list[Result]:
    """A list and a map of 50 values of fourteen types."""
    items, proton_items = data.our_items(), peers.proton_items()
    entries = dict(zip(data.KEYS, items, strict=True))
    proton_entries = dict(zip(data.KEYS, proton_items, strict=True))
    return [
        *_both_ways("list", items, proton_items, peers.azure_list()),
        *_both_ways("map", entries, proton_entries, peers.azure_map()),
    ]


def _both_ways(name: str, value: Any, proton_value: Any, azure_value: Any) -> list[Result]:
    octets = ours.encode(value)
    assert ours.decode(octets) == (value, len(octets))
    assert peers.encode_proton_value(proton_value) == octets
    assert peers.decode_proton_value(octets) == proton_value
    assert ours.decode(bytes(peers.encode_azure_value(azure_value)))[0] == value
    assert len(peers.decode_azure_value(octets)) == len(value)
    decoders: dict[str, Callable[[], object]] = {
        "proton": lambda: peers.decode_proton_value(octets),
        "azure": lambda: peers.decode_azure_value(octets),
    }
    encoders: dict[str, Callable[[], object]] = {
        "proton": lambda: peers.encode_proton_value(proton_value),
        "azure": lambda: peers.encode_azure_value(azure_value),
    }
    return [
        compare(f"decode a {name} of 50", lambda: ours.decode(octets), decoders, 1),
        compare(f"encode a {name} of 50", lambda: ours.encode(value), encoders, 1),
    ]


def workloads() -> list[Result]:
    """All of them."""
    return [*message_workloads(), *value_workloads()]
