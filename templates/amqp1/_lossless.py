"""Lossless decoding: values that remember the octets they came in, and are encoded as these until they change.

The encoders write every value in the shortest of its encodings. A peer may have used another one: a map with 32
bits for its size, a null at the end of a list, a descriptor in the form of a symbol. A proxy that passes a frame
on, and a digest over a message, need the octets as they were.

What was received is kept beside the value, together with what the encoder makes of the value. If the encoder still
makes the same of it, it has not changed, and the octets that were received stand for it.
"""

from typing import Any, Final, NamedTuple

from ._basics import dataclass
from ._limits import DEEPEST
from ._scalar_writer import ENCODE_FAULTS
from ._value_writer import write_value
from ._values import OwnValue
from .described import DescribedType


class Original(NamedTuple):
    """The octets that a value was decoded from.

    Attributes:
        octets: The value as it was received.
        written: The value as it is written; None if the encoder refuses it, for example for its number of elements.
        extension: The extended header of the frame, which has no meaning in AMQP 1.0.
        ignored: The octets of a SASL frame in which other frames have their channel.
    """

    octets: bytes
    written: bytes | None
    extension: bytes = b""
    ignored: int = 0


def written(value: object) -> bytes | None:
    """Return a value as it is written, to compare it with; None if it cannot be written."""
    try:
        return write_value(value, DEEPEST)
    except ENCODE_FAULTS:
        return None


@dataclass
class Encoded(OwnValue):
    """A value of any type with the octets it was decoded from: what ``decode(lossless=True)`` returns.

    Attributes:
        value: The value. If it is changed, or another one is set, it is encoded anew.
        original: What it was decoded from.
    """

    __slots__ = ("original", "value")
    __match_args__ = ("value", "original")

    value: Any
    original: Original

    def __init__(self, value: Any, original: Original) -> None:
        self.value = value
        self.original = original

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Encoded) or type(other) is not type(self):
            return NotImplemented
        return (self.value, self.original) == (other.value, other.original)

    @property
    def octets(self) -> bytes:
        """The value as it was received."""
        return self.original.octets

    def is_changed(self) -> bool:
        """Return whether the value is not what the octets say any more."""
        now = written(self.value)
        return now is None or now != self.original.written


class LosslessType:
    """The base of the classes of performatives that have their octets: each is derived from the usual class, too.

    Attributes:
        original: What it was decoded from; None for an object that was not.
    """

    __slots__ = ()

    original: Original | None = None

    def __init__(self, *values: Any, original: Original | None = None, **fields: Any) -> None:
        super().__init__(*values, **fields)
        setattr(self, "original", original)  # noqa: B010 - a slot of the classes that are made below

    def encode(self) -> bytes:
        """Return the octets that it was decoded from; if it has changed, the shortest encoding.

        Raises:
            EncodeError: A value does not fit its field, or a mandatory one is missing; ``path`` names it.
        """
        made_from: Any = super()  # a class of the specification
        octets: bytes = made_from.encode()
        original = self.original
        if original is not None and octets == original.written:
            return original.octets
        return octets

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        return same if same is not True else self.original == getattr(other, "original", None)

    def __reduce__(self) -> tuple[Any, ...]:
        kind = type(self).__mro__[2]
        return _restore, (kind, _fields(self), self.original)


_CLASSES: Final[dict[type[Any], type[Any]]] = {}


def lossless_class(kind: type[DescribedType]) -> type[Any]:
    """Return the class of objects of a composite type that have their octets."""
    found = _CLASSES.get(kind)
    if found is None:
        # The octets are a field: ``replace`` takes them along, as it should if it does not change a value.
        attributes = {
            "__doc__": kind.__doc__,
            "__module__": kind.__module__,
            "__qualname__": kind.__qualname__,
            "__slots__": ("original",),
        }
        found = _CLASSES[kind] = dataclass(type(kind.__name__, (LosslessType, kind), attributes))
    return found


def with_original(value: DescribedType, original: Original) -> Any:
    """Return a composite with the octets it was decoded from; itself if it is encoded as these anyway."""
    if original == (original.written, original.octets, b"", 0):
        return value
    return _restore(type(value), _fields(value), original)


def _fields(value: Any) -> dict[str, Any]:
    return {field.attribute: getattr(value, field.attribute) for field in value.FIELDS}


def _restore(kind: type[DescribedType], fields: dict[str, Any], original: Original | None) -> Any:
    return lossless_class(kind)(**fields, original=original)
