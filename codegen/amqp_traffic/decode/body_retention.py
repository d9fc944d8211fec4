"""What is kept of the bodies of messages: nothing, unless it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

# So much of a body is kept at most, as much as brokers take by default: what is larger has no digest.
MOST_KEPT = 1 << 24
_NONE, _ALL, _HEAD = "none", "all", "head:"


@dataclass(frozen=True, slots=True)
class BodyRetention:
    """What is asked for.

    Attributes:
        wanted: Whether anything is kept.
        head: How many octets of the beginning are kept besides the digest.
    """

    wanted: bool = False
    head: int = 0

    def keep(self, pieces: Iterable[bytes], size: int, complete: bool) -> tuple[bytes | None, bytes | None]:
        """What is kept of a body.

        Args:
            pieces: Its octets from the beginning, at least the first ``MOST_KEPT`` of those that were seen.
            size: How many were seen.
            complete: Whether these are all.

        Returns:
            The SHA-256 digest if the body is complete and not larger than ``MOST_KEPT``, and the beginning; None and
            None if nothing is wanted.
        """
        if not self.wanted:
            return None, None
        octets = b"".join(pieces)
        digest = sha256(octets).digest() if complete and size <= MOST_KEPT else None
        return digest, octets[: self.head]


NO_BODIES = BodyRetention()


def parse_body_retention(text: str) -> BodyRetention:
    """What ``none``, ``head:N`` or ``all`` asks for; of ``all``, too, ``MOST_KEPT`` octets of each are the most.

    Raises:
        ValueError: It is none of these.
    """
    if text == _NONE:
        return NO_BODIES
    if text == _ALL:
        return BodyRetention(True, MOST_KEPT)
    number = text.removeprefix(_HEAD)
    if text.startswith(_HEAD) and number.isdecimal() and number.isascii() and len(number) < 10:
        return BodyRetention(True, min(int(number), MOST_KEPT))
    raise ValueError(f"bodies are none, head:N (N octets of each) or all, not {text!r}")
