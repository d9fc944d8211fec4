"""What no XML states: protocol headers, frame types, heartbeats; and where a package came from."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from .packages import DRAFT, OLDEST, OLDEST_RABBITMQ, RABBITMQ, STANDARD, each_package

SPECS = Path(__file__).resolve().parents[3] / "specs"
HEADERS = {
    "amqp_0_8": "414d5150 01 01 08 00",
    "amqp_0_8_rabbitmq": "414d5150 01 01 08 00",
    "amqp_0_9": "414d5150 01 01 00 09",
    "amqp_0_9_1": "414d5150 00 00 09 01",
    "amqp_0_9_1_rabbitmq": "414d5150 00 00 09 01",
}


@each_package
def test_protocol_header(amqp: Any) -> None:
    expected = bytes.fromhex(HEADERS[amqp.__name__])
    assert amqp.PROTOCOL_HEADER == amqp.constants.PROTOCOL_HEADER == expected
    assert len(expected) == 8
    others = (b"AMQP\x01\x01\x09\x01",) if amqp in (OLDEST, OLDEST_RABBITMQ) else ()
    assert others == amqp.constants.OTHER_PROTOCOL_HEADERS


@each_package
def test_frames(amqp: Any) -> None:
    c = amqp.constants
    assert (c.FRAME_METHOD, c.FRAME_HEADER, c.FRAME_BODY, c.FRAME_HEARTBEAT) == (1, 2, 3, 8)
    assert (c.FRAME_END, c.FRAME_OVERHEAD, c.FRAME_MIN_SIZE, c.PORT) == (0xCE, 8, 4096, 5672)
    assert bytes.fromhex("080000 00000000 ce") == c.HEARTBEAT_FRAME
    assert amqp.encode_frame(0, amqp.Heartbeat()) == c.HEARTBEAT_FRAME
    for name, value in (("METHOD", 4), ("HEADER", 5), ("BODY", 6)):
        assert getattr(c, f"FRAME_OOB_{name}", None) == (
            value if amqp in (OLDEST, OLDEST_RABBITMQ, DRAFT) else None
        )
    assert getattr(c, "FRAME_TRACE", None) == (7 if amqp in (OLDEST, OLDEST_RABBITMQ, DRAFT) else None)


@each_package
def test_where_it_came_from(amqp: Any) -> None:
    spec = amqp.SPEC
    files = {
        OLDEST: ("0-8", ("amqp0-8.xml",)),
        OLDEST_RABBITMQ: ("0-8-rabbitmq", ("amqp0-8.xml", "rabbitmq-0-8.xml")),
        DRAFT: ("0-9", ("amqp0-9.xml",)),
        STANDARD: ("0-9-1", ("amqp0-9-1.xml",)),
        RABBITMQ: ("0-9-1-rabbitmq", ("amqp0-9-1.xml", "rabbitmq.xml")),
    }
    assert (spec.version, spec.files) == files[amqp]
    assert len(spec.sha256) == len(spec.files)
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in spec.sha256)
    assert spec.generator
    if not SPECS.is_dir():
        pytest.skip(f"{SPECS} is not there")
    for name, digest in zip(spec.files, spec.sha256, strict=True):
        assert hashlib.sha256((SPECS / name).read_bytes()).hexdigest() == digest


def test_reply_codes() -> None:
    assert RABBITMQ.ReplyCode(404) is RABBITMQ.ReplyCode.NOT_FOUND
    assert RABBITMQ.ReplyCode.NOT_FOUND == 404
    assert RABBITMQ.constants.NOT_FOUND == 404
    # Codes that not every version has.
    codes = {
        310: {OLDEST, DRAFT},
        312: {DRAFT, RABBITMQ},
        313: {DRAFT, STANDARD, RABBITMQ},
        406: {DRAFT, STANDARD, RABBITMQ},
        505: {STANDARD, RABBITMQ},
    }
    for code, packages in codes.items():
        for amqp in (OLDEST, DRAFT, STANDARD, RABBITMQ):
            assert (code in list(amqp.ReplyCode)) is (amqp in packages), (code, amqp)
            assert (code in amqp.CLOSE_ERRORS) is (amqp in packages), (code, amqp)


def test_close_errors() -> None:
    close = RABBITMQ.methods.ChannelClose(404, "NOT_FOUND - no queue", 50, 10)
    error = RABBITMQ.CLOSE_ERRORS[close.reply_code](close.reply_text, close.class_id, close.method_id)
    assert isinstance(error, RABBITMQ.errors.NotFoundClose)
    assert isinstance(error, RABBITMQ.errors.ChannelCloseError)
    assert not isinstance(error, RABBITMQ.errors.ConnectionCloseError)
    assert (error.REPLY_CODE, error.reply_text, error.class_id, error.method_id) == (
        404,
        "NOT_FOUND - no queue",
        50,
        10,
    )
    assert "404" in str(error)
    assert "no queue" in str(error)
    assert issubclass(RABBITMQ.CLOSE_ERRORS[320], RABBITMQ.errors.ConnectionCloseError)
    assert issubclass(RABBITMQ.CLOSE_ERRORS[541], RABBITMQ.errors.ConnectionCloseError)
    assert 200 not in RABBITMQ.CLOSE_ERRORS
    # A peer's close is no fault of the codec.
    assert not issubclass(RABBITMQ.errors.CloseError, RABBITMQ.CodecError)
