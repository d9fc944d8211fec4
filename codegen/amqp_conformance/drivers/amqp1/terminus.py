"""Sources and targets: dynamic nodes, distribution modes, filters. Section 3.5."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import (
    DeleteOnClose,
    DeleteOnNoLinks,
    DeleteOnNoLinksOrMessages,
    DeleteOnNoMessages,
    Received,
    Source,
    StdDistMode,
    Target,
)
from amqp_1_0.performatives import Attach, Close, Detach
from amqp_1_0.types import Symbol

from ...amqp1.broker import Broker
from ...amqp1.checks import expect_error, message, want
from ...amqp1.frames import make_frame, make_performative, value
from ...amqp1.links import LiveSession, Receiver, Sender
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable, Violation

_NULL = b"\x40"
_ATTACH, _SOURCE, _TARGET = 0x12, 0x28, 0x29


# --- dynamic nodes ---


@amqp1_rule("messaging/answer-unwanted-behaviour")
def dynamic_or_not(broker: Broker) -> None:
    """Ask for a dynamic source. The peer gives one, or refuses the link and leaves the session alone."""
    session = broker.begin()
    session.send(session.make_receiver(0).make_attach(None, source=Source(dynamic=True)))
    frame = session.answer_to_attach()
    want(isinstance(frame.performative, (Attach, Detach)), "attach, or detach of this link alone", frame)


@amqp1_rule("source.address/set-in-answer", "target.address/set-in-answer")
def address_of_dynamic_node(broker: Broker) -> None:
    """Ask for a dynamic source and a dynamic target. Both answers have an address, and a message can be sent there."""
    receiver, address = _dynamic_source(broker)
    with broker.trial():
        receiver.session.sender(address).send_accepted(message(b"a message"))
    want(receiver.fetch().data() == b"a message", "the message that was sent", "another")
    sender, address = _dynamic_target(broker)
    with broker.trial():
        sender.send_accepted(message(b"a message"))


@amqp1_rule("source.address/telling-address", "source.dynamic/telling-address")
def address_tells_source(broker: Broker) -> None:
    """Ask for a dynamic source on a link with a striking name. The address has this name in it, and our container-id."""
    receiver, address = _dynamic_source(broker, name="striking-name")
    container = receiver.session.connection.container_id
    want("striking-name" in address, "an address with the link's name", address)
    want(container in address, f"an address with {container}", address)


@amqp1_rule("target.address/telling-address", "target.dynamic/telling-address")
def address_tells_target(broker: Broker) -> None:
    """Ask for a dynamic target on a link with a striking name. The address has this name in it, and our container-id."""
    sender, address = _dynamic_target(broker, name="striking-name")
    container = sender.session.connection.container_id
    want("striking-name" in address, "an address with the link's name", address)
    want(container in address, f"an address with {container}", address)


@amqp1_rule("source.address/unset-in-request", "source.dynamic/unset-address")
def dynamic_source_with_address(broker: Broker) -> None:
    """Ask for a dynamic source and give an address as well. The peer refuses the link, or answers with one of its own."""
    session, address = broker.begin(), broker.queue()
    session.send(session.make_receiver(0).make_attach(None, source=Source(address, dynamic=True)))
    frame = session.answer_to_attach()
    answer: Any = getattr(frame.performative, "source", None)
    want(answer is None or answer.address != address, "a refusal, or another address", frame)


@amqp1_rule("target.address/unset-in-request", "target.dynamic/unset-address")
def dynamic_target_with_address(broker: Broker) -> None:
    """Ask for a dynamic target and give an address as well. The peer refuses the link, or answers with one of its own."""
    session, address = broker.begin(), broker.queue()
    session.send(session.make_sender(0).make_attach(None, target=Target(address, dynamic=True)))
    frame = session.answer_to_attach()
    answer: Any = getattr(frame.performative, "target", None)
    want(answer is None or answer.address != address, "a refusal, or another address", frame)


@amqp1_rule(
    "source.dynamic-node-properties/unset-without-dynamic",
    "target.dynamic-node-properties/unset-without-dynamic",
)
def node_properties(broker: Broker) -> None:
    """Attach without dynamic, as sender and as receiver. The peer's termini have no dynamic-node-properties."""
    session, address = broker.begin(), broker.queue()
    for link in (session.sender(address), session.receiver(address)):
        for terminus in (link.remote and link.remote.source, link.remote and link.remote.target):
            found = getattr(terminus, "dynamic_node_properties", None)
            want(not found, "no dynamic-node-properties", found)


