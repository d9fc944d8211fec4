"""Attach and detach: how links come to be and how they end. Sections 2.6 and 2.7.3."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.messaging import AmqpValue, Source, TerminusDurability
from amqp_1_0.performatives import (
    Attach,
    Detach,
    ReceiverSettleMode,
    SenderSettleMode,
)
from amqp_1_0.transactions import Coordinator, Declare, Declared, Discharge
from amqp_1_0.types import Symbol

from ...amqp1.broker import Broker
from ...amqp1.checks import expect_error, message, provoke_detach, want
from ...amqp1.links import LiveSession
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable, Violation

_STOLEN = "amqp:link:stolen"
_IN_USE = "amqp:session:handle-in-use"


@amqp1_rule("attach/any-number-of-links")
def many_links(broker: Broker) -> None:
    """Attach ten senders and ten receivers to a session. Messages pass over all of them."""
    session = broker.begin()
    for number in range(10):
        address = broker.queue()
        with broker.trial():
            sender, receiver = session.sender(address), session.receiver(address)
            sender.send_accepted(message(b"%d" % number))
        octets = receiver.fetch().data()
        want(octets == b"%d" % number, f"the message {number}", octets)


@amqp1_rule("attach/one-session-per-link")
def one_session_per_link(broker: Broker) -> None:
    """Attach a link of one name and role on two sessions. In the end only one of them has it."""
    connection, address = broker.connect(), broker.queue()
    first, second = LiveSession(connection, 0), LiveSession(connection, 1)
    for session in (first, second):
        session.begin()
    first.sender(address, name="shared")
    second.send(second.make_sender(0).make_attach(address, name="shared"))
    expect_error(connection)


@amqp1_rule("attach.name/stolen-link")
def stolen_link(broker: Broker) -> None:
    """Attach a link of one name and role twice, over two connections of one container. The first gets link:stolen."""
    container = broker.make_open().container_id
    address = broker.queue()
    links = []
    for _ in range(2):
        session = LiveSession(broker.connect(container_id=container))
        session.begin()
        links.append(session.receiver(address, name="stolen"))
    links[0].expect_detach(_STOLEN)


@amqp1_rule("attach/create-terminus", "transport/no-required-extensions")
def create_terminus(broker: Broker) -> None:
    """Attach by a name never used before, with no capabilities. The answer has a terminus with the address asked for."""
    session, address = broker.begin(), broker.queue()
    with broker.trial():
        target = session.sender(address).remote
        source = session.receiver(address).remote
    want(target is not None and getattr(target.target, "address", None) == address, address, target)
    want(source is not None and getattr(source.source, "address", None) == address, address, source)


@amqp1_rule(
    "attach/answer-without-terminus", "attach/detach-without-terminus", "transport/answer-unwanted-behaviour"
)
def missing_target(broker: Broker) -> None:
    """Attach as sender to what does not exist. An attach without target comes, and then a detach at once."""
    session = broker.begin()
    with broker.trial():
        sender = session.sender(broker.missing_node())
    want(
        sender.remote is not None and sender.remote.target is None, "an attach without target", sender.remote
    )
    sender.expect_detach()


@amqp1_rule("attach.target/no-target-no-messages")
def no_credit_without_target(broker: Broker) -> None:
    """Attach as sender to what does not exist. No credit is given."""
    session = broker.begin()
    session.send(session.make_sender(0).make_attach(broker.missing_node()))
    session.connection.listen()
    credit = [flow for flow in session.flows if flow.link_credit]
    want(not credit, "no credit", credit)


@amqp1_rule("attach.source/no-source-no-messages")
def no_transfer_without_source(broker: Broker) -> None:
    """Attach as receiver to what does not exist and give credit. No transfer comes."""
    session = broker.begin()
    session.send(session.make_receiver(0).make_attach(broker.missing_node()))
    session.flow(handle=0, delivery_count=0, link_credit=10)
    for frame in session.connection.listen():
        want(frame.performative.NAME != "transfer", "no transfer", frame)


@amqp1_rule("attach/report-actual-terminus")
def unknown_filter(broker: Broker) -> None:
    """Ask for an unknown filter. The source in the answer lacks it, or the link is refused."""
    session = broker.begin()
    name = Symbol("amqp-codegen:no-such-filter")
    source = Source(broker.queue(), filter={name: amqp.Described(name, 0)})
    session.send(session.make_receiver(0).make_attach(None, source=source))
    answer = session.answer_to_attach().performative
    known = getattr(getattr(answer, "source", None), "filter", None) or {}
    want(name not in known, "a source without the unknown filter", answer)


@amqp1_rule("attach/adjust-terminus")
def unusual_durability(broker: Broker) -> None:
    """Ask for a source that keeps its unsettled state through a restart. The answer has a source, or the link is refused."""
    session = broker.begin()
    source = Source(broker.queue(), durable=TerminusDurability.UNSETTLED_STATE)
    session.send(session.make_receiver(0).make_attach(None, source=source))
    answer = session.answer_to_attach().performative
    want(getattr(answer, "source", answer) is not None, "a source, or a refusal", answer)


@amqp1_rule("attach/no-preemption")
def unusual_source(broker: Broker) -> None:
    """Ask for a source with an unknown capability. The peer answers with what it has and does not detach."""
    session = broker.begin()
    source = Source(broker.queue(), capabilities=[Symbol("amqp-codegen:no-such-capability")])
    with broker.trial():
        receiver = session.receiver(None, source=source)
    want(receiver.remote is not None and receiver.remote.source is not None, "a source", receiver.remote)
    receiver.expect_none()


@amqp1_rule("attach.name/unique-name", "attach.handle/not-shared")
def names_and_handles(broker: Broker) -> None:
    """Attach three links and look at the peer's attach frames. No handle is in use twice, nor a name in one role."""
    session, address = broker.begin(), broker.queue()
    for number in range(3):
        session.sender(address, name=f"sender-{number}")
        session.receiver(address, name=f"receiver-{number}")
    frames = [frame.performative for frame in session.connection.frames]
    links = [performative for performative in frames if isinstance(performative, Attach)]
    want(len({link.handle for link in links}) == 6, "six handles", [link.handle for link in links])
    want(len({(link.name, link.role) for link in links}) == 6, "six names", [link.name for link in links])


