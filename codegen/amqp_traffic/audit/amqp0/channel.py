"""Rules about a channel of 0-x from channel.open on: consumers, settlement, confirms, transactions, flow.

``ChannelAudit`` follows one channel with the model of ``dialogue.amqp0`` and judges the facts that the model reports. The
auditor drops it when frames of the channel are missing, because every rule here needs the whole history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from ...dialogue.amqp0.channel import ChannelDialogue, Consumer, is_direct_reply
from ...dialogue.amqp0.facts import Fact, FactKind
from ...dialogue.amqp0.requests import OpenRequest
from ..connection_frames import CLIENT, SERVER, AuditFrame
from ..rule import ERROR, INFO, AuditRule, Told, declared_in, rules_on
from . import delivery_tags
from .setting import AuditSetting

_Fields: TypeAlias = Mapping[str, Any]

_channels = partial(AuditRule, category="channels", by_order=True)


@_channels(
    "tx-without-select",
    ERROR,
    source="tx.commit/transacted, tx.rollback/transacted",
    example="tx.commit without tx.select",
    on=(FactKind.TRANSACTION_UNSELECTED,),
)
def tx_without_select(frame: AuditFrame, fact: Fact) -> Told:
    """A commit or a rollback on a channel without transactions."""
    return f"{frame.name} without tx.select"


@_channels(
    "tx-and-confirm",
    ERROR,
    source="RabbitMQ: publisher confirms",
    example="tx.select, confirm.select",
    on=(FactKind.TRANSACTION_WITH_CONFIRMS,),
)
def tx_and_confirm(frame: AuditFrame, fact: Fact) -> Told:
    """A channel with both transactions and confirms, which RabbitMQ refuses."""
    return f"{frame.name} on a channel with {'confirms' if frame.name == 'tx.select' else 'transactions'}"


@_channels(
    "flow-ignored",
    ERROR,
    source="channel.flow.active",
    example="channel.flow active=0, flow-ok, basic.publish",
    on=(FactKind.CONTENT_STOPPED,),
)
def flow_ignored(frame: AuditFrame, fact: Fact) -> Told:
    """Messages that were sent after the sender had agreed to stop."""
    return f"{frame.name} after channel.flow-ok with active=0"


@_channels(
    "return-without-mandatory",
    ERROR,
    source="basic.publish.mandatory",
    example="basic.publish, basic.return",
    on=(FactKind.RETURN_UNASKED,),
)
def return_without_mandatory(frame: AuditFrame, fact: Fact) -> Told:
    """A returned message, although none was published as mandatory or immediate."""
    return f"basic.return {(frame.fields or {}).get('reply_code')}"


@_channels(
    "consumer-tag-in-use",
    ERROR,
    source="basic.consume.consumer-tag/01, basic.consume.consumer-tag/02",
    example="basic.consume 'c', basic.consume 'c'",
    on=(FactKind.CONSUMER_TAG_IN_USE,),
)
def consumer_tag_in_use(frame: AuditFrame, fact: Fact) -> Told:
    """A consumer with the tag of another consumer on the same channel."""
    return f"basic.consume with consumer-tag {fact.consumer[:80]!r}"


@_channels(
    "cancel-unknown-consumer",
    INFO,
    source="basic.cancel/01",
    example="basic.cancel of an unused tag",
    on=(FactKind.CANCEL_UNKNOWN,),
)
def cancel_unknown_consumer(frame: AuditFrame, fact: Fact) -> Told:
    """A cancellation of a consumer that does not exist."""
    return f"basic.cancel of consumer {fact.consumer[:80]!r}"


@_channels(
    "deliver-to-nobody",
    ERROR,
    source="basic.deliver.consumer-tag",
    example="basic.deliver to 'ctag9' without basic.consume",
    on=(FactKind.CONSUMER_UNKNOWN,),
)
def deliver_to_nobody(frame: AuditFrame, fact: Fact) -> Told:
    """A delivery to a consumer that does not exist."""
    return f"basic.deliver to consumer {fact.consumer[:80]!r}"


@_channels(
    "consumer-cancelled",
    INFO,
    source="RabbitMQ: consumer cancel notification",
    example="basic.cancel from the server",
    on=(FactKind.CONSUMER_CANCELLED,),
)
def consumer_cancelled(frame: AuditFrame, fact: Fact) -> Told:
    """A consumer that the server cancelled, because its queue is gone."""
    return f"basic.cancel of consumer {fact.consumer[:80]!r} by the server"


@_channels(
    "queue-name-missing",
    ERROR,
    source="queue.bind.queue/queue-known, queue.declare.queue/default-name",
    example="queue.bind '' without queue.declare",
    on=(FactKind.QUEUE_UNNAMED,),
)
def queue_name_missing(frame: AuditFrame, fact: Fact) -> Told:
    """An empty queue name, which means the queue declared last, on a channel where none was declared."""
    return f"{frame.name} with an empty queue name"


class ChannelAudit:
    """The state of a channel.

    Attributes:
        has_asked_passively: Whether the last declaration was passive.
    """

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting
        self._dialogue: ChannelDialogue[None] = ChannelDialogue()
        self.has_asked_passively = False

    def has_to_settle(self, tag: int) -> bool:
        """Return whether a message with this delivery tag is still to be settled here."""
        return self._dialogue.deliveries.is_outstanding(tag)

    def take(
        self, frame: AuditFrame, fields: _Fields, others: Callable[[int, int], list[int] | None]
    ) -> None:
        """Take a method.

        ``others`` takes the channel and a delivery tag. It returns the other channels on which a message with that tag
        is still to be settled; None if that is unknown.
        """
        if frame.name in _NAMES_QUEUE:
            self._judge(frame, self._dialogue.name_queue(fields["queue"]))
        if frame.name in _SETTLE:
            self._settle(frame, fields, others)
            return
        handler = _HANDLERS.get((frame.direction, frame.name))
        if handler is not None:
            self._judge(frame, handler(self, frame, fields))

    def is_due(self, frame: AuditFrame, fields: _Fields) -> bool:
        """Return whether the other side has sent what a method needs: a delivery, a consumer, a published message."""
        needs = _NEEDS.get((frame.direction, frame.name))
        return needs is None or needs(self._dialogue, fields)

    def _judge(self, frame: AuditFrame, fact: Fact | None) -> None:
        if fact is not None:
            self._setting.notes.judge_all(_RULES[fact.kind], frame, fact)

    # --- Messages

    def _settle(
        self, frame: AuditFrame, fields: _Fields, others: Callable[[int, int], list[int] | None]
    ) -> None:
        tag, multiple, dialogue = fields["delivery_tag"], bool(fields.get("multiple")), self._dialogue
        if tag is None:
            return
        if frame.direction == SERVER:
            self._judge(frame, dialogue.confirms.problem(tag, multiple))
            dialogue.confirms.settle(tag, multiple)
            return
        problem = dialogue.deliveries.problem(tag)
        if problem is not None and problem.kind is FactKind.TAG_UNKNOWN:
            elsewhere = others(frame.channel, tag)
            if elsewhere:
                self._setting.notes.judge(delivery_tags.ack_on_other_channel, frame, problem, elsewhere)
            elif elsewhere is not None:
                self._setting.notes.judge(delivery_tags.ack_unknown_tag, frame, problem)
        else:
            self._judge(frame, problem)
        dialogue.deliveries.settle(tag, multiple)

    def _publish(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        dialogue = self._dialogue
        dialogue.confirms.publish(None)
        dialogue.publish(bool(fields["mandatory"] or fields["immediate"]))
        return dialogue.send_content(frame.direction)

    def _deliver(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        tag, dialogue = fields["consumer_tag"], self._dialogue
        consumer = dialogue.consumers.find(tag)
        if consumer is None:
            self._judge(frame, dialogue.deliver_to(tag))
        if not is_direct_reply(fields["exchange"], fields["routing_key"]):
            self._add_delivery(frame, fields["delivery_tag"], consumer)
        return dialogue.send_content(frame.direction)

    def _get_ok(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        self._add_delivery(frame, fields["delivery_tag"], self._answered(frame))
        return None

    def _add_delivery(self, frame: AuditFrame, tag: int | None, consumer: Consumer | None) -> None:
        if not tag:
            return
        dialogue = self._dialogue
        self._judge(frame, dialogue.follow(tag))
        if consumer is not None and consumer.no_ack:
            dialogue.deliveries.deliver_unwanted(tag)
        else:
            dialogue.deliveries.deliver(tag, None)

    def _get(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        self._ask(frame, Consumer(fields["queue"], bool(fields["no_ack"])))
        return None

    def _get_empty(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        self._answered(frame)
        return None

    def _recover(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        self._dialogue.deliveries.recover()
        return None

    # --- Consumers

    def _consume(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        consumer = Consumer(fields["queue"], bool(fields["no_ack"]))
        if not fields["no_wait"]:
            self._ask(frame, consumer)
        return self._dialogue.consume(fields["consumer_tag"] or "", consumer)

    def _consume_ok(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        consumer = self._answered(frame)
        if consumer is not None:
            self._dialogue.begin(fields["consumer_tag"], consumer)
        return None

    def _ask(self, frame: AuditFrame, consumer: Consumer) -> None:
        name = frame.name or ""
        self._dialogue.requests.ask(CLIENT, OpenRequest(consumer, name, _REPLIES[name]))

    def _answered(self, frame: AuditFrame) -> Consumer | None:
        answer = self._dialogue.requests.answer(CLIENT, frame.name or "")
        asked: Consumer | None = None if answer is None else answer.request.asked
        return asked

    def _cancel(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        return self._dialogue.cancel(fields["consumer_tag"] or "", frame.direction == SERVER)

    def _cancel_ok(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        self._dialogue.consumers.end(fields["consumer_tag"])
        return None

    # --- Queues, flow

    def _declare(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        if frame.name == "queue.declare":
            self._dialogue.declare(fields["queue"], wants_reply=True)
        self.has_asked_passively = bool(fields["passive"])
        return None

    def _flow_ok(self, frame: AuditFrame, fields: _Fields) -> Fact | None:
        self._dialogue.flow_ok(frame.direction, bool(fields["active"]))
        return None


# Methods in which an empty queue name stands for the queue declared last.
_NAMES_QUEUE = frozenset(
    ("queue.bind", "queue.purge", "queue.delete", "queue.unbind", "basic.consume", "basic.get")
)
_SETTLE = frozenset(("basic.ack", "basic.reject", "basic.nack"))
_REPLIES: Mapping[str, Mapping[str, str]] = {
    "basic.consume": {"basic.consume-ok": "basic.consume-ok"},
    "basic.get": {"basic.get-ok": "basic.get-ok", "basic.get-empty": "basic.get-empty"},
}
_HANDLERS: Mapping[tuple[int, str | None], Callable[[ChannelAudit, AuditFrame, _Fields], Fact | None]] = {
    (CLIENT, "channel.flow-ok"): ChannelAudit._flow_ok,
    (SERVER, "channel.flow-ok"): ChannelAudit._flow_ok,
    (CLIENT, "exchange.declare"): ChannelAudit._declare,
    (CLIENT, "queue.declare"): ChannelAudit._declare,
    (CLIENT, "basic.consume"): ChannelAudit._consume,
    (SERVER, "basic.consume-ok"): ChannelAudit._consume_ok,
    (CLIENT, "basic.cancel"): ChannelAudit._cancel,
    (SERVER, "basic.cancel"): ChannelAudit._cancel,
    (SERVER, "basic.cancel-ok"): ChannelAudit._cancel_ok,
    (CLIENT, "basic.publish"): ChannelAudit._publish,
    (SERVER, "basic.return"): lambda audit, frame, fields: audit._dialogue.returned(),
    (SERVER, "basic.deliver"): ChannelAudit._deliver,
    (CLIENT, "basic.get"): ChannelAudit._get,
    (SERVER, "basic.get-ok"): ChannelAudit._get_ok,
    (SERVER, "basic.get-empty"): ChannelAudit._get_empty,
    (CLIENT, "basic.recover"): ChannelAudit._recover,
    (CLIENT, "basic.recover-async"): ChannelAudit._recover,
    (CLIENT, "tx.select"): lambda audit, frame, fields: audit._dialogue.select_transactions(),
    (CLIENT, "tx.commit"): lambda audit, frame, fields: audit._dialogue.end_transaction(False),
    (CLIENT, "tx.rollback"): lambda audit, frame, fields: audit._dialogue.end_transaction(True),
    (CLIENT, "confirm.select"): lambda audit, frame, fields: audit._dialogue.select_confirms(),
}
# What the other side must have sent before the turn of a method comes.
_NEEDS: Mapping[tuple[int, str | None], Callable[[ChannelDialogue[None], _Fields], bool]] = {
    **dict.fromkeys(
        [(CLIENT, name) for name in _SETTLE],
        lambda channel, fields: (fields["delivery_tag"] or 0) <= channel.deliveries.last,
    ),
    **dict.fromkeys(
        [(SERVER, name) for name in _SETTLE],
        lambda channel, fields: channel.confirms.has_published(fields["delivery_tag"] or 0),
    ),
    (CLIENT, "basic.consume"): lambda channel, fields: fields["consumer_tag"] not in channel.consumers,
    (SERVER, "basic.return"): lambda channel, fields: channel.may_return,
    (SERVER, "basic.deliver"): lambda channel, fields: channel.deliver_to(fields["consumer_tag"]) is None,
}
_RULES = rules_on(declared_in(vars(delivery_tags), globals()))
