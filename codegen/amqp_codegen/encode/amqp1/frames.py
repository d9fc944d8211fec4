"""Encodes performatives, sections and values of AMQP 1.0 through the generated package."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...support.resources import load_module, load_package
from ...support.wording import did_you_mean, listing, quote
from ..amqp0.frames import codec_problem, missing_text
from ..conversion import (
    float_of,
    hexadecimal,
    integer_of,
    is_time,
    moment_of,
    octets_of,
    plain_word,
    raw_body,
    text_of,
    truth_of,
)
from ..statement import (
    Argument,
    BareWord,
    ListLiteral,
    Literal,
    MapLiteral,
    QuotedText,
    Statement,
    TypedLiteral,
    parse_literal,
    parse_statement,
)

FRAMES, MESSAGE, VALUE = "frames", "message", "value"
KINDS1 = (FRAMES, MESSAGE, VALUE)
_HEARTBEAT, _PROTOCOL = "heartbeat", "protocol-header"
_DATA = "data"
_PER_SECOND = PRIMITIVE_TYPES["timestamp"].per_second
_DESCRIBED, _ARRAY = "described", "array"


class FrameEncoder:
    """Encodes the arguments of one call.

    Args:
        package: The name of the generated package.
        channel: The channel of the frames.
    """

    def __init__(self, package: str, channel: int) -> None:
        self._amqp: Any = load_package(package)
        self._errors: Any = load_module(package, "errors")
        self._channel = channel
        classes = load_module(package, "described").CLASSES
        self._classes: dict[str, Any] = {kind.NAME: kind for kind in classes.values()}
        # The primitive types in the order of the specification.
        self._kinds = dict.fromkeys(encoding.type for encoding in self._amqp.constants.ENCODINGS.values())
        self._types = self._constructors()

    def encode(self, arguments: Sequence[Argument], kind: str) -> Iterator[bytes]:
        """Yield the octets of each frame, message or value.

        Sections follow the performative whose payload they are, so that several arguments make one frame.

        Raises:
            SpecError: An argument is wrong; with its position.
        """
        if kind == VALUE:
            yield from (self._value_octets(argument) for argument in arguments)
            return
        if kind == MESSAGE:
            yield b"".join(self._section(argument) for argument in arguments)
            return
        position = 0
        while position < len(arguments):
            first = arguments[position]
            position += 1
            payload = b""
            while position < len(arguments) and self._is_section(arguments[position]):
                payload += self._section(arguments[position])
                position += 1
            yield self._frame(first, payload)

    def _frame(self, argument: Argument, payload: bytes) -> bytes:
        words = argument.text.split()
        name = words[0] if words else ""
        if name == _PROTOCOL:
            layer = words[1] if len(words) > 1 else "amqp"
            headers = self._amqp.PROTOCOL_HEADERS
            if layer not in headers:
                raise argument.problem(
                    0, f"there is no layer {quote(layer)}", f"there are {listing(headers)}"
                )
            return bytes(headers[layer]) + payload
        performative = None
        if name != _HEARTBEAT:
            kind = self._classes.get(name)
            frames = [frame for frame, cls in self._classes.items() if cls.PROVIDES & {"frame", "sasl-frame"}]
            if kind is None or name not in frames:
                hint = did_you_mean(name, [*frames, _HEARTBEAT, _PROTOCOL]) or f"there are {listing(frames)}"
                said = "is not the body of a frame" if kind else "is not a performative"
                raise argument.problem(0, f"{quote(name)} {said}", hint)
            performative = self._described(argument, parse_statement(argument), 0)
        return bytes(
            self._made(
                argument,
                lambda: self._amqp.encode_frame(self._channel_of(performative), performative, payload),
            )
        )

    def _channel_of(self, performative: Any) -> int:
        """Return the channel; SASL frames have none."""
        return 0 if "sasl-frame" in getattr(performative, "PROVIDES", ()) else self._channel

    def _is_section(self, argument: Argument) -> bool:
        words = argument.text.split(None, 1)
        kind = self._classes.get(words[0]) if words else None
        return kind is not None and "section" in kind.PROVIDES

    def _section(self, argument: Argument) -> bytes:
        words = argument.text.split(None, 1)
        name = words[0] if words else ""
        if not self._is_section(argument):
            sections = [section for section, kind in self._classes.items() if "section" in kind.PROVIDES]
            hint = did_you_mean(name, sections) or f"there are {listing(sections)}"
            raise argument.problem(0, f"{quote(name)} is not a section of a message", hint)
        if name == _DATA:  # octets, or a text as it is
            offset = min(len(argument.text), argument.text.index(_DATA) + len(_DATA) + 1)
            return bytes(self._classes[_DATA](raw_body(argument, offset)).encode())
        section = self._described(argument, parse_statement(argument), 0)
        return bytes(self._made(argument, section.encode))

    def _value_octets(self, argument: Argument) -> bytes:
        """Return the octets of a value, or of a described type with its fields."""
        name = argument.text.split(None, 1)[0] if argument.text.strip() else ""
        value: Any
        if name in self._classes:
            value = self._described(argument, parse_statement(argument), 0)
        else:
            value = self._any(argument, parse_literal(argument))
        return bytes(self._made(argument, lambda: self._amqp.encode(value)))

    def _described(self, argument: Argument, statement: Statement, offset: int) -> Any:
        """Return a composite, or a restricted type with a descriptor."""
        name = statement.name
        if name == _DESCRIBED and len(statement.values) == 2:
            descriptor, value = (self._any(argument, part) for part in statement.values)
            return self._amqp.Described(descriptor, value)
        if name == _ARRAY:
            items = [self._any(argument, item) for item in statement.values]
            return self._made(argument, lambda: self._amqp.Array(items))
        kind = self._classes.get(name)
        if kind is None:
            hint = did_you_mean(name, [*self._classes, _DESCRIBED, _ARRAY])
            raise argument.problem(offset, f"there is no type {quote(name)} with a descriptor", hint)
        if kind.SOURCE:
            return self._restricted(argument, statement, kind, offset)
        if statement.values:
            raise argument.problem(statement.values[0].offset, "a field is written as name=value")
        fields = {_normal(field.name): field for field in kind.FIELDS}
        values: dict[str, Any] = {}
        for field_name, literal, at in statement.fields:
            field = fields.get(_normal(field_name))
            if field is None:
                known = [field.name for field in kind.FIELDS]
                hint = did_you_mean(field_name, known) or (
                    f"it has {listing(known)}" if known else "it has no fields"
                )
                raise argument.problem(at, f"{name} has no field {quote(field_name)}", hint)
            if field.attribute in values:
                raise argument.problem(at, f"{field_name} is given twice")
            assert literal is not None
            values[field.attribute] = self._field(argument, field, literal)
        return self._made(argument, lambda: kind(**values), statement)

    def _restricted(self, argument: Argument, statement: Statement, kind: Any, offset: int) -> Any:
        """Return a section or another restricted type: its name, and one value."""
        if len(statement.values) != 1 or statement.fields:
            raise argument.problem(
                offset, f"{statement.name} takes one value", f"write {statement.name} VALUE"
            )
        literal = statement.values[0]
        if kind.SOURCE == "*":
            value = self._any(argument, literal)
        else:
            value = self._primitive(argument, kind.SOURCE, literal, statement.name)
        return self._made(argument, lambda: kind(value), statement)

    def _field(self, argument: Argument, field: Any, literal: Literal) -> Any:
        """Return the value of a field of a composite."""
        if isinstance(literal.value, BareWord) and literal.value.text == "null":
            return None
        if field.multiple:
            items = literal.value.items if isinstance(literal.value, ListLiteral) else (literal,)
            return [self._one(argument, field, item) for item in items]
        return self._one(argument, field, literal)

    def _one(self, argument: Argument, field: Any, literal: Literal) -> Any:
        if field.values is not None and isinstance(literal.value, BareWord):
            members = {_normal(value.name): value for value in field.values if hasattr(value, "name")}
            if _normal(literal.value.text) in members:
                return members[_normal(literal.value.text)]
            if members and field.primitive not in ("string", "symbol") and not literal.value.text.isdigit():
                names = listing(name.rstrip("-") for name in members)
                raise argument.problem(literal.offset, f"{field.name} takes one of {names}")
        if isinstance(literal.value, Statement):
            return self._described(argument, literal.value, literal.offset)
        if field.primitive:
            return self._primitive(argument, field.primitive, literal, field.name)
        return self._any(argument, literal)

    def _primitive(self, argument: Argument, kind: str, literal: Literal, what: str) -> Any:
        """Return a value of a primitive type."""
        value = literal.value
        if isinstance(value, TypedLiteral):
            return self._any(argument, literal)
        if isinstance(value, BareWord) and value.text.startswith(f"{kind}:"):  # its own type
            literal = Literal(BareWord(value.text[len(kind) + 1 :]), literal.offset + len(kind) + 1)
        if kind == "boolean":
            return truth_of(argument, literal, what)
        if kind == "binary":
            return octets_of(argument, literal, what)
        if kind == "timestamp":
            return self._amqp.types.Timestamp(moment_of(argument, literal, what, _PER_SECOND))
        if kind == "uuid":
            text = text_of(argument, literal, what)
            try:
                return uuid.UUID(text)
            except ValueError:
                raise argument.problem(literal.offset, f"{quote(text)} is not a UUID") from None
        if kind in ("map", "list"):
            wanted = MapLiteral if kind == "map" else ListLiteral
            if not isinstance(value, wanted):
                hint = "write {key: value}" if kind == "map" else "write [value, value]"
                raise argument.problem(literal.offset, f"{what} takes a {kind}", hint)
            return self._any(argument, literal)
        make = self._types.get(kind)
        if make is None:
            return self._any(argument, literal)
        content: Any
        if kind in ("string", "symbol", "char") or kind.startswith("decimal"):
            content = text_of(argument, literal, what)
        elif PRIMITIVE_TYPES[kind].letter:
            content = float_of(argument, literal, what)
        else:
            content = integer_of(argument, literal, what)
        return self._made(argument, lambda: make(content), offset=literal.offset)

    def _any(self, argument: Argument, literal: Literal) -> Any:
        """Return a value where any type may stand; without the name of a type, Python's decides."""
        value = literal.value
        if isinstance(value, Statement):
            return self._described(argument, value, literal.offset)
        if isinstance(value, ListLiteral):
            return [self._any(argument, item) for item in value.items]
        if isinstance(value, MapLiteral):
            entries = [
                (self._any(argument, key), self._any(argument, content)) for key, content in value.entries
            ]
            return (
                self._amqp.Map(entries) if any(_is_unhashable(key) for key, _ in entries) else dict(entries)
            )
        if isinstance(value, QuotedText):
            return value.text
        if isinstance(value, TypedLiteral):
            return self._typed(argument, value.type, value.literal)
        if value.text.startswith("hex:"):
            return hexadecimal(argument, value.text, literal.offset)
        kind, colon, rest = value.text.partition(":")
        if colon and (kind in self._types or kind in _OTHER_TYPES):
            return self._typed(argument, kind, Literal(BareWord(rest), literal.offset + len(kind) + 1))
        if is_time(value.text):
            return self._amqp.types.Timestamp(moment_of(argument, literal, "a time", _PER_SECOND))
        return plain_word(value.text)

    def _typed(self, argument: Argument, kind: str, literal: Literal) -> Any:
        known = (*self._types, *_OTHER_TYPES)
        if kind not in known:
            hint = did_you_mean(kind, known) or f"there are {listing(known)}"
            raise argument.problem(literal.offset - len(kind) - 1, f"there is no type {quote(kind)}", hint)
        return self._primitive(argument, kind, literal, kind)

    def _constructors(self) -> dict[str, Callable[[Any], Any]]:
        """Return the primitive types that have a class of their own, and the two that Python has."""
        classes = {name.lower(): getattr(self._amqp.types, name) for name in self._amqp.types.__all__}
        kinds = [kind for kind in self._kinds if kind in classes and kind not in (*_OTHER_TYPES, _ARRAY)]
        return {"long": int, "double": float, **{kind: classes[kind] for kind in kinds}, "string": str}

    def _made(
        self, argument: Argument, make: Callable[[], Any], statement: Statement | None = None, offset: int = 0
    ) -> Any:
        """Return what ``make`` returns; an error of the codec names the place of the field."""
        try:
            return make()
        except self._errors.CodecError as error:
            if offset:
                raise argument.problem(offset, str(error.message)) from None
            place = statement or _statement_of(argument)
            raise codec_problem(argument, place, error) from None
        except TypeError as error:
            raise argument.problem(offset, missing_text(str(error))) from None


_OTHER_TYPES = ("boolean", "binary", "timestamp", "uuid", "map", "list")


def _statement_of(argument: Argument) -> Statement:
    return parse_statement(argument) if "=" in argument.text else Statement("", (), ())


def _is_unhashable(key: Any) -> bool:
    try:
        hash(key)
    except TypeError:
        return True
    return False


def _normal(name: str) -> str:
    return name.replace("_", "-").rstrip("-").lower()
