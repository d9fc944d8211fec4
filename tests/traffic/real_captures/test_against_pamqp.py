"""Methods and properties of 0-9-1 are what pamqp reads in the same streams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pamqp.frame
import pytest
from pamqp.base import Frame
from pamqp.body import ContentBody
from pamqp.header import ContentHeader, ProtocolHeader
from pamqp.heartbeat import Heartbeat

from .conftest import Captured
from .lake_rows import Row, Tables, value_of
from .stream_octets import stream_of

_STORIES = (
    "confirms",
    "consuming",
    "getting",
    "transactions",
    "entities",
    "channel_errors",
    "large",
    "every_header",
    "heartbeats",
    "refused",
    "no_such_host",
    "of_py_amqp",
    "closed_socket",
)
# pamqp's name of a field, and ours, where they differ.
_RENAMED = {"exchange_type": "type", "nowait": "no_wait", "message_type": "type"}
_RESERVED = {"ticket", "capabilities", "insist", "known_hosts", "out_of_band", "cluster_id"}


def read(octets: bytes) -> Iterator[Any]:
    """The frames of a stream as pamqp reads them; a frame that is cut off is none."""
    while octets:
        try:
            length, _, frame = pamqp.frame.unmarshal(octets)
        except pamqp.exceptions.UnmarshalingException:
            return
        yield frame
        octets = octets[length:]


def word(name: str) -> str:
    """``Basic.GetOk`` as we call it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def same(ours: Any, theirs: Any) -> bool:
    """Whether a column has what pamqp has."""
    if isinstance(ours, dict) and ours.keys() == {"value", "metadata"}:
        ours = value_of(ours)
        return bool(ours == theirs)
    if isinstance(ours, bytes) and isinstance(theirs, str):
        return ours == theirs.encode()
    if isinstance(theirs, datetime):
        return bool(ours == theirs.astimezone(UTC))
    return bool(ours == theirs) or (ours is None and theirs in ({}, "", None))


@pytest.mark.parametrize("direction", [0, 1])
@pytest.mark.parametrize("story", _STORIES)
def test_methods(captured: Captured, tables: Tables, story: str, direction: int) -> None:
    frames = list(read(stream_of(captured.files["dumpcap"], tables, story, direction)))
    methods = [frame for frame in frames if isinstance(frame, Frame)]
    rows = tables.rows("methods", story, direction)
    assert [row["method"] for row in rows] == [word(method.name) for method in methods]
    for row, method in zip(rows, methods, strict=True):
        for name, value in method:
            # Only confirm.select has this spelling in RabbitMQ's own file, too.
            ours = row[name if row["method"] == "confirm.select" else _RENAMED.get(name, name)]
            if name == "response":
                assert (ours, bool(value)) == (b"[redacted]", True)
            elif name in _RESERVED:
                assert ours is None
            else:
                assert same(ours, value), (row["method"], name, ours, value)
        assert row["violations"] in (None, [])
        assert row["raw"] is None
    counted = sum(not isinstance(frame, ProtocolHeader) for frame in frames)
    assert counted == sum(row["type"] >= 0 for row in tables.rows("frames", story, direction))
    assert any(isinstance(frame, Heartbeat) for frame in frames) == (story == "heartbeats")


@pytest.mark.parametrize("direction", [0, 1])
@pytest.mark.parametrize("story", _STORIES)
def test_properties_and_bodies(captured: Captured, tables: Tables, story: str, direction: int) -> None:
    stream = stream_of(captured.files["dumpcap"], tables, story, direction)
    expected: list[tuple[ContentHeader, list[int]]] = []
    for frame in read(stream):
        if isinstance(frame, ContentHeader):
            expected.append((frame, []))
        elif isinstance(frame, ContentBody):
            expected[-1][1].append(len(frame.value or b""))
    rows = tables.rows("messages", story, direction)
    for row, (header, pieces) in zip(rows, expected, strict=True):
        sizes = header.body_size, sum(pieces), len(pieces)
        assert (row["body_size"], row["body_seen"], row["body_frames"]) == sizes
        _check(row, header)


def _check(row: Row, header: ContentHeader) -> None:
    assert header.properties is not None
    for name, value in header.properties:
        ours = row[_RENAMED.get(name, name)]
        assert same(ours, value), (name, ours, value)
