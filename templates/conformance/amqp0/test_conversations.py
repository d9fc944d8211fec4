"""By the class grammars: which methods may come next, and which are out of place."""

from .cases import Case, each_case
from .checks import refusal
from .peer import Peer

each_legal = each_case(lambda case: case.kind == "conversation" and case.verdict == "accept")
each_out_of_place = each_case(lambda case: case.kind == "conversation" and case.verdict == "reject")


@each_legal
def test_legal(peer: Peer, case: Case) -> None:
    peer.check("conversation", case.input, case.options)


@each_out_of_place
def test_out_of_place(peer: Peer, case: Case) -> None:
    with refusal("order"):
        peer.check("conversation", case.input, case.options)
