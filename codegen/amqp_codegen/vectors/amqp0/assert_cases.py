"""Cases of asserts: values at their limits, and the profiles that refuse them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Assert, Field, Method, Spec
from ...model.amqp0.wire import Profile
from ..case import Case, Neutral
from .reference_encoder import Values, method_input
from .values import SHORTSTR_MAX_OCTETS, minimum, number, text

# Field values of earlier methods, by class name of the method and identifier of the field.
Earlier = Mapping[tuple[str, str], Neutral]

_TEXTS = frozenset(kind for kind in WireType if kind.facts.python in ("str", "bytes"))


def checked_asserts(field: Field) -> list[Assert]:
    """Return the asserts that suit the type, without ``syntax``: no file defines the grammars that it names."""
    suitable = {"notnull", "null"}
    if field.type in _TEXTS:
        suitable |= {"length", "regexp"}
    elif field.type.width is not None:
        suitable |= {"enum", "ne", "le"}
    return [check for check in field.asserts if check.check in suitable]


def passes(
    check: Assert, field: Field, value: Neutral, values: Values, earlier: Earlier, owner: Method
) -> bool:
    """Return whether a value of a field satisfies an assert; ``values`` and ``earlier`` hold the values to compare with."""
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
    own = {field.identifier: values.get(field.name) for field in owner.fields}
    here = check.method == owner.class_name
    bound = own.get(check.field) if here else earlier.get((check.method, check.field))
    return bound is None or _at_most(int(value), int(bound))


def _at_most(value: int, bound: int) -> bool:
    """Compare two limits, of which zero means no limit."""
    return bound == 0 or 0 < value <= bound


def _text(value: Neutral) -> str:
    return value if isinstance(value, str) else bytes.fromhex(value["hex"]).decode("latin-1")


def _matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches; a final ``$`` is the end of the text, though Python's accepts a newline."""
    whole = f"{pattern[:-1]}\\Z" if pattern.endswith("$") and not pattern.endswith("\\$") else pattern
    return re.search(whole, text) is not None


def violated(method: Method, values: Values, earlier: Earlier) -> Sequence[tuple[Field, Assert]]:
    """Return every assert that a method violates, with its field."""
    return [
        (field, check)
        for field in method.arguments
        for check in checked_asserts(field)
        if not passes(check, field, values[field.name], values, earlier, method)
    ]


def enforced(profile: Profile, method: Method, field: Field, check: Assert) -> bool:
    """Return whether a broker of that profile enforces an assert."""
    return (
        check.check not in profile.skip
        and f"{method.full_name}.{field.name}/{check.check}" not in profile.skip
    )


def verdicts(spec: Spec, method: Method, values: Values, earlier: Earlier) -> Mapping[str, bool]:
    """Return, by profile, whether the method passes. ``off`` and ``wire`` assert nothing, ``spec`` everything."""
    violations = violated(method, values, earlier)
    broken = {
        profile.name: any(enforced(profile, method, field, check) for field, check in violations)
        for profile in spec.profiles
    }
    return {
        "off": True,
        "wire": True,
        **{name: not wrong for name, wrong in broken.items()},
        "spec": not violations,
    }


# Candidates: each pattern of the official files accepts one of them.
_GOOD_TEXTS = ("a", "/", "/a", "0", "")
# A blank; a newline after a valid text; a hyphen, which some patterns refuse; a non-ASCII character.
_BAD_TEXTS = ("a b", "a\n", "/a\n", "/a-b", "ü", "")
_SAMPLE_LIMIT = 10


def assert_cases(spec: Spec) -> Iterator[Case]:
    """Yield the cases of every assert that can be checked."""
    for method in spec.methods:
        base = _valid_values(method)
        for field in method.arguments:
            done: set[tuple[str, object]] = set()  # a domain and its field may state the same
            for check in checked_asserts(field):
                if (check.check, check.number or check.text) not in done:
                    done.add((check.check, check.number or check.text))
                    yield from _cases_of(spec, method, field, check, base)


