"""The rules of an AMQP 1.0 specification."""

from __future__ import annotations

from dataclasses import dataclass

from .position import Position


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in words.

    Attributes:
        path: ``owner/name``, unique. The owner is a part (``transport``), a section (``performatives``),
            a type (``open``), a field of a type (``open.channel-max``) or a choice (``role.sender``).
        name: The last part of the path.
        label: A short name, or empty.
        section: The number of the section of the standard that states it, for example ``2.7.1``.
        text: What it demands.
        levels: The level words in order: MUST, MUST NOT, SHOULD, SHOULD NOT, MAY, MAY NOT.
        actor: Whose duty it is: the first of sender, receiver, client, server, peer, partner, endpoint,
            container, coordinator, controller, resource, intermediary, broker, application and
            implementation that the text names, else ``other``.
        on_failure: The error condition that reports a violation, a symbol, or empty.
        scenario: How to test it, or None.
        position: Where it stands.
    """

    path: str
    name: str
    label: str
    section: str
    text: str
    levels: tuple[str, ...]
    actor: str
    on_failure: str
    scenario: str | None
    position: Position
