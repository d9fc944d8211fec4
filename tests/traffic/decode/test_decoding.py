"""Frames become the rows that the generated packages read, and events with these."""

from __future__ import annotations

from random import Random
from typing import Any

import amqp_0_9_1
import pytest
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.decode.decoded import OK, Decoded
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.decode.events import BODY as BODY_EVENT
from amqp_traffic.decode.events import HEADER as HEADER_EVENT
from amqp_traffic.decode.events import PACKAGE, PERFORMATIVE
from amqp_traffic.frames.formats import PROTOCOL_HEADER, FrameSpan
from hypothesis import given
from hypothesis import strategies as st

from tests.generated.amqp0.packages import RABBITMQ, distinct, each_property_set, methods_of
from tests.generated.amqp0.raw_octets import raw_headers
from tests.generated.amqp0.test_columns import header_row, key_of, method_row
from tests.generated.amqp0.test_fast_reader_agrees_with_walker import outcome
from tests.generated.amqp0.values import greatest_values, least_values, typical_values
from tests.generated.amqp1.fields import filled, least, of_composite
from tests.generated.amqp1.packages import BY_NAME
from tests.generated.amqp1.test_columns import each_performative, is_sasl, row_of
from tests.sampling import examples

from .decoded_frames import BODY, CLIENT, HEADER, METHOD, SERVER, Talk, decode, named, span, spans

PACKAGE1 = "amqp_1_0"
METHODS = distinct(methods_of)


@pytest.mark.parametrize("values", [least_values, typical_values, greatest_values])
def test_every_method(values: Any) -> None:
    failed = [method.id for method in METHODS if not _is_decoded(method.values[0], method.values[1], values)]
    assert METHODS and not failed


def _is_decoded(amqp: Any, cls: Any, values: Any) -> bool:
    payload = cls(**values(amqp, cls)).encode()
    result = decode([span(METHOD, payload, place=3)], amqp.__name__, SERVER)
    expected = method_row(amqp, payload)
    (rows,) = result.decoded.methods
    key, size = key_of(payload), len(payload)
    place = 1, 1, 0, 3000, 13, 300, 7003
    return (
        result.rows() == [{name: value for name, value in expected.items() if name != "method"}]
        and rows.kind.name == expected["method"] == cls.NAME
        and result.decoded.frames == [(*place, METHOD, 1, size + 8, key, cls.NAME, OK, None)]
        and result.decoded.events[0] == (1, 0, 0, 0, PACKAGE, amqp.__name__, 0, 0, 0)
        and result.events == [(1, 0, 1, 1, key, rows.rows[0], size, 3000, 7003)]
        and not result.quarantine.rows
    )


@each_property_set
@given(data=st.data())
@examples(20)
def test_every_property_set(amqp: Any, cls: Any, data: st.DataObject) -> None:
    payload = data.draw(raw_headers(amqp, cls, tidy=True))
    result = decode([span(HEADER, payload)], amqp.__name__)
    refused = outcome(amqp, lambda: header_row(amqp, payload))[1]
    ((_, _, _, _, kind, row, size, _, _),) = result.events
    ((name, status, error),) = result.statuses
    (key,) = (frame[10] for frame in result.decoded.frames)
    assert (kind, size, name, key) == (HEADER_EVENT, len(payload), "content-header", cls.CLASS_ID << 16)
    if row is None:
        assert (status, error) == ("undecoded", "bad-utf8") and (
            refused is None or "UTF-8" in refused.message
        )
    else:
        columns = amqp.columns.HeaderColumns().gathered[cls.CLASS_ID].kind.columns
        assert named(row, columns) == header_row(amqp, payload)
    assert not result.decoded.methods


@each_performative
@pytest.mark.parametrize("make", [filled, least])
@pytest.mark.parametrize("rest", [b"", b"what follows"])
def test_every_performative(cls: Any, make: Any, rest: bytes) -> None:
    rest = b"" if is_sasl(cls) else rest
    performative = make(cls)
    payload = performative.encode() + rest
    result = decode([span(int(is_sasl(cls)), payload)], PACKAGE1)
    assert result.rows() == [row_of(performative)]
    (rows,) = result.decoded.performatives
    assert (rows.kind.name, rows.payload_sizes) == (cls.NAME, [len(rest)])
    event = PERFORMATIVE, (cls.NAME, rows.rows[0], rest), len(rest)
    assert [found[4:7] for found in result.events] == [event]
    assert result.statuses == [(cls.NAME, OK, None)]


