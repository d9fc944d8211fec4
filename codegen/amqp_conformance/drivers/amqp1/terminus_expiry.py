"""How long the peer keeps the source of a link that was detached. Sections 2.6.3, 3.5.5 and 3.5.6."""

from __future__ import annotations

from typing import Any

from amqp_1_0.messaging import Accepted, Header, Source, TerminusDurability, TerminusExpiryPolicy

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.links import LiveSession, Receiver
from ...amqp1.resumption import (
    NAME,
    attach_lasting,
    begin_as,
    need_recovery,
    recover,
    unsettled_of,
)
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable

_KNOWN, _FORGOTTEN = "a source, as the peer still has it", "no source, as its time is up"
# Seconds of a timeout, and a wait that is shorter.
_TIMEOUT, _SHORTER = 2, 1.2


@amqp1_rule("attach/recover-link")
def recovered_link(broker: Broker) -> None:
    """Detach a link without closing it, whose source is to last for ever, and attach it without a source. The peer knows it."""
    session, address = broker.begin(), broker.queue()
    attach_lasting(session, address).detach(closed=False)
    again = recover(session)
    source: Any = again and again.remote and again.remote.source
    want(getattr(source, "address", None) == address, f"a source with the address {address}", source)
    if again:
        again.detach()


# --- when the time begins ---


@amqp1_rule("terminus-expiry-policy.link-detach/starts")
def expires_on_detach(broker: Broker) -> None:
    """Ask for a source that goes with its link, and detach. The peer has forgotten it."""
    need_recovery(broker)
    session = broker.begin()
    attach_lasting(session, broker.queue(), expiry_policy=TerminusExpiryPolicy.LINK_DETACH).detach(
        closed=False
    )
    _expect_forgotten(session)


@amqp1_rule("terminus-expiry-policy.session-end/starts")
def expires_on_end(broker: Broker) -> None:
    """Ask for a source that goes with its session, and detach. It is there until the session ends, and then not."""
    need_recovery(broker)
    session = broker.begin()
    attach_lasting(session, broker.queue(), expiry_policy=TerminusExpiryPolicy.SESSION_END).detach(
        closed=False
    )
    _expect_known(session).detach(closed=False)
    session.end()
    other = LiveSession(session.connection, session.channel)
    other.begin()
    _expect_forgotten(other)


@amqp1_rule("terminus-expiry-policy.connection-close/starts")
def expires_on_close(broker: Broker) -> None:
    """Ask for a source that goes with its connection. It is there after its session has ended, not after the close."""
    need_recovery(broker)
    session = broker.begin()
    container = session.connection.container_id
    policy = TerminusExpiryPolicy.CONNECTION_CLOSE
    attach_lasting(session, broker.queue(), expiry_policy=policy).detach(closed=False)
    session.end()
    other = LiveSession(session.connection, session.channel)
    other.begin()
    _expect_known(other).detach(closed=False)
    session.connection.close()
    _expect_forgotten(begin_as(broker, container))


@amqp1_rule("terminus-expiry-policy.never/stays", slow=True)
def never_expires(broker: Broker) -> None:
    """Ask for a source that never goes, close the connection and wait a second. The peer still has it."""
    need_recovery(broker)
    session = broker.begin()
    container = session.connection.container_id
    attach_lasting(session, broker.queue()).detach(closed=False)
    session.connection.close()
    again = begin_as(broker, container)
    again.connection.listen(1.0)
    _expect_known(again).detach()


@amqp1_rule("terminus-expiry-policy/reattach-stops-timer", slow=True)
def reattached_in_time(broker: Broker) -> None:
    """Ask for two seconds after detach, attach after one, wait for three and detach. The peer still has the source."""
    session = _attach_with_timeout(broker)
    session.connection.listen(_SHORTER)
    link = _expect_known(session)
    session.connection.listen(_TIMEOUT + 1)
    link.detach(closed=False)
    _expect_known(session).detach()


