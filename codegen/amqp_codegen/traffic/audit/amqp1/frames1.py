"""Single frames of AMQP 1.0: sizes, channels, what cannot be decoded, conditions of errors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ....packages import load_module, load_package
from ...core.quarantine import Reason
from ..trail import TrailFrame, unread_frame
from .setting1 import SIDES, Setting1

_PACKAGE = "amqp_1_0"
_SASL = 1  # frame type
_WHOLE_SAMPLE = 256  # octets; a longer payload is cut off there
_MOST_TEXT = 160
_FORCED = "amqp:connection:forced"
_STANDARD = "amqp:"
_CLOSED = {
    "close": "connection-closed-with-error",
    "end": "session-ended-with-error",
    "detach": "link-detached-with-error",
}
_OPEN = "open"
_UNDECODABLE = "performative-undecodable"
_RULES = {
    Reason.UNKNOWN_METHOD.value: "descriptor-unknown",
    Reason.ARGS_TRUNCATED.value: "performative-truncated",
    Reason.BAD_UTF8.value: "text-not-utf8",
    Reason.TABLE_TAG.value: "field-type",
}
# What is in the quarantine because a stream is not as it has to be.
_STREAM_RULES = {
    Reason.FRAME_TYPE.value: (
        "frame-type",
        "the head of a frame with a size, data offset or type that it cannot have",
    ),
    Reason.FRAME_MAX.value: ("frame-above-max", "the head of a frame larger than what was agreed on"),
    Reason.OVERLAP_CONFLICT.value: ("stream-overlap", "octets that differ when they are sent again"),
}


class Frames1:
    """Looks at frames without regard to what came before, but for ``open``."""

    __slots__ = ("_setting",)

    def __init__(self, setting: Setting1) -> None:
        """Begin.

        Args:
            setting: That of the connection.
        """
        self._setting = setting

    def check(self, frame: TrailFrame) -> None:
        """Check a frame of type AMQP, whatever is in it."""
        setting, name = self._setting, frame.name or "a frame"
        frame_max = setting.frame_max[1 - frame.direction]
        if frame_max is not None and frame.size > frame_max:
            text = f"{name} of {frame.size:,} octets, the other side takes {frame_max:,}"
            setting.notes.add("frame-above-max", frame, text, spec_ref="open.max-frame-size")
        if frame.channel:
            self._check_channel(frame, name)
        payload = 0 if frame.name == "transfer" else (frame.fields or {}).get("payload_size")
        if payload:
            setting.notes.add("payload-unexpected", frame, f"{name} with {payload:,} octets after it")

    def _check_channel(self, frame: TrailFrame, name: str) -> None:
        setting = self._setting
        channel_max = min((each for each in setting.channel_max if each is not None), default=None)
        if channel_max is not None and frame.channel > channel_max:
            text = f"{name} on channel {frame.channel}, the highest is {channel_max}"
            setting.notes.add("channel-above-max", frame, text, spec_ref="open.channel-max")

    def undecodable(self, frame: TrailFrame) -> None:
        """A frame could not be decoded."""
        setting, name = self._setting, frame.name or "a frame"
        if setting.is_lossy:
            return
        sample = setting.samples.get((frame.direction, frame.offset), b"")
        rule, text, path = _fault(sample, frame.type == _SASL)
        if not sample and (frame.type == _SASL or frame.name == _OPEN):
            text = "which may not be shown"  # there is nothing left of what may have secrets
        elif not rule:
            rule = _RULES.get(frame.err or "", "")
        rule = rule or _UNDECODABLE
        setting.notes.add(rule, frame, f"{name} of {frame.size:,} octets: {text or frame.err}", spec_ref=path)

    def closed_with(self, frame: TrailFrame, fields: Mapping[str, Any]) -> None:
        """A connection, session or link is closed: was it because of an error?"""
        rule, condition = _CLOSED.get(frame.name or ""), fields.get("error_condition")
        if rule is None or condition is None:
            return
        told = (fields.get("error_description") or "")[:_MOST_TEXT]
        text = f"{frame.name} {condition[:80]} {told!r} from the {SIDES[frame.direction]}"
        is_forced = condition == _FORCED
        self._setting.notes.add(
            "connection-forced" if is_forced else rule, frame, text, spec_ref="1.0 2.8.14"
        )
        if condition.startswith(_STANDARD) and condition not in _conditions():
            self._setting.notes.add("error-condition-unknown", frame, f"{frame.name} with {condition[:80]!r}")

    def quarantined(self, row: Mapping[str, Any]) -> None:
        """Note octets that are no frame, unless that may be because something was not captured.

        Args:
            row: Columns of ``quarantine``.
        """
        connection, direction = self._setting.connection, row.get("dir")
        rule, text = _STREAM_RULES.get(row.get("reason") or "", ("", ""))
        if not rule or direction is None or not connection.is_from_start:
            return
        if connection.facts.get(f"{SIDES[direction]}_bytes_gap"):
            return
        text = f"{text}, at {row.get('stream_off')} in the stream; {row.get('length') or 0:,} octets left out"
        self._setting.notes.add(rule, unread_frame(row, direction), text, spec_ref="1.0 2.3.1")


def _fault(sample: bytes, is_sasl: bool) -> tuple[str, str, str]:
    """What is wrong with a performative: a rule, a text, the field; empty where that is not certain.

    The text is that of the generated package, without the value.
    """
    if not sample or len(sample) >= _WHOLE_SAMPLE:
        return "", "", ""
    errors = load_package(_PACKAGE).errors
    try:
        load_module(_PACKAGE, "columns").PerformativeColumns().append(sample, is_sasl)
    except errors.Malformed as error:
        for words, rule in _MALFORMED.items():
            if words in error.message:
                return rule, f"{error.path} {words}".strip(), error.path
        return "", f"{error.path} is malformed".strip(), error.path
    except errors.CodecError as error:
        return "", f"{error.path} at octet {error.offset}".strip(), error.path
    return "", "", ""


# By what the generated package says.
_MALFORMED = {
    "is mandatory": "mandatory-missing",
    "fields at most": "too-many-fields",
    "is no ": "field-type",
}


@cache
def _conditions() -> frozenset[str]:
    """All conditions that the specification has."""
    performatives, transactions = (load_module(_PACKAGE, name) for name in ("performatives", "transactions"))
    kinds = (
        performatives.AmqpError,
        performatives.ConnectionError,
        performatives.SessionError,
        performatives.LinkError,
        transactions.TransactionError,
    )
    return frozenset(str(getattr(member, "value", member)) for kind in kinds for member in kind)
