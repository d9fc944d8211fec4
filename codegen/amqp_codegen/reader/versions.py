"""The known versions of AMQP, identified by the root elements of their files.

It needs a table: Qpid's 0-9-1 has minor 91, 0-8 has major 8, and 1.0 has no numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..model.problem import Position, Problem
from ..support.wording import listing, quote, show_tag
from .check_schema import parse_number
from .element import Element

Family = Literal["amqp0", "amqp1"]


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A version of the protocol and the family of files that describes it."""

    name: str
    family: Family


# The numbers of the root element, and their values if they are absent.
_NUMBERS = (("major", ""), ("minor", ""), ("revision", "0"))
_BY_NUMBERS: Mapping[tuple[int | None, ...], KnownVersion] = {
    (8, 0, 0): KnownVersion("0-8", "amqp0"),
    (0, 9, 0): KnownVersion("0-9", "amqp0"),
    (0, 9, 1): KnownVersion("0-9-1", "amqp0"),
    (0, 91, 0): KnownVersion("0-9-1", "amqp0"),  # as Qpid writes it
}
_VERSION_1_0 = KnownVersion("1.0", "amqp1")
_SUPPORTED = ("0-8", "0-9", "0-9-1", "1.0")


def identify(root: Element) -> KnownVersion | Problem:
    """Return the version that a file describes by its root element, or why it cannot be read."""
    if root.tag != "amqp":
        return _unsupported(root, f"the root element is <{show_tag(root.tag)}>, not <amqp>")
    if "overlay" in root.attributes:
        message = "this file is an overlay: it changes a specification and is none itself"
        return Problem("unsupported-version", message, root.position, "give it as an overlay")
    if "major" not in root.attributes and "name" in root.attributes:
        return _VERSION_1_0  # its namespace differs between published copies, so it tells no more
    return _by_numbers(root)


def overlay_family(root: Element) -> Family | None:
    """Return the family that an overlay changes, by its root element; None if that cannot be told."""
    if root.tag != "amqp" or "overlay" not in root.attributes:
        return None
    if "major" in root.attributes:
        return "amqp0"
    return "amqp1" if "name" in root.attributes else None


def _by_numbers(root: Element) -> KnownVersion | Problem:
    written = tuple(root.attributes.get(name, absent) for name, absent in _NUMBERS)
    if written[:2] in (("0", "10"), ("10", "0")):
        return unsupported_0_10(root.position)
    if "" in written:
        return _unsupported(root, "the root element does not say which version this is")
    known = _BY_NUMBERS.get(tuple(parse_number(number) for number in written))
    if known is None:
        return _unsupported(root, f"unknown version {quote('-'.join(written))}")
    if root.namespace:
        return _unsupported(root, f"a {known.name} file has no namespace, this has {quote(root.namespace)}")
    return known


def unsupported_0_10(position: Position | None = None) -> Problem:
    """Return the problem of a call for AMQP 0-10, by file or by name."""
    message = "AMQP 0-10 is not supported: it is described in another language"
    return Problem("unsupported-version", message, position, f"supported are {listing(_SUPPORTED)}")


def _unsupported(root: Element, message: str) -> Problem:
    return Problem("unsupported-version", message, root.position, f"supported are {listing(_SUPPORTED)}")
