"""Values for the examples of a 0-x specification: those of the test vectors, in smaller tables and plainer texts."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.amqp0.spec import Field, Spec, WireType
from ...vectors.amqp0.reference_encoder import Values
from ...vectors.amqp0.values import text, typical, typical_table
from ...vectors.case import Neutral

# How many of the entries of the vectors' table an example has.
_ENTRIES = 2


def sample_values(spec: Spec, fields: Iterable[Field]) -> Values:
    """A value for each field that is not reserved; different ones, so that one sees where they are."""
    return {
        field.name: _sample(spec, field, place) for place, field in enumerate(fields) if not field.reserved
    }


def _sample(spec: Spec, field: Field, place: int) -> Neutral:
    if field.type in (WireType.SHORTSTR, WireType.LONGSTR):
        return text(field.type, _short(field.name))
    if field.type is WireType.TABLE:
        return list(typical_table(spec.dialect, "key"))[:_ENTRIES]
    return typical(field, place, spec.dialect)


def _short(name: str) -> str:
    """A text made of a name; a short string has room for 255 octets, an example for fewer."""
    return name.encode()[:64].decode(errors="ignore")
