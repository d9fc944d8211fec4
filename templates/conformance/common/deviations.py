"""Known deviations of an implementation, with reasons, in a TOML file::

    [[deviation]]
    checks = ["test_decoding_is_refused */an-octet-too-many"]
    outcome = "accepted"
    why = "Octets after the last field are ignored."

Give its path to the tests with a fixture in a ``conftest.py`` above this folder::

    @pytest.fixture(scope="session")
    def deviations() -> Path:
        return Path(__file__).parent / "deviations.toml"

A check that fails as an entry says is reported as ``xfailed``. An entry that explains nothing fails the run.
"""

import tomllib
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

_KEYS: Final = frozenset(("checks", "outcome", "why", "run"))


class Deviation(NamedTuple):
    """Checks that fail for one reason.

    Attributes:
        checks: Patterns of the names of checks: the test, a blank, and the id of the case.
        outcome: A pattern of what went wrong.
        why: The reason.
        run: False if the checks are not run because they take too long or too much memory.
    """

    checks: Sequence[str]
    outcome: str
    why: str
    run: bool = True

    def is_about(self, check: str) -> bool:
        return any(fnmatchcase(check, pattern) for pattern in self.checks)


def read_deviations(path: Path) -> list[Deviation]:
    """Reads a file; ValueError if it is not as described above."""
    document: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    if document.keys() - {"deviation"}:
        raise ValueError(f"{path}: only [[deviation]] is known, not {', '.join(sorted(document))}")
    entries = document.get("deviation", [])
    return [_deviation(f"{path}: deviation {number}", entry) for number, entry in enumerate(entries, start=1)]


def _deviation(place: str, entry: dict[str, Any]) -> Deviation:
    unknown = entry.keys() - _KEYS
    if unknown:
        raise ValueError(
            f"{place}: unknown key {', '.join(sorted(unknown))}; known: {', '.join(sorted(_KEYS))}"
        )
    checks, outcome = entry.get("checks"), entry.get("outcome", "*")
    why, run = entry.get("why"), entry.get("run", True)
    patterns = cast("list[object]", checks) if isinstance(checks, list) else []
    if not patterns or not all(isinstance(pattern, str) for pattern in patterns):
        raise ValueError(f"{place}: checks must be a list of patterns")
    if not isinstance(outcome, str) or not isinstance(why, str) or not why:
        raise ValueError(f"{place}: outcome and why must be texts, and why must not be empty")
    if not isinstance(run, bool):
        raise ValueError(f"{place}: run must be true or false")
    return Deviation(cast("list[str]", patterns), outcome, why, run)


class KnownDeviations:
    """The entries of a file, and how many checks each has explained.

    Attributes:
        entries: In file order; the first that fits explains a check.
        counts: A number for each entry.
    """

    def __init__(self, entries: Sequence[Deviation]) -> None:
        self.entries = entries
        self.counts = [0] * len(entries)

    def reason_not_to_run(self, check: str) -> str:
        """Why a check must not be run; empty if it may be."""
        return self._first(check, lambda entry: not entry.run)

    def reason(self, check: str, outcome: str) -> str:
        """Why a check ended so; empty if nothing explains it."""
        return self._first(check, lambda entry: entry.run and fnmatchcase(outcome, entry.outcome))

    def _first(self, check: str, fits: Callable[[Deviation], bool]) -> str:
        for place, entry in enumerate(self.entries):
            if fits(entry) and entry.is_about(check):
                self.counts[place] += 1
                return entry.why
        return ""

    def stale(self) -> list[str]:
        """The reasons that have explained nothing."""
        return [entry.why for entry, count in zip(self.entries, self.counts, strict=True) if not count]


def outcome_of(error: BaseException) -> str:
    """What went wrong: the first line of a failed check, or an unexpected error with its class."""
    text, *_ = [*str(error).splitlines(), ""]
    return text if type(error).__name__ == "Failed" else f"{type(error).__name__}: {text}"
