"""Encodes methods, content headers, bodies and tables of 0-x through a generated package."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from ...model.amqp0.field_types import TABLE_FLOATS, WIRE_TYPES, WireType
from ...model.problem import SpecError
from ...support.resources import load_module, load_package
from ...support.wording import did_you_mean, listing, quote
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

FRAMES, METHOD, HEADER, TABLE = "frames", "method", "header", "table"
KINDS0 = (FRAMES, METHOD, HEADER, TABLE)
_HEADER, _BODY, _HEARTBEAT, _PROTOCOL = "header", "body", "heartbeat", "protocol-header"
_BODY_SIZE = "body_size"
_PER_SECOND = WireType.TIMESTAMP.facts.per_second


class FrameEncoder:
    """Encodes the arguments of one call.

    Args:
        package: The name of the generated package.
        channel: The channel of the frames.
    """

    def __init__(self, package: str, channel: int) -> None:
        self._amqp: Any = load_package(package)
        self._content: Any = load_module(package, "content")
        self._errors: Any = load_module(package, "errors")
        self._channel = channel
        self._methods = {method.NAME: method for method in self._amqp.METHODS.values()}
        names = {
            properties.NAME.partition(".")[0]: properties for properties in self._content.PROPERTIES.values()
        }
        self._headers: Mapping[str, Any] = names

    def encode(self, arguments: Sequence[Argument], kind: str) -> Iterator[bytes]:
        """Yield the octets of each argument.

        Raises:
            SpecError: One is wrong; with its position.
        """
        if kind == TABLE:
            for argument in arguments:
                yield self._table(argument)
            return
        before = ""  # the class of the last method
        for number, argument in enumerate(arguments):
            name = argument.text.split(None, 1)[0] if argument.text.strip() else ""
            frame = self._frame(argument, name, before, arguments[number + 1 :])
            before = name.partition(".")[0] if name in self._methods else before
            if kind == FRAMES:
                yield self._octets(argument, frame)
            else:
                yield self._payload(argument, frame, kind, name)

    def _frame(self, argument: Argument, name: str, before: str, after: Sequence[Argument]) -> Any:
        """Return what an argument says: an object of the package, or octets."""
        if name == _PROTOCOL:
            return bytes(self._amqp.PROTOCOL_HEADER)
        if name == _HEARTBEAT:
            return self._amqp.Heartbeat()
        if name == _BODY:
            return self._content.ContentBody(_body(argument))
        class_name = before if name == _HEADER else name.removesuffix(f".{_HEADER}")
        if name == _HEADER or (name.endswith(f".{_HEADER}") and class_name in self._headers):
            return self._header(argument, class_name, after)
        if name not in self._methods:
            words = (*self._methods, _HEADER, _BODY, _HEARTBEAT, _PROTOCOL)
            hint = did_you_mean(name, words) or "write a method, header, body, heartbeat or protocol-header"
            raise argument.problem(0, f"there is no method {quote(name)}", hint)
        statement = parse_statement(argument)
        kind = self._methods[name]
        values = self._values(argument, statement, kind)
        return self._made(argument, statement, lambda: kind(**values))

    def _header(self, argument: Argument, class_name: str, after: Sequence[Argument]) -> Any:
        """Return a content header; unless told otherwise, its size is that of the bodies after it."""
        if class_name not in self._headers:
            if len(self._headers) > 1:
                names = listing(f"{name}.{_HEADER}" for name in self._headers)
                raise argument.problem(
                    0,
                    "a header follows the method whose content it is",
                    f"write {names}, or the method before it",
                )
            class_name = next(iter(self._headers))
        kind = self._headers[class_name]
        statement = parse_statement(argument)
        size: int | None = None
        rest: list[tuple[str, Literal | None, int]] = []
        for name, literal, offset in statement.fields:
            if _normal(name) == _BODY_SIZE and literal is not None:
                size = integer_of(argument, literal, name)
            else:
                rest.append((name, literal, offset))
        statement = Statement(statement.name, tuple(rest), statement.values)
        if size is None:
            size = 0
            for later in after:
                if not (later.text == _BODY or later.text.startswith(f"{_BODY} ")):
                    break
                size += len(_body(later))
        values = self._values(argument, statement, kind)
        properties = self._made(argument, statement, lambda: kind(**values))
        return self._content.ContentHeader(properties, size)

    def _values(self, argument: Argument, statement: Statement, kind: Any) -> dict[str, Any]:
        """Return the values of the fields of a method or property set."""
        if statement.values:
            first = statement.values[0]
            bits = {_normal(field.name) for field in kind.FIELDS if field.type == "bit"}
            word = first.value.text if isinstance(first.value, BareWord) else ""
            if _normal(word) not in bits:
                raise argument.problem(first.offset, "a field is written as name=value")
        given = list(statement.fields)
        for value in statement.values:  # bits without a value are set
            given.append((text_of(argument, value, "a field"), None, value.offset))
        fields = {_normal(field.name): field for field in kind.FIELDS if not field.reserved}
        aliases = {_normal(alias): _normal(name) for alias, name in kind.ALIASES.items()}
        values: dict[str, Any] = {}
        for name, literal, offset in given:
            key = aliases.get(_normal(name), _normal(name))
            if key not in fields:
                shown = [field.replace("_", "-") for field in fields]
                hint = did_you_mean(name, shown) or (
                    f"it has {listing(shown)}" if shown else "it has no fields"
                )
                raise argument.problem(offset, f"{kind.NAME} has no field {quote(name)}", hint)
            field = fields[key]
            if field.name in values:
                raise argument.problem(offset, f"{name} is given twice")
            values[field.name] = self._value(argument, field.type, literal, name, offset)
        return values

    def _value(self, argument: Argument, kind: str, literal: Literal | None, name: str, offset: int) -> Any:
        """Return the value of a field of an elementary type."""
        facts = WIRE_TYPES[kind].facts
        if facts.python == "bool":
            return truth_of(argument, literal, name)
        if literal is None:
            raise argument.problem(offset, f"{name} has no value", f"write {name}=VALUE")
        if facts.python == "str":
            return text_of(argument, literal, name)
        if facts.python == "bytes":
            return octets_of(argument, literal, name)
        if facts.python == "Content":
            return self._amqp.Content(0, octets_of(argument, literal, name))
        if facts.per_second:
            return moment_of(argument, literal, name, facts.per_second)
        if facts.python == "FieldTable":
            if not isinstance(literal.value, MapLiteral):
                raise argument.problem(literal.offset, f"{name} takes a table", 'write {"key": value}')
            return self._mapping(argument, literal.value)
        return integer_of(argument, literal, name)

    def _mapping(self, argument: Argument, value: MapLiteral) -> dict[str, Any]:
        return {
            text_of(argument, key, "a key"): self._entry(argument, content) for key, content in value.entries
        }

    def _entry(self, argument: Argument, literal: Literal) -> Any:
        """Return a value of a table: a typed one with the letter of its type, others as Python has them."""
        value = literal.value
        if isinstance(value, MapLiteral):
            return self._mapping(argument, value)
        if isinstance(value, ListLiteral):
            return [self._entry(argument, item) for item in value.items]
        if isinstance(value, QuotedText):
            return value.text
        if isinstance(value, TypedLiteral):
            return self._typed(argument, value.type, value.literal)
        if isinstance(value, Statement):
            raise argument.problem(literal.offset, f"tables have no values of the type {quote(value.name)}")
        if value.text.startswith("hex:"):
            return hexadecimal(argument, value.text, literal.offset)
        kind, colon, rest = value.text.partition(":")
        if colon and kind in {*self._kinds(), "bytes"}:
            return self._typed(argument, kind, Literal(BareWord(rest), literal.offset + len(kind) + 1))
        if is_time(value.text):
            return self._amqp.Timestamp(moment_of(argument, literal, "a time", _PER_SECOND))
        return plain_word(value.text)

    def _kinds(self) -> dict[str, str]:
        """Return kind of value to a letter that carries it."""
        dialect = self._amqp.dialects.DEFAULT_DIALECT
        return {kind: letter for letter, kind in reversed(list(dialect.read.items()))}

    def _typed(self, argument: Argument, kind: str, literal: Literal) -> Any:
        kinds = self._kinds()
        if kind not in kinds:
            hint = did_you_mean(kind, kinds) or f"it has {listing(kinds)}"
            raise argument.problem(literal.offset, f"the dialect has no {quote(kind)}", hint)
        value: Any
        if kind == "boolean":
            value = truth_of(argument, literal, kind)
        elif kind in TABLE_FLOATS:
            value = float_of(argument, literal, kind)
        elif kind.startswith("decimal"):
            text = text_of(argument, literal, kind)
            try:
                value = Decimal(text)
            except InvalidOperation:
                raise argument.problem(literal.offset, f"{quote(text)} is not a decimal") from None
        elif kind == "timestamp":
            value = self._amqp.Timestamp(moment_of(argument, literal, kind, _PER_SECOND))
        elif kind in ("bytes", "longstr", "shortstr"):
            value = octets_of(argument, literal, kind)
        elif kind in ("table", "array", "void"):
            return self._entry(argument, literal)
        else:
            value = integer_of(argument, literal, kind)
        return self._amqp.Tagged(kinds[kind], value)

    def _table(self, argument: Argument) -> bytes:
        literal = parse_literal(argument)
        if not isinstance(literal.value, MapLiteral):
            raise argument.problem(literal.offset, "a table is written as {key: value}")
        table = self._mapping(argument, literal.value)
        empty = Statement("table", (), ())
        return bytes(self._made(argument, empty, lambda: self._amqp.encode_table(table)))

    def _octets(self, argument: Argument, frame: Any) -> bytes:
        if isinstance(frame, bytes):
            return frame
        return bytes(self._made(argument, None, lambda: self._amqp.encode_frame(self._channel, frame)))

    def _payload(self, argument: Argument, frame: Any, kind: str, name: str) -> bytes:
        """Return the payload of a frame of the kind that was asked for."""
        is_method = name in self._methods
        if is_method != (kind == METHOD) or (
            kind == HEADER and not isinstance(frame, self._content.ContentHeader)
        ):
            raise argument.problem(0, f"{quote(name)} is not a {kind}", "leave --as out for frames")
        octets = self._octets(argument, frame)
        return octets[7:-1]

    def _made(self, argument: Argument, statement: Statement | None, make: Callable[[], Any]) -> Any:
        """Return what ``make`` returns; an error of the codec names the place of the field."""
        try:
            return make()
        except self._errors.CodecError as error:
            raise codec_problem(argument, statement or parse_statement(argument), error) from None
        except TypeError as error:
            raise argument.problem(0, missing_text(str(error))) from None


def missing_text(message: str) -> str:
    """Return the error about a missing parameter in our words."""
    names = [name.replace("_", "-") for name in message.split("'")[1::2]]
    return f"{listing(names)} must be given" if names else message


def codec_problem(argument: Argument, statement: Statement, error: Any) -> SpecError:
    """Return an error of a generated codec, at the place of the field that it names."""
    path = str(getattr(error, "path", ""))
    words = {_normal(part) for part in path.replace("[", ".").split(".")}
    places = [
        literal.offset if literal else offset
        for name, literal, offset in statement.fields
        if _normal(name) in words or _normal(name).rstrip("_") in words
    ]
    said = f"{path}: {error.message}" if path else str(error.message)
    return argument.problem(places[0] if places else 0, said)


def _normal(name: str) -> str:
    """Return the name of a field in one spelling: ``routing-key`` and ``routing_key`` are the same."""
    return name.replace("-", "_").rstrip("_").lower()


def _body(argument: Argument) -> bytes:
    text = argument.text
    offset = text.index(_BODY) + len(_BODY)
    return raw_body(argument, min(len(text), offset + 1))
