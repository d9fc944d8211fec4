"""The base of the classes of all types with a descriptor: facts of the specification, and encoding.

Most of them are composites: lists of fields. Some are restricted types with one value, for example the
sections of a message that are maps.
"""

from typing import Any, Final

from ._containers import DESCRIPTORS
from ._encode_checker import encode_error
from ._layout import FieldLayout, TypeLayout
from ._limits import MAX_DEPTH, READERS, ValueReader
from ._scalar_writer import ENCODE_FAULTS
from ._value_writer import add_compound
from ._values import OwnValue
from .types import Symbol, ULong

__all__ = ["CLASSES", "DescribedType", "describe"]


class DescribedType(TypeLayout, OwnValue):
    """A value of a type with a descriptor.

    Attributes:
        NAME: The name of the type: ``transfer``.
        CODE: The number that describes it; None when it has none.
        SYMBOL: The symbol that describes it; empty when it has none.
        PROVIDES: The archetypes it provides.
        SOURCE: The primitive type that a restricted type describes, its ``value``; ``*`` for any. Empty for a
            composite.
        FIELDS: The fields of a composite in wire order.
    """

    __slots__ = ()

    def encode(self) -> bytes:
        """Return the octets: descriptor and value.

        Raises:
            EncodeError: A value does not fit its field, or a mandatory one is missing; ``path`` names it.
        """
        try:
            return self.pack(MAX_DEPTH - 1)
        except ENCODE_FAULTS as fault:
            raise encode_error(self, fault, MAX_DEPTH) from None


# By descriptor, as ``int`` or ``str``: the class of the type. The walker's counterpart of ``READERS``.
CLASSES: Final[dict[Any, type[DescribedType]]] = {}


def describe(
    kind: type[DescribedType],
    *,
    name: str,
    code: int | None,
    symbol: str,
    read: ValueReader,
    also: tuple[int | str, ...] = (),
    provides: tuple[str, ...] = (),
    source: str = "",
    fields: tuple[FieldLayout, ...] = (),
) -> None:
    """Give a class the facts that the specification states about its type, and make it known to the codec.

    Args:
        kind: The class.
        name: The name of the type.
        code: The number that describes it, if any.
        symbol: The symbol that describes it, if any.
        read: Reads what follows the descriptor.
        also: Other descriptors that are accepted.
        provides: The archetypes it provides.
        source: The primitive type of a restricted type's value, or ``*``.
        fields: The fields of a composite.
    """
    kind.NAME = name
    kind.CODE = code
    kind.SYMBOL = symbol
    kind.PROVIDES = frozenset(provides)
    kind.SOURCE = source
    kind.FIELDS = fields
    for descriptor in (code, symbol, *also):
        if descriptor is not None and descriptor != "":
            READERS[descriptor] = read
            CLASSES[descriptor] = kind
    add_compound(kind, "", kind.pack)
    DESCRIPTORS[kind] = (source or "list", Symbol(symbol) if code is None else ULong(code))
