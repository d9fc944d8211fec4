"""Plays all clients side by side, each with an address of its own, and notes what the broker does."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from inspect import isfunction
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import amqp_0_8
import amqp_0_9
import amqp_0_9_1_rabbitmq

from .amqp0 import actor as actor0
from .amqp0 import legal, misbehaving
from .amqp1 import actor as actor1
from .amqp1 import clients
from .labels import NOTHING, Label, read_labels

Script: TypeAlias = Callable[[Any], None]


def _scripts_of(*modules: ModuleType) -> dict[str, Script]:
    """The public functions that these modules define: ``ack_twice`` is the client ``ack-twice``."""
    return {
        name.replace("_", "-"): thing
        for module in modules
        for name, thing in vars(module).items()
        if isfunction(thing) and thing.__module__ == module.__name__ and not name.startswith("_")
    }


SCRIPTS_0 = _scripts_of(misbehaving, legal)
SCRIPTS_1 = _scripts_of(clients)
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
    actor: actor0.Actor | actor1.Actor
    if label.version == "1.0":
        actor, script = actor1.Actor(label.id, source), SCRIPTS_1[label.id]
    else:
        actor, script = actor0.Actor(label.id, source, _PACKAGES[label.version]), SCRIPTS_0[label.id]
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
