"""The types of values in annotations: what ``decode`` returns, and what ``encode`` and composites take.

A mapping is invariant in the type of its keys, so that a map of any keys can only be a ``Mapping[Any, Value]``. Where
the specification restricts the keys, constructors take a mapping from a type variable.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from .containers import Array, Described, Map
from .decimals import Decimal32, Decimal64, Decimal128
from .described import DescribedType
from .types import ULong

# Null and the scalars; the other number types, symbols and timestamps are subclasses of these.
SimpleValue: TypeAlias = (
    None
    | bool
    | int
    | float
    | Decimal
    | Decimal32
    | Decimal64
    | Decimal128
    | str
    | bytes
    | bytearray
    | memoryview
    | UUID
    | datetime
)

# A value of any type.
Value: TypeAlias = (
    SimpleValue | Sequence["Value"] | Mapping[Any, "Value"] | Map | Array | Described | DescribedType
)

# The keys of maps from symbols, which may be given as ``str``, and of annotations.
SymbolKey = TypeVar("SymbolKey", bound=str)
AnnotationKey = TypeVar("AnnotationKey", bound=str | ULong)
