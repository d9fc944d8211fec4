"""Every vector: values and their octets, and what must be refused."""

from .cases import Case, each_case
from .checks import check_octets, check_value, refusal
from .peer import Peer

each_encoded = each_case(lambda case: case.way in ("both", "encode") and case.verdict == "accept")
each_decoded = each_case(lambda case: case.way in ("both", "decode") and case.verdict == "accept")
each_recoded = each_case(lambda case: case.way == "both" and case.verdict == "accept")
each_not_encodable = each_case(lambda case: case.way in ("both", "encode") and case.verdict == "reject")
each_not_decodable = each_case(lambda case: case.way in ("both", "decode") and case.verdict == "reject")


@each_encoded
def test_encode(peer: Peer, case: Case) -> None:
    check_octets(peer, case, peer.encode(case.kind, case.input, case.options))


@each_decoded
def test_decode(peer: Peer, case: Case) -> None:
    check_value(case, peer.decode(case.kind, case.octets, case.options))


@each_recoded
def test_recode(peer: Peer, case: Case) -> None:
    check_octets(peer, case, peer.recode(case.kind, case.octets, case.options))


@each_not_encodable
def test_encoding_is_refused(peer: Peer, case: Case) -> None:
    with refusal(case.error):
        peer.encode(case.kind, case.input, case.options)


@each_not_decodable
def test_decoding_is_refused(peer: Peer, case: Case) -> None:
    with refusal(case.error):
        peer.decode(case.kind, case.octets, case.options)
