"""What the specification says about its types: choices, descriptors, fields, defaults, archetypes."""

from .cases import Case, each_question
from .checks import check_answer
from .peer import Peer


@each_question("choice")
def test_choice(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask("choice", case.element))


@each_question("descriptor")
def test_descriptor(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask("descriptor", case.element))


@each_question("fields")
def test_fields_in_order(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask("fields", case.element))


@each_question("field")
def test_mandatory_and_multiple(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask("field", case.element))


@each_question("default")
def test_default(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask("default", case.element))


@each_question("providers")
def test_providers_of_archetype(peer: Peer, case: Case) -> None:
    check_answer(case, peer.ask("providers", case.element))