@amqp1_rule("attach.handle/handle-in-use")
def handle_in_use(broker: Broker) -> None:
    """Attach two links with one handle. The error handle-in-use comes at once."""
    session, address = broker.begin(), broker.queue()
    session.sender(address, name="first")
    session.send(session.make_sender(0).make_attach(address, name="second"))
    expect_error(session.connection, _IN_USE)


@amqp1_rule("attach.handle/lowest-free-handle")
def lowest_free_handle(broker: Broker) -> None:
    """Attach three links, detach the second and attach another. The peer's handles are 0, 1, 2 and 1."""
    session, address = broker.begin(), broker.queue()
    links = [session.sender(address) for _ in range(3)]
    handles = [link.remote.handle for link in links if link.remote]
    links[1].detach()
    last = session.sender(address)
    handles += [last.remote.handle] if last.remote else []
    want(handles == [0, 1, 2, 1], "the handles 0, 1, 2 and 1", handles)


@amqp1_rule("attach.snd-settle-mode/respect-wish")
def sender_settle_mode(broker: Broker) -> None:
    """Attach as receiver with settled and then with unsettled. The answers repeat the mode."""
    session, address = broker.begin(), broker.queue()
    for mode in (SenderSettleMode.SETTLED, SenderSettleMode.UNSETTLED):
        with broker.trial():
            link = session.receiver(address, snd_settle_mode=mode)
        want(link.remote is not None and link.remote.snd_settle_mode is mode, mode.name.lower(), link.remote)


