"""Compares the generated 0-9-1 codec with pamqp, pika and py-amqp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import amqp.serialization
import amqp_0_9_1_rabbitmq as ours
import pamqp.decode
import pamqp.encode
import pamqp.frame
import pika.data
import pika.frame

from . import messages0 as data
from . import peers0 as peers
from .harness import Result, compare

# About a tenth less than what was measured, so that a missed one means a change, not noise.
PURE = {
    "decode deliver + header + body": {"pika": 1.9, "py-amqp": 1.9, "pamqp": 3.2},
    "decode it with lazy properties": {"pika": 5.0, "py-amqp": 4.8, "pamqp": 9.0},
    "encode publish + header + body": {"pika": 2.3, "py-amqp": 3.1, "pamqp": 4.0},
    "decode a table of 20 entries": {"pika": 1.8, "py-amqp": 1.6, "pamqp": 1.9},
    "encode a table of 20 entries": {"pika": 1.8, "py-amqp": 1.6, "pamqp": 2.2},
    "decode all methods": {"pika": 1.9, "pamqp": 3.4},
    "encode all methods": {"pika": 2.5, "pamqp": 4.2},
}
COMPILED = {
    "decode deliver + header + body": {"pika": 6.5, "pamqp": 11.0},
    "encode publish + header + body": {"pika": 3.4, "pamqp": 6.0},
    "decode a table of 20 entries": {"pika": 3.4, "pamqp": 3.8},
    "encode a table of 20 entries": {"pika": 2.7, "pamqp": 3.3},
    "decode all methods": {"pika": 6.0, "pamqp": 11.0},
    "encode all methods": {"pika": 3.2, "pamqp": 6.8},
}
MESSAGES = 50


def build_ours() -> tuple[Any, Any]:
    """Method and properties."""
    method = ours.methods.BasicPublish(**data.PUBLISH)
    return method, ours.BasicProperties(**data.PROPERTIES, timestamp=data.TIMESTAMP)


def encode_ours(method: Any, properties: Any) -> bytes:
    """Publish, header and body."""
    return ours.encode_message(1, method, properties, data.BODY, 131_072)


def message_workloads() -> list[Result]:
    """A stream of deliveries, and one publish."""
    deliver = ours.methods.BasicDeliver(**data.DELIVER)
    properties = ours.BasicProperties(**data.PROPERTIES, timestamp=data.TIMESTAMP)
    stream = ours.encode_message(1, deliver, properties, data.BODY, 131_072) * MESSAGES
    assert ours.decode_frames(stream)[0][1][1].properties == properties
    assert peers.decode_pika(stream)[1].properties.headers == data.HEADERS
    assert peers.decode_pamqp(stream)[1].properties.headers == data.HEADERS
    assert peers.decode_py_amqp(stream)[0].properties["application_headers"] == data.HEADERS
    our_parts, pika_parts = build_ours(), peers.build_pika()
    pamqp_parts, py_amqp_parts = peers.build_pamqp(), peers.build_py_amqp()
    assert len(encode_ours(*our_parts)) == len(peers.encode_pika(*pika_parts))
    assert len(encode_ours(*our_parts)) == len(peers.encode_py_amqp(*py_amqp_parts))
    decoders: dict[str, Callable[[], object]] = {
        "pika": lambda: peers.decode_pika(stream),
        "py-amqp": lambda: peers.decode_py_amqp(stream),
        "pamqp": lambda: peers.decode_pamqp(stream),
    }
    encoders: dict[str, Callable[[], object]] = {
        "pika": lambda: peers.encode_pika(*pika_parts),
        "py-amqp": lambda: peers.encode_py_amqp(*py_amqp_parts),
        "pamqp": lambda: peers.encode_pamqp(*pamqp_parts),
    }
    builders: dict[str, Callable[[], object]] = {
        "pika": lambda: peers.encode_pika(*peers.build_pika()),
        "py-amqp": lambda: peers.encode_py_amqp(*peers.build_py_amqp()),
        "pamqp": lambda: peers.encode_pamqp(*peers.build_pamqp()),
    }
    return [
        compare("decode deliver + header + body", lambda: ours.decode_frames(stream), decoders, MESSAGES),
        compare(
            "decode it with lazy properties",
            lambda: ours.decode_frames(stream, lazy_properties=True),
            decoders,
            MESSAGES,
        ),
        compare("encode publish + header + body", lambda: encode_ours(*our_parts), encoders, 1),
        compare("build and encode them", lambda: encode_ours(*build_ours()), builders, 1),
    ]


def table_workloads() -> list[Result]:
    """A field table of 20 entries."""
    raw = ours.encode_table(data.TABLE)
    assert ours.decode_table(raw)[0] == data.TABLE
    assert pika.data.decode_table(raw, 0)[0] == data.TABLE
    assert pamqp.decode.field_table(raw)[1] == data.TABLE
    assert amqp.serialization.loads("F", raw, 0)[0][0] == data.TABLE

    def encode_pika() -> None:
        pieces: list[bytes] = []
        pika.data.encode_table(pieces, data.TABLE)
        b"".join(pieces)

    return [
        compare(
            "decode a table of 20 entries",
            lambda: ours.decode_table(raw),
            {
                "pika": lambda: pika.data.decode_table(raw, 0),
                "py-amqp": lambda: amqp.serialization.loads("F", raw, 0),
                "pamqp": lambda: pamqp.decode.field_table(raw),
            },
            1,
        ),
        compare(
            "encode a table of 20 entries",
            lambda: ours.encode_table(data.TABLE),
            {
                "pika": encode_pika,
                "py-amqp": lambda: amqp.serialization.dumps("F", (data.TABLE,)),
                "pamqp": lambda: pamqp.encode.field_table(data.TABLE),
            },
            1,
        ),
    ]


def method_workloads() -> list[Result]:
    """Every method that all three know, with filled arguments, as frames."""
    frames = []
    for method in ours.METHODS.values():
        frame = ours.encode_frame(1, _filled(method))
        if _known_to_peers(frame):
            frames.append(frame)
    stream = b"".join(frames)
    our_methods = [frame for _, frame in ours.decode_frames(stream)[0]]
    pika_methods = [pika.frame.decode_frame(frame)[1].method for frame in frames]
    pamqp_methods = [pamqp.frame.unmarshal(frame)[2] for frame in frames]
    print(f"(all methods: the {len(frames)} of {len(ours.METHODS)} that pika and pamqp decode and encode)")
    return [
        compare(
            "decode all methods",
            lambda: ours.decode_frames(stream),
            {
                "pika": lambda: [pika.frame.decode_frame(frame) for frame in frames],
                "pamqp": lambda: [pamqp.frame.unmarshal(frame) for frame in frames],
            },
            len(frames),
        ),
        compare(
            "encode all methods",
            lambda: [ours.encode_frame(1, method) for method in our_methods],
            {
                "pika": lambda: [pika.frame.Method(1, method).marshal() for method in pika_methods],
                "pamqp": lambda: [pamqp.frame.marshal(method, 1) for method in pamqp_methods],
            },
            len(frames),
        ),
    ]


_VALUES: dict[str, Any] = {
    "bit": True,
    "octet": 7,
    "short": 300,
    "long": 70_000,
    "longlong": 2**40,
    "timestamp": 1_700_000_000,
    "shortstr": "some-name",
    "longstr": b"some octets",
    "table": {"x-max-length": 1000, "x-queue-type": "classic"},
}


def _filled(method: Any) -> Any:
    return method(**{field.name: _VALUES[field.type] for field in method.FIELDS if not field.reserved})


def _known_to_peers(frame: bytes) -> bool:
    """pika lacks a constructor for connection.update-secret, pamqp cannot marshal two of the reserved fields."""
    try:
        pika.frame.Method(1, pika.frame.decode_frame(frame)[1].method).marshal()
        pamqp.frame.marshal(pamqp.frame.unmarshal(frame)[2], 1)
    except Exception:
        return False
    return True


def workloads() -> list[Result]:
    """All of them."""
    return [*message_workloads(), *table_workloads(), *method_workloads()]
