"""Values between the form of ``vectors.json`` and that of the generated package."""

import struct
import uuid
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, cast

from .peer import Neutral, Refused, not_supported

_LAST_CHARACTER: Final = 0x10FFFF
# Their numbers go beyond what every JSON reader keeps exactly.
_WIDE: Final = ("ulong", "long", "timestamp")


def _octets(value: Neutral) -> bytes:
    return bytes.fromhex(value["hex"])


class Values:
    """Turns values around.

    Attributes:
        amqp: The generated package.
        classes: Its classes for the types that have a descriptor, by the names of the types.
    """

    def __init__(self, amqp: Any) -> None:
        types = amqp.types
        self.amqp = amqp
        self.classes: dict[str, Any] = {each.NAME: each for each in amqp.described.CLASSES.values()}
        self._numbers: dict[str, Any] = {
            "ubyte": types.UByte,
            "ushort": types.UShort,
            "uint": types.UInt,
            "ulong": types.ULong,
            "byte": types.Byte,
            "short": types.Short,
            "int": types.Int,
            "long": types.Long,
            "timestamp": types.Timestamp,
        }
        self._decimals: dict[str, Any] = {
            "decimal32": types.Decimal32,
            "decimal64": types.Decimal64,
            "decimal128": types.Decimal128,
        }
        self._names: dict[Any, str] = {
            kind: name for name, kind in (*self._numbers.items(), *self._decimals.items())
        }
        self._names |= {
            type(None): "null",
            bool: "boolean",
            types.Float: "float",
            float: "double",
            types.Char: "char",
            uuid.UUID: "uuid",
            bytes: "binary",
            str: "string",
            types.Symbol: "symbol",
            list: "list",
            dict: "map",
            amqp.Map: "map",
            amqp.Array: "array",
            amqp.Described: "described",
        }

    def value_of(self, form: Neutral) -> Any:
        """What the package takes for a value."""
        name = form["type"]
        if name in self.classes:
            return self._described_type(name, form)
        if name == "list":
            return [self.value_of(item) for item in form["items"]]
        if name == "map":
            return self._map([(self.value_of(key), self.value_of(item)) for key, item in form["entries"]])
        if name == "array":
            descriptors = tuple(self.value_of(each) for each in form.get("descriptors", ()))
            return self._array(form["of"], [self.value_of(item) for item in form["items"]], descriptors)
        if name == "described":
            return self.amqp.Described(self.value_of(form["descriptor"]), self.value_of(form["value"]))
        return self._scalar(name, form["value"])

    def _described_type(self, name: str, form: Neutral) -> Any:
        kind = self.classes[name]
        if kind.SOURCE:
            return kind(self.value_of(form["value"]))
        fields = {
            layout.attribute: self._field(form["fields"][layout.name])
            for layout in kind.FIELDS
            if layout.name in form["fields"]
        }
        try:
            return kind(**fields)
        except TypeError as error:  # a mandatory field is missing
            raise Refused("range", str(error)) from error

    def _field(self, content: Neutral) -> Any:
        if isinstance(content, list):
            return [self.value_of(item) for item in cast("Sequence[Neutral]", content)]
        return self.value_of(content)

    def _map(self, pairs: list[tuple[Any, Any]]) -> Any:
        """A dict if it can hold the pairs: Python takes 1 and true for equal, and a list for no key."""
        try:
            entries = dict(pairs)
        except TypeError:
            return self.amqp.Map(pairs)
        return entries if len(entries) == len(pairs) else self.amqp.Map(pairs)

    def _array(self, of: str, items: list[Any], descriptors: tuple[Any, ...]) -> Any:
        described = [item for item in items if getattr(item, "NAME", "") in self.classes]
        for descriptor in reversed(descriptors[: -1 if described else None]):
            items = [self.amqp.Described(descriptor, item) for item in items]
        return self.amqp.Array(items, of, descriptors)

    def _scalar(self, name: str, content: Neutral) -> Any:
        if name in self._numbers:
            return self._number(name, int(content))
        if name == "char":
            return self._character(content)
        if name == "symbol":
            return self.amqp.Symbol(content)
        if name in ("null", "boolean", "string"):
            return content
        octets = _octets(content)
        if name == "float":
            return self.amqp.types.Float(struct.unpack(">f", octets)[0])
        if name == "double":
            return struct.unpack(">d", octets)[0]
        if name in self._decimals:
            return self._decimals[name](bits=int.from_bytes(octets, "big"))
        return uuid.UUID(bytes=octets) if name == "uuid" else octets

    def _number(self, name: str, number: int) -> Any:
        if name == "long" and number >= 1 << 63:
            not_supported("a long out of range, for the package takes such an int for a ulong")
        return self._numbers[name](number)

    def _character(self, point: int) -> Any:
        if point > _LAST_CHARACTER:
            raise Refused("range", "Python has no such character")
        return self.amqp.types.Char(chr(point))

    def neutral(self, value: Any) -> Neutral:
        """The form of a decoded value."""
        if getattr(value, "NAME", "") in self.classes:
            return self._neutral_described_type(value)
        name = self._names[type(value)]
        if name == "list":
            return {"type": name, "items": [self.neutral(item) for item in value]}
        if name == "map":
            pairs = cast("Mapping[Any, Any]", value).items() if isinstance(value, dict) else value
            return {"type": name, "entries": [[self.neutral(key), self.neutral(item)] for key, item in pairs]}
        if name == "array":
            return self._neutral_array(value)
        if name == "described":
            descriptor = self.neutral(value.descriptor)
            return {"type": name, "descriptor": descriptor, "value": self.neutral(value.value)}
        return self.tagged(name, value)

    def tagged(self, name: str, value: Any) -> Neutral:
        """The form of a scalar of the type of that name."""
        content: Neutral = value.value if isinstance(value, Enum) else value
        if name in _WIDE:
            content = str(int(content))
        elif name == "boolean":
            content = bool(content)
        elif name in self._numbers:
            content = int(content)
        elif name == "char":
            content = ord(content)
        elif name in ("string", "symbol"):
            content = str(content)
        elif name != "null":
            content = {"hex": self._octets_of(name, content).hex()}
        return {"type": name, "value": content}

    def _octets_of(self, name: str, value: Any) -> bytes:
        if name == "float":
            return struct.pack(">f", value)
        if name == "double":
            return struct.pack(">d", value)
        if name == "uuid":
            return value.bytes  # type: ignore[no-any-return]
        return bytes(value.to_bytes() if name in self._decimals else value)

    def _neutral_described_type(self, value: Any) -> Neutral:
        if value.SOURCE:
            return {"type": value.NAME, "value": self.neutral(value.value)}
        fields: dict[str, Neutral] = {}
        for layout in value.FIELDS:
            content = getattr(value, layout.attribute)
            if layout.multiple and content:
                fields[layout.name] = [self._neutral_field(layout, item) for item in content]
            elif content is not None and not layout.multiple:
                fields[layout.name] = self._neutral_field(layout, content)
        return {"type": value.NAME, "fields": fields}

    def _neutral_field(self, layout: Any, value: Any) -> Neutral:
        """A field: its layout knows the type, for its value is perhaps a plain number or a choice."""
        if layout.primitive in ("", "list", "map", "array"):
            return self.neutral(value)
        return self.tagged(layout.primitive, value)

    def _neutral_array(self, array: Any) -> Neutral:
        items = list(array)
        for _ in array.descriptors:
            items = [item.value if isinstance(item, self.amqp.Described) else item for item in items]
        form: dict[str, Neutral] = {"type": "array", "of": array.type}
        if array.descriptors:
            form["descriptors"] = [self.neutral(each) for each in array.descriptors]
        return {**form, "items": [self.neutral(item) for item in items]}
