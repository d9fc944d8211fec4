"""A method of which nothing is set has zero or nothing in every field."""

from .cases import Case, each_question, same
from .peer import Peer


@each_question("default")
def test_default(peer: Peer, case: Case) -> None:
    found = peer.ask("default", case.element)
    assert same(case.input, found), found
