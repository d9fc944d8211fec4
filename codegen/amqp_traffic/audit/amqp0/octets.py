"""The first octets of a 0-x frame, put together again from what a lake stores.

A lake stores the arguments of methods, not the payloads of frames. What cannot be encoded again exactly is left out: the
table at the end of a method, and content. The arguments of class connection are left out because they hold secrets.
"""

from __future__ import annotations

from typing import Any

from amqp_codegen.support.resources import load_package

from ..connection_frames import HEADER, METHOD, AuditFrame

_FRAME_HEADER_SIZE = 7
_END = b"\xce"
_CONNECTION = 10  # class id
_TABLE_LENGTH = 4  # octets of the length of a table


def first_octets(frame: AuditFrame, package: str) -> bytes:
    """Return the known octets of a frame: its header (type, channel, size), and the beginning of a method's payload.

    ``package`` is the generated package that decodes it; empty if none does.
    """
    if frame.frame_no < 0:  # from the quarantine, which has a sample
        return bytes((frame.fields or {}).get("sample") or b"")
    if frame.type < 0:
        return b""
    payload_size = max(frame.size - _FRAME_HEADER_SIZE - len(_END), 0)
    head = bytes((frame.type,)) + frame.channel.to_bytes(2, "big") + payload_size.to_bytes(4, "big")
    return head + _payload(frame, package, payload_size)


def _payload(frame: AuditFrame, package: str, size: int) -> bytes:
    if frame.type == HEADER and frame.class_id is not None:
        return frame.class_id.to_bytes(2, "big")
    if frame.type != METHOD or frame.class_id is None or frame.method_id is None or not package:
        return b""
    ids = frame.class_id.to_bytes(2, "big") + frame.method_id.to_bytes(2, "big")
    fields = frame.fields
    if fields is None or frame.class_id == _CONNECTION or fields.get("misfits") is not None:
        return ids
    return _encoded(load_package(package), int.from_bytes(ids, "big"), fields, size) or ids


def _encoded(amqp: Any, key: int, fields: Any, size: int) -> bytes:
    """Return the payload of a method up to its table; empty if that is not certain."""
    kind = amqp.METHODS.get(key)
    layout: list[Any] = [] if kind is None else list(kind.FIELDS)
    tables = [field.name for field in layout if field.type == "table"]
    has_table = bool(tables)
    if kind is None or (has_table and tables != [layout[-1].name]):
        return b""
    values = {field.name: fields.get(field.name) for field in layout if not field.reserved}
    values.update({name: {} for name in tables})
    try:
        payload: bytes = kind(**values).encode()
    except (amqp.errors.CodecError, TypeError, ValueError):
        return b""
    if has_table:
        return payload[:-_TABLE_LENGTH] if len(payload) <= size else b""
    whole = len(payload) == size
    return payload + _END if whole else b""
