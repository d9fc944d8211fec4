"""What every conversation needs: a client, random choices, bodies, a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .bodies import BodyMaker
from .chance import Chance
from .clients import SyntheticClient
from .utterance import Said


@dataclass(slots=True)
class Budget:
    """The octets of the capture file that a connection may take. Packets spend them, the conversation checks.

    Attributes:
        left: The octets that are left; negative once it took more.
    """

    left: int

    def spend(self, octets: int) -> None:
        """Spend octets."""
        self.left -= octets

    @property
    def is_spent(self) -> bool:
        """Whether the conversation should come to its end."""
        return self.left <= 0


@dataclass(frozen=True, slots=True)
class ConversationSetting:
    """What every conversation needs.

    Attributes:
        client: The client.
        chance: Decides what happens.
        bodies: The bodies of messages.
        budget: When it is spent, no other story begins, and the connection is closed.
    """

    client: SyntheticClient
    chance: Chance
    bodies: BodyMaker
    budget: Budget

    def at_once(self, stories: Iterable[Iterator[Said]]) -> Iterator[Said]:
        """Yield from several stories, at random, until all are finished."""
        running = list(stories)
        while running:
            story = self.chance.pick(running)
            said = next(story, None)
            if said is None:
                running.remove(story)
            else:
                yield said
