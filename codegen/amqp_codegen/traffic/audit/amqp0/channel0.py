"""A channel of 0-x from channel.open on: consumers, settlement, confirms, transactions, flow.

Nothing is told of channels of which frames are missing, or whose beginning was not captured: ``Auditor0`` asks only as long
as all is known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from ..trail import CLIENT, SERVER, TrailFrame
from .setting0 import Setting0
from .tags0 import Confirms0, Deliveries0

_MOST = 65_536
_Fields = Mapping[str, Any]

# Methods in which an empty queue name stands for the one that was declared last.
_NAMES_QUEUE = frozenset((0x00320014, 0x0032001E, 0x00320028, 0x00320032, 0x003C0014, 0x003C0046))


class Channel0:
    """The state of a channel.

    Attributes:
        deliveries: What the client has to settle.
        has_asked_passively: Whether the last declaration was passive.
    """

    __slots__ = (
        "_asked",
        "_confirms",
        "_consumers",
        "_ended",
        "_gets",
        "_has_declared",
        "_has_tx",
        "_is_stopped",
        "_may_return",
        "_setting",
        "deliveries",
        "has_asked_passively",
    )

    def __init__(self, setting: Setting0) -> None:
        """A channel that is opened.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self.deliveries = Deliveries0(setting)
        self._confirms = Confirms0(setting)
        self._consumers: dict[str, bool] = {}  # whether what they get is not to be settled
        self._ended: dict[str, bool] = {}  # the same of those to which something may be on its way
        self._asked: deque[tuple[str, bool]] = deque(
            maxlen=_MOST
        )  # consumers that the server has not named yet
        self._gets: deque[bool] = deque(maxlen=_MOST)
        self._has_declared = self._has_tx = self._may_return = False
        self._is_stopped = [False, False]  # by direction: agreed to send no content
        self.has_asked_passively = False

    def take(self, frame: TrailFrame, key: int, fields: _Fields, others: Callable[[int], list[int]]) -> None:
        """A method came.

        Args:
            frame: The frame.
            key: Class id << 16 | method id.
            fields: Its arguments.
            others: Gives other channels on which a message with a delivery tag is to be settled.
        """
        if key in _NAMES_QUEUE and not self._has_declared and not fields["queue"]:
            self._note("queue-name-missing", frame, f"{frame.name} with an empty queue name")
        if key in _SETTLE:
            multiple = bool(fields.get("multiple"))
            if frame.direction == SERVER:
                self._confirms.settle(frame, fields["delivery_tag"], multiple)
            else:
                tag = fields["delivery_tag"]
                wrong = bool(tag) and tag > self.deliveries.outstanding.last
                self.deliveries.settle(frame, tag, multiple, others(tag) if wrong else [])
            return
        handler = _HANDLERS.get((frame.direction, key))
        if handler is not None:
            handler(self, frame, fields)

    def is_due(self, direction: int, key: int, fields: _Fields) -> bool:
        """Whether all is there that a method needs of the other side: a delivery, a consumer, a published message.

        Args:
            direction: From whom it is.
            key: Class id << 16 | method id.
            fields: Its arguments.
        """
        needs = _NEEDS.get((direction, key))
        return needs is None or needs(self, fields)

    def _has_tag(self, fields: _Fields) -> bool:
        return (fields["delivery_tag"] or 0) <= self.deliveries.outstanding.last

    def _has_published(self, fields: _Fields) -> bool:
        return self._confirms.is_on and (fields["delivery_tag"] or 0) <= self._confirms.last

    def _has_consumer(self, fields: _Fields) -> bool:
        tag = fields["consumer_tag"]
        return bool(self._asked) or tag in self._consumers or tag in self._ended

    def _has_no_consumer(self, fields: _Fields) -> bool:
        return fields["consumer_tag"] not in self._consumers

    def _may_be_returned(self, fields: _Fields) -> bool:
        return self._may_return

    def _note(self, rule_id: str, frame: TrailFrame, evidence: str) -> None:
        self._setting.notes.add(rule_id, frame, evidence)

    # --- Messages

    def _publish(self, frame: TrailFrame, fields: _Fields) -> None:
        self._confirms.publish()
        self._may_return = self._may_return or bool(fields["mandatory"] or fields["immediate"])
        self._check_flow(frame)

    def _deliver(self, frame: TrailFrame, fields: _Fields) -> None:
        tag = fields["consumer_tag"]
        no_ack = self._consumers.get(tag, self._ended.get(tag))
        if no_ack is None and not self._asked:
            self._note("deliver-to-nobody", frame, f"basic.deliver to consumer {tag[:80]!r}")
        self.deliveries.deliver(frame, fields["delivery_tag"], no_ack)
        self._check_flow(frame)

    def _check_flow(self, frame: TrailFrame) -> None:
        if self._is_stopped[frame.direction]:
            self._note("flow-ignored", frame, f"{frame.name} after channel.flow-ok with active=0")

    def _returned(self, frame: TrailFrame, fields: _Fields) -> None:
        if not self._may_return:
            self._note("return-without-mandatory", frame, f"basic.return {fields['reply_code']}")

    def _get(self, frame: TrailFrame, fields: _Fields) -> None:
        self._gets.append(bool(fields["no_ack"]))

    def _get_ok(self, frame: TrailFrame, fields: _Fields) -> None:
        self.deliveries.deliver(frame, fields["delivery_tag"], self._gets.popleft() if self._gets else None)

    def _get_empty(self, frame: TrailFrame, fields: _Fields) -> None:
        if self._gets:
            self._gets.popleft()

    def _recover(self, frame: TrailFrame, fields: _Fields) -> None:
        self.deliveries.recover()

    # --- Consumers

    def _consume(self, frame: TrailFrame, fields: _Fields) -> None:
        tag, no_ack = fields["consumer_tag"] or "", bool(fields["no_ack"])
        if tag in self._consumers:
            self._note("consumer-tag-in-use", frame, f"basic.consume with consumer-tag {tag[:80]!r}")
        if not fields["no_wait"]:
            self._asked.append((tag, no_ack))
        if tag:
            self._begin(tag, no_ack)

    def _consume_ok(self, frame: TrailFrame, fields: _Fields) -> None:
        if self._asked:
            _, no_ack = self._asked.popleft()
            self._begin(fields["consumer_tag"], no_ack)

    def _begin(self, tag: str, no_ack: bool) -> None:
        self._ended.pop(tag, None)
        self._consumers[tag] = no_ack
        _cap(self._consumers)

    def _cancel(self, frame: TrailFrame, fields: _Fields) -> None:
        tag = fields["consumer_tag"] or ""
        if frame.direction == SERVER:
            self._note("consumer-cancelled", frame, f"basic.cancel of consumer {tag[:80]!r} by the server")
        elif tag not in self._consumers:
            self._note("cancel-unknown-consumer", frame, f"basic.cancel of consumer {tag[:80]!r}")
        if tag in self._consumers:
            self._ended[tag] = self._consumers.pop(tag)
            _cap(self._ended)

    def _cancel_ok(self, frame: TrailFrame, fields: _Fields) -> None:
        self._ended.pop(fields["consumer_tag"], None)

    # --- Queues, transactions, confirms, flow

    def _declare(self, frame: TrailFrame, fields: _Fields) -> None:
        self._has_declared = True
        self.has_asked_passively = bool(fields["passive"])

    def _declare_exchange(self, frame: TrailFrame, fields: _Fields) -> None:
        self.has_asked_passively = bool(fields["passive"])

    def _tx_select(self, frame: TrailFrame, fields: _Fields) -> None:
        self._has_tx = self.deliveries.has_tx = True
        if self._confirms.is_on:
            self._note("tx-and-confirm", frame, "tx.select on a channel with confirms")

    def _tx_end(self, frame: TrailFrame, fields: _Fields) -> None:
        if not self._has_tx:
            self._note("tx-without-select", frame, f"{frame.name} without tx.select")
        if frame.method_id == _ROLLBACK:
            self.deliveries.rollback()
        else:
            self.deliveries.commit()

    def _confirm_select(self, frame: TrailFrame, fields: _Fields) -> None:
        self._confirms.is_on = True
        if self._has_tx:
            self._note("tx-and-confirm", frame, "confirm.select on a channel with transactions")

    def _flow_ok(self, frame: TrailFrame, fields: _Fields) -> None:
        self._is_stopped[frame.direction] = not fields["active"]