@amqp1_rule("terminus-expiry-policy/timer-starts-anew", slow=True)
def detached_twice(broker: Broker) -> None:
    """Ask for two seconds after detach, and detach twice for one. The peer still has the source; not after three more."""
    session = _attach_with_timeout(broker)
    for _ in range(2):
        session.connection.listen(_SHORTER)
        _expect_known(session).detach(closed=False)
    session.connection.listen(_TIMEOUT + 1)
    _expect_forgotten(session)


# --- what is still there after a restart ---


@amqp1_rule("terminus-durability.none/forgotten", restarts=True, seconds=120)
def not_durable(broker: Broker) -> None:
    """Ask for a source that is not durable, and restart the peer. It has forgotten the source."""
    _expect_forgotten(_restart_with(broker, TerminusDurability.NONE))


@amqp1_rule("terminus-durability.configuration/terminus-survives", restarts=True, seconds=120)
def durable_configuration(broker: Broker) -> None:
    """Ask for a source whose configuration is durable, and restart the peer. It still has the source."""
    _expect_known(_restart_with(broker, TerminusDurability.CONFIGURATION)).detach()


@amqp1_rule("terminus-durability.unsettled-state/state-survives", restarts=True, seconds=120)
def durable_state(broker: Broker) -> None:
    """Leave a durable message unsettled on a source whose state is durable, and restart. The peer's map has its tag."""
    need_recovery(broker)
    session, address = broker.begin(), broker.queue()
    durable = message(b"a message")
    durable.header = Header(durable=True)
    session.sender(address).send_accepted(durable)
    receiver = attach_lasting(session, address, durable=TerminusDurability.UNSETTLED_STATE)
    with broker.set_up():
        tag = receiver.fetch().transfer.delivery_tag
    receiver.detach(closed=False)
    broker.restart()
    again = begin_as(broker, session.connection.container_id)
    source = receiver.remote and receiver.remote.source
    link = again.receiver(None, name=NAME, source=source, unsettled={tag: None})
    want(tag in unsettled_of(link), f"the tag {tag!r} in the map", unsettled_of(link))
    link.detach()


# --- what becomes of unsettled deliveries ---


@amqp1_rule("delivery-state/default-outcome-applies")
def default_outcome(broker: Broker) -> None:
    """Get a message on a link with accepted as default-outcome, and close the connection. The message is gone."""
    session, address = broker.begin(), broker.queue()
    session.sender(address).send_accepted(message(b"a message"))
    receiver = session.receiver(None, source=Source(address, default_outcome=Accepted()))
    answer: Any = receiver.remote and receiver.remote.source
    if not isinstance(getattr(answer, "default_outcome", None), Accepted):
        raise NotTestable("the peer does not take accepted as default-outcome")
    with broker.set_up():
        receiver.fetch()
    session.connection.close()
    other = broker.begin().receiver(address)
    other.expect_empty()


def _attach_with_timeout(broker: Broker) -> LiveSession:
    """Return a session on which a link was just detached, whose source has some seconds left.

    Raises:
        NotTestable: The peer does not resume links.
    """
    need_recovery(broker)
    session = broker.begin()
    policy = TerminusExpiryPolicy.LINK_DETACH
    attach_lasting(session, broker.queue(), expiry_policy=policy, timeout=_TIMEOUT).detach(closed=False)
    return session


def _restart_with(broker: Broker, durability: TerminusDurability) -> LiveSession:
    """Return a session after a restart of the peer, before which a link with such a source was detached.

    Raises:
        NotTestable: The peer does not resume links, or cannot be restarted.
    """
    need_recovery(broker)
    session = broker.begin()
    attach_lasting(session, broker.queue(), durable=durability).detach(closed=False)
    broker.restart()
    return begin_as(broker, session.connection.container_id)


def _expect_known(session: LiveSession) -> Receiver:
    link = recover(session)
    want(link is not None, _KNOWN, "none")
    assert link is not None  # else want() has raised
    return link


def _expect_forgotten(session: LiveSession) -> None:
    link = recover(session)
    want(link is None, _FORGOTTEN, link and link.remote)
