"""The first octets of an AMQP 1.0 frame, as far as a lake stores them.

A lake stores neither payloads nor data offsets. A performative can be encoded in several ways, so it is not encoded again.
"""

from __future__ import annotations

from ..connection_frames import AuditFrame


def first_octets(frame: AuditFrame) -> bytes:
    """Return the size of a frame as octets; of octets that are not a frame, the sample in the quarantine."""
    if frame.frame_no < 0:
        return bytes((frame.fields or {}).get("sample") or b"")
    return frame.size.to_bytes(4, "big") if frame.type >= 0 else b""
