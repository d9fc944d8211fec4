"""Every vector, cut off after every octet: too little is always noticed, and nothing else is reported."""

import pytest

from .cases import TRUNCATABLE, Case, each_case
from .peer import Options, Peer, Refused


def error_of(peer: Peer, kind: str, octets: bytes, options: Options) -> str:
    """Why the octets are refused, or that they are not."""
    try:
        peer.decode(kind, octets, options)
    except Refused as refused:
        return refused.error or "truncated"
    return "accepted"


@each_case(
    lambda case: case.kind in TRUNCATABLE and case.way in ("both", "decode") and case.verdict == "accept"
)
def test_every_prefix_is_refused(peer: Peer, case: Case) -> None:
    errors = {
        length: error_of(peer, case.kind, case.octets[:length], case.options)
        for length in range(len(case.octets))
    }
    wrong = {length: error for length, error in errors.items() if error != "truncated"}
    if wrong:
        pytest.fail(f"prefixes not refused as truncated: {wrong}")