@amqp1_rule("node-properties/lifetime-of-link")
def node_outlives_use(broker: Broker) -> None:
    """Ask for a dynamic source and use its node by a second link. It is there as long as the first link is."""
    receiver, address = _dynamic_source(broker)
    for number in range(2):
        with broker.trial():
            sender = receiver.session.sender(address, name=f"user-{number}")
            sender.send_accepted(message(b"a message"))
        sender.detach()
    receiver.settle(receiver.fetch())


@amqp1_rule("node-properties/lifetime-policy")
def no_lifetime_policy(broker: Broker) -> None:
    """Ask for a dynamic source with a string as its lifetime-policy. The peer reports an error."""
    session = broker.begin()
    properties = {Symbol("lifetime-policy"): "for ever"}
    source = Source(dynamic=True, dynamic_node_properties=properties)
    session.send(session.make_receiver(0).make_attach(None, source=source))
    expect_error(session.connection)


@amqp1_rule("node-properties/supported-dist-modes")
def supported_modes(broker: Broker) -> None:
    """Ask for a dynamic source that moves. If the answer has supported-dist-modes, it is one symbol or more of them."""
    modes = _answered_modes(broker, StdDistMode.MOVE)
    if modes is None:
        raise NotTestable("the peer does not say which modes its dynamic nodes support")
    several = list(modes.items) if isinstance(modes, amqp.Array) else [modes]
    want(bool(several) and all(isinstance(mode, Symbol) for mode in several), "at least one symbol", modes)


@amqp1_rule("node-properties/supported-dist-modes-form")
def forms_of_modes(broker: Broker) -> None:
    """Ask for a dynamic source with a mode as symbol, and with an array of them. The peer makes a node each time."""
    _dynamic_source(broker)
    for modes in (Symbol("move"), amqp.Array([Symbol("move"), Symbol("copy")])):
        with broker.trial():
            _answered_modes(broker, modes, refused="a dynamic source")


@amqp1_rule("delete-on-close/deleted")
def deleted_on_close(broker: Broker) -> None:
    """Ask for a dynamic source to be deleted on close, attach a second link to it, and close the first. The node is gone."""
    receiver, address = _dynamic_source(broker, policy=DeleteOnClose())
    receiver.session.sender(address)
    receiver.detach()
    _expect_gone(receiver.session, address)


@amqp1_rule("delete-on-no-links/deleted")
def deleted_without_links(broker: Broker) -> None:
    """Ask for a dynamic source to be deleted without links, and close one of two, then the other. Its node goes last."""
    receiver, address = _dynamic_source(broker, policy=DeleteOnNoLinks())
    sender = receiver.session.sender(address)
    receiver.detach()
    with broker.trial():
        sender.send_accepted(message(b"a message"))
    sender.detach()
    _expect_gone(receiver.session, address)


@amqp1_rule("delete-on-no-links-or-messages/deleted")
def deleted_without_links_or_messages(broker: Broker) -> None:
    """Ask for a dynamic source to be deleted without links and messages, and close its only link. The node is gone."""
    receiver, address = _dynamic_source(broker, policy=DeleteOnNoLinksOrMessages())
    receiver.detach()
    _expect_gone(receiver.session, address)


@amqp1_rule("delete-on-no-messages/deleted")
def deleted_without_messages(broker: Broker) -> None:
    """Ask for a dynamic source to be deleted without messages, and close the link. Its node, which has none, is gone."""
    receiver, address = _dynamic_source(broker, policy=DeleteOnNoMessages())
    receiver.detach()
    _expect_gone(receiver.session, address)


