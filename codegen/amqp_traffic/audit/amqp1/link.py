"""Rules about links of AMQP 1.0: names, handles, credit (section 2.6), and addresses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...capture.stream_data import SIDES
from ...dialogue.amqp1.link import Link, address_of
from ...dialogue.amqp1.performatives import AttachFields, DetachFields, from_fields
from ...dialogue.amqp1.session import Session
from ...variant_values import repeated_variant_value
from ..connection_frames import CLIENT, AuditFrame
from ..frame_order import place_of_packet
from ..rule import ERROR, INFO, RABBITMQ_4_3, WARNING, AuditRule, Told
from .setting import AuditSetting

_links = partial(AuditRule, module=__name__, category="1.0")


def quoted(name: str | None) -> str:
    """Return the name of a link, as evidence shows it."""
    return repr((name or "")[:80])


@_links("handle-in-use", ERROR, source="1.0 2.7.3 attach.handle", example="two attaches with handle 0")
def handle_in_use(frame: AuditFrame, attach: AttachFields, before: Link[AuditFrame] | None) -> Told:
    """An attach with a handle that this side already uses for another link."""
    if before is None or before.detached[frame.direction]:
        return None
    return f"attach of {quoted(attach.name)} with the handle of {quoted(before.name)}"


@_links("handle-unknown", ERROR, source="1.0 2.6.2", example="transfer with handle 77")
def handle_unknown(frame: AuditFrame, handle: int) -> Told:
    """A performative with a handle that no link of that side has, or no longer has."""
    return f"{frame.name} of the {SIDES[frame.direction]} with handle {handle}"


@_links("handle-above-max", ERROR, source="begin.handle-max", example="attach with handle 8, handle-max is 7")
def handle_above_max(frame: AuditFrame, attach: AttachFields, highest: int | None) -> Told:
    """A handle above the handle-max of the other side."""
    if highest is None or attach.handle <= highest:
        return None
    return f"handle {attach.handle:,}, handle-max is {highest:,}"


@_links("link-name-in-use", ERROR, source="1.0 2.6.1", example="two attaches as sender of the name 'orders'")
def link_name_in_use(frame: AuditFrame, attach: AttachFields, before: Link[AuditFrame] | None) -> Told:
    """An attach with the name and role of a link that this side has already attached in the session."""
    if before is None or before.detached[frame.direction]:
        return None
    return f"attach of {quoted(attach.name)}, which is attached"


@_links(
    "delivery-count-missing",
    ERROR,
    source="attach.initial-delivery-count",
    example="attach with role=sender and initial-delivery-count null",
)
def delivery_count_missing(frame: AuditFrame, attach: AttachFields) -> Told:
    """An attach as sender without initial-delivery-count."""
    if attach.role or attach.initial_delivery_count is not None:
        return None
    return f"attach of {quoted(attach.name)} by its sender, without initial-delivery-count"


link_detached_with_error = _links(
    "link-detached-with-error",
    WARNING,
    "A link that one side detached because of an error",
    source="detach.error",
    example="detach with amqp:not-found",
)


@_links("detach-not-answered", INFO, source="1.0 2.6.4", example="detach, then RST")
def detach_not_answered(frame: AuditFrame, link: Link[AuditFrame], cut: str) -> Told:
    """A detach that was not answered before the connection was cut."""
    return f"detach of {quoted(link.name)} by the {SIDES[frame.direction]}, then {cut}"


@_links(
    "credit-exceeded",
    ERROR,
    source="1.0 2.6.7",
    example="eleven deliveries after flow with link-credit 10",
    by_order=True,
)
def credit_exceeded(frame: AuditFrame, link: Link[AuditFrame]) -> Told:
    """A delivery without credit, even counting credit that the receiver has withdrawn since."""
    credit = link.credit
    if credit.count is None or credit.has_room:
        return None
    granted = "none was ever given" if credit.limit is None else f"credit ends at {credit.limit}"
    return f"a delivery at delivery-count {credit.count} of link {quoted(link.name)}, {granted}"


@_links(
    "transfer-from-receiver",
    ERROR,
    source="attach.role",
    example="transfer from the client on a link that it attached with role=receiver",
)
def transfer_from_receiver(frame: AuditFrame, link: Link[AuditFrame]) -> Told:
    """A transfer from the side that is the receiver of the link."""
    return f"a transfer of the {SIDES[frame.direction]} on link {quoted(link.name)}, whose receiver it is"


class LinkChecks:
    """Judges how links are attached and detached."""

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting

    def find(self, session: Session[AuditFrame], frame: AuditFrame, handle: int) -> Link[AuditFrame] | None:
        """Return the link that a side has attached with a handle; note the frame if there is none."""
        link = session.link(frame.direction, handle)
        if link is not None and not link.detached[frame.direction]:
            return link
        if not session.has_forgotten:
            self._setting.notes.judge(handle_unknown, frame, handle)
        return None

    def take(
        self, session: Session[AuditFrame], frame: AuditFrame, fields: Mapping[str, Any]
    ) -> Link[AuditFrame] | None:
        """Take an attach or detach. Return the link if its sender was the first to detach it."""
        if frame.name == "attach":
            self._attach(session, frame, from_fields(AttachFields, fields))
            return None
        return self._detach(session, frame, from_fields(DetachFields, fields))

    def _attach(self, session: Session[AuditFrame], frame: AuditFrame, attach: AttachFields) -> None:
        direction, judge = frame.direction, self._setting.notes.judge
        judge(handle_above_max, frame, attach, session.handle_max[1 - direction])
        _, same_name, same_handle = session.attach(direction, attach, frame)
        judge(handle_in_use, frame, attach, same_handle)
        judge(link_name_in_use, frame, attach, same_name)
        judge(delivery_count_missing, frame, attach)
        surplus = session.surplus(direction)
        if surplus is not None:
            session.forget(surplus)

    def _detach(
        self, session: Session[AuditFrame], frame: AuditFrame, detach: DetachFields
    ) -> Link[AuditFrame] | None:
        link = self.find(session, frame, detach.handle)
        if link is None:
            return None
        session.detach(frame.direction, detach.handle, frame)
        if link.is_over:
            session.forget(link)
        return link if link.first_detach is frame and frame.direction == link.sender else None


def may_have_credit(link: Link[AuditFrame], frame: AuditFrame) -> bool:
    """Return whether credit that the capture has later may allow a transfer now.

    Nobody has answered an attach that the client sent in the same packet.
    """
    attach = link.first_attach
    return not (
        attach is not None
        and attach.direction == frame.direction == CLIENT
        and place_of_packet(attach) == place_of_packet(frame)
    )


def has_credit(link: Link[AuditFrame], direction: int) -> bool:
    """Return whether a side has credit for its next transfer, or needs none."""
    if link.delivery is not None or direction != link.sender or link.credit.count is None:
        return True
    return link.credit.has_room


# The prefixes of addresses in format 2, and the address of the management node, which has no format.
_FORMAT_2 = ("/queues/", "/exchanges/", "/management")


_to_4_3 = partial(AuditRule, category="to-rabbitmq-4.3", targets=(RABBITMQ_4_3,), only_for_target=True)


@_to_4_3(
    "address-of-version-1",
    WARNING,
    source="RabbitMQ: deprecated feature amqp_address_v1",
    example="attach to /topic/orders instead of /exchanges/amq.topic/orders",
)
def address_of_version_1(frame: AuditFrame, fields: Mapping[str, Any]) -> Told:
    """An address in the format of RabbitMQ before 4.0, which 4.3 refuses unless a deprecated feature is permitted."""
    address = address_of(fields["source" if fields["role"] else "target"])
    return f"attach to {address[:80]!r}" if address and not address.startswith(_FORMAT_2) else None


@_to_4_3(
    "filter-not-described",
    WARNING,
    source="RabbitMQ: deprecated feature amqp_filter_set_bug; 1.0 3.5.8",
    example="attach with the filter rabbitmq:stream-offset-spec = 'first', without its descriptor",
)
def filter_not_described(frame: AuditFrame, fields: Mapping[str, Any]) -> Told:
    """A filter that is not a described value: RabbitMQ 4.0 applies it, 4.3 leaves it out without an error."""
    source = repeated_variant_value(fields["source"]) if fields["role"] and fields["source"] else None
    filters = source.get("filter") if isinstance(source, dict) else None
    if not isinstance(filters, dict):
        return None
    filters = filters.get("$strings", filters)
    plain = [name for name, value in filters.items() if value is not None and not _is_described(value)]
    return [f"filter {name[:80]!r} without a descriptor" for name in plain]


def _is_described(value: Any) -> bool:
    return isinstance(value, dict) and ("$described" in value or "$type" in value)


RULES_OF_ATTACH = (address_of_version_1, filter_not_described)
