"""Which finding is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..audit.finding import Finding
from .failure import CannotExplain

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


def matching(findings: Iterable[Finding], wanted: str) -> dict[str, Finding]:
    """The findings whose ids begin so, by id."""
    return {each.finding_id: each for each in findings if each.finding_id.startswith(wanted)}


def only(found: dict[str, Finding], wanted: str, where: str) -> Finding:
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
