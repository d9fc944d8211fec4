"""What the tests ask of an implementation.

To test another one, write a class with these methods and give it to the tests with a fixture in a ``conftest.py``
above this folder::

    @pytest.fixture(scope="session")
    def peer() -> Peer:
        return MyPeer()
"""

from collections.abc import Mapping
from typing import Any, NoReturn, Protocol, TypeAlias

import pytest

# A value as vectors.json writes it.
Neutral: TypeAlias = Any
Options: TypeAlias = Mapping[str, "str | int"]


class Refused(Exception):
    """The implementation refuses a value or octets.

    Attributes:
        error: Why: ``truncated``, ``malformed``, ``unknown``, ``limit``, ``range``, ``assert``
            or ``order``; empty if the implementation does not tell.
    """

    def __init__(self, error: str = "", message: str = "") -> None:
        super().__init__(error, message)
        self.error = error
        self.message = message

    def __str__(self) -> str:
        return self.message or self.error


def not_supported(what: str) -> NoReturn:
    """Ends a test that asks for what the implementation does not have; it counts as skipped."""
    pytest.skip(f"not supported: {what}")


class Peer(Protocol):
    """An implementation under test. Any method may call ``not_supported``."""

    def encode(self, kind: str, value: Neutral, options: Options) -> bytes:
        """The octets of a value; ``Refused`` if it cannot be encoded.

        Args:
            kind: What it is, as in the cases.
            value: The ``input`` of a case.
            options: Those of the case.
        """
        ...

    def decode(self, kind: str, octets: bytes, options: Options) -> Neutral:
        """The value of octets in the form of ``input``; ``Refused`` if they are wrong, or too few.

        What the implementation does not keep may be left out where ``cases.same`` says so.
        """
        ...

    def recode(self, kind: str, octets: bytes, options: Options) -> bytes:
        """Decodes and encodes again, without loss where the implementation has a way to do that."""
        ...

    def ask(self, kind: str, element: str) -> Neutral:
        """What the implementation says about an element of the specification, in the form of ``input``."""
        ...

    def check(self, kind: str, value: Neutral, options: Options) -> None:
        """Raises ``Refused`` if a value of this kind violates what the specification says beyond its octets."""
        ...
