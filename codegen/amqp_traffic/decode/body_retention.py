"""The part of message bodies that is kept: nothing, unless the user asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

# The most octets kept of a body; a larger body has no digest. Brokers accept no more by default.
MOST_KEPT = 1 << 24
_NONE, _ALL, _HEAD = "none", "all", "head:"


@dataclass(frozen=True, slots=True)
class BodyRetention:
    """What the user asked to keep of each body.

    Attributes:
        wanted: Whether anything is kept.
        head: Octets of the beginning to keep besides the digest.
    """

    wanted: bool = False
    head: int = 0

    def keep(self, pieces: Iterable[bytes], size: int, complete: bool) -> tuple[bytes | None, bytes | None]:
        """Return digest and beginning of a body.

        Args:
            pieces: Its octets from the beginning, at least the first ``MOST_KEPT`` of those seen.
            size: Number of octets seen.
            complete: Whether these are all of the body.

        Returns:
            The SHA-256 digest, or None if the body is not complete or larger than ``MOST_KEPT``; and the beginning. Both
            None if nothing is wanted.
        """
        if not self.wanted:
            return None, None
        octets = b"".join(pieces)
        digest = sha256(octets).digest() if complete and size <= MOST_KEPT else None
        return digest, octets[: self.head]


NO_BODIES = BodyRetention()


def parse_body_retention(text: str) -> BodyRetention:
    """Parse ``none``, ``head:N`` or ``all``. At most ``MOST_KEPT`` octets of a body are kept, with ``all``, too.

    Raises:
        ValueError: The text is none of these.
    """
    if text == _NONE:
        return NO_BODIES
    if text == _ALL:
        return BodyRetention(True, MOST_KEPT)
    number = text.removeprefix(_HEAD)
    if text.startswith(_HEAD) and number.isdecimal() and number.isascii() and len(number) < 10:
        return BodyRetention(True, min(int(number), MOST_KEPT))
    raise ValueError(f"bodies are none, head:N (N octets of each) or all, not {text!r}")
