"""How many problems are worth telling."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from ..model.problem import Problem

# A file that is wrong a thousand times is not a specification, and finding a did-you-mean for each of a
# million unknown names would take minutes.
MAX_PROBLEMS = 1000


def limited(problems: Iterable[Problem]) -> list[Problem]:
    """Return the first ``MAX_PROBLEMS`` problems, and one that says that there are more if there are."""
    found = list(islice(problems, MAX_PROBLEMS + 1))
    if len(found) > MAX_PROBLEMS:
        found[-1] = Problem("too-many-problems", "there are more problems from here on", found[-1].position)
    return found
