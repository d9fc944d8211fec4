"""Erlang terms as they are printed in logs."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_traffic.logs.erlang_terms import ErlangAtom, read_term

CASES: list[tuple[bytes, Any]] = [
    (b"[]", []),
    (b"{}", ()),
    (b"<<>>", b""),
    (b'<<"">>', b""),
    (b'<<"text">>', b"text"),
    (b'<<"\xc3\xa9"/utf8>>', "é".encode()),
    (rb'<<"say \"hi\" \\ back\nnew\ttab\e\v\b\f\r\s\d\x{e9}\101">>',
     b'say "hi" \\ back\nnew\ttab\x1b\v\b\f\r \x7f\xc3\xa9A'),
    (b"<<0,255,1>>", b"\x00\xff\x01"),
    (b"<<1,\n   2>>", b"\x01\x02"),
    (b"-5", -5),
    (b"1099511627776", 1 << 40),
    (b"1.5", 1.5),
    (b"-1.0e300", -1e300),
    (b"1.0e-5", 1e-5),
    (b"true", ErlangAtom("true")),
    (b'[{<<"k">>,table,[{<<"z">>,bool,false}]}]',
     [(b"k", ErlangAtom("table"), [(b"z", ErlangAtom("bool"), ErlangAtom("false"))])]),
    (b'[{signedint,1},\n  {longstr,<<"two">>}]', [(ErlangAtom("signedint"), 1), (ErlangAtom("longstr"), b"two")]),
    (b"{1,15}", (1, 15)),
]  # fmt: skip


@pytest.mark.parametrize(("octets", "term"), CASES)
def test_terms(octets: bytes, term: Any) -> None:
    assert read_term(b" \n" + octets + b"rest"[: octets[-1] in b"]}>"], 0) == (term, len(octets) + 2)


@pytest.mark.parametrize("octets", [case[0] for case in CASES if len(case[0]) > 4])
def test_what_is_cut_off_is_no_term_or_a_shorter_one(octets: bytes) -> None:
    whole = read_term(octets, 0)
    for end in range(len(octets)):
        try:
            found = read_term(octets[:end], 0)
        except ValueError:
            continue
        assert found[1] <= end
        assert found != whole


@pytest.mark.parametrize(
    "octets",
    [b"", b"]", b"[1", b"[1,", b"[1 2]", b"[1,]", b"[,1]", b"[1}", b"<<256>>", b"<<1", b'<<"a', b'<<"a\nb">>', b"Var",
     b'<<"\\x{110000}">>', b'"text"', b"1" * 50, b"[" * 1000, b"{" * 100 + b"}" * 100],
)  # fmt: skip
def test_what_is_no_term(octets: bytes) -> None:
    with pytest.raises(ValueError):
        read_term(octets, 0)


def test_time_is_linear() -> None:
    """A long text without its end, many times over: would not come back if it were tried again and again."""
    octets = b'[<<"' + b"\\n" * 500_000
    with pytest.raises(ValueError, match="no term"):
        read_term(octets, 0)
    term, _ = read_term(b"[" + b",".join([b"{a,1}"] * 10_000) + b"]", 0)
    assert isinstance(term, list)
    assert len(term) == 10_000
