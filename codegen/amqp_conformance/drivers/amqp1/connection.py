"""Open and close: how a connection begins, what was agreed, and how it ends. Sections 2.4, 2.7.1 and 2.7.9."""

from __future__ import annotations

from contextlib import suppress

import amqp_1_0 as amqp
from amqp_1_0.performatives import Attach, Begin, Close, End, Open
from amqp_1_0.types import Symbol

from ...amqp1.broker import Broker
from ...amqp1.checks import expect_error, message, provoke_close, want
from ...amqp1.connection import LiveConnection
from ...amqp1.frames import make_frame, value
from ...amqp1.links import LiveSession, Sender
from ...amqp1.login import exchange_headers, log_in
from ...engine.registry import amqp1_rule
from ...engine.run_result import Disconnected, NoAnswer, NotTestable

_FRAMING_ERROR = "amqp:connection:framing-error"
_LONGEST_TIME_OUT = 3000
# How long a peer may wait for the answer to its close.
_REASONABLE_SECONDS = 30.0
_LARGE_BODY = b"0123456789" * 1000


# --- open ---


@amqp1_rule("open/first-frame")
def first_frame(broker: Broker) -> None:
    """Log in and open. The first frame of the peer behind its protocol header is open."""
    frames = broker.connect().frames
    first = next(frame for frame in frames if frame.type == amqp.constants.FRAME_AMQP)
    want(isinstance(first.performative, Open), "open as the first frame", first)


@amqp1_rule("open/open-before-others")
def begin_before_open(broker: Broker) -> None:
    """Send begin where open is due. The connection ends."""
    connection = broker.before_open()
    connection.send(LiveSession(connection).make_begin())
    _expect_end(connection)


@amqp1_rule("open/open-channel-zero")
def open_on_channel_one(broker: Broker) -> None:
    """Send open on channel 1. The connection ends."""
    connection = broker.before_open()
    connection.send(broker.make_open(), 1)
    _expect_end(connection)


@amqp1_rule("open/initial-limits", "open.max-frame-size/accept-minimum")
def open_of_512_octets(broker: Broker) -> None:
    """Send an open in a frame of exactly 512 octets. The peer opens as well."""
    connection = broker.before_open()
    bare = len(amqp.encode_frame(0, broker.make_open(container_id="c" * 300)))
    connection.send(broker.make_open(container_id="c" * (300 + 512 - bare)))
    connection.expect(Open)


@amqp1_rule("open/pipelined-open", "begin/send-before-answer", "begin/receive-before-own-begin")
def pipelined(broker: Broker) -> None:
    """Write header, open, begin and attach in one go once logged in. The peer answers each of them in this order."""
    connection = broker.log_in()
    session = LiveSession(connection)
    sender = Sender(session, session.next_handle())
    attach = sender.make_attach(broker.queue())
    frames = (broker.make_open(), session.make_begin(), attach)
    octets = b"".join(amqp.encode_frame(0, frame) for frame in frames)
    connection.send_octets(
        amqp.PROTOCOL_HEADERS["amqp"] + octets, "header, open, begin and attach in one piece"
    )
    connection.receive_header()
    for kind in (Open, Begin, Attach):
        frame = connection.receive(kind.NAME)
        want(isinstance(frame.performative, kind), kind.NAME, frame)


@amqp1_rule("open/mutual-limits", "definitions/agree-on-frame-size", "open.max-frame-size/no-larger-frames")
def frames_within_limit(broker: Broker) -> None:
    """Open with a max-frame-size of 512 and fetch a message of 10000 octets. No frame of the peer is larger."""
    address = broker.queue()
    broker.begin().sender(address).send_accepted(message(_LARGE_BODY))
    session = LiveSession(broker.connect(max_frame_size=512, channel_max=1))
    session.begin()
    octets = session.receiver(address).fetch().data()
    want(octets == _LARGE_BODY, "the message that was sent", f"{len(octets)} octets")
    largest = max(len(frame.octets) for frame in session.connection.frames)
    want(largest <= 512, "frames of at most 512 octets", largest)
    highest = max(frame.channel for frame in session.connection.frames)
    want(highest <= 1, "no channel above 1", highest)


