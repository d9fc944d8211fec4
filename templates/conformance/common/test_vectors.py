"""Every vector: values and their octets, and what must be refused."""

import pytest

from .cases import Case, each_case, same
from .peer import Peer, Refused

each_encoded = each_case(lambda case: case.way in ("both", "encode") and case.verdict == "accept")
each_decoded = each_case(lambda case: case.way in ("both", "decode") and case.verdict == "accept")
each_recoded = each_case(lambda case: case.way == "both" and case.verdict == "accept")
each_not_encodable = each_case(lambda case: case.way in ("both", "encode") and case.verdict == "reject")
each_not_decodable = each_case(lambda case: case.way in ("both", "decode") and case.verdict == "reject")


@each_encoded
def test_encode(peer: Peer, case: Case) -> None:
    assert peer.encode(case.kind, case.input, case.options).hex() == case.octets.hex()


@each_decoded
def test_decode(peer: Peer, case: Case) -> None:
    found = peer.decode(case.kind, case.octets, case.options)
    assert same(case.input, found), found


@each_recoded
def test_recode(peer: Peer, case: Case) -> None:
    assert peer.recode(case.kind, case.octets, case.options).hex() == case.octets.hex()


@each_not_encodable
def test_encoding_is_refused(peer: Peer, case: Case) -> None:
    with pytest.raises(Refused) as caught:
        peer.encode(case.kind, case.input, case.options)
    assert caught.value.error in ("", case.error)


@each_not_decodable
def test_decoding_is_refused(peer: Peer, case: Case) -> None:
    with pytest.raises(Refused) as caught:
        peer.decode(case.kind, case.octets, case.options)
    assert caught.value.error in ("", case.error)
