"""Responses in SASL: their octets, what they refuse, and that no message shows a password."""

from __future__ import annotations

import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import amqp

TEXT = st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), min_size=1)


@given(user=TEXT, password=TEXT, authorization=st.one_of(st.just(""), TEXT))
@examples(100)
def test_plain(user: str, password: str, authorization: str) -> None:
    octets = amqp.plain_response(user, password, authorization)
    assert [part.decode() for part in octets.split(b"\0")] == [authorization, user, password]


def test_octets_of_the_rfcs() -> None:
    """RFC 4616, section 4, and RFC 4505, section 3."""
    assert amqp.plain_response("tim", "tanstaaftanstaaf") == b"\0tim\0tanstaaftanstaaf"
    assert amqp.plain_response("Kurt", "xipj3plmq", "Ursel") == b"Ursel\0Kurt\0xipj3plmq"
    assert amqp.anonymous_response("sirhc") == b"sirhc"
    assert amqp.anonymous_response() == amqp.external_response() == b""
    assert amqp.external_response("fred@example.com") == b"fred@example.com"
    assert amqp.external_response("ä") == amqp.anonymous_response("ä") == b"\xc3\xa4"


@pytest.mark.parametrize(
    ("arguments", "path", "says"),
    [
        (("", "secret"), "user", "needs a user"),
        (("me", ""), "password", "needs a password"),
        (("m\0e", "secret"), "user", "NUL"),
        (("me", "sec\0ret"), "password", "NUL"),
        (("me", "secret", "\0"), "authorization", "NUL"),
        (("me", "secret\ud800"), "password", "Unicode"),
        (("\udfff", "secret"), "user", "Unicode"),
    ],
)
def test_plain_refuses(arguments: tuple[str, ...], path: str, says: str) -> None:
    with pytest.raises(amqp.EncodeError, match=says) as caught:
        amqp.plain_response(*arguments)
    assert caught.value.path == path
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    shown = "".join(traceback.format_exception_only(caught.value))
    assert "sec" not in shown


def test_others_refuse() -> None:
    assert len(amqp.anonymous_response("ä" * 255)) == 510
    for call in (
        lambda: amqp.anonymous_response("x" * 256),
        lambda: amqp.anonymous_response("\ud800"),
        lambda: amqp.external_response("a\0b"),
        lambda: amqp.external_response("\ud800"),
    ):
        with pytest.raises(amqp.EncodeError):
            call()


@pytest.mark.parametrize(
    ("offered", "allowed", "chosen"),
    [
        (["PLAIN", "EXTERNAL"], ["EXTERNAL", "PLAIN"], "EXTERNAL"),  # our order counts
        (["PLAIN", "ANONYMOUS"], ["EXTERNAL", "ANONYMOUS"], "ANONYMOUS"),  # PLAIN only if it is allowed
        (["PLAIN"], ["EXTERNAL"], None),
        (["plain"], ["PLAIN"], None),
        ([amqp.Symbol("AMQPLAIN"), amqp.Symbol("PLAIN")], ["PLAIN"], "PLAIN"),
        ([], ["PLAIN"], None),
        (["PLAIN"], [], None),
    ],
)
def test_choice(offered: list[str], allowed: list[str], chosen: str | None) -> None:
    assert amqp.choose_mechanism(offered, allowed) == chosen
