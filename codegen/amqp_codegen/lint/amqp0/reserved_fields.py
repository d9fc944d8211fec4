"""Reserved fields: they must be zero, so nothing may forbid zero, and they must say that they are reserved."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.raw0 import RawAssert, RawField
from ...passes.names import normalise
from ...spec.check_value import parse_number
from ..finding import Finding
from ..subject import Subject0


def check_reserved_fields(subject: Subject0) -> Iterator[Finding]:
    """Reserved fields whose asserts forbid zero, and fields that are reserved by their name only."""
    asserts = {normalise(domain.name): domain.asserts for domain in subject.raw.domains}
    for field in subject.fields:
        if field.reserved:
            inherited = asserts.get(normalise(field.type or field.domain), ())
            wrong = next(filter(_forbids_zero, (*field.asserts, *inherited)), None)
            if wrong is not None:
                message = f"reserved field {field.name!r} must be zero, which assert {wrong.check!r} forbids"
                hint = "give it a type instead of the domain" if wrong in inherited else "remove the assert"
                yield Finding("reserved-not-zero", message, field.position, hint)
        elif _is_named_reserved(field):
            message = f"field {field.name!r} is not marked as reserved"
            yield Finding("unmarked-reserved", message, field.position, 'write reserved="1", or rename it')


def _is_named_reserved(field: RawField) -> bool:
    return re.fullmatch(r"reserved(-\d+)?", normalise(field.name)) is not None


def _forbids_zero(check: RawAssert) -> bool:
    """Whether zero, or an empty string, breaks an assert."""
    if check.check == "regexp":
        try:
            return re.search(check.value, "") is None
        except re.error:
            return False
    return check.check == "notnull" or (check.check == "ne" and parse_number(check.value) == 0)
