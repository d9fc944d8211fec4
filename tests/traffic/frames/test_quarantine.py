"""Frames that cannot be decoded: they stop nothing, their reason is told, and no secret gets out."""

from __future__ import annotations

from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pytest
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.decode.amqp0.decoder import bare_header_row
from amqp_traffic.decode.decoded import OK, UNDECODED
from amqp_traffic.decode.events import HEADER as HEADER_EVENT
from hypothesis import given
from hypothesis import strategies as st

from tests.generated.amqp0.packages import each_package
from tests.generated.amqp0.raw_octets import any_raw_header, any_raw_method
from tests.generated.amqp0.test_fast_reader_agrees_with_walker import mutated, outcome
from tests.generated.amqp1.fields import filled, of_composite
from tests.generated.amqp1.packages import BY_NAME
from tests.generated.amqp1.test_columns import PERFORMATIVES, is_sasl
from tests.sampling import examples

from ..decode.decoded_frames import HEADER, METHOD, Result, decode, span

PACKAGE1 = "amqp_1_0"
WHAT_DECODING_SAYS = {
    Reason.ARGS_TRUNCATED,
    Reason.ARGS_TRAILING,
    Reason.UNKNOWN_METHOD,
    Reason.BAD_UTF8,
    Reason.TABLE_TAG,
    Reason.DECODE_ERROR,
    Reason.OUR_LIMIT,
}
SECRET = b"correct horse"

PUBLISH = amqp0.methods.BasicPublish(exchange="e", routing_key="k").encode()
DECLARE = amqp0.methods.QueueDeclare(queue="q", arguments={"x": "1"}).encode()
HEADER_OCTETS = amqp0.encode_frame(1, amqp0.ContentHeader(amqp0.BasicProperties(content_type="ab"), 5))[7:-1]
TRANSFER = filled(BY_NAME["transfer"]).encode()


@pytest.mark.parametrize(
    ("payload", "name", "reason"),
    [
        (PUBLISH[:-1], "basic.publish", "args-truncated"),
        (PUBLISH[:4], "basic.publish", "args-truncated"),
        (b"\0\x3c\0", None, "args-truncated"),
        (b"", None, "args-truncated"),
        (PUBLISH + b"!", "basic.publish", "args-trailing"),
        (b"\0\x3c\x77\x77" + PUBLISH[4:], None, "unknown-method"),
        (b"\x77\x3c\0\x28" + PUBLISH[4:], None, "unknown-method"),
        (DECLARE.replace(b"xS", b"x?"), "queue.declare", "table-tag"),
        (DECLARE.replace(b"\0\0\0\x011", b"\0\0\0\xff1"), "queue.declare", "args-truncated"),
    ],
)
def test_methods(payload: bytes, name: str | None, reason: str) -> None:
    result = decode([span(METHOD, payload, place=2)])
    assert result.statuses == [(name, UNDECODED, reason)]
    assert result.decoded.undecoded_methods == [(0, name, payload)] and not result.decoded.methods
    assert [event[5] for event in result.events] == [None]
    (row,) = result.quarantine.rows
    assert (row.reason.value, row.length, row.stream_offset) == (reason, len(payload) + 8, 2000)
    assert (row.connection, row.direction, row.packet_no, row.packet_offset, row.ns) == (1, 0, 12, 200, 7002)
    assert row.sample == payload


@pytest.mark.parametrize(
    ("payload", "key", "reason"),
    [
        (b"\0", None, "args-truncated"),
        (HEADER_OCTETS[:-1], 60 << 16, "args-truncated"),
        (HEADER_OCTETS[:5], 60 << 16, "args-truncated"),
        (HEADER_OCTETS + b"!", 60 << 16, "args-trailing"),
        (b"\0\x0a" + HEADER_OCTETS[2:], 10 << 16, "unknown-method"),
    ],
)
def test_content_headers(payload: bytes, key: int | None, reason: str) -> None:
    result = decode([span(HEADER, payload)])
    assert result.statuses == [("content-header", UNDECODED, reason)]
    assert result.decoded.frames[0][10] == key
    assert not result.decoded.undecoded_methods  # that is a table of methods


@pytest.mark.parametrize(
    ("payload", "name", "reason"),
    [
        (TRANSFER[:-1], "transfer", "args-truncated"),
        (b"\0", None, "args-truncated"),
        (b"\0\x53", None, "args-truncated"),
        (b"\0\x53\x14", "transfer", "args-truncated"),
        (b"\0\x53\x77\x45", None, "unknown-method"),
        (b"\0\x53\x24\x45", None, "unknown-method"),  # accepted is the body of no frame
        (b"\x53\x14\x45", None, "decode-error"),
        (b"\0\x53\x14\xc0\x02\x01\x3f", "transfer", "table-tag"),
        (amqp1.performatives.Attach(name="n", handle=1, role=amqp1.performatives.Role.SENDER).encode().replace(
            b"\xa1\x01n", b"\xa1\x01\xff"), "attach", "bad-utf8"),
    ],
)  # fmt: skip
def test_performatives(payload: bytes, name: str | None, reason: str) -> None:
    result = decode([span(0, payload)], PACKAGE1)
    assert result.statuses == [(name, UNDECODED, reason)]
    raw = None if name is None else payload
    assert result.decoded.undecoded_performatives == [(0, name, raw)] and not result.decoded.performatives
    assert [event[5] for event in result.events] == [None]


