"""Loads what ``--format json`` has written of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.toml import read_text

from ..engine.run_result import Identity, Verdict

_HINT = "write one with: amqp-codegen conformance URL --format json -o FILE"


@dataclass(frozen=True, slots=True)
class SavedResult:
    """The result for one rule.

    Attributes:
        level: ``MUST NOT``, for example; empty if the text of the rule has no such word.
        text: The text of the rule.
        detail: Why, in a sentence; empty if the rule holds.
        is_unexpected: Whether something else was known of the broker.
    """

    path: str
    level: str
    text: str
    verdict: Verdict
    detail: str
    is_unexpected: bool


@dataclass(frozen=True, slots=True)
class SavedRun:
    """The result of a run.

    Attributes:
        results: By the path of the rule, in the order of the specification.
    """

    file: Path
    spec: str
    target: str
    broker: Identity
    results: Mapping[str, SavedResult]


def load_run(file: Path) -> SavedRun:
    """Load a JSON report; ``-`` is standard input.

    Raises:
        SpecError: It cannot be read, or is not the report of a run.
    """
    try:
        document = json.loads(read_text(file))
    except OSError as error:
        raise _wrong(file, error.strerror or str(error)) from None
    except (ValueError, RecursionError) as error:  # also UnicodeDecodeError
        raise _wrong(file, f"is not JSON: {error}", _HINT) from None
    try:
        return _run(file, document)
    except (KeyError, TypeError, ValueError) as error:
        raise _wrong(file, f"is not the report of a run ({type(error).__name__}: {error})", _HINT) from None


def _run(file: Path, document: Mapping[str, Any]) -> SavedRun:
    broker = Identity(_text(document["broker"], "product"), _text(document["broker"], "version"))
    results = [_result(entry) for entry in _list(document["rules"])]
    by_path = {result.path: result for result in results}
    return SavedRun(file, _text(document, "spec"), _text(document, "target"), broker, by_path)


def _result(entry: Mapping[str, Any]) -> SavedResult:
    return SavedResult(
        path=_text(entry, "path"),
        level=_text(entry, "level"),
        text=_text(entry, "text"),
        verdict=Verdict(entry["verdict"]),
        detail=_text(entry, "detail") or _text(entry, "unexpected"),
        is_unexpected=bool(_text(entry, "unexpected")),
    )


def _text(entry: Mapping[str, Any], key: str) -> str:
    text = entry[key]
    if not isinstance(text, str):
        raise TypeError(f"{key} is not text")
    return text


def _list(entries: Sequence[Any]) -> Sequence[Any]:
    if not isinstance(entries, list):
        raise TypeError("rules is not a list")
    return entries


def _wrong(file: Path, what: str, hint: str = "") -> SpecError:
    return SpecError([Problem("wrong-report", f"{file}: {what}", None, hint)])
