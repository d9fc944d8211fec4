"""The cases of ``vectors.json``, and how values are compared."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from .peer import Neutral, Options


class Case(NamedTuple):
    """A case; ``vectors.schema.json`` describes its parts.

    Attributes:
        encoding: ``exact`` if an encoder has to make these octets; ``free`` if other octets with this meaning, usually
            longer ones, are legal, too; empty if nothing is encoded.
    """

    id: str
    element: str
    kind: str
    way: str
    input: Neutral
    octets: bytes
    verdict: str
    error: str
    options: Options
    encoding: str


def _read_case(data: Mapping[str, Any]) -> Case:
    return Case(
        data["id"],
        data["element"],
        data["kind"],
        data["way"],
        data["input"],
        bytes.fromhex(data.get("bytes", "")),
        data["verdict"],
        data.get("error", ""),
        data.get("options", {}),
        data.get("encoding", ""),
    )


_DOCUMENT: Final[Mapping[str, Any]] = json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))
CASES: Final = [_read_case(data) for data in _DOCUMENT["cases"]]
TRUNCATABLE: Final[Collection[str]] = _DOCUMENT["truncatable"]
# The names and types of the specification, for an implementation that does not know them.
SCHEMA: Final[Mapping[str, "Sequence[Mapping[str, Any]]"]] = _DOCUMENT["schema"]


def each_case(wanted: Callable[[Case], bool]) -> pytest.MarkDecorator:
    """Runs a test with the argument ``case`` once for each case that is wanted."""
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES if wanted(case)])


def each_question(*kinds: str) -> pytest.MarkDecorator:
    """Runs a test once for each question of these kinds."""
    return each_case(lambda case: case.way == "ask" and case.kind in kinds)


# What a decoder may drop: the letter or type of a value that is still told apart by its form.
_MAY_BE_MISSING: Final = frozenset(("letter", "type"))


def same(expected: Neutral, found: Neutral) -> bool:
    """Whether a decoded value is the one expected.

    ``letter`` and ``type`` of values in tables may be missing, and a number may stand for its decimal text.
    """
    kinds = (_kind(expected), _kind(found))
    if kinds == (dict, dict):
        missing = expected.keys() - found.keys()
        return (
            missing <= _MAY_BE_MISSING
            and found.keys() <= expected.keys()
            and all(same(expected[key], found[key]) for key in found)
        )
    if kinds == (list, list):
        return len(expected) == len(found) and all(map(same, expected, found))
    if kinds == (str, int):
        return bool(expected == str(found))
    return kinds[0] is kinds[1] and bool(expected == found)


def _kind(value: object) -> type[object]:
    return type(value)
