"""Finds a finding: in a report of the audit, or by auditing again, as the ids of findings are the same each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..audit.finding import Finding
from ..audit.local_audit import audit_here, is_large
from ..audit.reports.report_json import findings_of
from ..audit.rules.rule import TARGETS
from ..tables.lake import Lake
from .choice import matching, only
from .failure import CannotExplain


def find_in_report(path: Path, wanted: str) -> Finding:
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
    lake: Lake, wanted: str, on_spark: Callable[[], list[Finding]], show: Callable[[str], None]
) -> Finding:
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
