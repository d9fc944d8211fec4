"""Chassis: who must accept a method, and so who sends it, is known of every method."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.raw0 import RawClass, RawMethod
from ..finding import Finding
from ..subject import Subject0


def check_chassis(subject: Subject0) -> Iterator[Finding]:
    """Methods without a chassis, chassis given twice, and peers that the class does not mention."""
    for owner in subject.raw.classes:
        yield from _repeated(owner, f"class {owner.name!r}")
        for method in owner.methods:
            what = f"method {owner.name}.{method.name}"
            yield from _repeated(method, what)
            if not method.chassis:
                message = f"{what} has no chassis, so nobody knows who sends it"
                hint = 'write <chassis name="server" implement="MUST"/> if the server must accept it'
                yield Finding("chassis-missing", message, method.position, hint)
            yield from _uncovered(owner, method)


def _repeated(owner: RawClass | RawMethod, what: str) -> Iterator[Finding]:
    seen: set[str] = set()
    for chassis in owner.chassis:
        if chassis.name in seen:
            message = f"{what} has two chassis for the {chassis.name}"
            yield Finding("chassis-repeated", message, chassis.position, "keep the one that is right")
        seen.add(chassis.name)


def _uncovered(owner: RawClass, method: RawMethod) -> Iterator[Finding]:
    mentioned = {chassis.name for chassis in owner.chassis}
    for chassis in method.chassis:
        if mentioned and chassis.name not in mentioned:
            message = (
                f"the {chassis.name} is to accept {owner.name}.{method.name}, "
                f"but class {owner.name!r} says nothing of the {chassis.name}"
            )
            hint = f'give the class a <chassis name="{chassis.name}" .../>'
            yield Finding("chassis-uncovered", message, chassis.position, hint)
