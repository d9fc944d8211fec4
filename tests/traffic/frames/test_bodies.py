"""What is kept of bodies, and how it is asked for."""

from __future__ import annotations

from hashlib import sha256

import pytest
from amqp_traffic.decode.body_retention import MOST_KEPT, NO_BODIES, BodyRetention, parse_body_retention

BODY = b"some octets"
DIGEST = sha256(BODY).digest()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", NO_BODIES),
        ("head:0", BodyRetention(True, 0)),
        ("head:256", BodyRetention(True, 256)),
        ("head:999999999", BodyRetention(True, MOST_KEPT)),
        ("all", BodyRetention(True, MOST_KEPT)),
    ],
)
def test_parse(text: str, expected: BodyRetention) -> None:
    assert parse_body_retention(text) == expected


@pytest.mark.parametrize(
    "text", ["", "head", "head:", "head:-1", "head:1k", "head:²", "head:9999999999", "256", "All"]
)
def test_parse_nonsense(text: str) -> None:
    with pytest.raises(ValueError, match="bodies are none, head:N"):
        parse_body_retention(text)


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        (NO_BODIES, (None, None)),
        (BodyRetention(True, 0), (DIGEST, b"")),
        (BodyRetention(True, 4), (DIGEST, b"some")),
        (BodyRetention(True, MOST_KEPT), (DIGEST, BODY)),
    ],
)
def test_keep(bodies: BodyRetention, expected: tuple[bytes | None, bytes | None]) -> None:
    assert bodies.keep([BODY[:3], BODY[3:]], len(BODY), True) == expected


def test_what_is_not_complete_has_no_digest() -> None:
    assert BodyRetention(True, 100).keep([BODY], len(BODY), False) == (None, BODY)


def test_what_is_too_large_has_no_digest() -> None:
    size = MOST_KEPT + 1
    digest, head = parse_body_retention("all").keep([bytes(size)], size, True)
    assert (digest, head) == (None, bytes(MOST_KEPT))
