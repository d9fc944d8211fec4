"""What ``validate`` checks of single values besides the asserts: tables, short strings, and properties that brokers look at.

No specification file states these: NUL in short strings is in the text (4.2.5.3), the rest is what brokers refuse.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ._fields import FieldLayout
from ._texts import entry_path, shown
from ._values import Tagged, is_mapping

# A kind of check, the path of the value from its method or property set on, and what is wrong.
Violation: TypeAlias = tuple[str, str, str]

_LONGEST_KEY: Final = 255


_NUL: Final = "must not contain NUL, as a short string"


class PropertyForm(NamedTuple):
    """What a broker checks of a property that is there.

    Attributes:
        check: ``values``, ``decimal``, ``user`` or ``arrays``.
        numbers: The only values; or the least and the greatest value of a decimal integer.
        keys: The keys of the table whose values are arrays.
    """

    check: str
    numbers: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()


def value_violations(
    owner: object, fields: Sequence[FieldLayout], looks_for: frozenset[str]
) -> Iterator[Violation]:
    """Yield what is wrong with the values of a method or property set; it can be encoded.

    Args:
        owner: The method or the property set.
        fields: Its fields.
        looks_for: ``nul`` for NUL in short strings, ``finite`` for NaN and infinity in tables.
    """
    for field in fields:
        value = getattr(owner, field.name)
        if field.type == "shortstr" and isinstance(value, str):
            if "nul" in looks_for and "\0" in value:
                yield "nul", field.name, _NUL
        elif field.type == "table" and is_mapping(value):
            yield from _table_violations(value, field.name, looks_for)


def _table_violations(table: Mapping[Any, Any], path: str, looks_for: frozenset[str]) -> Iterator[Violation]:
    for key, value in table.items():
        place = entry_path(path, key, _LONGEST_KEY)
        if "nul" in looks_for and "\0" in key:
            yield "nul", place, "must not have NUL in its key, a short string"
        yield from _entry_violations(value, place, looks_for)


def _entry_violations(value: object, path: str, looks_for: frozenset[str]) -> Iterator[Violation]:
    letter = ""
    if isinstance(value, Tagged):
        letter, value = value.letter, value.value
    if is_mapping(value):
        yield from _table_violations(value, path, looks_for)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(cast("Sequence[object]", value)):
            yield from _entry_violations(item, f"{path}[{index}]", looks_for)
    elif isinstance(value, float):
        if "finite" in looks_for and not isfinite(value):
            yield "finite", path, f"must be a finite number, not {shown(value)}"
    elif letter == "s" and isinstance(value, str) and "nul" in looks_for and "\0" in value:
        yield "nul", path, _NUL


def property_violations(
    properties: object, checks: Mapping[str, PropertyForm], user: str | None
) -> Iterator[Violation]:
    """Yield what a broker refuses of properties that can be encoded.

    Args:
        properties: The property set.
        checks: Property to what is checked of it.
        user: The user of the connection; None if that is not known.
    """
    for name, check in checks.items():
        value = getattr(properties, name)
        if value is None:
            continue
        if check.check == "arrays":
            for key in check.keys:
                if key in value and not _is_array(value[key]):
                    yield "array", entry_path(name, key), "must be an array of long strings"
        else:
            message = _misfit(value, check, user)
            if message:
                yield check.check, name, message


def _is_array(value: object) -> bool:
    return isinstance(value.value if isinstance(value, Tagged) else value, (list, tuple))


def _misfit(value: Any, check: PropertyForm, user: str | None) -> str:
    """Return what is wrong with the value of a property; empty if nothing is."""
    if check.check == "values":
        known = " or ".join(map(str, check.numbers))
        return "" if value in check.numbers else f"must be {known}, not {shown(value)}"
    if check.check == "user":
        if user is not None and value != user:
            return f"must be the user of the connection, {shown(user)}, not {shown(value)}"
        return "" if value else "must be the user of the connection, not empty"
    least, greatest = check.numbers
    digits = value[1:] if value[:1] in ("+", "-") else value
    # As Erlang reads it: int() takes spaces, underscores and the digits of other scripts, too.
    if digits.isascii() and digits.isdigit() and least <= int(value) <= greatest:
        return ""
    return f"must be a whole number as text, {least} to {greatest}, not {shown(value)}"
