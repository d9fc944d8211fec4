"""How a 0-x connection begins: protocol header, start, login, tune, open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Any

from amqp_codegen.support.packages import load_module

from ...decode.variant_values import variant_value
from ..connection_frames import CLIENT, SERVER, AuditFrame
from .setting import AuditSetting

_LEAST_FRAME_MAX = 4096
_NEW_LEAST_FRAME_MAX = 8192  # of RabbitMQ from 4.1 on
_REQUIRED = ("product", "version")
_REQUIRED_LOCALE = "en_US"
_IN_CLEAR = ("PLAIN", "AMQPLAIN", "LOGIN")
_TLS_PORT = 5671
_OLD_VERSIONS = ("0-8", "0-9")


class NegotiationAudit:
    """Looks at the methods of class connection up to open-ok.

    Attributes:
        asked_to_login: Whether start-ok was captured.
        asked_to_open: Whether connection.open was captured.
        is_tuned: Whether the server has accepted the login.
        is_open: Whether open-ok was captured.
    """

    __slots__ = (
        "_locales",
        "_mechanisms",
        "_setting",
        "_tune",
        "asked_to_login",
        "asked_to_open",
        "is_open",
        "is_tuned",
    )

    def __init__(self, setting: AuditSetting) -> None:
        """Begin.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self._mechanisms: list[str] | None = None
        self._locales: list[str] | None = None
        self._tune: Mapping[str, Any] | None = None
        self.asked_to_login = self.asked_to_open = self.is_tuned = self.is_open = False

    def begin(self) -> None:
        """What is known before the first frame."""
        setting = self._setting
        facts, note = setting.connection.facts, setting.notes.add
        answer = facts.get("answer_bytes")
        if answer and answer != setting.header and setting.connection.is_from_start:
            told = " ".join(map(str, answer[4:]))
            said = " ".join(map(str, setting.header[4:]))
            sent = f"AMQP {said}" if said else "no protocol header"
            note("version-refused", None, f"the client sent {sent}, the server answered AMQP {told}")
        if not setting.package:
            return
        if setting.header and not setting.is_usual_header():
            numbers = " ".join(map(str, setting.header[4:]))
            note("header-of-old-spelling", None, f"AMQP {numbers} for {facts.get('protocol')}")
        if facts.get("protocol") in _OLD_VERSIONS and setting.is_version_certain:
            note("old-version", None, f"AMQP {facts['protocol']}")

    def take(self, frame: AuditFrame, key: int, fields: Mapping[str, Any]) -> None:
        """A method of class connection came, on channel 0."""
        handler = _HANDLERS.get((frame.direction, key))
        if handler is not None:
            handler(self, frame, fields)

    def _start(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        note = self._setting.notes.add
        self._mechanisms = _words(fields["mechanisms"])
        self._locales = _words(fields["locales"])
        if _REQUIRED_LOCALE not in self._locales:
            note("locale-missing", frame, f"locales {' '.join(self._locales)[:80]!r}")
        missing = _missing(fields["server_properties"])
        if missing:
            note("server-properties-missing", frame, f"no {' and no '.join(missing)}")

    def _start_ok(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        self.asked_to_login = True
        facts, note = self._setting.connection.facts, self._setting.notes.add
        mechanism, locale = fields["mechanism"] or "", fields["locale"] or ""
        if self._mechanisms is not None and mechanism not in self._mechanisms:
            offered = " ".join(self._mechanisms)[:80]
            note("mechanism-not-offered", frame, f"mechanism {mechanism[:40]!r}, offered are {offered!r}")
        if self._locales is not None and locale not in self._locales:
            offered = " ".join(self._locales)[:80]
            note("locale-not-offered", frame, f"locale {locale[:40]!r}, offered are {offered!r}")
        missing = _missing(fields["client_properties"])
        if missing:
            note("client-properties-missing", frame, f"no {' and no '.join(missing)}")
        if mechanism in _IN_CLEAR and facts.get("server_port") != _TLS_PORT:
            note("credentials-in-clear", frame, f"mechanism {mechanism} without TLS")
        if facts.get("user") == "guest" and not _is_here(facts.get("client_ip")):
            note("guest-from-afar", frame, f"user guest from {facts.get('client_ip')}")

    def _take_tune(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        self._tune = fields
        self.is_tuned = True
        self._check_frame_max(frame, fields["frame_max"])

    def _tune_ok(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        setting = self._setting
        agreed, note = setting.agreed, setting.notes.add
        self._check_frame_max(frame, fields["frame_max"])
        exceeds = load_module(setting.package, "validation").exceeds
        for name in ("channel_max", "frame_max"):
            offered = None if self._tune is None else self._tune[name]
            if offered is not None and exceeds(fields[name], offered):
                text = f"{name.replace('_', '-')} {fields[name]:,} (0 is no limit), the server offers {offered:,}"
                note("tune-ok-above-tune", frame, text)
        if 0 < fields["frame_max"] < _NEW_LEAST_FRAME_MAX:
            note("frame-max-below-8192", frame, f"frame-max {fields['frame_max']:,}")
        agreed.frame_max, agreed.channel_max = fields["frame_max"], fields["channel_max"]
        agreed.heartbeat, agreed.is_known = fields["heartbeat"], True
        if not agreed.heartbeat:
            note("heartbeat-disabled", frame, "heartbeat 0 in tune-ok")

    def _check_frame_max(self, frame: AuditFrame, frame_max: int) -> None:
        if 0 < frame_max < _LEAST_FRAME_MAX:
            self._setting.notes.add(
                "frame-max-too-small", frame, f"{frame.name} with frame-max {frame_max:,}"
            )

    def _open(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        self.asked_to_open = True

    def _open_ok(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        self.is_open = True


_HANDLERS: Mapping[tuple[int, int], Callable[[NegotiationAudit, AuditFrame, Mapping[str, Any]], None]] = {
    (SERVER, 0x000A000A): NegotiationAudit._start,
    (CLIENT, 0x000A000B): NegotiationAudit._start_ok,
    (SERVER, 0x000A001E): NegotiationAudit._take_tune,
    (CLIENT, 0x000A001F): NegotiationAudit._tune_ok,
    (CLIENT, 0x000A0028): NegotiationAudit._open,
    (SERVER, 0x000A0029): NegotiationAudit._open_ok,
}


def _words(octets: bytes | None) -> list[str]:
    return (octets or b"").decode(errors="replace").split()


def _missing(properties: Any) -> list[str]:
    """What should be in the properties of a peer, and is not."""
    found = {} if properties is None else variant_value(properties)
    return [name for name in _REQUIRED if not (isinstance(found, dict) and found.get(name))]


def _is_here(address: str | None) -> bool:
    """Whether it is an address of the machine itself; True if it is not known."""
    try:
        return address is None or ip_address(address).is_loopback
    except ValueError:
        return True
