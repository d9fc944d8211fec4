"""Messages cut off: what is left is refused, or it is a message of the sections that are whole."""

import pytest

from .cases import Case, each_case
from .peer import Neutral, Peer, Refused


def sections_of(peer: Peer, octets: bytes) -> Neutral:
    """The sections of a message; None if it is refused."""
    try:
        return peer.decode("message", octets, {})["sections"]
    except Refused:
        return None


@each_case(lambda case: case.kind == "message" and case.verdict == "accept")
def test_every_prefix_is_refused_or_whole_sections(peer: Peer, case: Case) -> None:
    whole: list[Neutral] = case.input["sections"]
    found = [sections_of(peer, case.octets[:length]) for length in range(len(case.octets))]
    left = [sections for sections in found if sections is not None]
    wrong = [sections for sections in left if sections != whole[: len(sections)]]
    if wrong or len(left) > len(whole):
        pytest.fail(f"read from prefixes: {wrong or left}")
