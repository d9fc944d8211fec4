"""Every constant has the value that the specification gives it, and every error closes what it says."""

from .cases import Case, each_question
from .checks import check_answer
from .peer import Peer


@each_question("constant", "closes")
def test_constant(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask(case.kind, case.element))
