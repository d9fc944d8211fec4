"""What a method is when nobody sets anything: every field zero or empty."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Spec
from ..case import Case
from .neutral import method_input


def default_cases(spec: Spec) -> Iterator[Case]:
    """One question for every method."""
    for method in spec.methods:
        name = method.full_name
        yield Case(f"{name}/default", name, "default", method_input(method, {}), way="ask")