@amqp1_rule("open.max-frame-size/oversized-frame")
def oversized_frame(broker: Broker) -> None:
    """Send a transfer in a frame one octet above what the peer takes. It closes with framing-error."""
    session = broker.begin()
    limit = session.connection.frame_size
    if limit > 1 << 20:
        raise NotTestable(f"the peer takes frames of {limit} octets")
    sender = session.sender(broker.queue())
    sender.wait_for_credit()
    transfer = sender.next_transfer()
    overhead = len(amqp.encode_frame(0, transfer, message(bytes(70_000)).encode())) - 70_000
    session.send(transfer, message(bytes(limit + 1 - overhead)).encode().ljust(limit + 1 - overhead, b"\0"))
    session.connection.expect_close(_FRAMING_ERROR)


@amqp1_rule("open.channel-max/within-range")
def channels_within_range(broker: Broker) -> None:
    """Open with a channel-max of 0 and begin a session. All frames of the peer are on channel 0."""
    with broker.trial():
        session = LiveSession(broker.connect(channel_max=0))
        session.begin()
        session.sender(broker.queue()).send_accepted(message(b"a message"))
    highest = max(frame.channel for frame in session.connection.frames)
    want(highest == 0, "channel 0 only", highest)


@amqp1_rule("open.channel-max/outside-range")
def channel_outside_range(broker: Broker) -> None:
    """Send begin on the channel one above the peer's channel-max. It closes with framing-error."""
    connection = broker.connect()
    highest = _remote(connection).channel_max
    if highest == 65535:
        raise NotTestable("the peer takes all channel numbers there are")
    connection.send(LiveSession(connection).make_begin(), highest + 1)
    connection.expect_close(_FRAMING_ERROR)


@amqp1_rule("open.hostname/default-host")
def without_hostname(broker: Broker) -> None:
    """Open without a hostname. The peer opens as well."""
    with broker.trial():
        broker.connect(hostname=None)


@amqp1_rule("open.hostname/given-elsewhere")
def hostname_twice(broker: Broker) -> None:
    """Give the same hostname in sasl-init and in open. The peer opens as well."""
    connection = broker.dial()
    hostname = broker.make_open().hostname
    log_in(connection, broker.target, hostname=hostname)
    exchange_headers(connection, "amqp")
    connection.send(broker.make_open(hostname=hostname))
    connection.expect(Open)


@amqp1_rule("open.idle-time-out/zero-means-none", slow=True)
def no_time_out(broker: Broker) -> None:
    """Open with an idle-time-out of 0 and send nothing for two seconds. The connection still works."""
    connection = broker.connect(idle_time_out=0)
    want(not connection.listen(2.0), "nothing", connection.frames[-1])
    LiveSession(connection).begin()


@amqp1_rule("open.idle-time-out/close-when-exceeded", slow=True)
def silent_partner(broker: Broker) -> None:
    """Ignore the peer's idle-time-out and send nothing. A close with an error comes."""
    connection = broker.connect()
    limit = _remote(connection).idle_time_out
    if not limit or limit > _LONGEST_TIME_OUT:
        raise NotTestable(f"the idle-time-out of the peer is {f'{limit} ms' if limit else 'none'}")
    for _ in range(3):
        for frame in connection.listen(limit / 1000):
            if isinstance(frame.performative, Close):
                want(frame.performative.error is not None, "an error that says why", frame)
                return
    want(False, "a close", "nothing")