@each_performative
@given(data=st.data())
@examples(20)
def test_every_performative_with_any_values(cls: Any, data: st.DataObject) -> None:
    performative = data.draw(of_composite(cls))
    result = decode([span(int(is_sasl(cls)), performative.encode())], PACKAGE1)
    assert result.rows() == [row_of(performative)]


def test_descriptors_of_all_forms() -> None:
    descriptors = (b"\x53\x17", b"\x80" + bytes(7) + b"\x17", b"\xa3\x0d" + b"amqp:end:list")
    frames = spans((0, b"\0" + descriptor + b"\x45") for descriptor in descriptors)
    result = decode(frames, PACKAGE1)
    assert result.statuses == [("end", OK, None)] * 3
    assert result.decoded.performatives[0].frames == [0, 1, 2]


def test_frames_that_are_no_methods() -> None:
    frames = spans([(PROTOCOL_HEADER, b"AMQP\0\0\x09\x01"), (BODY, b"hello"), (8, b"")])
    result = decode(frames)
    names = ["protocol-header", "content-body", "heartbeat"]
    assert result.statuses == [(name, OK, None) for name in names]
    assert result.events == [(1, 1, 0, 1, BODY_EVENT, None, 5, 1000, 7001)]
    assert [event[5] for event in decode(frames, bodies=True).events] == [b"hello"]
    frames = spans([(PROTOCOL_HEADER, b"AMQP\0\1\0\0"), (0, b"")])
    assert [name for name, _, _ in decode(frames, PACKAGE1).statuses] == ["protocol-header", "empty"]
    assert [name for name, _, _ in decode(frames[:1], "").statuses] == ["protocol-header"]


def test_frame_types_of_the_oldest_versions() -> None:
    result = decode(spans([(4, b"?"), (5, b"?"), (6, b"?"), (7, b"?")]), "amqp_0_8")
    assert [name for name, _, _ in result.statuses] == ["oob-method", "oob-header", "oob-body", "trace"]
    assert not result.events


def test_both_directions_are_counted_together() -> None:
    decoding = Decoding(Quarantine())
    one, other = Talk(number=3), Talk(number=5)
    for talk, direction, count in ((one, CLIENT, 2), (other, CLIENT, 1), (one, SERVER, 3), (one, CLIENT, 1)):
        decoding.on_frames(talk, direction, spans([(8, b"")] * count))
    assert len(decoding) == 7
    rows = decoding.take().frames
    expected = [(3, 0, 0), (3, 0, 1), (5, 0, 0), (3, 1, 2), (3, 1, 3), (3, 1, 4), (3, 0, 5)]
    assert [row[:3] for row in rows] == expected
    assert len(decoding) == 0 and decoding.take().frames == []
    assert decoding.frames_of(3) == (3, 3) and decoding.bad_frames_of(3) == (0, 0)
    decoding.on_frames(one, SERVER, spans([(METHOD, b"?")]))
    assert decoding.take().frames[0][2] == 6
    assert decoding.frames_of(3) == (3, 4) and decoding.bad_frames_of(3) == (0, 1)
    decoding.forget(3)
    assert decoding.frames_of(3) == (0, 0) and decoding.frames_of(5) == (1, 0)


def test_another_package_from_some_frame_on() -> None:
    """As when methods tell that a version is another one than was thought."""
    decoding, talk = Decoding(Quarantine()), Talk("amqp_0_9_1")
    recover = RABBITMQ.methods.BasicRecoverAsync(requeue=True).encode()
    decoding.on_frames(talk, CLIENT, spans([(METHOD, recover)]))
    talk.protocol = Talk("amqp_0_8").protocol
    decoding.on_frames(talk, CLIENT, spans([(METHOD, recover)]))
    decoded = decoding.take()
    assert [name for *_, name, _, _ in decoded.frames] == ["basic.recover-async", "basic.recover"]
    packages = [(event[1], event[5]) for event in decoded.events if event[4] == PACKAGE]
    assert packages == [(0, "amqp_0_9_1"), (1, "amqp_0_8")]


