"""What every conversation uses: a client, random choices, bodies, a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .bodies import BodyMaker
from .chance import Chance
from .clients import SyntheticClient
from .utterance import Said


@dataclass(slots=True)
class Budget:
    """The octets of the capture file that a connection may take. Its packets spend them; then its conversation ends.

    Attributes:
        left: The octets that are left; negative if the connection took more.
    """

    left: int

    def spend(self, octets: int) -> None:
        """Spend octets."""
        self.left -= octets

    @property
    def is_spent(self) -> bool:
        """Whether the conversation should end."""
        return self.left <= 0


@dataclass(frozen=True, slots=True)
class ConversationSetting:
    """What every conversation uses.

    Attributes:
        chance: Decides what happens.
        budget: When it is spent, no other story begins, and the connection is closed.
    """

    client: SyntheticClient
    chance: Chance
    bodies: BodyMaker
    budget: Budget

    def at_once(self, stories: Iterable[Iterator[Said]]) -> Iterator[Said]:
        """Yield from several stories in random order until all are finished."""
        running = list(stories)
        while running:
            story = self.chance.pick(running)
            said = next(story, None)
            if said is None:
                running.remove(story)
            else:
                yield said