@amqp1_rule("open.idle-time-out/half-of-threshold", slow=True)
def nearly_silent_partner(broker: Broker) -> None:
    """Send a frame a little later than the peer's idle-time-out asks for. The connection still works."""
    connection = broker.connect()
    limit = _remote(connection).idle_time_out
    if not limit or limit > _LONGEST_TIME_OUT:
        raise NotTestable(f"the idle-time-out of the peer is {f'{limit} ms' if limit else 'none'}")
    connection.listen(1.3 * limit / 1000)
    LiveSession(connection).begin()


@amqp1_rule("open.idle-time-out/refuse-unsupported", "open.idle-time-out/receiver-unwilling", slow=True)
def time_out_of_a_millisecond(broker: Broker) -> None:
    """Open with an idle-time-out of 1 ms. The peer either closes with an error, or keeps sending frames."""
    connection = broker.before_open()
    connection.send(broker.make_open(idle_time_out=1))
    with suppress(NoAnswer):
        for _ in range(5):
            performative = connection.receive("a close with an error, or signs of life", 1.0).performative
            if isinstance(performative, Close):
                want(performative.error is not None, "an error that says why", "close without one")
                return
        return
    connection.expect_close("amqp:connection:framing-error", "amqp:invalid-field", "amqp:not-implemented")


@amqp1_rule("open.outgoing-locales/en-us-always", "open.incoming-locales/fallback")
def unknown_locale(broker: Broker) -> None:
    """Ask for a locale that does not exist, and provoke an error. The peer opens; its description is in ASCII."""
    with broker.trial():
        connection = broker.connect(incoming_locales=[Symbol("x-no-such-locale")])
    session = LiveSession(connection)
    session.begin()
    session.flow(handle=99, link_credit=1)
    description = expect_error(connection).description or ""
    want(description.isascii(), "a description in US English", description)


@amqp1_rule("ietf-language-tag/understand-en-us")
def known_locale(broker: Broker) -> None:
    """Open with en-US as the only locale wanted. The peer opens as well."""
    with broker.trial():
        broker.connect(incoming_locales=[Symbol("en-US")])


@amqp1_rule("amqp-error.illegal-state/wrong-state")
def second_open(broker: Broker) -> None:
    """Send open on a connection that is open. The error that comes is illegal-state or not-allowed."""
    connection = broker.connect()
    connection.send(broker.make_open())
    connection.expect_close("amqp:illegal-state", "amqp:not-allowed")


@amqp1_rule("fields/symbol-keys")
def string_key(broker: Broker) -> None:
    """Open with properties that have a string as key. The peer reports an error."""
    connection = broker.before_open()
    opening = broker.make_open()
    null = b"\x40"
    fields = (value("container"), value(opening.hostname), *[null] * 7, value({"a string": 1}))
    items = b"".join(fields)
    body = b"\x00\x53\x10\xc0" + bytes([len(items) + 1, len(fields)]) + items
    connection.send_octets(make_frame(body), "open with a string as key of its properties")
    connection.expect_close()


@amqp1_rule("open.channel-max/session-limit")
def session_above_limit(broker: Broker) -> None:
    """Open with a channel-max of 0 and begin two sessions. The peer answers the first, and the second with no begin."""
    connection = broker.connect(channel_max=0)
    LiveSession(connection).begin()
    connection.send(LiveSession(connection, 1).make_begin(), 1)
    for frame in connection.listen():
        want(not isinstance(frame.performative, Begin), "no second begin", frame)


# --- close ---


@amqp1_rule("close/before-closing", "close/last-thing-written", "close/half-close-write")
def close_is_answered(broker: Broker) -> None:
    """Send close. The peer's close comes, and no other octet after it."""
    connection = broker.connect()
    connection.send(Close())
    connection.expect(Close)
    connection.expect_silence()


@amqp1_rule("close/channel-zero")
def close_on_channel_zero(broker: Broker) -> None:
    """Send close. The peer's close is on channel 0."""
    connection = broker.connect()
    with broker.trial():
        connection.close()
    want(connection.frames[-1].channel == 0, "close on channel 0", f"channel {connection.frames[-1].channel}")


