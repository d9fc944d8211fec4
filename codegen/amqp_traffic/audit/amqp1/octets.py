"""The first octets of a frame of AMQP 1.0, as they were: what a lake has of them.

A lake has neither payloads nor data offsets. What was said can be encoded in several ways, so nothing is put together anew.
"""

from __future__ import annotations

from ..connection_frames import AuditFrame


def first_octets(frame: AuditFrame) -> bytes:
    """What is known of the octets of a frame.

    Args:
        frame: The frame.

    Returns:
        Its size; of octets that are no frame, what the quarantine has of them.
    """
    if frame.frame_no < 0:
        return bytes((frame.fields or {}).get("sample") or b"")
    return frame.size.to_bytes(4, "big") if frame.type >= 0 else b""
