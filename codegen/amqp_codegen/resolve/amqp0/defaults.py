"""Defaults of fields that are not the zero value of their type: the table ``defaults`` of ``wire.toml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Field
from ...model.amqp0.wire import FieldDefault
from ...model.problem import Problem, Problems
from ...support.wording import quote
from ..names import suggest

RULE_ID = "wire-file"


def resolve_default(
    default: FieldDefault | None, path: str, kind: WireType, problems: Problems
) -> bool | int | str | None:
    """Return the value of a default; a value that its field cannot hold is a problem."""
    if default is None:
        return None
    wanted = _misfit(default.value, kind)
    if not wanted:
        return default.value
    message = f"the default {default.value!r} of {quote(path)} is not {wanted}"
    problems.add(Problem(RULE_ID, message, default.position, f"the field is of the type {kind.value}"))
    return None


def _misfit(value: object, kind: WireType) -> str:
    """Return what the field holds if it cannot hold the value, else an empty string."""
    if kind is WireType.BIT:
        return "" if isinstance(value, bool) else "true or false"
    if kind is WireType.SHORTSTR:
        fits = isinstance(value, str) and len(value.encode()) <= 255
        return "" if fits else "a string of at most 255 octets"
    if kind.width is None:
        return "possible, as only bits, numbers and short strings can have one"
    fits = isinstance(value, int) and not isinstance(value, bool) and kind.low <= value <= kind.high
    return "" if fits else f"a number from {kind.low} to {kind.high}"


def unknown_defaults(
    owner: str, fields: Sequence[Field], defaults: Mapping[str, FieldDefault]
) -> Iterator[Problem]:
    """Yield the defaults of a method that are for no field of it, or for a reserved one.

    A default of a method that the specification lacks is not a problem: other versions have it.
    """
    known = {f"{owner}.{field.name}" for field in fields if not field.reserved}
    for path, default in defaults.items():
        if path.rpartition(".")[0] == owner and path not in known:
            name = path.rpartition(".")[2]
            names = [field.name for field in fields if not field.reserved]
            message = f"there is a default for {quote(path)}, but {owner} has no field {quote(name)} to set"
            yield Problem(RULE_ID, message, default.position, suggest(name, names))