@amqp1_rule("attach.rcv-settle-mode/respect-wish")
def receiver_settle_mode(broker: Broker) -> None:
    """Attach as sender with first and then with second. The answers repeat the mode, or show that it is not supported."""
    session, address = broker.begin(), broker.queue()
    remote = session.sender(address).remote
    want(remote is not None and remote.rcv_settle_mode is ReceiverSettleMode.FIRST, "first", remote)
    session.send(
        session.make_sender(1).make_attach(address, name="second", rcv_settle_mode=ReceiverSettleMode.SECOND)
    )
    answer = session.answer_to_attach().performative
    if not isinstance(answer, Attach):
        want(answer.error is not None, "an error that says why", answer)


@amqp1_rule("attach.unsettled/null-on-reattach")
def reattach(broker: Broker) -> None:
    """Detach a link without closing it, with nothing unsettled, and attach it again. The peer's map is null."""
    session, address = broker.begin(), broker.queue()
    first = session.receiver(address, name="again")
    first.detach(closed=False)
    with broker.trial():
        second = session.receiver(address, name="again")
    want(
        second.remote is not None and not second.remote.unsettled,
        "no map of unsettled deliveries",
        second.remote,
    )


@amqp1_rule("attach.unsettled/no-null-keys")
def null_key(broker: Broker) -> None:
    """Attach with a map of unsettled deliveries that has null as a key. The peer reports an error."""
    session = broker.begin()
    session.send(session.make_receiver(0).make_attach(broker.queue(), unsettled={None: None}))
    expect_error(session.connection)


@amqp1_rule("attach.initial-delivery-count/set-by-sender")
def count_set_by_sender(broker: Broker) -> None:
    """Attach as receiver: the peer's attach has a count. Attach as sender without one: an error comes."""
    session, address = broker.begin(), broker.queue()
    receiver = session.receiver(address)
    remote = receiver.remote
    want(remote is not None and remote.initial_delivery_count is not None, "initial-delivery-count", remote)
    session.send(session.make_sender(1).make_attach(address, initial_delivery_count=None, name="sender"))
    expect_error(session.connection)


@amqp1_rule("attach.initial-delivery-count/ignored-from-receiver")
def count_ignored_from_receiver(broker: Broker) -> None:
    """Attach as receiver with a count of 77. Credit works as without it."""
    session, address = broker.begin(), broker.queue()
    session.sender(address).send_accepted(message(b"a message"))
    with broker.trial():
        receiver = session.receiver(address, initial_delivery_count=77)
    octets = receiver.fetch().data()
    want(octets == b"a message", "the message that was sent", octets)


@amqp1_rule("attach.initial-delivery-count/arbitrary-start", "flow.delivery-count/serial-arithmetic")
def highest_count(broker: Broker) -> None:
    """Attach as sender with a count of 4294967290 and send twenty messages as credit allows. All are accepted."""
    session = broker.begin()
    with broker.trial():
        sender = session.sender(broker.queue(), initial_delivery_count=0xFFFFFFFA)
        for number in range(20):
            sender.send_accepted(message(b"%d" % number))


@amqp1_rule("attach.max-message-size/exceeded")
def message_too_large(broker: Broker) -> None:
    """Send a message one octet above the peer's max-message-size. It detaches with message-size-exceeded."""
    sender = broker.begin().sender(broker.queue())
    limit = sender.remote.max_message_size if sender.remote else 0
    if not limit or limit > 1 << 20:
        raise NotTestable("the peer sets no limit to messages, or a very high one")
    sender.send(message(bytes(limit)))
    sender.expect_detach("amqp:link:message-size-exceeded")


@amqp1_rule("detach/answer-closing-detach")
def closing_detach(broker: Broker) -> None:
    """Close a link. The detach that answers is closing, too."""
    sender = broker.begin().sender(broker.queue())
    with broker.trial():
        detach = sender.detach()
    want(detach.closed, "a detach with closed", detach)


@amqp1_rule("handle/reuse", "detach/fully-detached")
def handle_again(broker: Broker) -> None:
    """Detach a link and wait for the answer. The handle can be given to another link, and a message sent there."""
    session, address = broker.begin(), broker.queue()
    sender = session.sender(address)
    sender.detach()
    again = session.make_sender(sender.handle)
    again.attach(address, name="another")
    with broker.trial():
        again.send_accepted(message(b"a message"))


