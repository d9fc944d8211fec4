"""Compares the generated 0-9-1 codec, in C and in Python, with pika, py-amqp and pamqp."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pamqp.frame
import pika.frame

from ..harness import NATIVE, PURE, Wanted, Workload, each, own_packages
from ..new_texts import STRINGS, units
from . import messages as data
from .peers import PAMQP, PEERS, PIKA, Library, own_library

FAMILY = "AMQP 0-9-1"
_NEVER_SLOWER = {PURE: 1.0}
# Python reads lazy headers in both: what is measured is the noise.
_AS_FAST = {PURE: 0.9}

# What `amqp_native` is for; and of Python about a tenth less than what was measured, so that a missed one means a change.
WANTED: Mapping[tuple[str, str], Wanted] = {
    ("decode deliver + header + body", "repeated"): {
        NATIVE: {"pika": 14.0, "pamqp": 25.0, **_NEVER_SLOWER},
        PURE: {"pika": 2.0, "py-amqp": 2.0, "pamqp": 3.4},
    },
    ("decode deliver + header + body", "new"): {NATIVE: {"pika": 8.0, "pamqp": 14.0, **_NEVER_SLOWER}},
    ("encode publish + header + body", "repeated"): {
        NATIVE: {"pika": 18.0, "pamqp": 30.0, **_NEVER_SLOWER},
        PURE: {"pika": 2.2, "py-amqp": 3.0, "pamqp": 3.9},
    },
    ("encode publish + header + body", "new"): {NATIVE: _NEVER_SLOWER},
    ("build and encode them", "repeated"): {
        NATIVE: {"pika": 8.0, **_NEVER_SLOWER},
        PURE: {"pika": 2.0, "py-amqp": 2.9, "pamqp": 3.5},
    },
    ("build and encode them", "new"): {NATIVE: _NEVER_SLOWER},
    ("decode it with lazy properties", "repeated"): {
        NATIVE: _AS_FAST,
        PURE: {"pika": 5.4, "py-amqp": 5.2, "pamqp": 9.0},
    },
    ("decode a table of 20 entries", "repeated"): {
        NATIVE: {"pika": 10.0, "pamqp": 10.0, **_NEVER_SLOWER},
        PURE: {"pika": 1.7, "py-amqp": 1.6, "pamqp": 1.9},
    },
    ("decode a table of 20 entries", "new"): {NATIVE: _NEVER_SLOWER},
    ("encode a table of 20 entries", "repeated"): {
        NATIVE: {"pika": 10.0, "pamqp": 10.0, **_NEVER_SLOWER},
        PURE: {"pika": 1.6, "py-amqp": 1.4, "pamqp": 1.9},
    },
    ("encode a table of 20 entries", "new"): {NATIVE: _NEVER_SLOWER},
    ("decode all methods", "repeated"): {NATIVE: _NEVER_SLOWER, PURE: {"pika": 2.0, "pamqp": 3.5}},
    ("encode all methods", "repeated"): {NATIVE: _NEVER_SLOWER, PURE: {"pika": 2.3, "pamqp": 3.9}},
}

Candidates = Mapping[str, Callable[[], object]]


def workloads() -> list[Workload]:
    """All of them."""
    packages = own_packages("amqp_0_9_1_rabbitmq")
    libraries = {**{name: own_library(package) for name, package in packages.items()}, **PEERS}
    found = []
    for strings in STRINGS:
        found += message_workloads(libraries, packages[PURE], strings)
        found += table_workloads(libraries, strings)
    found.append(lazy_workload(libraries, packages))
    return [*found, *method_workloads(packages)]


def workload(name: str, count: int, candidates: Candidates, strings: str = "repeated") -> Workload:
    """A workload of this family with what is wanted of it."""
    return Workload(FAMILY, name, count, candidates, WANTED.get((name, strings), {}), strings)


def message_workloads(libraries: Mapping[str, Library], amqp: Any, strings: str) -> list[Workload]:
    """A stream of deliveries, and as many messages to publish."""
    contents = units(strings, data.content)
    stream = deliveries(amqp, contents)
    for library in libraries.values():
        check_messages(library, stream, contents[-1])
    decoders: dict[str, Callable[[], object]] = {}
    encoders: dict[str, Callable[[], object]] = {}
    builders: dict[str, Callable[[], object]] = {}
    for name, library in libraries.items():
        prepared = [library.prepare(content) for content in contents]
        decoders[name] = partial(library.decode, stream)
        encoders[name] = partial(library.encode, library.build(prepared))
        builders[name] = partial(build_and_encode, library, prepared)
    return [
        workload("decode deliver + header + body", len(contents), decoders, strings),
        workload("encode publish + header + body", len(contents), encoders, strings),
        workload("build and encode them", len(contents), builders, strings),
    ]


def build_and_encode(library: Library, prepared: list[Any]) -> bytes:
    """Makes the objects of each message, and its octets; returns those of the last."""
    return library.encode(library.build(prepared))


def deliveries(amqp: Any, contents: list[data.Content]) -> bytes:
    """A stream of all messages."""
    return b"".join(
        amqp.encode_message(
            1,
            amqp.methods.BasicDeliver(**content.deliver),
            amqp.BasicProperties(**content.properties, timestamp=data.TIMESTAMP),
            data.BODY,
            max_frame_size=131_072,
        )
        for content in contents
    )


def check_messages(library: Library, stream: bytes, last: data.Content) -> None:
    """The library decodes all, and encodes as many octets as pika."""
    headers = [_headers_of(frame) for frame in library.decode(stream)]
    assert [found for found in headers if found is not None][-1] == last.properties["headers"]
    octets = build_and_encode(library, [library.prepare(last)])
    expected = build_and_encode(PIKA, [PIKA.prepare(last)])
    # pamqp writes small numbers in tables with other letters.
    assert len(octets) == len(expected) or library is PAMQP


def _headers_of(frame: Any) -> Any:
    """The headers of a frame of any library: py-amqp gives whole messages, we pairs with the channel."""
    header = frame[1] if isinstance(frame, tuple) else frame
    properties = getattr(header, "properties", None)
    if isinstance(properties, dict):
        return properties.get("application_headers")
    return getattr(properties, "headers", None)


def lazy_workload(libraries: Mapping[str, Library], packages: Mapping[str, Any]) -> Workload:
    """The stream of deliveries, with properties that nobody asks for."""
    contents = units("repeated", data.content)
    stream = deliveries(packages[PURE], contents)
    candidates: dict[str, Callable[[], object]] = {
        **{
            name: partial(package.decode_frames, stream, lazy_properties=True)
            for name, package in packages.items()
        },
        **{name: partial(libraries[name].decode, stream) for name in PEERS},
    }
    return workload("decode it with lazy properties", len(contents), candidates)


def table_workloads(libraries: Mapping[str, Library], strings: str) -> list[Workload]:
    """Field tables of 20 entries."""
    tables = units(strings, data.table)
    octets = [PIKA.encode_table(table) for table in tables]
    for library in libraries.values():
        for found in (octets[-1], library.encode_table(tables[-1])):
            table = library.decode_table(found)
            assert tables[-1] == (table if isinstance(table, dict) else table[0])
    decoders = {name: each(library.decode_table, octets) for name, library in libraries.items()}
    encoders = {name: each(library.encode_table, tables) for name, library in libraries.items()}
    return [
        workload("decode a table of 20 entries", len(tables), decoders, strings),
        workload("encode a table of 20 entries", len(tables), encoders, strings),
    ]


def method_workloads(packages: Mapping[str, Any]) -> list[Workload]:
    """Every method that pika and pamqp know, too, with filled arguments, as frames."""
    amqp = packages[PURE]
    frames = [amqp.encode_frame(1, _filled(method)) for method in amqp.METHODS.values()]
    frames = [frame for frame in frames if _known_to_peers(frame)]
    stream = b"".join(frames)
    methods = {
        name: [method for _, method in package.decode_frames(stream)[0]] for name, package in packages.items()
    }
    pika_methods = [pika.frame.decode_frame(frame)[1].method for frame in frames]
    pamqp_methods = [pamqp.frame.unmarshal(frame)[2] for frame in frames]
    decoders: dict[str, Callable[[], object]] = {
        **{name: partial(package.decode_frames, stream) for name, package in packages.items()},
        "pika": each(pika.frame.decode_frame, frames),
        "pamqp": each(pamqp.frame.unmarshal, frames),
    }
    encoders: dict[str, Callable[[], object]] = {
        **{name: each(partial(package.encode_frame, 1), methods[name]) for name, package in packages.items()},
        "pika": each(lambda method: pika.frame.Method(1, method).marshal(), pika_methods),
        "pamqp": each(lambda method: pamqp.frame.marshal(method, 1), pamqp_methods),
    }
    return [
        workload("decode all methods", len(frames), decoders),
        workload("encode all methods", len(frames), encoders),
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
