"""A method of which nothing is set has zero or nothing in every field."""

from .cases import Case, each_question
from .checks import check_value
from .peer import Peer


@each_question("default")
def test_default(peer: Peer, case: Case) -> None:
    check_value(case, peer.ask("default", case.element))