# --- distribution modes ---


@amqp1_rule("source.distribution-mode/receiver-preference")
def preferred_mode(broker: Broker) -> None:
    """Attach as receiver once with move and once with copy. The peer names the mode in force, or refuses the link."""
    address = broker.queue()
    for mode in (StdDistMode.MOVE, StdDistMode.COPY):
        session = broker.begin()
        session.send(
            session.make_receiver(0).make_attach(None, source=Source(address, distribution_mode=mode))
        )
        frame = session.answer_to_attach()
        want(not isinstance(frame.performative, Close), "attach, or a refusal of the link", frame)


@amqp1_rule("attach/sender-owns-source")
def mode_in_force(broker: Broker) -> None:
    """Ask for copies, and accept a message. Another link gets it if the peer's source says copy, and else it does not."""
    address = broker.queue()
    session = broker.begin()
    session.sender(address).send_accepted(message(b"a message"))
    source = Source(address, distribution_mode=StdDistMode.COPY)
    receiver = session.receiver(None, source=source)
    answer: Any = receiver.remote and receiver.remote.source
    receiver.settle(receiver.fetch())
    other = broker.begin().receiver(address)
    if answer is not None and answer.distribution_mode == StdDistMode.COPY:
        want(other.fetch().data() == b"a message", "the message that was copied", "another")
    else:
        other.expect_empty()


@amqp1_rule("source.distribution-mode/set-by-sender")
def mode_of_peer(broker: Broker) -> None:
    """Attach as receiver without a mode. A peer that also copies names the mode in force."""
    session, address = broker.begin(), broker.queue()
    if not _copies(broker, address):
        raise NotTestable("the peer offers no choice of modes")
    remote = session.receiver(address).remote
    source: Any = remote and remote.source
    want(source.distribution_mode is not None, "a distribution-mode", source)


@amqp1_rule(
    "std-dist-mode.copy/every-link", "std-dist-mode.copy/state-unchanged", "addressing/copy-keeps-state"
)
def copied(broker: Broker) -> None:
    """Accept a message on a link that copies. A link that moves still gets it."""
    address = broker.queue()
    session = broker.begin()
    session.sender(address).send_accepted(message(b"a message"))
    if not _copies(broker, address):
        raise NotTestable("the peer does not copy")
    copying = session.receiver(None, source=Source(address, distribution_mode=StdDistMode.COPY))
    copying.settle(copying.fetch())
    moving = session.receiver(address)
    want(moving.fetch().data() == b"a message", "the same message", "another")


# --- filters ---


@amqp1_rule("filter-set/key-type")
def filter_with_string_as_key(broker: Broker) -> None:
    """Attach with a string as key of a filter. The peer reports an error."""
    _send_filter(broker, value({"a string": None}))


@amqp1_rule("filter-set/value-type")
def filter_without_descriptor(broker: Broker) -> None:
    """Attach with a plain string as filter. The peer reports an error, or leaves the filter out of its answer."""
    session = broker.begin()
    name = Symbol("amqp-codegen:plain")
    session.connection.send_octets(
        _attach(broker.queue(), value({name: "plain"})), "attach with a string as filter"
    )
    frame = session.answer_to_attach()
    known = getattr(getattr(frame.performative, "source", None), "filter", None) or {}
    want(name not in known, "a source without the filter, or a refusal", frame)


@amqp1_rule("filter-set/null-filter")
def filter_of_null(broker: Broker) -> None:
    """Attach with one filter that is null. All messages arrive."""
    session, address = broker.begin(), broker.queue()
    sender = session.sender(address)
    for _ in range(2):
        sender.send_accepted(message(b"a message"))
    source = Source(address, filter={Symbol("amqp-codegen:nothing"): None})
    with broker.trial():
        receiver = session.receiver(None, source=source)
    for _ in range(2):
        receiver.settle(receiver.fetch())


@amqp1_rule("source.default-outcome/valid-outcome")
def default_that_is_no_outcome(broker: Broker) -> None:
    """Attach with the state received as default-outcome, which is not an outcome. The peer reports an error."""
    session = broker.begin()
    octets = _attach(broker.queue(), _NULL, Received(0, 0).encode())
    session.connection.send_octets(octets, "attach with received as default-outcome")
    expect_error(session.connection)


