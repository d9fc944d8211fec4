"""Finds a finding: in a report of the audit, or by auditing again, as the ids of findings are the same each time.

Which finding is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from ..audit.finding import AuditFinding
from ..audit.local_audit import audit_here, is_large
from ..audit.reports.json_report import findings_of
from ..audit.rules.rule import TARGETS
from ..lake.folder import Lake
from .subject import CannotExplain

WHOLE = 12  # digits of an id
_ID = re.compile(rf"[0-9a-f]{{1,{WHOLE}}}")
_NAMED = 4  # findings that are named if several are meant


def require_id(text: str) -> str:
    """An id, or the beginning of one, in small letters.

    Raises:
        CannotExplain: It is none.
    """
    wanted = text.strip().lower()
    if _ID.fullmatch(wanted) is None:
        raise CannotExplain(
            "finding-id", f"{text!r} is no id of a finding: those are {WHOLE} hexadecimal digits"
        )
    return wanted


def matching(findings: Iterable[AuditFinding], wanted: str) -> dict[str, AuditFinding]:
    """The findings whose ids begin so, by id."""
    return {each.finding_id: each for each in findings if each.finding_id.startswith(wanted)}


def only(found: dict[str, AuditFinding], wanted: str, where: str) -> AuditFinding:
    """The one finding that is meant.

    Args:
        found: Those whose ids begin so.
        wanted: The beginning.
        where: Where they were looked for, for people.

    Raises:
        CannotExplain: There is none, or more than one.
    """
    if not found:
        raise CannotExplain("unknown-finding", f"there is no finding {wanted} in {where}")
    if len(found) > 1:
        some = [f"{each.finding_id} ({each.rule_id})" for each in list(found.values())[:_NAMED]]
        more = f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
        raise CannotExplain(
            "ambiguous-finding",
            f"{wanted} is the beginning of {len(found):,} findings: {', '.join(some)}{more}",
        )
    return next(iter(found.values()))


def find_in_report(path: Path, wanted: str) -> AuditFinding:
    """A finding of a report.

    Args:
        path: What ``traffic audit --format json`` has written.
        wanted: The id of the finding, or how it begins.

    Raises:
        CannotExplain: There is none, or more than one, or it is no report.
    """
    try:
        findings = findings_of(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotExplain("findings", f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        reason = str(error)
        if not reason.startswith("it is no report"):
            reason = "it is no JSON"
        raise CannotExplain(
            "findings", f"{path}: {reason}; traffic audit LAKE --format json -o FILE writes one"
        ) from None
    return only(matching(findings, wanted), wanted, str(path))


def find_in_lake(
    lake: Lake, wanted: str, on_spark: Callable[[], list[AuditFinding]], show: Callable[[str], None]
) -> AuditFinding:
    """A finding of a lake, which is audited for that, with every target in mind.

    Args:
        lake: The lake.
        wanted: The id of the finding, or how it begins.
        on_spark: Audits a lake that is better audited on Spark.
        show: Is told what is at work.

    Raises:
        CannotExplain: There is none, or more than one.
        TaskFailed: Tables cannot be read, or memory is not enough.
    """
    if is_large(lake):
        show("starting Spark")
        findings = on_spark()
    else:
        show("auditing")
        findings = audit_here(lake, show, *TARGETS)
    return only(matching(findings, wanted), wanted, lake.place)