def test_a_sasl_frame_with_more_than_a_performative() -> None:
    result = decode([span(1, filled(BY_NAME["sasl-mechanisms"]).encode() + b"!")], PACKAGE1)
    assert result.statuses == [("sasl-mechanisms", UNDECODED, "args-trailing")]


def _check(result: Result, payload: bytes) -> None:
    """Either it is decoded, or all places say why it is not."""
    ((_, status, error),) = result.statuses
    if status == UNDECODED:
        (item,) = result.quarantine.rows
        assert item.reason in WHAT_DECODING_SAYS and item.reason.value == error
        assert item.sample in (payload[:256], b"")
        rows = [event[5] for event in result.events]
        assert rows == [bare_header_row(payload) if result.events[0][4] == HEADER_EVENT else None]
        assert result.decoding.bad_frames_of(1) == (1, 0)
    else:
        assert error is None and not result.quarantine.rows
    assert result.decoding.frames_of(1) == (1, 0)


@each_package
@given(data=st.data())
@examples(150)
def test_any_octets_as_a_method_or_header(amqp: Any, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([METHOD, HEADER]))
    source = any_raw_method(amqp) if kind == METHOD else any_raw_header(amqp)
    payload = data.draw(source.flatmap(mutated) | st.binary(max_size=40))
    result = decode([span(kind, payload)], amqp.__name__)
    _check(result, payload)
    if kind == METHOD:
        # Tables with keys that are no UTF-8 can be columns, but no dicts.
        columns = amqp.columns.MethodColumns(lenient=True)
        refused = outcome(amqp, lambda: columns.append(int.from_bytes(payload[:4], "big"), payload))[1]
        assert result.decoded.frames[0][-2] == (OK if refused is None else UNDECODED)


@given(data=st.data())
@examples(300)
def test_any_octets_as_a_performative(data: st.DataObject) -> None:
    cls = data.draw(st.sampled_from(PERFORMATIVES))
    payload = data.draw(of_composite(cls).flatmap(lambda it: mutated(it.encode())) | st.binary(max_size=40))
    frame_type = data.draw(st.sampled_from([int(is_sasl(cls)), 0, 1]))
    _check(decode([span(frame_type, payload)], PACKAGE1), payload)


# --- Secrets ---


def _kept(result: Result) -> bytes:
    """All octets that may be shown of what could not be decoded."""
    decoded = result.decoded
    raw = [raw or b"" for *_, raw in decoded.undecoded_methods + decoded.undecoded_performatives]
    texts = [f"{row.detail}".encode() + row.sample for row in result.quarantine.rows]
    return b"".join(raw + texts)


START_OK = amqp0.methods.ConnectionStartOk(mechanism="PLAIN", response=b"\0guest\0" + SECRET).encode()


@pytest.mark.parametrize("channel", [0, 1])
@pytest.mark.parametrize("method", [b"\0\x0a\0\x0b", b"\0\x0a\0\x15", b"\0\x0a\0\x46", b"\0\x0a\x77\x77"])
def test_class_connection_has_no_sample(channel: int, method: bytes) -> None:
    """What is redacted can be decoded; but whatever comes here is not shown."""
    result = decode([span(METHOD, method + START_OK[4:] + b"!", channel)])
    assert result.statuses[0][1] == UNDECODED
    assert SECRET not in _kept(result)
    assert [raw for *_, raw in result.decoded.undecoded_methods] == [None]


@pytest.mark.parametrize("bit", range(32))
@pytest.mark.parametrize("frame_type", [METHOD, HEADER])
def test_a_bit_of_its_class_has_changed(bit: int, frame_type: int) -> None:
    key = int.from_bytes(START_OK[:4], "big") ^ (1 << bit)
    result = decode([span(frame_type, key.to_bytes(4, "big") + START_OK[4:], channel=0)])
    assert SECRET not in _kept(result)


SASL_INIT = amqp1.sasl.SaslInit(mechanism="PLAIN", initial_response=b"\0guest\0" + SECRET).encode()
OPEN = amqp1.performatives.Open(container_id="c", properties={"password": SECRET.decode()}).encode()


@pytest.mark.parametrize(
    ("frame_type", "payload"),
    [
        (1, SASL_INIT + b"!"),
        (1, SASL_INIT[:-1]),
        (1, b"\0\x53\x77" + SASL_INIT[3:]),
        (0, SASL_INIT),  # a bit of the frame type has changed
        (0, b"\0\x53\x61" + SASL_INIT[3:]),  # and one of the descriptor
        (0, b"\0\x80" + bytes(7) + b"\x41" + SASL_INIT[3:]),
        (0, OPEN[:-1]),
        (0, b"\0\x54" + OPEN[2:]),
    ],
)
def test_sasl_and_open_have_no_sample(frame_type: int, payload: bytes) -> None:
    result = decode([span(frame_type, payload, channel=0)], PACKAGE1)
    assert result.statuses[0][1] == UNDECODED
    assert SECRET not in _kept(result)


def test_details_have_nothing_of_the_frame() -> None:
    """Not even keys of field tables."""
    declare = amqp0.methods.QueueDeclare(queue="q", arguments={SECRET.decode(): "1"}).encode()
    result = decode([span(METHOD, declare.replace(SECRET + b"S", SECRET + b"?"))])
    (row,) = result.quarantine.rows
    assert row.reason is Reason.TABLE_TAG and SECRET.decode() not in row.detail


def test_samples_are_short() -> None:
    result = decode([span(METHOD, PUBLISH + bytes(5000))])
    assert result.quarantine.rows[0].sample == (PUBLISH + bytes(5000))[:256]
