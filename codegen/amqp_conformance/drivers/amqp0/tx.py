"""The class tx: commit and rollback on channels without transactions."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...engine.registry import rule


@rule({"0-9-1": "tx.commit/transacted"})
def commit_without_select(broker: Broker) -> None:
    """Send tx.commit on a channel just opened: the channel is closed with 406 (precondition-failed)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.TxCommit(), name="precondition-failed")


@rule({"0-9-1": "tx.rollback/transacted"})
def rollback_without_select(broker: Broker) -> None:
    """Send tx.rollback on a channel just opened: the channel is closed with 406 (precondition-failed)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.TxRollback(), name="precondition-failed")
