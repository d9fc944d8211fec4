"""Links that can be resumed, for the fake peer: it remembers sources and unsettled deliveries. It does one thing wrong if told so."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from amqp_1_0.messaging import Accepted, TerminusDurability, TerminusExpiryPolicy
from amqp_1_0.performatives import (
    AmqpError,
    Attach,
    Close,
    Detach,
    Disposition,
    End,
    Error,
    Flow,
    Open,
    Role,
    Transfer,
)

from . import fake_peer
from .fake_peer import CREDIT, Answer, Conversation, FakePeer, Link

# What fits in an attach of 512 octets.
_ENTRIES = 60


@dataclass
class Memory:
    """What the peer knows of one link on which the client receives."""

    source: Any
    unsettled: dict[bytes, bytes] = field(default_factory=dict)
    ends: float | None = None  # on the peer's clock


@dataclass
class Resumption:
    """What there is to send before new messages."""

    memory: Memory
    states: dict[bytes, Any]
    is_complete: bool


class FakeMemory:
    """Answers of a peer that resumes links.

    Attributes:
        fault: What it does wrong; empty if nothing.
        now: Its clock, in seconds, which a test moves on.
    """

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.now = 0.0
        self.memories: dict[tuple[str, str], Memory] = {}
        self.containers: dict[Conversation, str] = {}
        self.names: dict[tuple[Conversation, int], str] = {}
        self.tags: dict[tuple[Conversation, int], bytes] = {}
        self.resumptions: dict[tuple[Conversation, int], Resumption] = {}

    @property
    def answers(self) -> dict[str, Answer]:
        return {
            "open": self.on_open,
            "attach": self.on_attach,
            "flow": self.on_flow,
            "transfer": self.on_transfer,
            "disposition": self.on_disposition,
            "detach": self.on_detach,
            "end": self.on_end,
            "close": self.on_close,
        }

    def is_(self, *faults: str) -> bool:
        return self.fault in faults

    def restart(self, peer: FakePeer) -> None:
        """Ends all connections, and forgets what is not durable."""
        for conversation in self.containers:
            with suppress(OSError):
                conversation.socket.shutdown(2)
        self.containers.clear()
        for key, memory in list(self.memories.items()):
            if memory.source.durable == TerminusDurability.NONE and not self.is_("keeps all over a restart"):
                del self.memories[key]
            elif memory.source.durable == TerminusDurability.CONFIGURATION or self.is_(
                "loses unsettled state"
            ):
                memory.unsettled.clear()
        if self.is_("forgets all at a restart"):
            self.memories.clear()

    def start_timers(self, conversation: Conversation, policy: TerminusExpiryPolicy) -> None:
        container = self.containers[conversation]
        for key, memory in list(self.memories.items()):
            if key[0] == container and memory.source.expiry_policy == policy and memory.ends is None:
                memory.ends = self.now + memory.source.timeout

    def memory_of(self, key: tuple[str, str]) -> Memory | None:
        memory = self.memories.get(key)
        is_over = memory is not None and memory.ends is not None and memory.ends <= self.now
        if is_over and not self.is_("never forgets"):
            return None
        return memory

    # --- connection, session and link ---

    def on_open(self, conversation: Conversation, channel: int, opening: Open, payload: bytes) -> None:
        self.containers[conversation] = opening.container_id
        fake_peer.on_open(conversation, channel, opening, payload)

    def on_attach(self, conversation: Conversation, channel: int, attach: Attach, payload: bytes) -> None:
        if attach.role is Role.SENDER:
            fake_peer.on_attach(conversation, channel, attach, payload)
            return
        key = (self.containers[conversation], attach.name)
        memory = self.memory_of(key)
        if self.is_("forgets everything"):
            memory = None
        if memory is None and attach.source is None:
            conversation.say(
                Attach(attach.name, attach.handle, Role.SENDER, initial_delivery_count=0), channel
            )
            conversation.say(Detach(attach.handle, True, Error(AmqpError.NOT_FOUND, "unknown")), channel)
            return
        if memory is None:
            memory = self.memories[key] = Memory(attach.source)
        if not self.is_("lets the timer run"):
            memory.ends = None
        attach.source = memory.source
        conversation.links[attach.handle] = Link(attach)
        self.names[conversation, attach.handle] = attach.name
        states = dict(attach.unsettled or {})
        is_complete = not attach.incomplete_unsettled or self.is_("takes all maps as complete")
        shown = dict.fromkeys(list(memory.unsettled)[:_ENTRIES])
        is_cut = len(shown) < len(memory.unsettled)
        if is_complete and attach.incomplete_unsettled:  # the fault: what is not in the map is settled
            memory.unsettled = {tag: octets for tag, octets in memory.unsettled.items() if tag in states}
        self.resumptions[conversation, attach.handle] = Resumption(memory, states, is_complete)
        conversation.say(
            Attach(
                attach.name,
                attach.handle,
                Role.SENDER,
                source=attach.source,
                target=attach.target,
                initial_delivery_count=0,
                unsettled=None if self.is_("sends no map") else shown or None,
                incomplete_unsettled=is_cut and not self.is_("says that a map is complete"),
            ),
            channel,
        )

    def on_detach(self, conversation: Conversation, channel: int, detach: Detach, payload: bytes) -> None:
        name = self.names.pop((conversation, detach.handle), "")
        key = (self.containers[conversation], name)
        memory = self.memories.get(key)
        if memory and detach.closed:
            del self.memories[key]
        elif memory:
            for number, (address, octets) in list(conversation.deliveries.items()):
                if address == memory.source.address:
                    memory.unsettled[self.tag_of(conversation, number)] = octets
                    del conversation.deliveries[number]
            if memory.source.expiry_policy == TerminusExpiryPolicy.LINK_DETACH and memory.ends is None:
                memory.ends = self.now + memory.source.timeout
        fake_peer.on_detach(conversation, channel, detach, payload)

    def on_end(self, conversation: Conversation, channel: int, end: End, payload: bytes) -> None:
        self.start_timers(conversation, TerminusExpiryPolicy.SESSION_END)
        if self.is_("forgets with the session"):
            self.memories.clear()
        fake_peer.on_end(conversation, channel, end, payload)

    def on_close(self, conversation: Conversation, channel: int, close: Close, payload: bytes) -> None:
        for policy in (TerminusExpiryPolicy.SESSION_END, TerminusExpiryPolicy.CONNECTION_CLOSE):
            self.start_timers(conversation, policy)
        if self.is_("forgets with the connection"):
            self.memories.clear()
        outcomes = {link.address: link.attach.source.default_outcome for link in self.receivers(conversation)}
        for address, octets in conversation.deliveries.values():
            if not isinstance(outcomes.get(address), Accepted) or self.is_("releases always"):
                conversation.peer.queues[address].appendleft(octets)
        fake_peer.on_close(conversation, channel, close, payload)

    def receivers(self, conversation: Conversation) -> list[Link]:
        return [link for link in conversation.links.values() if link.attach.role is Role.RECEIVER]

    # --- deliveries ---

    def tag_of(self, conversation: Conversation, number: int) -> bytes:
        return self.tags.get((conversation, number), b"%d" % number)

    def on_transfer(
        self, conversation: Conversation, channel: int, transfer: Transfer, payload: bytes
    ) -> None:
        if transfer.resume and not self.is_("takes what is resumed"):
            conversation.came += 1
            return
        fake_peer.on_transfer(conversation, channel, transfer, payload)
        count = conversation.links[transfer.handle].count
        if count % (CREDIT // 2) == 0:
            conversation.flow(channel, handle=transfer.handle, delivery_count=count, link_credit=CREDIT)

    def on_disposition(
        self, conversation: Conversation, channel: int, disposition: Disposition, payload: bytes
    ) -> None:
        if self.is_("applies former ids"):
            for memory in self.memories.values():
                memory.unsettled.pop(b"%d" % disposition.first, None)
        fake_peer.on_disposition(conversation, channel, disposition, payload)

    def on_flow(self, conversation: Conversation, channel: int, flow: Flow, payload: bytes) -> None:
        resumption = (
            self.resumptions.get((conversation, flow.handle or 0)) if flow.handle is not None else None
        )
        if resumption is None or not flow.link_credit:
            fake_peer.on_flow(conversation, channel, flow, payload)
            return
        self.resume(conversation, channel, flow.handle or 0, resumption)
        if resumption.is_complete or self.is_("sends new messages at once"):
            fake_peer.on_flow(conversation, channel, flow, payload)

    def resume(self, conversation: Conversation, channel: int, handle: int, resumption: Resumption) -> None:
        memory, states = resumption.memory, resumption.states
        address = memory.source.address
        for tag, octets in list(memory.unsettled.items()):
            if tag in states and not self.is_("resumes nothing"):
                del memory.unsettled[tag]
                self.send(conversation, channel, handle, tag, octets, address)
            elif resumption.is_complete:
                del memory.unsettled[tag]
                if self.is_("resumes what is unknown"):
                    self.send(conversation, channel, handle, tag, octets, address)
                elif not self.is_("drops what is unknown"):
                    conversation.peer.queues.setdefault(address, deque()).appendleft(octets)
        if self.is_("resumes made-up tags"):
            for tag in states:
                if tag not in memory.unsettled:
                    self.send(conversation, channel, handle, tag, b"", address)

    def send(
        self, conversation: Conversation, channel: int, handle: int, tag: bytes, octets: bytes, address: str
    ) -> None:
        number = conversation.sent
        conversation.deliveries[number] = (address, octets)
        self.tags[conversation, number] = tag
        conversation.sent += 1
        conversation.say(
            Transfer(
                handle,
                number,
                b"another tag" if self.is_("changes tags") else tag,
                0,
                resume=not self.is_("resumes without the flag"),
                state=None if self.is_("resumes without a state") else Accepted(),
            ),
            channel,
            octets[:-4] if self.is_("leaves out the end") else octets,
        )
