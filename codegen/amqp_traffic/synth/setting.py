"""What every conversation needs: who talks, what happens, how long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .bodies import BodyMaker
from .budget import Budget
from .chance import Chance
from .clients import SynthClient
from .utterance import Said


@dataclass(frozen=True, slots=True)
class ConversationSetting:
    """What every conversation needs.

    Attributes:
        client: Who the client is.
        chance: What happens.
        bodies: Of the messages.
        budget: When it is spent, no other story begins, and they say goodbye.
    """

    client: SynthClient
    chance: Chance
    bodies: BodyMaker
    budget: Budget

    def at_once(self, stories: Iterable[Iterator[Said]]) -> Iterator[Said]:
        """Several stories until all are told: each gets on at its own speed, and comes between the others."""
        running = list(stories)
        while running:
            story = self.chance.pick(running)
            said = next(story, None)
            if said is None:
                running.remove(story)
            else:
                yield said
