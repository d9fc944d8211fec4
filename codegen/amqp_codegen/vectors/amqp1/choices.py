"""Cases of choices: every one in a field that takes it, and a value that is none of them."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec1 import Field, Restricted
from ...model.types1 import Composite
from ..case import Case
from .maker import Maker
from .samples import INTEGER_BITS
from .value import Scalar, Value, symbol


def choice_cases(maker: Maker) -> Iterator[Case]:
    """Every choice of every type, in the first field that takes it."""
    for each in maker.spec.enumerations:
        place = _place(maker, each)
        if place is None:
            continue
        kind, field = place
        for choice in each.choices:
            value = maker.sampler.choice(each.primitive, choice)
            composite = maker.sampler.with_field(kind, field, value)
            yield maker.both(f"{each.name}.{choice.name}", f"in-{kind.name}", composite)
        yield from _other_values(maker, each, kind, field)


def _place(maker: Maker, wanted: Restricted) -> tuple[Composite, Field] | None:
    """A field of that type, or one that requires what the type provides."""
    for kind in maker.spec.composites:
        for field in kind.fields:
            if wanted.name in (field.type.name, *(each.name for each in field.providers)):
                return kind, field
    return None


def _other_values(maker: Maker, each: Restricted, kind: Composite, field: Field) -> Iterator[Case]:
    """A value that is no choice: others may provide an archetype too, but nobody adds to the choices of a type."""
    value = _no_choice(maker, each)
    if value is None:
        return
    composite = maker.sampler.with_field(kind, field, value)
    if each.open:
        note = f"other types may provide {' or '.join(each.provides)}, so other values may occur"
        yield maker.both(each.name, "other-value", composite, note)
        return
    note = "the choices are all the values that the type has (1.3)"
    yield maker.reject(
        each.name, "no-choice", maker.encoder.encode(composite), "malformed", note, "composite"
    )
    yield maker.refuse(each.name, "no-choice-to-encode", composite, note)


def _no_choice(maker: Maker, each: Restricted) -> Value | None:
    """A value of the primitive type that is no choice; None if there is none at hand, as for a boolean."""
    choices = {maker.sampler.choice(each.primitive, choice) for choice in each.choices}
    candidates: list[Value] = [symbol("com.example:other")] if each.primitive == "symbol" else []
    if each.primitive in INTEGER_BITS:  # the first one after zero, which is not far from the choices
        candidates += [Scalar(each.primitive, number) for number in range(len(choices) + 1)]
    samples = maker.sampler.primitives[each.primitive]
    return next(
        (value for value in (*candidates, samples.typical, samples.low) if value not in choices), None
    )
