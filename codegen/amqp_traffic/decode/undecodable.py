"""Why a frame cannot be decoded, and how much of it may be shown."""

from __future__ import annotations

from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..frames.formats import FrameSpan

_SAMPLE_OCTETS = 256


def reason_of(error: Exception) -> Reason:
    """The reason that stands for an error of a generated package.

    The kind of error decides; where there are several causes for one kind, the message, which is generated, too.
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
    """Put a frame into the quarantine.

    Args:
        quarantine: Takes it.
        frame: The frame.
        connection: The number of the connection.
        direction: 0 from the client, 1 from the server.
        error: What was wrong. Its text is not used: it may have octets of the frame.
        name: What the frame is, if that is known.
        is_secret: Whether secrets may be in it; then there is no sample.

    Returns:
        The reason.
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