@amqp1_rule("handle/different-handles")
def different_handles(broker: Broker) -> None:
    """Attach with the handle 5. A message can be sent, whatever the peer's handle is."""
    session = broker.begin()
    sender = session.make_sender(5)
    sender.attach(broker.queue())
    with broker.trial():
        sender.send_accepted(message(b"a message"))


@amqp1_rule("detach/error-detaches", "detach.error/details")
def refused_link(broker: Broker) -> None:
    """Attach to what does not exist. The detach that comes has an error with a description."""
    session = broker.begin()
    with broker.trial():
        sender = session.sender(broker.missing_node())
    detach = sender.expect_detach()
    want(detach.error is not None and bool(detach.error.description), "an error with a description", detach)


@amqp1_rule("detach/error-destroys")
def destroyed_link(broker: Broker) -> None:
    """Let the peer detach a link with an error, answer, and send flow for it. The peer does not know it any more."""
    sender = provoke_detach(broker)
    sender.session.send(Detach(sender.handle, True))
    sender.session.flow(handle=sender.handle, delivery_count=0, link_credit=1)
    expect_error(sender.session.connection)


@amqp1_rule("detach/input-after-error")
def input_after_error(broker: Broker) -> None:
    """Let the peer detach a link with an error, and send a transfer on it. The session ends with errant-link."""
    sender = provoke_detach(broker)
    sender.session.send(sender.next_transfer(), message(b"too late").encode())
    sender.session.expect_end("amqp:session:errant-link")


@amqp1_rule("detach/pipelined-attach-after-error")
def attach_after_error(broker: Broker) -> None:
    """Let the peer detach a link with an error, while detach and attach follow at once. It ends with errant-link."""
    provoke_detach(broker)
    session, address = broker.begin(), broker.missing_node()
    sender = session.make_sender(0)
    frames = (sender.make_attach(address), Detach(0, False), sender.make_attach(address))
    octets = b"".join(amqp.encode_frame(session.channel, frame) for frame in frames)
    session.connection.send_octets(octets, "attach, detach and attach in one piece")
    session.expect_end("amqp:session:errant-link")


@amqp1_rule("detach/announce-unmapping")
def deleted_node(broker: Broker) -> None:
    """Attach to a queue and delete it, by management or over AMQP 0-9-1. A detach comes."""
    receiver = broker.begin().receiver(broker.queue())
    if not broker.deletes_nodes:
        raise NotTestable("there is no way known to delete a node of this peer")
    broker.remove(broker.names)
    receiver.expect_detach()


@amqp1_rule("transactions/no-role-at-all", "transactions/one-of-two-roles")
def control_link(broker: Broker) -> None:
    """Attach to a coordinator. The peer has one, or refuses this link and no other."""
    session, address = broker.begin(), broker.queue()
    other = session.sender(address)
    control = session.make_sender(session.next_handle())
    session.send(control.make_attach(None, target=Coordinator(), name="control"))
    answer = session.answer_to_attach().performative
    want(isinstance(answer, (Attach, Detach)), "attach, or detach of this link alone", answer)
    with broker.trial():
        other.send_accepted(message(b"a message"))


@amqp1_rule("transactions/intermediary-as-resource")
def declare_and_discharge(broker: Broker) -> None:
    """Declare a transaction and discharge it. The outcomes are declared and accepted."""
    session = broker.begin()
    with broker.trial():
        control = session.sender(None, target=Coordinator())
    want(control.remote is not None and control.remote.target is not None, "a coordinator", control.remote)
    declared = control.outcome(control.send(amqp.Message(body=AmqpValue(Declare())))).state
    if not isinstance(declared, Declared):
        raise Violation(f"expected the outcome declared, got {declared}")
    with broker.trial():
        control.send_accepted(amqp.Message(body=AmqpValue(Discharge(declared.txn_id, False))))
