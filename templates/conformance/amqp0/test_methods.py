"""What answers a method and who waits for an answer, what carries content, who sends it, what it has by default."""

from .cases import Case, each_question
from .checks import check_answer, check_value
from .peer import Peer


@each_question("reply", "synchronous", "content")
def test_reply(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask(case.kind, case.element))


@each_question("direction")
def test_direction(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask("direction", case.element))


@each_question("default")
def test_default(peer: Peer, case: Case) -> None:
    """A method of which nothing is set has zero or nothing in every field."""
    check_value(case, peer.ask("default", case.element))