@amqp1_rule("close/channel-zero-with-open")
def close_with_open(broker: Broker) -> None:
    """Open with a max-frame-size of 1. A peer that closes the connection at once does so on channel 0."""
    connection = broker.before_open()
    connection.send(broker.make_open(max_frame_size=1))
    try:
        connection.expect(Close)
    except (NoAnswer, Disconnected):
        raise NotTestable("the peer does not close a connection for its open") from None
    for frame in connection.frames:
        want(frame.channel == 0, "channel 0", frame)


@amqp1_rule("close/any-channel")
def close_on_other_channel(broker: Broker) -> None:
    """Send close on channel 5, within what the peer allows. It answers with close."""
    connection = broker.connect()
    if _remote(connection).channel_max < 5:
        raise NotTestable("the peer does not take channel 5")
    connection.send(Close(), 5)
    connection.expect(Close)


@amqp1_rule("close/nothing-after-close", "close/half-close-read", "close/no-socket-reuse")
def frames_after_close(broker: Broker) -> None:
    """Send close and begin at once. The close is answered, the begin is not."""
    connection = broker.connect()
    begin = LiveSession(connection).make_begin()
    octets = amqp.encode_frame(0, Close()) + amqp.encode_frame(0, begin)
    connection.send_octets(octets, "close and begin in one piece")
    connection.expect(Close)
    connection.expect_silence()


@amqp1_rule("close/read-until-close", slow=True)
def close_can_wait(broker: Broker) -> None:
    """Make the peer close with an error, and send ours two seconds later. Until then the socket stays open."""
    connection, _ = provoke_close(broker)
    connection.expect_silence(2.0)
    want(not connection.ended, "an open socket", "the end of the stream")


@amqp1_rule("close/wait-limit", slow=True)
def close_is_never_answered(broker: Broker) -> None:
    """Make the peer close with an error, and do not answer. It closes the socket within 30 seconds."""
    connection, _ = provoke_close(broker)
    connection.expect_end("the end of the socket", _REASONABLE_SECONDS)


@amqp1_rule("close/discard-after-error")
def discard_after_error(broker: Broker) -> None:
    """Send a faulty frame and a begin at once. After the close with an error the peer sends nothing."""
    connection, _ = provoke_close(
        broker, amqp.encode_frame(0, Begin(next_outgoing_id=0, incoming_window=10, outgoing_window=10))
    )
    connection.expect_silence()


@amqp1_rule("close.error/details")
def close_says_why(broker: Broker) -> None:
    """Make the peer close with an error. It has a description."""
    _, close = provoke_close(broker)
    want(close.error is not None and bool(close.error.description), "an error with a description", close)


@amqp1_rule("close/simultaneous-close")
def crossing_close(broker: Broker) -> None:
    """Send a faulty frame and close at once, so that it crosses with the peer's close. Only one close comes."""
    connection, _ = provoke_close(broker, amqp.encode_frame(0, Close()))
    connection.expect_silence()


@amqp1_rule("end/ends-with-connection")
def session_ends_with_connection(broker: Broker) -> None:
    """Begin a session, cut the socket, and send a flow on this channel over a new connection. An error comes."""
    broker.begin().connection.shut()
    connection = broker.connect()
    LiveSession(connection).flow()
    _expect_end(connection, End)


def _remote(connection: LiveConnection) -> Open:
    assert connection.remote is not None  # connect() has waited for it
    return connection.remote


def _expect_end(connection: LiveConnection, *kinds: type[Close | End]) -> None:
    """Expect a close, the end of the stream, or one of the other types; not the answer due without a fault."""
    with suppress(Disconnected):
        frame = connection.wait(
            lambda frame: isinstance(frame.performative, (Close, Begin, *kinds)), "the end of the connection"
        )
        want(not isinstance(frame.performative, Begin), "the end of the connection", frame)
