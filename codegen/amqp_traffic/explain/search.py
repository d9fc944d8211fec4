"""Search of the finding with a given id, in a report or by auditing the lake again: an id is the same in every audit."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from ..audit.finding import AuditFinding
from ..audit.lake_audit import audit_here, is_large
from ..audit.report import findings_of
from ..audit.rule import TARGETS
from ..lake.folder import Lake
from .subject import CannotExplain

ID_DIGITS = 12
_ID = re.compile(rf"[0-9a-f]{{1,{ID_DIGITS}}}")
_MOST_MATCHES_NAMED = 4


def require_id(text: str) -> str:
    """Return an id, or the beginning of one, in lower case.

    Raises:
        CannotExplain: The text is not hexadecimal, or too long.
    """
    wanted = text.strip().lower()
    if _ID.fullmatch(wanted) is None:
        raise CannotExplain(
            "finding-id", f"{text!r} is not an id of a finding: those are {ID_DIGITS} hexadecimal digits"
        )
    return wanted


def matching(findings: Iterable[AuditFinding], wanted: str) -> dict[str, AuditFinding]:
    """Return the findings whose ids begin with a text, by id."""
    return {finding.finding_id: finding for finding in findings if finding.finding_id.startswith(wanted)}


def only(found: dict[str, AuditFinding], wanted: str, where: str) -> AuditFinding:
    """Return the one finding that is meant.

    Args:
        found: The findings whose ids begin with ``wanted``.
        wanted: The beginning.
        where: The place that was searched, for messages.

    Raises:
        CannotExplain: There is none, or more than one.
    """
    if not found:
        raise CannotExplain("unknown-finding", f"there is no finding {wanted} in {where}")
    if len(found) > 1:
        some = [
            f"{finding.finding_id} ({finding.rule_id})"
            for finding in list(found.values())[:_MOST_MATCHES_NAMED]
        ]
        more = f" and {len(found) - _MOST_MATCHES_NAMED:,} more" if len(found) > _MOST_MATCHES_NAMED else ""
        raise CannotExplain(
            "ambiguous-finding",
            f"{wanted} is the beginning of {len(found):,} findings: {', '.join(some)}{more}",
        )
    return next(iter(found.values()))


def find_in_report(path: Path, wanted: str) -> AuditFinding:
    """Return a finding of a report.

    Args:
        path: A file that ``traffic audit --format json`` wrote; ``-`` is standard input.
        wanted: The id of the finding, or its beginning.

    Raises:
        CannotExplain: There is none, or more than one, or the file is not a report.
    """
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
        findings = findings_of(text)
    except OSError as error:
        raise CannotExplain("findings", f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        reason = str(error)
        if not reason.startswith("it is not a report"):
            reason = "it is no JSON"
        raise CannotExplain(
            "findings", f"{path}: {reason}; traffic audit LAKE --format json -o FILE writes one"
        ) from None
    return only(matching(findings, wanted), wanted, str(path))


def find_in_lake(
    lake: Lake, wanted: str, on_spark: Callable[[], list[AuditFinding]], show: Callable[[str], None]
) -> AuditFinding:
    """Audit a lake for all targets and return one finding.

    ``wanted`` is the id of the finding, or its beginning. ``on_spark`` audits the lake on Spark; it is called if that
    is large.

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
