"""What each rule about AMQP 1.0 finds, and what is nearly the same and is not found by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import Data, Header, Properties
from amqp_1_0.performatives import Attach, Begin, Close, Detach, End, Error, Flow, Open
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome
from amqp_1_0.types import Described, UInt, ULong

from ...messages.performative_script import CLIENT, RECEIVER, SENDER, SERVER
from ..audited_performatives import MESSAGE, Spoken

_WINDOWS: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 100, "outgoing_window": 100}
_UNSETTLED, _SETTLED = (amqp.performatives.SenderSettleMode(number) for number in (0, 1))
_PROPERTIES = amqp.Message(properties=Properties(message_id="m"), body=Data(b"")).encode()
_BODY = amqp.Message(body=Data(b"")).encode()


def _octets(code: int, *fields: Any) -> bytes:
    return bytes(amqp.encode(Described(ULong(code), list(fields))))


def _said(*spoken: tuple[int, Any], to: Spoken | None = None) -> Spoken:
    """Performatives of either side."""
    to = to or Spoken()
    for direction, performative in spoken:
        to.say(direction, performative)
    return to


def _undecodable(payload: bytes, name: str, err: str = "decode-error") -> Spoken:
    spoken = Spoken().opened()
    spoken.say_octets(payload, name, err)
    return spoken


def _unreadable(reason: str) -> Spoken:
    """The client sends octets that are not a frame."""
    spoken = Spoken().opened()
    place = {"stream_off": spoken.offsets[CLIENT], "length": 8}
    spoken.quarantined.append({"dir": CLIENT, "stage": "frame", "reason": reason, **place})
    spoken.facts["client_bytes_skipped"] = 8
    return spoken


def _after(spoken: Spoken, *said: tuple[int, Any]) -> Spoken:
    return _said(*said, to=spoken)


def _opened(*said: tuple[int, Any]) -> Spoken:
    return _said(*said, to=Spoken().opened())


def _started(*said: tuple[int, Any]) -> Spoken:
    return _said(*said, to=Spoken().started())


def _linked(*said: tuple[int, Any]) -> Spoken:
    return _said(*said, to=Spoken().started().linked())


def _login(code: int, *said: tuple[int, Any]) -> Spoken:
    return _said(
        (SERVER, SaslMechanisms(["PLAIN", "ANONYMOUS"])),
        (CLIENT, SaslInit("ANONYMOUS")),
        (SERVER, SaslOutcome(SaslCode(code))),
        *said,
    )


def _silence(milliseconds: int, idle: int = 1000) -> Spoken:
    spoken = Spoken().opened(idle_time_out=idle)
    spoken.empty(SERVER, milliseconds)
    return spoken.closed()


def _vanished(milliseconds: int) -> Spoken:
    """The server says nothing more, until somebody breaks the connection off."""
    spoken = Spoken().opened(idle_time_out=1000)
    spoken.facts |= {"end_mode": "rst", "end_ns": spoken.now + milliseconds * 1_000_000}
    return spoken


def _unanswered(performative: Any, milliseconds: int) -> Spoken:
    """The client waits, and closes the connection."""
    spoken = Spoken().opened()
    spoken.say(CLIENT, performative)
    spoken.now += milliseconds * 1_000_000
    return spoken.closed()


def _flow(**fields: Any) -> Flow:
    return Flow(**{"next_incoming_id": 0} | _WINDOWS | fields)


def _header(header: Header | None) -> bytes:
    return amqp.Message(header=header, body=Data(b"x")).encode()


def _received() -> Spoken:
    """A client that is a receiver, and has two deliveries."""
    return Spoken().started().linked(RECEIVER).deliver(0, 1)


Make = Callable[[], Spoken]
_OPEN, _BEGIN = Open("client"), Begin(**_WINDOWS)
_BEGIN_ANSWER = Begin(remote_channel=0, **_WINDOWS)
_ATTACH = Attach("other", 5, RECEIVER)

# By rule: what it finds, and what it does not.
CASES: Mapping[str, tuple[Make, Make]] = {
    # --- Frames and performatives
    "frame-size": (lambda: _unreadable("frame-size"), lambda: _unreadable("frame-gap")),
    "data-offset": (lambda: _unreadable("data-offset"), lambda: _unreadable("frame-gap")),
    "descriptor-unknown": (lambda: _undecodable(_octets(0x1F), "", "unknown-method"), _started),
    "performative-truncated": (lambda: _undecodable(b"\x00\x53\x11\xc0\x20\x04\x40", "begin", "args-truncated"),
                               _started),
    "performative-undecodable": (lambda: _undecodable(b"", "open"),
                                 lambda: _undecodable(_octets(0x11, None, UInt(0)), "begin")),
    "mandatory-missing": (lambda: _undecodable(_octets(0x11, None, UInt(0)), "begin"),
                          lambda: _undecodable(_octets(0x12, "name", "zero", False), "attach")),
    "field-type": (lambda: _undecodable(_octets(0x12, "name", "zero", False), "attach"),
                   lambda: _undecodable(_octets(0x12, "name", UInt(0)), "attach")),
    "too-many-fields": (lambda: _undecodable(_octets(0x17, None, None), "end"),
                        lambda: _undecodable(_octets(0x17, UInt(1)), "end")),
    "payload-unexpected": (lambda: _with_payload(_BEGIN, b"more"), lambda: _linked().send()),
    "error-condition-unknown": (lambda: _opened((SERVER, Close(Error("amqp:no-such-thing")))),
                                lambda: _opened((SERVER, Close(Error("amqp:internal-error"))))),
    # --- The connection
    "sasl-out-of-order": (
        lambda: _login(0, (CLIENT, SaslInit("ANONYMOUS")), (CLIENT, SaslInit("ANONYMOUS"))),
        lambda: _login(0, (CLIENT, SaslInit("ANONYMOUS"))),  # it may have been on its way
    ),
    "wrong-direction": (lambda: _said((CLIENT, SaslMechanisms(["PLAIN"]))), lambda: _login(0)),
    "mechanism-not-offered": (lambda: _said((SERVER, SaslMechanisms(["PLAIN"])), (CLIENT, SaslInit("ANONYMOUS"))),
                              lambda: _login(0)),
    "login-refused": (lambda: _login(1), lambda: _login(0)),
    "credentials-in-clear": (lambda: _said((SERVER, SaslMechanisms(["PLAIN"])), (CLIENT, SaslInit("PLAIN"))),
                             lambda: _login(0)),
    "open-after-refusal": (
        lambda: _login(1, (CLIENT, SaslInit("ANONYMOUS")), (CLIENT, _OPEN)),
        lambda: _login(1, (CLIENT, _OPEN)),  # it may have been on its way
    ),
    "open-missing": (lambda: _said((CLIENT, _BEGIN)), _started),
    "open-twice": (lambda: _opened((CLIENT, _OPEN)), _opened),
    "open-on-channel": (lambda: _on_channel(_OPEN, 1), lambda: _on_channel(_OPEN, 0)),
    "max-frame-size-too-small": (lambda: Spoken().opened(max_frame_size=511),
                                 lambda: Spoken().opened(max_frame_size=512)),
    "idle-time-out-short": (lambda: Spoken().opened(idle_time_out=50), lambda: Spoken().opened(idle_time_out=500)),
    "heartbeat-late": (lambda: _silence(2100), lambda: _silence(1900)),
    "request-unanswered": (lambda: _unanswered(_BEGIN, 5100), lambda: _unanswered(_BEGIN, 4900)),
    "heartbeat-lost": (lambda: _vanished(2100), lambda: _vanished(1900)),
    "frame-above-max": (lambda: _linked().send(payload=_of_size(4100)),
                        lambda: _linked().send(payload=_of_size(4000))),
    "channel-above-max": (lambda: _on_channel(_BEGIN, 10, _opened()), lambda: _on_channel(_BEGIN, 9, _opened())),
    "after-close": (lambda: _after(_opened().closed(), (CLIENT, _BEGIN)),
                    lambda: _opened((CLIENT, Close()), (SERVER, _BEGIN))),
    "tail-after-close": (lambda: _after(_opened().closed(), (SERVER, _BEGIN)),
                         lambda: _opened((CLIENT, Close()), (SERVER, _BEGIN))),
    "unclean-close": (_opened, lambda: _opened().closed()),
    "close-not-answered": (lambda: _opened((CLIENT, Close())), lambda: _opened().closed()),
    "connection-closed-with-error": (lambda: _opened((SERVER, Close(Error("amqp:internal-error")))),
                                     lambda: _opened((SERVER, Close(Error("amqp:connection:forced"))))),
    "connection-forced": (lambda: _opened((SERVER, Close(Error("amqp:connection:forced")))),
                          lambda: _opened().closed()),
    # --- Sessions
    "begin-twice": (lambda: _started((CLIENT, _BEGIN)),
                    lambda: _started((CLIENT, End()), (SERVER, End()), (CLIENT, _BEGIN))),
    "remote-channel-wrong": (
        lambda: _opened((SERVER, Begin(remote_channel=7, **_WINDOWS))),
        # The answer to a session that has been ended since.
        lambda: _opened((CLIENT, _BEGIN), (CLIENT, End()), (SERVER, _BEGIN_ANSWER)),
    ),
    "session-unknown": (
        lambda: _opened((CLIENT, _ATTACH)),
        # On its way when the other side ended the session.
        lambda: _started((SERVER, End()), (CLIENT, _ATTACH), (CLIENT, End())),
    ),
    "session-ended-with-error": (lambda: _started((SERVER, End(Error("amqp:session:window-violation")))),
                                 lambda: _started((SERVER, End()))),
    "end-not-answered": (lambda: _started((CLIENT, End())), lambda: _started((CLIENT, End()), (CLIENT, Close()))),
    "window-exceeded": (
        lambda: Spoken().started(incoming_window=2).linked(window=2).send(0).send(1).send(2),
        # A smaller window may not have arrived yet.
        lambda: _narrowed(Spoken().started(incoming_window=3).linked(window=3)).send(0).send(1).send(2),
    ),
    "next-incoming-id-missing": (lambda: _started((CLIENT, Flow(**_WINDOWS))),
                                 lambda: _opened((CLIENT, _BEGIN), (CLIENT, Flow(**_WINDOWS)))),
    "credit-without-link": (lambda: _started((CLIENT, _flow(link_credit=5))),
                            lambda: _after(_started().linked(RECEIVER), (CLIENT, _flow(handle=0, link_credit=5)))),
    # --- Links
    "handle-in-use": (lambda: _linked((CLIENT, Attach("other", 0, RECEIVER))),
                      lambda: _linked((CLIENT, Detach(0)), (CLIENT, Attach("other", 0, RECEIVER)))),
    "handle-unknown": (
        lambda: _started().send(handle=77),
        # On its way when the other side detached.
        lambda: _linked((SERVER, Detach(0))).send(),
    ),
    "handle-above-max": (lambda: _after(Spoken().started(handle_max=4), (CLIENT, _ATTACH)),
                         lambda: _after(Spoken().started(handle_max=5), (CLIENT, _ATTACH))),
    "link-name-in-use": (lambda: _after(_started().linked(RECEIVER), (CLIENT, Attach("link", 1, RECEIVER))),
                         lambda: _started().linked(RECEIVER).linked(SENDER)),
    "delivery-count-missing": (lambda: _started((CLIENT, Attach("link", 0, SENDER))),
                               lambda: _started((CLIENT, Attach("link", 0, RECEIVER)))),
    "link-detached-with-error": (lambda: _linked((SERVER, Detach(0, error=Error("amqp:not-found")))),
                                 lambda: _linked((SERVER, Detach(0)))),
    "detach-not-answered": (lambda: _linked((CLIENT, Detach(0))),
                            lambda: _linked((CLIENT, Detach(0)), (CLIENT, End()))),
    "credit-exceeded": (
        lambda: _started().linked(credit=2).send(0).send(1).send(2),
        # Credit that is taken back may be gone already.
        lambda: _reduced(_started().linked(credit=3)).send(0).send(1).send(2),
    ),
    "transfer-from-receiver": (lambda: _started().linked(RECEIVER).send(), lambda: _started().linked(SENDER).send()),
    # --- Deliveries
    "delivery-id-missing": (lambda: _linked().send(None, delivery_tag=b"tag"),
                            lambda: _linked().send(0, more=True).send(None, payload=b"")),
    "delivery-id-not-next": (
        lambda: _linked().send(0).send(5),
        # They count round, from any number.
        lambda: _linked().send(0xFFFFFFFF).send(0).send(1),
    ),
    "delivery-id-changed": (lambda: _linked().send(0, more=True).send(1, payload=b""),
                            lambda: _linked().send(0, more=True).send(0, payload=b"")),
    "delivery-tag-missing": (lambda: _linked().send(0, delivery_tag=None),
                             lambda: _linked().send(0, delivery_tag=b"")),
    "delivery-tag-too-long": (lambda: _linked().send(0, delivery_tag=bytes(33)),
                              lambda: _linked().send(0, delivery_tag=bytes(32))),
    "delivery-not-finished": (
        lambda: _after(_linked().send(0, more=True), (CLIENT, Detach(0))),
        lambda: _after(_linked().send(0, more=True).send(None, payload=b"", aborted=True), (CLIENT, Detach(0)))),
    "settle-mode-broken": (lambda: _started().linked(snd_settle_mode=_UNSETTLED).send(),
                           lambda: _started().linked(snd_settle_mode=_SETTLED).send()),
    "settled-withdrawn": (lambda: _linked().send(0, more=True).send(None, payload=b"", settled=False),
                          lambda: _linked().send(0, more=True).send(None, payload=b"", settled=None)),
    "message-too-large": (lambda: _started().linked(max_message_size=5).send(),
                          lambda: _started().linked(max_message_size=len(MESSAGE)).send()),
    "sections-out-of-order": (lambda: _linked().send(payload=MESSAGE + _PROPERTIES),
                              lambda: _linked().send(payload=MESSAGE + MESSAGE)),
    "body-missing": (lambda: _linked().send(payload=_PROPERTIES[: -len(_BODY)]),
                     lambda: _linked().send(payload=_PROPERTIES)),
    "message-not-durable": (lambda: _linked().send(payload=_header(None)),
                            lambda: _linked().send(payload=_header(Header(durable=True)))),
    "message-expires": (lambda: _linked().send(payload=_header(Header(ttl=60_000))),
                        lambda: _linked().send(payload=_header(Header(durable=True)))),
    "disposition-range": (lambda: _received().settled(1, 0), lambda: _received().settled(0, 1)),
    "disposition-unknown": (lambda: _received().settled(2), lambda: _received().settled(1)),
    "disposition-wrong-role": (lambda: _linked().send(0, settled=False).settled(0),
                               lambda: _linked().send(0, settled=False).settled(0, role=SENDER)),
    "settled-twice": (
        lambda: _received().settled(0).settled(0),
        # One of these was not settled.
        lambda: _received().settled(0).settled(0, 1),
    ),
}  # fmt: skip


def _with_payload(performative: Any, payload: bytes) -> Spoken:
    spoken = Spoken().opened()
    spoken.say(CLIENT, performative, payload)
    return spoken


def _on_channel(performative: Any, channel: int, spoken: Spoken | None = None) -> Spoken:
    spoken = spoken or Spoken()
    spoken.say(CLIENT, performative, channel=channel)
    return spoken


def _of_size(size: int) -> bytes:
    return amqp.Message(body=Data(bytes(size))).encode()


def _narrowed(spoken: Spoken) -> Spoken:
    spoken.flow(SERVER, incoming_window=0)
    return spoken


def _reduced(spoken: Spoken) -> Spoken:
    spoken.flow(SERVER, handle=0, delivery_count=0, link_credit=0)
    return spoken
