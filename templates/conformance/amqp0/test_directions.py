"""Who sends a method: the side that need not accept it."""

from .cases import Case, each_question
from .checks import check_answer
from .peer import Peer


@each_question("direction")
def test_direction(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask("direction", case.element))
