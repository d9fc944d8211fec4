"""Which octets of a frame are which field."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pytest
from amqp_1_0.types import Symbol
from amqp_traffic.show.amqp0.spans import MethodSpans
from amqp_traffic.show.amqp1.spans import performative_spans
from amqp_traffic.show.lines import FieldSpan, dump
from amqp_traffic.synth.setting import password_of
from hypothesis import given
from hypothesis import strategies as st

from .lines import RABBITMQ, shown, synthetic

SPANS0 = MethodSpans(RABBITMQ, "")
P, M = amqp1.performatives, amqp1.messaging


def table(spans: Any) -> list[tuple[int, int, int, str, str, str]]:
    return [tuple(span[:6]) for span in spans]


def adjoining(spans: list[FieldSpan], size: int) -> bool:
    """Whether every octet is in exactly one span."""
    places = [0, *(span.end for span in spans)]
    return places[:-1] == [span.start for span in spans] and places[-1] == size


def test_a_method() -> None:
    arguments: amqp0.FieldTable = {"n": 5, "t": {"d": Decimal("1.5"), "e": {}}, "a": [True, "x"]}
    payload = amqp0.methods.QueueDeclare(queue="q", durable=True, arguments=arguments).encode()
    found = list(SPANS0.method(payload))
    assert adjoining(found, len(payload))
    assert [(span.end - span.start, *span[2:6]) for span in found] == [
        (4, 0, "method", "", "queue.declare (50, 10)"),
        (2, 0, "reserved_1", "short", "0"),
        (2, 0, "queue", "shortstr", "'q'"),
        (1, 0, "bits", "bit", "passive 0, durable 1, exclusive 0, auto_delete 0, no_wait 0"),
        (4, 0, "arguments", "table", f"{len(payload) - 13} octets"),
        (7, 1, "n", "int32", "5"),
        (7, 1, "t", "table", "15 octets"),
        (8, 2, "d", "decimal", "Decimal('1.5')"),
        (7, 2, "e", "table", "0 octets"),
        (7, 1, "a", "array", "8 octets"),
        (2, 2, "[0]", "boolean", "true"),
        (6, 2, "[1]", "longstr", "'x'"),
    ]


def test_a_content_header() -> None:
    properties = amqp0.BasicProperties(content_type="a/b", headers={"k": "v"}, timestamp=9)
    frame = amqp0.encode_frame(1, amqp0.ContentHeader(properties, 300))
    payload = frame[7:-1]
    found = list(SPANS0.header(payload))
    assert adjoining(found, len(payload))
    assert table(found)[:5] == [
        (0, 2, 0, "class", "short", "60"),
        (2, 4, 0, "weight", "short", "0"),
        (4, 12, 0, "body size", "longlong", "300"),
        (12, 14, 0, "property flags", "", "a0 40"),
        (14, 18, 0, "content_type", "shortstr", "'a/b'"),
    ]
    assert [span.name for span in found[5:]] == ["headers", "k", "timestamp"]


@given(st.sampled_from(sorted(amqp0.METHODS)), st.data())
def test_all_methods(key: int, data: st.DataObject) -> None:
    """The spans of any method adjoin each other, and those of what is cut off end where it does."""
    payload = amqp0.METHODS[key]().encode()
    found = list(SPANS0.method(payload))
    assert adjoining(found, len(payload))
    end = data.draw(st.integers(0, len(payload)))
    try:
        spans = list(SPANS0.method(payload[:end]))
    except amqp0.errors.CodecError:
        return
    assert end < 4 or adjoining(spans, end)


def test_octets_that_are_left_over() -> None:
    payload = amqp0.methods.ChannelCloseOk().encode() + b"more"
    assert table(SPANS0.method(payload))[-1] == (4, 8, 0, "left over", "", "")


def test_a_method_that_there_is_not() -> None:
    assert table(SPANS0.method(b"\x00\x3c\x03\xe7x")) == [(0, 4, 0, "method", "", "unknown (60, 999)")]


def test_a_performative() -> None:
    source = M.Source(address="a", filter={Symbol("f"): "x"})
    payload = P.Attach("l", 0, P.Role.SENDER, source=source).encode()
    found = list(performative_spans(payload, False))
    assert adjoining(found, len(payload))
    names = [(span.depth, span.name, span.type) for span in found if span.type != "null"]
    assert names[:8] == [
        (0, "attach", "attach"),
        (1, "name", "string"),
        (1, "handle", "uint"),
        (1, "role", "boolean"),
        (1, "source", "source"),
        (2, "address", "string"),
        (2, "filter", "map"),
        (3, "key", ""),
    ]
    assert [span.value for span in found if span.type == "map" or span.depth == 3] == [
        "1 entries",
        "'f'",
        "'x'",
    ]


MESSAGE = amqp1.Message(
    header=M.Header(durable=True),
    properties=M.Properties(message_id="id"),
    application_properties={"k": 1},
    body=M.Data(b"the body"),
    footer={Symbol("f"): 1},
).encode()


def transfer(octets: bytes, tag: bytes | None = b"t") -> bytes:
    frame = amqp1.encode_frame(0, P.Transfer(0, 0 if tag else None, tag), octets)
    return frame[8:]


def test_sections_of_a_message() -> None:
    payload = transfer(MESSAGE)
    found = list(performative_spans(payload, True))
    assert adjoining(found, len(payload))
    assert [span.name for span in found if not span.depth] == [
        *("transfer", "header", "properties", "application-properties", "data", "footer"),
    ]
    assert any("the body" in span.value for span in found)


def test_bodies_are_left_out_unless_they_are_wanted() -> None:
    payload = transfer(MESSAGE)
    found = list(performative_spans(payload, False))
    assert found[-1].is_hidden
    assert found[-1].name == "data"
    assert "the body" not in str(found)
    assert b"the body".hex(" ") not in str(list(dump(payload, found)))


def test_what_goes_on_in_another_transfer_is_no_section() -> None:
    """It may look like one."""
    found = list(performative_spans(transfer(MESSAGE, tag=None), False))
    assert [span.name for span in found if not span.depth] == ["transfer", "payload"]
    assert found[-1].is_hidden


def test_a_section_that_is_cut_off() -> None:
    found = list(performative_spans(transfer(MESSAGE[:12]), False))
    assert [span.name for span in found if not span.depth][-1] == "properties"
    assert found[-1].is_hidden


@given(st.binary(max_size=60))
def test_payloads_of_any_octets(octets: bytes) -> None:
    for with_body in (True, False):
        payload = transfer(octets)
        assert adjoining(list(performative_spans(payload, with_body)), len(payload))


def test_deep_values() -> None:
    value: Any = 1
    for _ in range(30):
        value = [value]
    payload = transfer(amqp1.Message(body=M.AmqpValue(value)).encode())
    assert adjoining(list(performative_spans(payload, True)), len(payload))


def test_octets_beside_their_meaning() -> None:
    lines = [
        "".join(text for text, _ in line)
        for line in dump(
            bytes(range(200)), [FieldSpan(0, 10, 0, "one", "short", "5"), FieldSpan(10, 200, 1, "two")]
        )
    ]
    assert lines[0] == "      0000  00 01 02 03 04 05 06 07  one short 5"
    assert lines[1].rstrip() == "      0008  08 09"
    assert lines[2].startswith("      000a  0a 0b 0c 0d 0e 0f 10 11    two")
    assert lines[-1] == "      ... 62 more octets"


@pytest.mark.parametrize("bodies", [False, True])
def test_no_password_in_any_form(tmp_path: Path, bodies: bool) -> None:
    path = synthetic(tmp_path / "a", size=400_000, connections=30)
    lines, whole = shown(path, details=True, bodies=bodies)
    assert whole
    text = "\n".join(lines)
    users = set(re.findall(rb'"user": ?"([^"]+)"', Path(f"{path}.labels.jsonl").read_bytes()))
    octets = path.read_bytes()
    passwords = {password_of(user.decode()) for user in users}
    assert passwords
    assert any(password.encode() in octets for password in passwords)
    hexadecimal = "".join(re.findall(r"^      [0-9a-f]{4}  ((?:[0-9a-f]{2} ?)+)", text, re.MULTILINE))
    digits = hexadecimal.replace(" ", "")
    for password in passwords:
        assert password not in text
        assert password.encode().hex() not in digits
    assert "[redacted]" in text
