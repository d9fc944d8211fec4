"""Which values a specification's asserts let pass; after its text, not after what is generated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...model.spec0 import Assert, Field, Method, Spec, WireType
from ...model.wire import Profile
from ..case import Neutral
from .neutral import Values
from .values import minimum

# What methods that came before have in their fields, by class name and identifier.
Earlier = Mapping[tuple[str, str], Neutral]

_TEXTS = frozenset((WireType.SHORTSTR, WireType.LONGSTR))


def checked_asserts(field: Field) -> list[Assert]:
    """The asserts that a machine can check: they suit the type, and ``syntax`` names a grammar that no file defines."""
    suitable = {"notnull", "null"}
    if field.type in _TEXTS:
        suitable |= {"length", "regexp"}
    elif field.type.width is not None:
        suitable |= {"enum", "ne", "le"}
    return [check for check in field.asserts if check.check in suitable]


def passes(
    check: Assert, field: Field, value: Neutral, values: Values, earlier: Earlier, owner: Method
) -> bool:
    """Whether a value of a field satisfies an assert.

    Args:
        check: The assert.
        field: The field.
        value: Its value.
        values: All values of the method.
        earlier: What methods that came before have in their fields.
        owner: The method.
    """
    if check.check == "notnull":
        return bool(value != minimum(field.type))
    if check.check == "null":
        return bool(value == minimum(field.type))
    if check.check == "length":
        return len(_text(value)) <= check.number
    if check.check == "regexp":
        return _matches(check.text, _text(value))
    if check.check == "enum":
        return int(value) < len(check.values)
    if check.check == "ne":
        return int(value) != check.number
    own = {each.identifier: values.get(each.name) for each in owner.fields}
    here = check.method == owner.class_name
    bound = own.get(check.field) if here else earlier.get((check.method, check.field))
    return bound is None or _at_most(int(value), int(bound))


def _at_most(value: int, bound: int) -> bool:
    """Zero stands for no limit, on either side."""
    return bound == 0 or 0 < value <= bound


def _text(value: Neutral) -> str:
    return value if isinstance(value, str) else bytes.fromhex(value["hex"]).decode("latin-1")


def _matches(pattern: str, text: str) -> bool:
    """A final ``$`` is the end of the text; in Python it would let a line end pass."""
    whole = f"{pattern[:-1]}\\Z" if pattern.endswith("$") and not pattern.endswith("\\$") else pattern
    return re.search(whole, text) is not None


def violated(method: Method, values: Values, earlier: Earlier) -> Sequence[tuple[Field, Assert]]:
    """Every assert that a method violates, with its field."""
    return [
        (field, check)
        for field in method.arguments
        for check in checked_asserts(field)
        if not passes(check, field, values[field.name], values, earlier, method)
    ]


def enforced(profile: Profile, method: Method, field: Field, check: Assert) -> bool:
    """Whether a broker of that profile enforces an assert."""
    return (
        check.check not in profile.skip
        and f"{method.full_name}.{field.name}/{check.check}" not in profile.skip
    )


def verdicts(spec: Spec, method: Method, values: Values, earlier: Earlier) -> Mapping[str, bool]:
    """Profile to whether the method passes. ``off`` and ``wire`` assert nothing, ``spec`` everything."""
    found = violated(method, values, earlier)
    broken = {
        profile.name: any(enforced(profile, method, field, check) for field, check in found)
        for profile in spec.profiles
    }
    return {
        "off": True,
        "wire": True,
        **{name: not wrong for name, wrong in broken.items()},
        "spec": not found,
    }
