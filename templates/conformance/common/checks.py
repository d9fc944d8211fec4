"""What the tests check of an implementation.

A failure begins with what went wrong, in words that a file of known deviations can name, see ``deviations.py``.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final, cast

import pytest

from .cases import Case, same
from .peer import Neutral, Peer, Refused

# What octets decode to that are made of values without letters.
_DECODED_AS: Final = {"plain-table": "table"}


def check_octets(peer: Peer, case: Case, octets: bytes) -> None:
    """Fails if the octets are not those of the case; tells wrong ones from others that the specification allows."""
    if octets == case.octets:
        return
    verdict = "wrong octets"
    if case.encoding == "free" and _reads_back(peer, case, octets):
        verdict = "legal, but longer" if len(octets) > len(case.octets) else "legal, but other octets"
    pytest.fail(f"{verdict}: {octets.hex()}, not {case.octets.hex()}")


def _reads_back(peer: Peer, case: Case, octets: bytes) -> bool:
    """Whether the implementation itself finds the same value in the octets as in those of the case."""
    kind = _DECODED_AS.get(case.kind, case.kind)
    try:
        forms = [peer.decode(kind, encoded, case.options) for encoded in (octets, case.octets)]
    except Refused:
        return False
    if kind == case.kind:
        return same(case.input, forms[0])
    return bool(_bare(forms[0]) == _bare(forms[1]))


def _bare(form: Neutral) -> Neutral:
    """The entries of a table without letters and types."""
    if isinstance(form, dict):
        members = cast("dict[str, Neutral]", form).items()
        return {key: _bare(value) for key, value in members if key not in ("letter", "type")}
    if isinstance(form, list):
        return [_bare(item) for item in cast("Sequence[Neutral]", form)]
    return str(form) if type(form) is int else form


def check_value(case: Case, value: Neutral) -> None:
    if not same(case.input, value):
        pytest.fail(f"wrong value: {value}, not {case.input}")


def check_answer(case: Case, answer: Neutral) -> None:
    if answer != case.input:
        pytest.fail(f"wrong answer: {answer}, not {case.input}")


@contextmanager
def refusal(error: str) -> Generator[None, None, None]:
    """Fails if what is done in it is not refused for this reason; an implementation need not give one."""
    try:
        yield
    except Refused as refused:
        if refused.error not in ("", error):
            pytest.fail(f"refused as {refused.error}, not {error}")
    else:
        pytest.fail("accepted")