def _valid_values(method: Method) -> Values:
    """Return values with which a method violates no assert."""
    return {field.name: _valid_value(method, field) for field in method.arguments}


def _valid_value(method: Method, field: Field) -> Neutral:
    for value in (minimum(field.type), *_candidates(field)):
        if all(passes(check, field, value, {}, {}, method) for check in _own_asserts(method, field)):
            return value
    return minimum(field.type)


def _own_asserts(method: Method, field: Field) -> Sequence[Assert]:
    """Return the asserts that depend on the field alone."""
    return [check for check in checked_asserts(field) if check.check != "le"]


def _candidates(field: Field) -> Sequence[Neutral]:
    if field.type in _TEXTS:
        return [text(field.type, good) for good in _GOOD_TEXTS]
    return [number(field.type, 1)] if field.type.width is not None else []


def _cases_of(spec: Spec, method: Method, field: Field, check: Assert, base: Values) -> Iterator[Case]:
    path = f"{method.full_name}.{field.name}"
    earlier = _earlier(check, method)
    for what, value in _boundary_values(method, field, check).items():
        values = {**base, field.name: value}
        accepted_by = verdicts(spec, method, values, earlier)
        yield Case(
            id=f"{path}/{check.check}-{what}",
            element=path,
            kind="assert",
            input={
                "method": method_input(method, values),
                "earlier": [_method_before(spec, *place, value) for place, value in earlier.items()],
                "accepted-by": [profile for profile, accepted in accepted_by.items() if accepted],
                "refused-by": [profile for profile, accepted in accepted_by.items() if not accepted],
            },
            verdict="accept" if accepted_by["spec"] else "reject",
            error="" if accepted_by["spec"] else "assert",
            way="ask",
        )


def _earlier(check: Assert, method: Method) -> Earlier:
    if check.check != "le" or check.method == method.class_name:
        return {}
    return {(check.method, check.field): _SAMPLE_LIMIT}


def _method_before(spec: Spec, class_name: str, identifier: str, value: Neutral) -> Neutral:
    method = next(method for method in spec.methods if method.class_name == class_name)
    field = next(field for field in method.fields if field.identifier == identifier)
    return method_input(method, {field.name: number(field.type, value)})


def _boundary_values(method: Method, field: Field, check: Assert) -> Mapping[str, Neutral]:
    """Return values on both sides of the limit of an assert, by names that say which side."""
    zero = minimum(field.type)
    if check.check == "notnull":
        return {"kept": _valid_value(method, field), "broken": zero}
    if check.check == "null":
        others = _candidates(field)
        return {"kept": zero, "broken": others[0]} if others else {"kept": zero}
    if check.check == "length":
        return _boundary_texts(field, check.number)
    if check.check == "regexp":
        candidates = [text(field.type, bad) for bad in _BAD_TEXTS]
        bad = [value for value in candidates if not passes(check, field, value, {}, {}, method)]
        broken = {f"broken-{place}": value for place, value in enumerate(bad, start=1)}
        return {"kept": _valid_value(method, field), **broken}
    good, wrong = _boundary_numbers(check)
    return {"kept": number(field.type, good), "broken": number(field.type, wrong)}


def _boundary_texts(field: Field, length: int) -> Mapping[str, Neutral]:
    texts = {"kept": "a" * length, "broken": "a" * (length + 1)}
    longest = SHORTSTR_MAX_OCTETS if field.type is WireType.SHORTSTR else length + 1
    return {what: text(field.type, value) for what, value in texts.items() if len(value) <= longest}


def _boundary_numbers(check: Assert) -> tuple[int, int]:
    """Return a number that an assert accepts, and one that it refuses."""
    if check.check == "enum":
        return max(len(check.values) - 1, 0), len(check.values)
    if check.check == "ne":
        return 1 if check.number == 0 else 0, check.number
    return _SAMPLE_LIMIT, _SAMPLE_LIMIT + 1
