"""Who sends a method: the chassis names who must accept it, and that is the other side."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Spec
from ..case import Case

_OTHER = {"client": "server", "server": "client"}


def direction_cases(spec: Spec) -> Iterator[Case]:
    """The senders of every method."""
    for method in spec.methods:
        senders = sorted({_OTHER[chassis.actor] for chassis in method.chassis})
        yield Case(f"{method.full_name}/direction", method.full_name, "direction", senders, way="ask")
