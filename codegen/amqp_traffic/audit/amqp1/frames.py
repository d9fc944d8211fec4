"""Rules about single frames of AMQP 1.0: size, channel, undecodable performatives, error conditions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from amqp_codegen.support.resources import load_module, load_package

from ...capture.quarantine import Reason
from ...capture.stream_data import SIDES
from ...schemas import PACKAGE1
from ..amqp0.arguments import our_limit, text_not_utf8
from ..amqp0.frames import channel_above_max, frame_above_max, frame_type, stream_overlap
from ..amqp0.life import connection_closed_with_error, connection_forced
from ..connection_frames import AuditFrame, unread_frame
from ..rule import ERROR, WARNING, AuditRule, Evidence, Told
from .link import link_detached_with_error
from .session import session_ended_with_error
from .setting import AuditSetting

_SASL = 1  # frame type
_MOST_SAMPLE_OCTETS = 256  # longer payloads are cut off in the quarantine
_MOST_DESCRIPTION_CHARACTERS = 160
_FORCED = "amqp:connection:forced"
_STANDARD = "amqp:"
_ERRORS = "1.0 2.8.14"
_OPEN = "open"

_performatives = partial(AuditRule, module=__name__, category="1.0")

frame_size = _performatives(
    "frame-size",
    ERROR,
    "A frame whose size is smaller than that of a frame header",
    source="1.0 2.3.1",
    example="a frame whose size is 4",
)
data_offset = _performatives(
    "data-offset",
    ERROR,
    "A frame whose data offset (doff) points into its header, or beyond its end",
    source="1.0 2.3.1",
    example="a frame whose data offset (doff) is 1",
)
descriptor_unknown = _performatives(
    "descriptor-unknown",
    ERROR,
    "A frame whose body is not a known performative",
    source="1.0 2.7",
    example="a frame with the descriptor 0x1F",
)
performative_truncated = _performatives(
    "performative-truncated",
    ERROR,
    "A performative that is shorter than its length says",
    source="1.0 1.4",
    example="begin whose list has 32 octets, in a frame with two",
)
performative_undecodable = _performatives(
    "performative-undecodable",
    ERROR,
    "A performative that cannot be decoded for another reason, or whose content may not be shown",
    source="1.0 2.7",
    example="open with a number as container-id",
)
mandatory_missing = _performatives(
    "mandatory-missing",
    ERROR,
    "A performative without a mandatory field",
    source="1.0 1.4",
    example="begin without incoming-window",
)
field_type = _performatives(
    "field-type",
    ERROR,
    "A field with a value of the wrong type",
    source="1.0 1.4",
    example="attach with a string as handle",
)
too_many_fields = _performatives(
    "too-many-fields",
    ERROR,
    "A performative with more fields than its type defines",
    source="1.0 1.4",
    example="begin with nine fields",
)


@_performatives("payload-unexpected", ERROR, source="1.0 2.3.2", example="begin, and four octets after it")
def payload_unexpected(frame: AuditFrame, size: int) -> Told:
    """A payload after a performative other than transfer."""
    return f"{frame.name or 'a frame'} with {size:,} octets after it"


@_performatives(
    "error-condition-unknown", WARNING, source="1.0 2.8.15-2.8.18", example="close with amqp:no-such-thing"
)
def error_condition_unknown(frame: AuditFrame, condition: str) -> Told:
    """An error condition that begins with amqp: but is not in the specification."""
    if not condition.startswith(_STANDARD) or condition in _conditions():
        return None
    return f"{frame.name} with {condition[:80]!r}"


class FrameAudit:
    """Judges each frame by itself, with no state but the limits of ``open``."""

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting

    def check(self, frame: AuditFrame) -> None:
        """Check a frame of type AMQP, whatever its performative."""
        setting, name = self._setting, frame.name or "a frame"
        frame_max = setting.frame_max[1 - frame.direction]
        if frame_max is not None and frame.size > frame_max:
            text = f"{name} of {frame.size:,} octets, the other side takes {frame_max:,}"
            setting.notes.add(frame_above_max, frame, text, spec_ref="open.max-frame-size")
        if frame.channel:
            self._check_channel(frame, name)
        payload = 0 if frame.name == "transfer" else (frame.fields or {}).get("payload_size")
        if payload:
            setting.notes.judge(payload_unexpected, frame, payload)

    def _check_channel(self, frame: AuditFrame, name: str) -> None:
        setting = self._setting
        channel_max = min((limit for limit in setting.channel_max if limit is not None), default=None)
        if channel_max is not None and frame.channel > channel_max:
            text = f"{name} on channel {frame.channel}, the highest is {channel_max}"
            setting.notes.add(channel_above_max, frame, text, spec_ref="open.channel-max")

    def undecodable(self, frame: AuditFrame) -> None:
        """Note why a frame could not be decoded."""
        setting, name = self._setting, frame.name or "a frame"
        if setting.is_lossy:
            return
        if frame.err == Reason.OUR_LIMIT.value:
            setting.notes.judge(our_limit, frame, f"{name} of {frame.size:,} octets")
            return
        sample = setting.samples.get((frame.direction, frame.offset), b"")
        fault, text, path = _fault(sample, frame.type == _SASL)
        is_hidden = not sample and (frame.type == _SASL or frame.name == _OPEN)
        if is_hidden:
            text = "which may not be shown"  # samples that may hold secrets are not kept
        elif fault is None:
            fault = _UNDECODABLE.get(frame.err or "")
        text = f"{name} of {frame.size:,} octets: {text or frame.err}"
        if fault is None and frame.err == Reason.BAD_UTF8.value and not is_hidden:
            setting.notes.add(text_not_utf8, frame, text, spec_ref=path)
        else:
            setting.notes.judge(fault or performative_undecodable, frame, Evidence(text, spec_ref=path))

    def closed_with(self, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        """Note the error with which a connection, session or link is closed, if there is one."""
        condition, notes = fields.get("error_condition"), self._setting.notes
        if condition is None:
            return
        told = (fields.get("error_description") or "")[:_MOST_DESCRIPTION_CHARACTERS]
        text = f"{frame.name} {condition[:80]} {told!r} from the {SIDES[frame.direction]}"
        if condition == _FORCED:
            notes.add(connection_forced, frame, text, spec_ref=_ERRORS)
        elif frame.name == "close":
            notes.add(connection_closed_with_error, frame, text, spec_ref=_ERRORS)
        elif frame.name == "end":
            notes.judge(session_ended_with_error, frame, Evidence(text, spec_ref=_ERRORS))
        else:
            notes.judge(link_detached_with_error, frame, Evidence(text, spec_ref=_ERRORS))
        notes.judge(error_condition_unknown, frame, condition)

    def quarantined(self, row: Mapping[str, Any]) -> None:
        """Note octets that are not a frame, unless a gap in the capture may explain them.

        Args:
            row: Columns of ``quarantine``.
        """
        connection, direction = self._setting.connection, row.get("dir")
        unreadable = _UNREADABLE.get(row.get("reason") or "")
        if unreadable is None or direction is None or not connection.is_from_start:
            return
        if connection.facts.get(f"{SIDES[direction]}_bytes_gap"):
            return
        broken, text = unreadable
        text = f"{text}, at {row.get('stream_off')} in the stream; {row.get('length') or 0:,} octets left out"
        frame = unread_frame(row, direction)
        if broken is our_limit:
            self._setting.notes.judge(our_limit, frame, text)
        else:
            self._setting.notes.add(broken, frame, text, spec_ref="1.0 2.3.1")


def _fault(sample: bytes, is_sasl: bool) -> tuple[AuditRule | None, str, str]:
    """Return the rule that a performative breaks, the evidence and the field; None and empty if that is not certain.

    The evidence is in our words, without the value.
    """
    if not sample or len(sample) >= _MOST_SAMPLE_OCTETS:
        return None, "", ""
    errors = load_package(PACKAGE1).errors
    try:
        load_module(PACKAGE1, "columns").PerformativeColumns().append(sample, sasl=is_sasl)
    except errors.Malformed as error:
        if error.code in _MALFORMED:
            broken, said = _MALFORMED[error.code]
            return broken, f"{error.path} {said}".strip(), error.path
        return None, f"{error.path} is malformed".strip(), error.path
    except errors.CodecError as error:
        return None, f"{error.path} at octet {error.offset}".strip(), error.path
    return None, "", ""


# By the code of the error: the rule, and what the evidence says.
_MALFORMED = {
    "missing-field": (mandatory_missing, "is mandatory"),
    "too-many-fields": (too_many_fields, "fields at most"),
    "wrong-type": (field_type, "is of another type"),
}
# By the reason in the quarantine, where the octets do not show it.
_UNDECODABLE = {
    Reason.UNKNOWN_METHOD.value: descriptor_unknown,
    Reason.ARGS_TRUNCATED.value: performative_truncated,
    Reason.TABLE_TAG.value: field_type,
}
# Streams that break the protocol, by the reason in the quarantine.
_UNREADABLE = {
    Reason.FRAME_TYPE.value: (frame_type, "an unknown frame type"),
    Reason.FRAME_SIZE.value: (frame_size, "the size of a frame is below 8 octets"),
    Reason.DATA_OFFSET.value: (
        data_offset,
        "the data offset of a frame is below 2, or beyond the end of the frame",
    ),
    Reason.FRAME_BODY.value: (descriptor_unknown, "the body of a frame does not begin with a descriptor"),
    Reason.FRAME_MAX.value: (frame_above_max, "the head of a frame larger than what was agreed on"),
    Reason.OUR_FRAME_LIMIT.value: (our_limit, "a large frame"),
    Reason.OVERLAP_CONFLICT.value: (stream_overlap, "octets that differ when they are sent again"),
}


@cache
def _conditions() -> frozenset[str]:
    """Return all error conditions of the specification."""
    performatives, transactions = (load_module(PACKAGE1, name) for name in ("performatives", "transactions"))
    enums = (
        performatives.AmqpError,
        performatives.ConnectionErrorCondition,
        performatives.SessionError,
        performatives.LinkError,
        transactions.TransactionError,
    )
    return frozenset(str(getattr(member, "value", member)) for kind in enums for member in kind)