def _dynamic_source(broker: Broker, policy: Any = None, **fields: Any) -> tuple[Receiver, str]:
    """Return a link from a dynamic node, and the address that the peer has given it."""
    session = broker.begin()
    receiver = session.make_receiver(session.next_handle())
    life = {Symbol("lifetime-policy"): policy} if policy else None
    source = Source(dynamic=True, dynamic_node_properties=life)
    return receiver, _dynamic_address(receiver, "source", source=source, **fields)


def _answered_modes(broker: Broker, modes: Any, refused: str = "") -> Any:
    """Ask for a dynamic source that supports these modes; return the modes of the peer's answer, None if it has none.

    Raises:
        NotTestable: The peer makes no such node, and ``refused`` does not say that one was expected.
        Violation: It makes none, and one was expected.
    """
    session = broker.begin()
    properties = {Symbol("supported-dist-modes"): modes}
    source = Source(dynamic=True, dynamic_node_properties=properties)
    session.send(session.make_receiver(0).make_attach(None, source=source))
    frame = session.answer_to_attach()
    answer: Any = getattr(frame.performative, "source", None)
    if answer is None or not answer.address:
        if refused:
            raise Violation(f"expected {refused}, got {frame}")
        raise NotTestable("the peer makes no dynamic sources")
    return (answer.dynamic_node_properties or {}).get("supported-dist-modes")


def _dynamic_target(broker: Broker, **fields: Any) -> tuple[Sender, str]:
    """Return a link to a dynamic node, and the address that the peer has given it."""
    session = broker.begin()
    sender = session.make_sender(session.next_handle())
    return sender, _dynamic_address(sender, "target", target=Target(dynamic=True), **fields)


def _dynamic_address(link: Sender | Receiver, terminus: str, **fields: Any) -> str:
    """Attach a link whose node the peer is to make; return its address.

    Raises:
        NotTestable: The peer makes no dynamic nodes.
    """
    attach = link.make_attach(None, **fields)
    link.session.send(attach)
    answer: Any = None
    with suppress(Violation):
        answer = getattr(link.expect_attach(attach), terminus)
    if answer is None:
        raise NotTestable(f"the peer makes no dynamic {terminus}s")
    want(bool(answer.address), "an address", answer)
    return str(answer.address)


def _expect_gone(session: LiveSession, address: str) -> None:
    """Expect that an attach to the address is refused."""
    sender = session.make_sender(session.next_handle())
    session.send(sender.make_attach(address, name="late"))
    frame = session.answer_to_attach()
    answer = frame.performative
    want(not isinstance(answer, Attach) or answer.target is None, f"a refusal, as {address} is gone", frame)


def _copies(broker: Broker, address: str) -> bool:
    """Return whether the peer agrees to copy."""
    session = broker.begin()
    source = Source(address, distribution_mode=StdDistMode.COPY)
    session.send(session.make_receiver(0).make_attach(None, source=source))
    frame = session.answer_to_attach()
    answer: Any = getattr(frame.performative, "source", None)
    return answer is not None and answer.distribution_mode == StdDistMode.COPY


def _send_filter(broker: Broker, octets: bytes) -> None:
    """Attach as receiver with these octets as filter and expect an error."""
    session = broker.begin()
    session.connection.send_octets(_attach(broker.queue(), octets), "attach with an odd filter")
    expect_error(session.connection)


def _attach(address: str, filters: bytes, default_outcome: bytes = _NULL) -> bytes:
    """Return an attach frame of a receiver, with any octets as the filter and the default-outcome of its source."""
    source = make_performative(_SOURCE, value(address), *[_NULL] * 6, filters, default_outcome)
    target = make_performative(_TARGET)
    fields = (value("link"), value(amqp.types.UInt(0)), value(True), _NULL, _NULL, source, target)
    return make_frame(make_performative(_ATTACH, *fields))
