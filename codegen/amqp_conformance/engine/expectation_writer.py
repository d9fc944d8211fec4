"""Writes the deviations of a run as a file of expectations, whose reasons a person completes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from amqp_codegen.support.wording import visible

from .broker_view import NAME_PREFIX
from .expectations import (
    BASE_KEY,
    KEPT,
    TROUBLE,
    Deviation,
    ExpectationDocument,
    Expectations,
    is_known,
    load_documents,
    overlay,
)
from .redaction import MASK
from .registry import EXTENDS
from .run_result import RunResult, Verdict

TO_DO = "TODO: "
_LONGEST = 120
# What is another text in each run: names that we made, Erlang's processes, and where our password was.
_CHANGES = re.compile(rf"{re.escape(NAME_PREFIX)}|<[0-9]+\.[0-9]+\.[0-9]+>|\n|{re.escape(MASK)}")
_COMMENT = """# Where {broker} is known to deviate from the specifications: a table for each specification, in it each rule with a part
# of what the failure says (another failure is not known) and the reason. What is said of 0-9-1 holds for 0-9-1-rabbitmq, too.
"""


def write_expectations(
    file: Path, run: RunResult, known: Expectations, spec: str, paths: Sequence[str]
) -> str:
    """Write what a run found, such that the same run with the file is as expected.

    What the file has of other specifications and of rules that were not tried stays, and so does what still holds.

    Args:
        file: The file.
        run: The run.
        known: Its expectations, which have the reasons.
        spec: The built-in specification whose table is written; that which the user's own extends.
        paths: Those of all rules that the table may name.

    Returns:
        How many deviations of this specification are known now, in words.

    Raises:
        SpecError: The file is there, and is wrong.
        OSError: It cannot be written.
    """
    documents = load_documents(file) if file.exists() else [ExpectationDocument(file, {})]
    *bases, own = documents
    before = overlay({}, documents, spec, paths)
    now = _deviations(run, before, known.deviations)
    others = {name: table for name, table in own.tables.items() if name != spec}
    beneath = overlay({}, [*bases, ExpectationDocument(file, others)], spec, paths)
    tables = {**own.tables, spec: _table(now, beneath)}
    comment = _first_comment(file) or _COMMENT.format(broker=visible(str(run.broker)))
    file.write_text(_render(comment, own.base, tables), encoding="utf-8")
    to_do = sum(deviation.reason.startswith(TO_DO) for deviation in now.values())
    return f"{len(now)} deviations from {run.spec}, {to_do} of them without a reason"


def _deviations(
    run: RunResult, before: Mapping[str, Deviation], known: Mapping[str, Deviation]
) -> dict[str, Deviation]:
    """Return the deviations after a run: those that it shows, and those on which it is silent."""
    now = dict(before)
    for result in run.results:
        path = result.rule.path
        if result.verdict is Verdict.PASSED:
            now.pop(path, None)
        elif result.verdict in (*TROUBLE, Verdict.DEVIATES):
            candidates = [table[path] for table in (before, known) if path in table]
            fits = [deviation for deviation in candidates if is_known(deviation, result.detail)]
            now[path] = fits[0] if fits else _new_deviation(result.detail)
    return now


def _new_deviation(detail: str) -> Deviation:
    """Return a deviation whose reason is still missing; it has that part of the detail which does not change."""
    _, comma, answer = detail.partition(", got ")
    part = _CHANGES.split(f"got {answer}" if comma else detail)[0][:_LONGEST].strip()
    return Deviation(part or detail, f"{TO_DO}{detail}")


def _table(now: Mapping[str, Deviation], beneath: Mapping[str, Deviation]) -> dict[str, Any]:
    """Return what a file says of a specification, if others have already said what is beneath."""
    table: dict[str, Any] = {path: KEPT for path in beneath if path not in now}
    for path, deviation in now.items():
        if beneath.get(path) != deviation:
            table[path] = {"got": deviation.got, "reason": deviation.reason}
    return table


def _first_comment(file: Path) -> str:
    """Return the comment at the top of a file, with which it says what it is."""
    if not file.exists():
        return ""
    lines: Iterable[str] = file.read_text(encoding="utf-8").splitlines(keepends=True)
    comment = []
    for line in lines:
        if not line.startswith("#"):
            break
        comment.append(line)
    return "".join(comment)


def _render(comment: str, base: Path | None, tables: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [comment]
    if base:
        lines += ["\n", f"{BASE_KEY} = {_string(base.stem)}\n"]
    for spec in sorted(tables, key=lambda name: (name in EXTENDS, name)):
        if tables[spec]:
            lines += ["\n", f"[{_string(spec)}]\n"]
            lines += [f"{_string(path)} = {_entry(entry)}\n" for path, entry in sorted(tables[spec].items())]
    return "".join(lines)


def _entry(entry: Any) -> str:
    if entry == KEPT:
        return _string(KEPT)
    return f"{{ got = {_string(entry['got'])}, reason = {_string(entry['reason'])} }}"


def _string(text: str) -> str:
    """Return a string as TOML; its escapes are those of JSON, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
