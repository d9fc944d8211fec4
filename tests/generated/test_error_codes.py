"""Every error of the codecs has a code of a closed list, which docs/packages.md explains."""

from __future__ import annotations

import copy
import pickle
import re
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import amqp_0_8
import amqp_0_8_rabbitmq
import amqp_0_9
import amqp_0_9_1
import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pytest

PACKAGES = (amqp_0_8, amqp_0_8_rabbitmq, amqp_0_9, amqp_0_9_1, amqp0, amqp1)
DOCUMENT = Path(__file__).parents[2] / "docs" / "packages.md"

HEARTBEAT = amqp0.encode_frame(0, amqp0.Heartbeat())
PUBLISH = amqp0.methods.BasicPublish(routing_key="orders").encode()
ABSENT: Any = None
ANYTHING: Any = object()
HEADER = struct.pack(">HHQH", 60, 0, 0, 0)


def table(*octets: bytes) -> bytes:
    body = b"".join(octets)
    return struct.pack(">I", len(body)) + body


def deep(levels: int) -> Any:
    value: Any = None
    for _ in range(levels):
        value = {"a": value}
    return value


def performative(descriptor: int, *fields: bytes) -> bytes:
    body = b"".join(fields)
    described = b"\x00\x53" + bytes((descriptor, 0xC0, len(body) + 1, len(fields))) + body
    return struct.pack(">IBBH", len(described) + 8, 2, 0, 0) + described


DECODED: tuple[tuple[str, Callable[[], Any]], ...] = (
    ("truncated", lambda: amqp0.decode_method(PUBLISH[:12])),
    ("octets-left-over", lambda: amqp0.decode_method(PUBLISH + b"\0")),
    ("unknown-method", lambda: amqp0.decode_method(b"\0\1\0\1")),
    ("bad-frame", lambda: amqp0.decode_frames(HEARTBEAT[:-1] + b"\0")),
    ("unknown-frame-type", lambda: amqp0.decode_frames(b"\x09" + HEARTBEAT[1:])),
    ("too-large", lambda: amqp0.FrameDecoder(max_frame_size=4096).feed(b"\1\0\0\0\1\0\0")),
    ("not-unicode", lambda: amqp0.decode_table(table(b"\x01\xff", b"V"), strict=True)),
    ("unknown-letter", lambda: amqp0.decode_table(table(b"\x01a", b"\xfe"))),
    ("too-deep", lambda: amqp0.decode_table(amqp0.encode_table(deep(9)), max_depth=3)),
    ("too-many-elements", lambda: amqp0.decode_table(amqp0.encode_table({"a": 1, "b": 2}), max_elements=1)),
    ("truncated", lambda: amqp1.decode(b"\xa1\x05ab")),
    ("not-unicode", lambda: amqp1.decode(b"\xa1\x01\xff")),
    ("not-ascii", lambda: amqp1.decode(b"\xa3\x01\xff")),
    ("unknown-format-code", lambda: amqp1.decode(b"\x3f")),
    ("duplicate-key", lambda: amqp1.decode(b"\xc1\x09\x04\xa1\x01a\x40\xa1\x01a\x40")),
    ("malformed", lambda: amqp1.decode(b"\x56\x02")),
    ("missing-field", lambda: amqp1.decode_frames(performative(0x10))),
    ("too-many-fields", lambda: amqp1.decode_frames(performative(0x18, b"\x40", b"\x40"))),
    ("wrong-type", lambda: amqp1.decode_frames(performative(0x18, b"\x41"))),
    ("bad-frame", lambda: amqp1.decode_frames(b"\0\0\0\x08\x01\0\0\0")),
    ("unknown-frame-type", lambda: amqp1.decode_frames(b"\0\0\0\x08\x02\x07\0\0")),
    ("unknown-descriptor", lambda: amqp1.decode_frames(performative(0x70))),
    ("wrong-order", lambda: amqp1.decode_message(b"\x00\x53\x75\xa0\x00\x00\x53\x70\x45")),
)
ENCODED: tuple[tuple[str, Callable[[], Any]], ...] = (
    ("invalid-value", lambda: amqp0.encode_table({"a": ANYTHING})),
    ("missing-field", lambda: amqp1.performatives.Open(container_id=ABSENT).encode()),
    ("too-large", lambda: amqp0.methods.QueueDeclare(queue="q" * 256).encode()),
    ("too-deep", lambda: amqp0.encode_table(deep(99))),
    ("not-unicode", lambda: amqp0.encode_table({"a": "\ud800"})),
    ("not-ascii", lambda: amqp1.types.Symbol("ü")),
)


def error_of(call: Callable[[], Any]) -> Any:
    with pytest.raises((amqp0.CodecError, amqp1.CodecError)) as caught:
        call()
    return caught.value


@pytest.mark.parametrize(
    ("code", "call"), [*DECODED, *ENCODED], ids=[code for code, _ in (*DECODED, *ENCODED)]
)
def test_an_error_has_the_code_of_its_cause(code: str, call: Callable[[], Any]) -> None:
    assert error_of(call).code == code


def test_an_error_of_a_stream_keeps_its_code() -> None:
    decoder = amqp0.FrameDecoder(max_frame_size=4096)
    broken = HEARTBEAT[:-1] + b"\0"
    codes = {
        error_of(lambda: decoder.feed(HEARTBEAT + broken)).code,
        error_of(lambda: decoder.feed(b"")).code,
    }
    assert codes == {"bad-frame"}


def test_properties_that_are_read_late_keep_the_code() -> None:
    frame = b"\x02\0\1" + struct.pack(">I", len(HEADER) + 2) + HEADER[:-2] + b"\x80\0\x09\0" + b"\xce"
    ((_, header),), _ = amqp0.decode_frames(frame)
    assert error_of(lambda: header.properties).code == "truncated"


@pytest.mark.parametrize(
    "remake", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))], ids=["copied", "pickled"]
)
def test_a_copy_has_the_code(remake: Callable[[Any], Any]) -> None:
    error = error_of(lambda: amqp0.decode_method(PUBLISH + b"\0"))
    assert (remake(error).code, str(remake(error))) == ("octets-left-over", str(error))


def test_other_errors_of_the_packages_have_codes_too() -> None:
    invalid = amqp0.methods.QueueDeclare(queue="no blanks")
    assert error_of(lambda: amqp0.validate(invalid)).code == "rule-violated"
    assert amqp0.ProtocolError("no").code == "not-now"
    assert amqp0.errors.TimestampOutOfRange().code == "out-of-range"


def codes_of(package: ModuleType) -> tuple[str, ...]:
    return get_args(package.errors.ErrorCode)


def test_the_list_is_the_same_in_every_package_and_in_the_document() -> None:
    assert len({codes_of(package) for package in PACKAGES}) == 1
    section = DOCUMENT.read_text(encoding="utf-8").partition("### Codes\n")[2].partition("\n#")[0]
    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == codes_of(amqp0)


def test_every_class_of_errors_begins_with_a_code_of_the_list() -> None:
    for package in PACKAGES:
        classes = [entry for entry in vars(package.errors).values() if isinstance(entry, type)]
        concrete = [
            entry
            for entry in classes
            if issubclass(entry, package.CodecError) and entry is not package.CodecError
        ]
        assert {entry.code for entry in concrete} <= set(codes_of(package))
        assert len(concrete) >= 6
