"""Rules about how a 0-x connection begins: protocol header, start, login, tune, open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from ipaddress import ip_address
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_module

from ...variant_values import variant_value
from ..connection_frames import CLIENT, SERVER, AuditFrame
from ..rule import ERROR, INFO, WARNING, AuditRule, Told
from .deprecated import old_version
from .migration import frame_max_below_8192
from .setting import AuditSetting

_Fields: TypeAlias = Mapping[str, Any]

_LEAST_FRAME_MAX = 4096
_REQUIRED = ("product", "version")
_REQUIRED_LOCALE = "en_US"
_IN_CLEAR = ("PLAIN", "AMQPLAIN", "LOGIN")
_TLS_PORT = 5671
_OLD_VERSIONS = ("0-8", "0-9")
# Other protocols on the port of AMQP.
_FOREIGN = {"tls": "TLS", "http": "HTTP"}

_negotiation = partial(AuditRule, module=__name__, category="negotiation")


@_negotiation(
    "version-refused", ERROR, source="0-9-1 4.2.2", example="AMQP 0-10 to a broker that speaks 0-9-1"
)
def version_refused(frame: None, header: bytes, answer: bytes, protocol: str | None = None) -> Told:
    """A protocol header, or another protocol, that the server refuses by answering with its own header."""
    sent = f"AMQP {_numbers(header)}" if header[4:] else _FOREIGN.get(protocol or "", "no protocol header")
    return f"the client sent {sent}, the server answered AMQP {_numbers(answer)}"


@_negotiation(
    "header-of-old-spelling", INFO, source="0-9-1 4.2.2", example="AMQP 1 1 9 1 instead of AMQP 0 0 9 1"
)
def header_of_old_spelling(frame: None, header: bytes, protocol: str | None) -> Told:
    """A protocol header for one version in the form of another version."""
    return f"AMQP {_numbers(header)} for {protocol}"


@_negotiation(
    "frame-max-too-small",
    ERROR,
    source="connection.tune.frame-max/minimum, connection.tune-ok.frame-max/minimum",
    example="tune-ok with frame-max 1024",
)
def frame_max_too_small(frame: AuditFrame, frame_max: int) -> Told:
    """A frame-max below 4096 octets, the minimum that every peer has to accept."""
    return f"{frame.name} with frame-max {frame_max:,}" if 0 < frame_max < _LEAST_FRAME_MAX else None


@_negotiation(
    "tune-ok-above-tune",
    ERROR,
    source="connection.tune-ok.frame-max/upper-limit, connection.tune-ok.channel-max/upper-limit",
    example="tune with channel-max 2047, tune-ok with 65535",
)
def tune_ok_above_tune(frame: AuditFrame, name: str, asked: int, offered: int) -> Told:
    """A client that asks for more than the server offers."""
    limit = name.replace("_", "-")
    return f"{limit} {asked:,} (0 means no limit), the server offers {offered:,}"


@_negotiation(
    "mechanism-not-offered",
    ERROR,
    source="connection.start-ok.mechanism/validity",
    example="start with PLAIN AMQPLAIN, start-ok with EXTERNAL",
)
def mechanism_not_offered(frame: AuditFrame, mechanism: str, offered: Sequence[str] | None) -> Told:
    """A SASL mechanism that the server did not offer."""
    return _not_offered("mechanism", mechanism, offered)


@_negotiation(
    "locale-not-offered",
    INFO,
    source="connection.start-ok.locale",
    example="start with en_US, start-ok with de_DE",
)
def locale_not_offered(frame: AuditFrame, locale: str, offered: Sequence[str] | None) -> Told:
    """A locale that the server did not offer."""
    return _not_offered("locale", locale, offered)


@_negotiation(
    "locale-missing",
    ERROR,
    source="connection.start.locales/required-support",
    example="start with the locales de_DE",
)
def locale_missing(frame: AuditFrame, locales: Sequence[str]) -> Told:
    """A server that does not offer the locale en_US."""
    return None if _REQUIRED_LOCALE in locales else f"locales {' '.join(locales)[:80]!r}"


@_negotiation(
    "client-properties-missing",
    INFO,
    source="connection.start-ok.client-properties/required-fields",
    example="start-ok without client properties",
)
def client_properties_missing(frame: AuditFrame, fields: _Fields) -> Told:
    """A client that does not state its product and version, so that it cannot be identified."""
    return _missing(fields["client_properties"])


@_negotiation(
    "server-properties-missing",
    INFO,
    source="connection.start.server-properties/required-fields",
    example="start without server properties",
)
def server_properties_missing(frame: AuditFrame, fields: _Fields) -> Told:
    """A server that does not state its product and version."""
    return _missing(fields["server_properties"])


@_negotiation("credentials-in-clear", INFO, source="RFC 4616 6", example="start-ok with mechanism PLAIN")
def credentials_in_clear(
    frame: AuditFrame, mechanism: str, server_port: int | None, transport: str | None
) -> Told:
    """A password sent without TLS: anyone who captures the traffic can read it."""
    is_tls = server_port == _TLS_PORT or "tls" in (transport or "")
    is_clear = mechanism in _IN_CLEAR and not is_tls
    return f"mechanism {mechanism} without TLS" if is_clear else None


@_negotiation("guest-from-afar", INFO, source="RabbitMQ: access control", example="user guest from 10.0.0.7")
def guest_from_afar(frame: AuditFrame, user: str | None, client_ip: str | None) -> Told:
    """The default user guest from another machine, which RabbitMQ refuses unless configured otherwise."""
    return f"user guest from {client_ip}" if user == "guest" and not _is_here(client_ip) else None


login_refused = _negotiation(
    "login-refused",
    WARNING,
    "A login that the server refused",
    source="connection.start-ok.mechanism/security",
    example="connection.close 403 after start-ok",
)


@_negotiation(
    "heartbeat-disabled", INFO, source="connection.tune-ok.heartbeat", example="tune-ok with heartbeat 0"
)
def heartbeat_disabled(frame: AuditFrame, heartbeat: int) -> Told:
    """A connection negotiated without heartbeats: a dead peer is noticed late."""
    return None if heartbeat else "heartbeat 0 in tune-ok"


class NegotiationAudit:
    """Follows the methods of class connection up to open-ok.

    Attributes:
        asked_to_login: Whether start-ok was captured.
        asked_to_open: Whether connection.open was captured.
        is_tuned: Whether tune was captured: the server has accepted the login.
        is_open: Whether open-ok was captured.
    """

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting
        self._mechanisms: list[str] | None = None
        self._locales: list[str] | None = None
        self._tune: _Fields | None = None
        self.asked_to_login = self.asked_to_open = self.is_tuned = self.is_open = False

    def begin(self) -> None:
        """Judge what is known before the first frame."""
        setting = self._setting
        facts, judge = setting.connection.facts, setting.notes.judge
        answer = facts.get("answer_bytes")
        if answer and answer != setting.header and setting.connection.is_from_start:
            judge(version_refused, None, setting.header, answer, facts.get("protocol"))
        if not setting.package:
            return
        if setting.header and not setting.is_usual_header():
            judge(header_of_old_spelling, None, setting.header, facts.get("protocol"))
        if facts.get("protocol") in _OLD_VERSIONS and setting.is_version_certain:
            judge(old_version, None, facts["protocol"])

    def take(self, frame: AuditFrame, fields: _Fields) -> None:
        """Take a method of class connection on channel 0."""
        handler = _HANDLERS.get((frame.direction, frame.name))
        if handler is not None:
            handler(self, frame, fields)

    def _start(self, frame: AuditFrame, fields: _Fields) -> None:
        judge = self._setting.notes.judge
        self._mechanisms = _words(fields["mechanisms"])
        self._locales = _words(fields["locales"])
        judge(locale_missing, frame, self._locales)
        judge(server_properties_missing, frame, fields)

    def _start_ok(self, frame: AuditFrame, fields: _Fields) -> None:
        self.asked_to_login = True
        facts, judge = self._setting.connection.facts, self._setting.notes.judge
        mechanism = fields["mechanism"] or ""
        judge(mechanism_not_offered, frame, mechanism, self._mechanisms)
        judge(locale_not_offered, frame, fields["locale"] or "", self._locales)
        judge(client_properties_missing, frame, fields)
        judge(credentials_in_clear, frame, mechanism, facts.get("server_port"), facts.get("transport"))
        judge(guest_from_afar, frame, facts.get("user"), facts.get("client_ip"))

    def _take_tune(self, frame: AuditFrame, fields: _Fields) -> None:
        self._tune = fields
        self.is_tuned = True
        self._setting.notes.judge(frame_max_too_small, frame, fields["frame_max"])

    def _tune_ok(self, frame: AuditFrame, fields: _Fields) -> None:
        setting = self._setting
        agreed, judge = setting.agreed, setting.notes.judge
        judge(frame_max_too_small, frame, fields["frame_max"])
        exceeds = load_module(setting.package, "validation").exceeds
        for name in ("channel_max", "frame_max"):
            offered = None if self._tune is None else self._tune[name]
            if offered is not None and exceeds(fields[name], offered):
                judge(tune_ok_above_tune, frame, name, fields[name], offered)
        judge(frame_max_below_8192, frame, fields["frame_max"])
        agreed.frame_max, agreed.channel_max = fields["frame_max"], fields["channel_max"]
        agreed.heartbeat, agreed.is_known = fields["heartbeat"], True
        judge(heartbeat_disabled, frame, agreed.heartbeat)

    def _open(self, frame: AuditFrame, fields: _Fields) -> None:
        self.asked_to_open = True

    def _open_ok(self, frame: AuditFrame, fields: _Fields) -> None:
        self.is_open = True


_HANDLERS: Mapping[tuple[int, str | None], Callable[[NegotiationAudit, AuditFrame, _Fields], None]] = {
    (SERVER, "connection.start"): NegotiationAudit._start,
    (CLIENT, "connection.start-ok"): NegotiationAudit._start_ok,
    (SERVER, "connection.tune"): NegotiationAudit._take_tune,
    (CLIENT, "connection.tune-ok"): NegotiationAudit._tune_ok,
    (CLIENT, "connection.open"): NegotiationAudit._open,
    (SERVER, "connection.open-ok"): NegotiationAudit._open_ok,
}


def _not_offered(what: str, word: str, offered: Sequence[str] | None) -> str | None:
    """Return the evidence for a word that the other side did not offer, or None."""
    if offered is None or word in offered:
        return None
    return f"{what} {word[:40]!r}, offered are {' '.join(offered)[:80]!r}"


def _words(octets: bytes | None) -> list[str]:
    return (octets or b"").decode(errors="replace").split()


def _numbers(header: bytes) -> str:
    """Return the octets of a protocol header after ``AMQP`` as numbers."""
    return " ".join(map(str, header[4:]))


def _missing(properties: Any) -> str | None:
    """Return which required properties of a peer are missing, or None."""
    values = {} if properties is None else variant_value(properties)
    names = [name for name in _REQUIRED if not (isinstance(values, dict) and values.get(name))]
    return f"no {' and no '.join(names)}" if names else None


def _is_here(address: str | None) -> bool:
    """Return whether an address is one of the machine itself; True if unknown."""
    try:
        return address is None or ip_address(address).is_loopback
    except ValueError:
        return True