_ROLLBACK = 30  # method id
_SETTLE = frozenset((0x003C0050, 0x003C005A, 0x003C0078))
_NEEDS: Mapping[tuple[int, int], Callable[[Channel0, _Fields], bool]] = {
    **dict.fromkeys([(CLIENT, key) for key in _SETTLE], Channel0._has_tag),
    **dict.fromkeys([(SERVER, key) for key in _SETTLE], Channel0._has_published),
    (CLIENT, 0x003C0014): Channel0._has_no_consumer,
    (SERVER, 0x003C0032): Channel0._may_be_returned,
    (SERVER, 0x003C003C): Channel0._has_consumer,
}
_Handler = Callable[[Channel0, TrailFrame, _Fields], None]
_HANDLERS: Mapping[tuple[int, int], _Handler] = {
    (CLIENT, 0x00140015): Channel0._flow_ok,
    (SERVER, 0x00140015): Channel0._flow_ok,
    (CLIENT, 0x0028000A): Channel0._declare_exchange,
    (CLIENT, 0x0032000A): Channel0._declare,
    (CLIENT, 0x003C0014): Channel0._consume,
    (SERVER, 0x003C0015): Channel0._consume_ok,
    (CLIENT, 0x003C001E): Channel0._cancel,
    (SERVER, 0x003C001E): Channel0._cancel,
    (SERVER, 0x003C001F): Channel0._cancel_ok,
    (CLIENT, 0x003C0028): Channel0._publish,
    (SERVER, 0x003C0032): Channel0._returned,
    (SERVER, 0x003C003C): Channel0._deliver,
    (CLIENT, 0x003C0046): Channel0._get,
    (SERVER, 0x003C0047): Channel0._get_ok,
    (SERVER, 0x003C0048): Channel0._get_empty,
    (CLIENT, 0x003C0064): Channel0._recover,
    (CLIENT, 0x003C006E): Channel0._recover,
    (CLIENT, 0x005A000A): Channel0._tx_select,
    (CLIENT, 0x005A0014): Channel0._tx_end,
    (CLIENT, 0x005A001E): Channel0._tx_end,
    (CLIENT, 0x0055000A): Channel0._confirm_select,
}


def _cap(consumers: dict[str, bool]) -> None:
    if len(consumers) > _MOST:
        del consumers[next(iter(consumers))]
