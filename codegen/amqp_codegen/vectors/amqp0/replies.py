"""What answers a method, who waits for an answer, and what carries content."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Spec
from ..case import Case


def reply_cases(spec: Spec) -> Iterator[Case]:
    """Three questions for every method."""
    names = {method.class_name: method.full_name for method in spec.methods}
    for method in spec.methods:
        name = method.full_name
        replies = sorted(names[response] for response in method.responses)
        yield Case(f"{name}/reply", name, "reply", replies, way="ask")
        yield Case(f"{name}/synchronous", name, "synchronous", method.synchronous, way="ask")
        yield Case(f"{name}/content", name, "content", method.has_content, way="ask")
