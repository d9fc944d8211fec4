"""What the specification asserts about fields, by profile: who enforces it and who does not."""

from .cases import Case, each_question
from .checks import refusal
from .peer import Peer


@each_question("assert")
def test_accepted(peer: Peer, case: Case) -> None:
    for profile in case.input["accepted-by"]:
        peer.check("assert", case.input, {"profile": profile})


@each_question("assert")
def test_refused(peer: Peer, case: Case) -> None:
    for profile in case.input["refused-by"]:
        with refusal("assert"):
            peer.check("assert", case.input, {"profile": profile})
