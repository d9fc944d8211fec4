"""Transactions for the fake peer: a coordinator, and queues that work in transactions. It does one thing wrong if told so."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, AmqpValue, Rejected, Released
from amqp_1_0.performatives import AmqpError, Attach, Close, Detach, Disposition, Error, Flow, Role, Transfer
from amqp_1_0.transactions import (
    Coordinator,
    Declare,
    Declared,
    Discharge,
    TransactionalState,
    TransactionError,
    TxnCapability,
)

from . import fake_peer
from .fake_peer import CREDIT, Answer, Conversation

ROLLBACK = Error(TransactionError.TRANSACTION_ROLLBACK, "rolled back")
UNKNOWN = Error(TransactionError.UNKNOWN_ID, "no such transaction")


@dataclass
class ControlLink:
    conversation: Conversation
    channel: int
    attach: Attach

    def detach(self, error: Error) -> None:
        self.conversation.say(Detach(self.attach.handle, True, error), self.channel)


@dataclass
class Work:
    """What one transaction has done so far."""

    control: ControlLink
    posted: list[tuple[str, bytes]] = field(default_factory=list)
    late: list[tuple[Conversation, int, Disposition]] = field(default_factory=list)
    outcomes: list[tuple[Conversation, int, Disposition]] = field(default_factory=list)
    is_partial: bool = False


class FakeCoordinator:
    """Answers of a peer with transactions.

    Attributes:
        fault: What it does wrong; empty if nothing.
    """

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.conversations: list[Conversation] = []
        self.controls: dict[tuple[Conversation, int, int], ControlLink] = {}
        self.live: dict[Any, Work] = {}
        self.count = 0
        self.acquired: dict[tuple[Conversation, int], Any] = {}

    @property
    def answers(self) -> dict[str, Answer]:
        return {
            "attach": self.on_attach,
            "transfer": self.on_transfer,
            "disposition": self.on_disposition,
            "flow": self.on_flow,
            "detach": self.on_detach,
            "close": self.on_close,
        }

    def is_(self, fault: str) -> bool:
        return self.fault == fault

    def deliver(self) -> None:
        """Hands messages to the receivers of all connections."""
        for conversation in self.conversations:
            with suppress(OSError):
                conversation.deliver(0)

    # --- links ---

    def on_attach(self, conversation: Conversation, channel: int, attach: Attach, payload: bytes) -> None:
        if conversation not in self.conversations:
            self.conversations.append(conversation)
        if not isinstance(attach.target, Coordinator):
            fake_peer.on_attach(conversation, channel, attach, payload)
            return
        self.controls[conversation, channel, attach.handle] = ControlLink(conversation, channel, attach)
        capabilities = [TxnCapability.MULTI_TXNS_PER_SSN, TxnCapability.MULTI_SSNS_PER_TXN]
        unsettled = attach.unsettled if self.is_("resumes control links") else None
        conversation.say(
            Attach(
                attach.name,
                attach.handle,
                Role.RECEIVER,
                source=attach.source,
                target=Coordinator(capabilities),
                unsettled=unsettled,
            ),
            channel,
        )
        conversation.flow(channel, handle=attach.handle, delivery_count=0, link_credit=CREDIT)

    def on_detach(self, conversation: Conversation, channel: int, detach: Detach, payload: bytes) -> None:
        control = self.controls.pop((conversation, channel, detach.handle), None)
        for txn_id in [item for item, work in self.live.items() if work.control is control]:
            if self.is_("commits on close"):
                self.end(txn_id, fail=False)
            elif not self.is_("keeps transactions"):
                self.end(txn_id, fail=True)
        fake_peer.on_detach(conversation, channel, detach, payload)

    def on_close(self, conversation: Conversation, channel: int, close: Close, payload: bytes) -> None:
        """Takes back what is not settled, unless an outcome in a transaction is applied at once."""
        for address, octets in conversation.deliveries.values():
            conversation.peer.queues[address].appendleft(octets)
        self.conversations.remove(conversation)
        fake_peer.on_close(conversation, channel, close, payload)

    def on_flow(self, conversation: Conversation, channel: int, flow: Flow, payload: bytes) -> None:
        txn_id: Any = (flow.properties or {}).get("txn-id")
        if txn_id is None or flow.handle is None:
            fake_peer.on_flow(conversation, channel, flow, payload)
            return
        if self.is_("refuses acquisition") or self.is_("refuses acquisition otherwise"):
            condition = (
                AmqpError.NOT_IMPLEMENTED if self.is_("refuses acquisition") else AmqpError.INTERNAL_ERROR
            )
            conversation.say(Detach(flow.handle, True, Error(condition, "no")), channel)
            return
        if not self.is_("acquires without a word"):
            conversation.states[flow.handle] = TransactionalState(txn_id)
        before = conversation.sent
        fake_peer.on_flow(conversation, channel, flow, payload)
        self.acquired |= {(conversation, number): txn_id for number in range(before, conversation.sent)}

    # --- messages and outcomes ---

    def on_transfer(
        self, conversation: Conversation, channel: int, transfer: Transfer, payload: bytes
    ) -> None:
        control = self.controls.get((conversation, channel, transfer.handle))
        if control:
            conversation.came += 1
            self.on_command(control, transfer, payload)
        elif isinstance(transfer.state, TransactionalState):
            conversation.came += 1
            self.on_post(conversation, channel, transfer, payload)
        else:
            fake_peer.on_transfer(conversation, channel, transfer, payload)

    def on_post(self, conversation: Conversation, channel: int, transfer: Transfer, payload: bytes) -> None:
        txn_id, number = transfer.state.txn_id, transfer.delivery_id or 0
        work = self.live.get(txn_id)
        if work is None:
            state: Any = Rejected(UNKNOWN)
            conversation.say(Disposition(Role.RECEIVER, number, settled=True, state=state), channel)
            return
        work.is_partial = transfer.more
        if transfer.more:
            return
        address = conversation.links[transfer.handle].address
        if self.is_("posts at once"):
            conversation.peer.queues.setdefault(address, deque()).append(payload)
            self.deliver()
        else:
            work.posted.append((address, payload))
        state = TransactionalState(txn_id, Accepted())
        if self.is_("outcome in no transaction"):
            state = Accepted()
        elif self.is_("outcome in another transaction"):
            state = TransactionalState(b"another", Accepted())
        elif self.is_("outcome in the first transaction"):
            state = TransactionalState(b"txn-1", Accepted())
        elif self.is_("no outcome"):
            state = TransactionalState(txn_id)
        answer = Disposition(Role.RECEIVER, number, settled=True, state=state)
        if self.is_("outcome after commit"):
            work.late.append((conversation, channel, answer))
        elif not transfer.settled:
            conversation.say(answer, channel)

    def on_disposition(
        self, conversation: Conversation, channel: int, disposition: Disposition, payload: bytes
    ) -> None:
        state = disposition.state
        if isinstance(state, TransactionalState):
            acquired = self.acquired.get((conversation, disposition.first), state.txn_id)
            if acquired != state.txn_id and not self.is_("mixes transactions"):
                self.live[acquired].control.detach(ROLLBACK)
                return
            self.live[state.txn_id].outcomes.append((conversation, channel, disposition))
            if self.is_("applies outcomes at once"):
                conversation.deliveries.pop(disposition.first)
        else:
            fake_peer.on_disposition(conversation, channel, disposition, payload)
            self.deliver()

    # --- commands ---

    def on_command(self, control: ControlLink, transfer: Transfer, payload: bytes) -> None:
        number = transfer.delivery_id or 0
        body = amqp.decode_message(payload).body
        command = body.value if isinstance(body, AmqpValue) else None
        if transfer.settled and not self.is_("takes settled commands"):
            control.detach(Error(AmqpError.ILLEGAL_STATE, "settled"))
        elif isinstance(command, Declare):
            self.on_declare(control, number, command, payload)
        elif isinstance(command, Discharge):
            self.on_discharge(control, number, command)
        elif self.is_("takes messages"):
            self.answer(control, number, Accepted())
        else:
            self.answer(control, number, Rejected(Error(AmqpError.NOT_IMPLEMENTED, "no command")))

    def answer(self, control: ControlLink, number: int, state: Any) -> None:
        answer = Disposition(Role.RECEIVER, number, settled=True, state=state)
        control.conversation.say(answer, control.channel)

    def fail(self, control: ControlLink, number: int, error: Error) -> None:
        outcomes = (control.attach.source and control.attach.source.outcomes) or ["amqp:rejected:list"]
        rejects = "amqp:rejected:list" in outcomes
        if self.is_("never fails"):
            self.answer(control, number, Accepted())
        elif self.is_("fails with another condition"):
            self.answer(control, number, Rejected(Error(AmqpError.INTERNAL_ERROR, "no")))
        elif rejects is not self.is_("fails the other way"):
            self.answer(control, number, Rejected(error))
        else:
            control.detach(error)

    def on_declare(self, control: ControlLink, number: int, declare: Declare, payload: bytes) -> None:
        if declare.global_id is not None:
            self.fail(control, number, ROLLBACK)
            return
        if self.is_("no sections but the body") and amqp.decode_message(payload).properties:
            self.fail(control, number, ROLLBACK)
            return
        self.count += 1
        txn_id = b"txn-%d" % self.count
        if self.is_("long ids"):
            txn_id = txn_id.ljust(33, b".")
        self.live[txn_id] = Work(control)
        self.answer(control, number, Accepted() if self.is_("accepts declare") else Declared(txn_id))

    def on_discharge(self, control: ControlLink, number: int, discharge: Discharge) -> None:
        work = self.live.get(discharge.txn_id)
        if work is None:
            self.fail(control, number, UNKNOWN)
        elif work.is_partial and not self.is_("commits part of a message"):
            control.detach(ROLLBACK)
        elif discharge.fail and work.posted and self.is_("cannot roll back"):
            self.answer(control, number, Rejected(ROLLBACK))
        else:
            self.end(discharge.txn_id, bool(discharge.fail) and not self.is_("commits always"))
            self.answer(control, number, Accepted())
            for conversation, channel, answer in work.late:
                conversation.say(answer, channel)
            self.deliver()

    def end(self, txn_id: Any, fail: bool) -> None:
        """Commits or rolls back."""
        work = self.live.pop(txn_id)
        for conversation in self.conversations:
            if not self.is_("keeps the transaction of a link"):
                conversation.states.clear()
        if not fail and not self.is_("commits nothing"):
            for address, octets in work.posted:
                queue = work.control.conversation.peer.queues.setdefault(address, deque())
                queue.append(octets)
        for conversation, channel, disposition in work.outcomes:
            state = disposition.state.outcome
            is_acquired = self.acquired.get((conversation, disposition.first)) == txn_id
            undone = disposition.settled or is_acquired or self.is_("releases on rollback")
            if fail and not self.is_("keeps outcomes after rollback"):
                state = Released() if undone else None
            elif self.is_("forgets outcomes"):
                state = None
            settled = Disposition(Role.RECEIVER, disposition.first, settled=True, state=state)
            fake_peer.on_disposition(conversation, channel, settled, b"")
