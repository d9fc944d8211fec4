"""What the specification asserts about fields, by profile: who enforces it and who does not."""

import pytest

from .cases import Case, each_question
from .peer import Peer, Refused


@each_question("assert")
def test_accepted(peer: Peer, case: Case) -> None:
    for profile in case.input["accepted-by"]:
        peer.check("assert", case.input, {"profile": profile})


@each_question("assert")
def test_refused(peer: Peer, case: Case) -> None:
    for profile in case.input["refused-by"]:
        with pytest.raises(Refused) as caught:
            peer.check("assert", case.input, {"profile": profile})
        assert caught.value.error in ("", "assert")
