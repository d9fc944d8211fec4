"""Transactions as their controller sees them: a control link to the peer's coordinator, and what goes over it."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, AmqpValue, Rejected
from amqp_1_0.performatives import Attach, Close, Detach, Disposition, End, Error, Role
from amqp_1_0.transactions import Coordinator, Declare, Declared, Discharge, TransactionError

from ..engine.run_result import NotTestable, Violation
from .broker import Broker
from .checks import want
from .frames import Frame, error_text, text_of
from .links import LiveSession, Sender
from .session_frames import covers

ROLLBACK: str = TransactionError.TRANSACTION_ROLLBACK.value


class Controller(Sender):
    """A control link."""

    @property
    def capabilities(self) -> tuple[str, ...]:
        """What the coordinator says that it can do."""
        coordinator: Any = self.remote and self.remote.target
        found = coordinator.capabilities or ()
        return tuple(map(str, (found,) if isinstance(found, str) else found))

    def need(self, capability: str) -> None:
        """Check that the coordinator says that it can do something.

        Raises:
            NotTestable: It does not.
        """
        if capability not in self.capabilities:
            raise NotTestable(f"the peer's coordinator does not say that it has {capability}")

    def ask(self, body: Any, **fields: Any) -> int:
        """Send a declare or a discharge; return its delivery-id."""
        return self.send(amqp.Message(body=AmqpValue(body)), **fields)

    def declare(self) -> bytes:
        """Declare a transaction and return its id. This is set-up, unless it is called in ``trial``."""
        with self.session.broker.set_up():
            answer = answer_to(self, self.ask(Declare()))
            want(isinstance(answer, Declared), "the outcome declared", answer)
        txn_id: bytes = answer.txn_id
        return txn_id

    def discharge(self, txn_id: bytes, fail: bool = False) -> None:
        """Discharge a transaction, and expect that this succeeds."""
        answer = answer_to(self, self.ask(Discharge(txn_id, fail)))
        want(isinstance(answer, Accepted), f"{'a rollback' if fail else 'a commit'} to be accepted", answer)


def attach_controller(session: LiveSession, **fields: Any) -> Controller:
    """Attach a control link.

    Raises:
        NotTestable: The peer offers no coordinator.
    """
    control = Controller(session, session.next_handle())
    attach = control.make_attach(None, **{"name": "control", "target": Coordinator()} | fields)
    session.send(attach)
    answer = session.answer_to_attach().performative
    if not isinstance(answer, Attach):
        raise NotTestable(f"the peer offers no coordinator: {answer.NAME} with {error_text(answer.error)}")
    if answer.target is None:
        raise NotTestable("the peer offers no coordinator: its attach has no target")
    want(isinstance(answer.target, Coordinator), "a coordinator as target", answer.target)
    control.take(answer)
    return control


def begin_controller(broker: Broker, **fields: Any) -> Controller:
    """Attach a control link on a session of its own.

    Raises:
        NotTestable: The peer offers no coordinator.
    """
    return attach_controller(broker.begin(), **fields)


def answer_to(link: Sender, number: int) -> Any:
    """Return the peer's answer to a delivery of ours: the state in its disposition, or its detach, end or close."""

    def answers(frame: Frame) -> bool:
        performative = frame.performative
        if isinstance(performative, Disposition):
            return frame.channel == link.session.remote_channel and covers(
                performative, number, Role.RECEIVER
            )
        return link.is_end(frame) or isinstance(performative, Close)

    answer = link.session.connection.wait(answers, f"an answer to the delivery {number}").performative
    return answer.state if isinstance(answer, Disposition) else answer


def expect_failure(link: Sender, number: int, what: str) -> Error | None:
    """Expect that a delivery of ours fails, whether it is rejected or its link ends; return the error.

    Raises:
        Violation: It does not fail.
    """
    answer = answer_to(link, number)
    if not isinstance(answer, (Rejected, Detach, End, Close)):
        raise Violation(f"expected {what} to fail, got {text_of(answer)}")
    return answer.error


def expect_transaction_error(error: Error | None) -> None:
    """Check that an error has one of the conditions that the specification has for transactions."""
    known = [condition.value for condition in TransactionError]
    condition = error and error.condition
    want(condition in known, f"one of {', '.join(known)}", error_text(error))
