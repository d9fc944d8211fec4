"""Octets that end too early: at every place, the error names the field that is cut."""

from __future__ import annotations

from typing import Any

import pytest

from . import reference_codec
from .hostile import check_error, nested_table, survive, try_method
from .packages import (
    RABBITMQ,
    bare,
    dialect_of,
    each_method,
    each_package,
    each_property_set,
    methods_of,
    plain_fields,
)
from .reference_codec import frame
from .values import greatest, typical_values


def values_of(amqp: Any, cls: Any) -> dict[str, Any]:
    """Everyday values, reserved fields too, so that every field has octets that can be missing."""
    values = typical_values(amqp, cls)
    for field in getattr(cls, "FIELDS", ()):
        if field.type == "table":
            values[field.name] = nested_table(dialect_of(amqp))
        elif field.name not in values:
            values[field.name] = {"shortstr": "res", "longstr": b"res"}.get(field.type, 1)
    return values


@each_method
def test_methods(amqp: Any, cls: Any) -> None:
    payload, spans = reference_codec.method(cls, values_of(amqp, cls), dialect_of(amqp))
    assert not isinstance(survive(amqp, payload), Exception)
    for end in range(len(payload)):
        error = survive(amqp, payload[:end])
        assert type(error) is amqp.errors.Truncated, (end, error)
        if end < 4:
            assert error.path == ""
        else:
            cut = next(span for span in spans if span.start <= end < span.stop)
            check_error(amqp, error, end, f"{cls.NAME}.{cut.name}")
            assert error.offset >= cut.start
            if cut.type != "table":
                assert error.path == f"{cls.NAME}.{cut.name}"


@each_property_set
def test_headers(amqp: Any, cls: Any) -> None:
    payload, spans = reference_codec.header(cls, values_of(amqp, cls), dialect_of(amqp))
    for options in ({}, {"lossless": True}):
        assert len(amqp.decode_frames(frame(2, 1, payload), **options, strict=True)[0]) == 1
        for end in range(len(payload)):
            stream = frame(2, 1, payload[:end])
            with pytest.raises(amqp.errors.Truncated) as caught:
                amqp.decode_frames(stream, **options, strict=True)
            cut = [span for span in spans if span.start <= end < span.stop]
            path = f"{cls.NAME}.{cut[0].name}" if cut else ""
            check_error(amqp, caught.value, len(stream), path)
            assert caught.value.offset <= 7 + end


@each_package
def test_octets_after_the_arguments(amqp: Any) -> None:
    for cls in methods_of(amqp):
        payload = cls(**typical_values(amqp, cls)).encode()
        for more in (b"\0", b"\xce", b"\xff" * 8, payload):
            for lossless in (False, True):
                error = try_method(amqp, payload + more, lossless)
                assert type(error) is amqp.errors.Malformed
                assert (error.path, error.offset) == (cls.NAME, len(payload))


@each_property_set
def test_octets_after_the_properties(amqp: Any, cls: Any) -> None:
    payload = reference_codec.header(cls, values_of(amqp, cls), dialect_of(amqp))[0]
    for options in ({}, {"lossless": True}):
        with pytest.raises(amqp.errors.Malformed) as caught:
            amqp.decode_frames(frame(2, 1, payload + b"\0"), **options, strict=True)
        assert (caught.value.path, caught.value.offset) == (cls.NAME, 7 + len(payload))


@each_package
def test_a_method_frame_cannot_read_into_the_next_frame(amqp: Any) -> None:
    # The frame is complete but its payload is cut: what follows must not be taken for the rest.
    for cls in amqp.METHODS.values():
        payload = cls(**typical_values(amqp, cls)).encode()
        for end in {0, 1, 2, 3, 4, len(payload) // 2, len(payload) - 1} - {len(payload)}:
            if end > len(payload):
                continue
            stream = frame(1, 1, payload[:end]) + frame(1, 1, payload) + bytes(300)
            for options in ({}, {"lossless": True}):
                with pytest.raises(amqp.errors.Truncated) as caught:
                    amqp.decode_frames(stream, **options, strict=True)
                assert caught.value.offset <= 7 + end
                assert caught.value.frames == ()


def test_fields_of_fixed_size_say_what_is_missing() -> None:
    for name, value in (("basic.ack", b"\0" * 7), ("basic.qos", b"\0" * 3), ("connection.tune", b"\0")):
        cls = next(cls for cls in RABBITMQ.METHODS.values() if name == cls.NAME)
        with pytest.raises(RABBITMQ.errors.Truncated) as caught:
            RABBITMQ.decode_method(bare(cls).encode()[:4] + value)
        assert caught.value.path == f"{name}.{plain_fields(cls)[0].name}"
        assert "needs" in caught.value.message
    assert greatest("bit", RABBITMQ) is True
