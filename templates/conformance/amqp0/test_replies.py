"""What answers a method, who waits for an answer, and what carries content."""

from .cases import Case, each_question
from .checks import check_answer
from .peer import Peer


@each_question("reply", "synchronous", "content")
def test_reply(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask(case.kind, case.element))
