"""Performatives of 1.0 are what the generated package reads in the same streams, and messages what proton reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install .[peers]")

import proton
from amqp_1_0.performatives import Transfer

from ..conftest import Captured
from ..lake_rows import Tables, value_of
from ..stream_octets import stream_of

_STORIES = ("of_ours", "without_a_queue", "without_sasl", "proton_with_rabbitmq", "proton_with_proton")
_SECRETS = {"initial_response", "response"}
_HEADER = 8


def read(octets: bytes) -> Iterator[tuple[int, Any, bytes]]:
    """Channel, performative and payload of the frames; protocol headers are passed over, and empty frames, too."""
    while octets:
        if octets.startswith(b"AMQP"):
            octets = octets[_HEADER:]
            continue
        size = int.from_bytes(octets[:4], "big")
        for channel, performative, payload in amqp.FrameDecoder(max_frame_size=1 << 20).feed(octets[:size]):
            if performative is not None:
                yield channel, performative, payload
        octets = octets[size:]


@pytest.mark.parametrize("direction", [0, 1])
@pytest.mark.parametrize("story", _STORIES)
def test_performatives(captured: Captured, tables: Tables, story: str, direction: int) -> None:
    expected = list(read(stream_of(captured.files["dumpcap"], tables, story, direction)))
    rows = tables.rows("performatives", story, direction)
    assert len(rows) == len(expected) > 1
    for row, (channel, performative, payload) in zip(rows, expected, strict=True):
        assert (row["performative"], row["channel"]) == (performative.NAME, channel)
        assert row["payload_size"] == len(payload)
        compared = 0
        for name in performative.__slots__:
            value, ours = getattr(performative, name), row.get(name)
            if name in _SECRETS:
                assert ours == (None if value is None else b"[redacted]")
            elif value is None:
                assert ours is None, name
            elif isinstance(value, (bool, int, str, bytes)):
                assert ours == value, name
                compared += 1
        assert compared or performative.NAME in ("close", "end", "sasl-mechanisms")


def test_transfers_make_messages(captured: Captured, tables: Tables) -> None:
    """The number of transfers of each message, and their payloads."""
    for story in _STORIES:
        for direction in (0, 1):
            found: dict[Any, list[int]] = {}
            transfers = [
                (channel, performative, payload)
                for channel, performative, payload in read(
                    stream_of(captured.files["dumpcap"], tables, story, direction)
                )
                if isinstance(performative, Transfer)
            ]
            number: Any = None
            for _, transfer, payload in transfers:
                number = number if transfer.delivery_id is None else transfer.delivery_id
                found.setdefault(number, []).append(len(payload))
            rows = tables.rows("messages", story, direction)
            assert {row["delivery_id"]: row["body_frames"] for row in rows} == {
                number: len(sizes) for number, sizes in found.items()
            }
            for row in rows:
                assert 0 < row["body_size"] <= sum(found[row["delivery_id"]])


def test_messages_of_proton(captured: Captured, tables: Tables) -> None:
    rows = tables.rows("messages", "proton_with_proton")
    assert [row["state"] for row in rows] == ["accepted", "released", "modified"]
    for row, octets in zip(rows, captured.received, strict=True):
        message = proton.Message()
        message.decode(octets)
        assert (row["priority"], row["durable"], row["ttl"]) == (
            message.priority,
            message.durable,
            message.ttl * 1000,
        )
        assert (row["message_id"], value_of(row["message_id_value"])) == (str(message.id), message.id)
        assert row["body_kind"] == "amqp-value"
        assert 0 <= row["body_size"] - len(message.body) <= 5  # its constructor and its length
        assert len(octets) > row["body_size"]


def test_properties_of_proton(tables: Tables) -> None:
    """What proton sent to RabbitMQ, and what came back."""
    for direction in (0, 1):
        rows = tables.rows("messages", "proton_with_rabbitmq", direction)
        assert [value_of(row["headers"])["n"] for row in rows] == [0, 1, 2]
        assert {row["subject"] for row in rows} == {"proton"}
