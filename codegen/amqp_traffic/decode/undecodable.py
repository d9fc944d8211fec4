"""``quarantine_frame`` keeps why a frame cannot be decoded, and as much of it as may be shown."""

from __future__ import annotations

from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..frames.formats import FrameSpan

_SAMPLE_OCTETS = 256


def reason_of(error: Exception) -> Reason:
    """Return the reason for an error of a generated package.

    It follows from the class of the error; if that has several causes, from its message, which is generated, too.
    """
    kind, message = type(error).__name__, getattr(error, "message", "")
    if kind == "Truncated":
        return Reason.ARGS_TRUNCATED
    if kind == "Unknown":
        is_value = "no letter" in message or "format code" in message
        return Reason.TABLE_TAG if is_value else Reason.UNKNOWN_METHOD
    if kind == "Malformed" and "left over" in message:
        return Reason.ARGS_TRAILING
    if kind == "Malformed" and ("UTF-8" in message or "Unicode" in message):
        return Reason.BAD_UTF8
    return Reason.DECODE_ERROR


def quarantine_frame(
    quarantine: Quarantine,
    frame: FrameSpan,
    connection: int,
    direction: int,
    error: Exception,
    name: str | None,
    is_secret: bool,
) -> Reason:
    """Put a frame into the quarantine, and return the reason.

    The text of the error is not used: it may contain octets of the frame. ``name`` is the method or performative, if it is
    known. If ``is_secret``, the frame may have secrets, and there is no sample.
    """
    reason = reason_of(error)
    offset = getattr(error, "offset", 0)
    item = Quarantined(
        reason,
        frame.size,
        frame.packet_no,
        frame.packet_offset,
        frame.ns,
        connection,
        direction,
        frame.offset,
        f"{name or 'unknown'}, octet {offset} of the payload",
        b"" if is_secret else frame.payload[:_SAMPLE_OCTETS],
    )
    quarantine.add(item)
    return reason
