"""The fields of AMQP 1.0 performatives and sections, each with its octets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from amqp_codegen.support.resources import load_module, load_package
from amqp_codegen.support.wording import counted

from ..lines import FieldSpan, short_value

PACKAGE = "amqp_1_0"

_BODY_SECTIONS = ("data", "amqp-sequence", "amqp-value")
_MOST_LEVELS_SHOWN = 8


def performative_spans(payload: bytes, with_body: bool) -> Iterator[FieldSpan]:
    """Yield the spans of a frame body: the performative, and the sections of a message after it.

    Args:
        payload: The frame body.
        with_body: Whether the body of the message may be shown.

    Raises:
        DecodeError: The performative is invalid.
    """
    reader = _Reader(payload)
    position = yield from reader.value(0, 0, "", len(payload))
    if position < len(payload):
        performative, _ = load_package(PACKAGE).decode(payload)
        # Only the first transfer of a delivery has a tag; the payload of others begins anywhere in the message.
        is_first = getattr(performative, "delivery_tag", None) is not None
        yield from reader.sections(position, with_body, is_first)


class _Reader:
    """A reader of the spans of one payload."""

    def __init__(self, payload: bytes) -> None:
        limits = load_module(PACKAGE, "limits")
        self._payload = payload
        self._limits: Any = limits.make_limits(limits.MAX_DEPTH, limits.MAX_ELEMENTS)
        self._walker: Any = load_module(PACKAGE, "type_walker").TypeWalker(payload, self._limits)
        self._read: Any = load_module(PACKAGE, "value_reader").read_value
        self._encodings: Any = load_module(PACKAGE, "array_writer").ENCODINGS

    def value(self, position: int, depth: int, name: str, end: int) -> Any:
        """Yield the spans of a value and of its parts; return where the value ends."""
        payload = self._payload
        _, stop = self._walker.value(position, end, name)
        code = payload[position]
        if not code:
            yield from self._described(position, depth, name, stop)
        elif (
            self._encodings[code].type in ("list", "map")
            and stop - position > 1
            and depth < _MOST_LEVELS_SHOWN
        ):
            yield from self._compound(position, position, depth, name, None, stop)
        else:
            value = self._read(payload, position, self._limits)[0]
            yield FieldSpan(
                position, stop, depth, name, self._encodings[code].type, short_value(value, long=True)
            )
        return stop

    def sections(self, position: int, with_body: bool, is_first: bool) -> Iterator[FieldSpan]:
        """Yield the sections of a message, up to the first that continues in another frame."""
        end = len(self._payload)
        errors = load_package(PACKAGE).errors
        while position < end:
            kind = self._kind(position) if is_first else None
            if kind is None or (kind.NAME in _BODY_SECTIONS and not with_body):
                break
            try:
                spans = list(self._section(position, end))
            except errors.CodecError:
                break
            yield from spans
            position = spans[-1].end
        if position < end:
            kind = self._kind(position) if is_first else None
            name = "payload" if kind is None else kind.NAME
            yield FieldSpan(position, end, 0, name, "", f"{end - position} octets", not with_body)

    def _section(self, position: int, end: int) -> Iterator[FieldSpan]:
        yield from self.value(position, 0, "", end)

    def _kind(self, position: int) -> Any:
        """Return the class of the described value at a position; None if it is unknown."""
        try:
            descriptor, _ = self._read(self._payload, position + 1, self._limits)
            return load_module(PACKAGE, "described").CLASSES.get(descriptor)
        except _faults():
            return None

    def _described(self, position: int, depth: int, name: str, end: int) -> Iterator[FieldSpan]:
        payload = self._payload
        start = self._walker.value(position + 1, end, name)[1]
        kind = self._kind(position)
        label = (
            kind.NAME if kind is not None else short_value(self._read(payload, position + 1, self._limits)[0])
        )
        is_list = payload[start] and self._encodings[payload[start]].type in ("list", "map")
        if kind is None or not is_list or depth >= _MOST_LEVELS_SHOWN:
            yield FieldSpan(position, start, depth, name or label, "descriptor", label)
            yield from self.value(start, depth + 1, "value", end)
        else:
            yield from self._compound(position, start, depth, name or label, kind, end)

    def _compound(
        self, position: int, start: int, depth: int, name: str, kind: Any, end: int
    ) -> Iterator[FieldSpan]:
        """Yield the octets before the first item of a list, map or composite, then its items."""
        code = self._payload[start]
        place, stop, count = self._walker.compound(code, start + 1, end, name)
        fields = kind.FIELDS if kind is not None else ()
        type_name = kind.NAME if kind is not None else self._encodings[code].type
        is_map = self._encodings[code].type == "map"
        size = f"{count // 2} entries" if is_map else counted(count, "field")
        yield FieldSpan(position, place, depth, name, type_name, size)
        for index in range(count):
            if is_map:
                if index % 2 == 0:
                    key_start = place
                    place = self._walker.value(place, stop, name)[1]
                    key = short_value(self._read(self._payload, key_start, self._limits)[0])
                    yield FieldSpan(key_start, place, depth + 1, "key", "", key)
                    continue
                label = "value"
            else:
                label = fields[index].name if index < len(fields) else f"[{index}]"
            place = yield from self.value(place, depth + 1, label, stop)


@cache
def _faults() -> tuple[type[Exception], ...]:
    return (load_package(PACKAGE).errors.CodecError, *load_module(PACKAGE, "limits").DECODE_FAULTS)
