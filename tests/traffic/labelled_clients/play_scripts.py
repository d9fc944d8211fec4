"""Plays all clients side by side, each with an address of its own, and notes what the broker does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import amqp_0_8
import amqp_0_9
import amqp_0_9_1_rabbitmq

from .actor import NOTHING, Actor
from .actor1 import Actor1
from .labels import Label, read_labels
from .legal import basic, connections, of_1_0
from .legal import contents as legal_contents
from .legal import of_0_8 as legal_of_0_8
from .misbehaving import (
    channels,
    contents,
    deprecated,
    fleet,
    frames,
    links1,
    names,
    of_0_8,
    opening,
    opening1,
    tags,
)
from .scripts import scripts_of

_MISBEHAVING_0 = (opening, frames, channels, contents, tags, names, deprecated, fleet, of_0_8)
_LEGAL_0 = (connections, legal_contents, basic, legal_of_0_8)
SCRIPTS_0 = scripts_of((*_MISBEHAVING_0, *_LEGAL_0))
SCRIPTS_1 = scripts_of((opening1, links1, of_1_0))
_PACKAGES = {"0-8": amqp_0_8, "0-9": amqp_0_9, "0-9-1": amqp_0_9_1_rabbitmq}
_AT_ONCE = 16


class Played(NamedTuple):
    """What came of a client.

    Attributes:
        label: Its label.
        address: That of the client; no other client has it.
        ports: Those of its connections.
        reaction: What the broker did, as ``Label.reaction`` says it.
        failure: What went wrong in the script, if anything did.
    """

    label: Label
    address: str
    ports: tuple[int, ...]
    reaction: str
    failure: str


def play_all() -> list[Played]:
    """Play all clients that have a label, in the order of the labels."""
    labels = read_labels().values()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(_play, labels, _addresses()))


def _addresses() -> Iterator[str]:
    for number in itertools.count(1):
        yield f"127.71.{number // 250}.{number % 250 + 1}"


def _play(label: Label, source: str) -> Played:
    actor: Actor | Actor1
    if label.version == "1.0":
        actor, script = Actor1(label.id, source), SCRIPTS_1[label.id]
    else:
        actor, script = Actor(label.id, source, _PACKAGES[label.version]), SCRIPTS_0[label.id]
    failure = ""
    try:
        with actor.noting():
            script(actor)
        # The second connection has come for what the broker does; the first one is to be there until then.
        for one in (*actor.others, actor):
            one.watch(NOTHING if actor.others else label.reaction)
    except Exception as error:
        failure = repr(error)
    finally:
        actor.cut_off()
    every = (actor, *actor.others)
    reactions = [reaction for one in every for reaction in one.reactions] or [NOTHING]
    # What was expected, if it was among them: a client that is told twice has two reactions.
    reaction = label.reaction if label.reaction in reactions else reactions[0]
    return Played(label, source, tuple(one.port for one in every), reaction, failure)