def test_the_dialect_is_that_of_the_product() -> None:
    """The letter s is a short string in the document of 0-9-1, and a short integer in RabbitMQ."""
    bind = amqp_0_9_1.methods.QueueBind(queue="q", exchange="e").encode()
    payload = bind[:-4] + b"\0\0\0\x05" + b"\x01xs\0\x05"
    assert decode([span(METHOD, payload)], "amqp_0_9_1").statuses == [
        ("queue.bind", "undecoded", "args-truncated")
    ]
    decoding, talk = Decoding(Quarantine()), Talk("amqp_0_9_1", product="RabbitMQ", dialect="rabbitmq")
    decoding.on_frames(talk, CLIENT, [span(METHOD, payload)])
    assert decoding.take().frames[0][-2:] == (OK, None)


def test_it_is_full_when_enough_has_gathered() -> None:
    decoding = Decoding(Quarantine(), most_rows=3)
    found = []
    for count in (2, 1, 1):
        decoding.on_frames(Talk(), CLIENT, spans([(8, b"")] * count))
        found.append(decoding.full)
    decoding.take()
    assert [*found, decoding.full] == [False, True, True, False]


@pytest.mark.parametrize(
    ("package", "frame_type", "payload", "options", "is_held"),
    [
        ("amqp_0_9_1_rabbitmq", BODY, b"", {"bodies": True}, True),
        ("amqp_0_9_1_rabbitmq", BODY, b"", {"bodies": False}, False),
        ("amqp_0_9_1_rabbitmq", METHOD, b"\0\x3c\0\x28", {}, True),
        ("amqp_1_0", 0, filled(BY_NAME["transfer"]).encode(), {}, True),
        ("amqp_1_0", 0, filled(BY_NAME["transfer"]).encode()[:3], {}, True),
    ],
)
def test_large_payloads_make_it_full(
    package: str, frame_type: int, payload: bytes, options: dict[str, Any], is_held: bool
) -> None:
    """Memory is bounded, too, not only rows; but only what is held counts."""
    decoding = Decoding(Quarantine(), **options)
    large = span(frame_type, payload + bytes(16 << 20))
    decoding.on_frames(Talk(package), CLIENT, [large])
    assert not decoding.full
    decoding.on_frames(Talk(package), CLIENT, [large])
    assert decoding.full is is_held


def _joined(parts: list[Decoded]) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """What several parts have, in the order of the frames."""
    frames, events, rows, undecoded = [], [], [], []
    for part in parts:
        for kind in (*part.methods, *part.performatives):
            rows += [
                (len(frames) + at, kind.kind.name, row)
                for at, row in zip(kind.frames, kind.rows, strict=True)
            ]
        undecoded += [
            (len(frames) + at, name, raw)
            for at, name, raw in part.undecoded_methods + part.undecoded_performatives
        ]
        frames += part.frames
        events += part.events
    return frames, events, sorted(rows, key=lambda row: row[0]), undecoded


def _mix(package: str, chance: Random) -> list[FrameSpan]:
    """Frames of all kinds, some of which are damaged."""
    if package == PACKAGE1:
        payloads = [(0, filled(BY_NAME[name]).encode() + b"rest") for name in ("transfer", "flow", "begin")]
        payloads += [(0, b""), (0, b"\0\x53\x14\xc0"), (1, b"\0\x53\x41")]
    else:
        publish = RABBITMQ.methods.BasicPublish(exchange="e", routing_key="k").encode()
        content = RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(delivery_mode=2), 5)
        header = RABBITMQ.encode_frame(1, content)[7:-1]
        payloads = [(METHOD, publish), (HEADER, header), (BODY, b"hello"), (8, b"")]
        payloads += [(METHOD, publish[:-2]), (METHOD, b"\0\x3c\x77\x77"), (HEADER, header[:-1])]
    return spans(chance.choices(payloads, k=60))


@pytest.mark.parametrize("package", ["amqp_0_9_1_rabbitmq", PACKAGE1])
@pytest.mark.parametrize("seed", range(10))
def test_how_frames_come_and_when_they_are_taken_makes_no_difference(package: str, seed: int) -> None:
    chance = Random(seed)
    frames = _mix(package, chance)
    whole = decode(frames, package)
    quarantine = Quarantine()
    decoding, talk, parts, position = Decoding(quarantine), Talk(package), [], 0
    while position < len(frames):
        count = chance.randrange(1, 9)
        decoding.on_frames(talk, CLIENT, frames[position : position + count])
        position += count
        if chance.random() < 0.4:
            parts.append(decoding.take())
    assert _joined([*parts, decoding.take()]) == _joined([whole.decoded])
    assert quarantine == whole.quarantine
    assert decoding.bad_frames_of(1) == whole.decoding.bad_frames_of(1) != (0, 0)
