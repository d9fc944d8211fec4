"""Compares the generated 1.0 codec, in C and in Python, with python-qpid-proton and azure's ``_pyamqp``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..harness import NATIVE, PURE, Wanted, Workload, each, own_packages
from ..new_texts import STRINGS, units
from . import messages as data
from .peers import AZURE, PEERS, PROTON, Library, decode_proton_unread, own_library

FAMILY = "AMQP 1.0"
_NEVER_SLOWER = {PURE: 1.0}
_VALUES_IN_C = {"proton": 10.0, **_NEVER_SLOWER}

# What `amqp_native` is for; and of Python about a tenth less than what was measured, so that a missed one means a change.
WANTED: Mapping[str, Wanted] = {
    "decode transfer + message": {
        NATIVE: {"proton": 25.0, "azure": 12.0, **_NEVER_SLOWER},
        PURE: {"proton": 3.3, "azure": 1.4},
    },
    "encode transfer + message": {
        NATIVE: {"proton": 15.0, "azure": 30.0, **_NEVER_SLOWER},
        PURE: {"proton": 2.9, "azure": 6.0},
    },
    "build and encode transfer + message": {PURE: {"proton": 4.3, "azure": 5.2}},
    "decode message": {PURE: {"proton": 2.8, "azure": 1.5}},
    "encode message": {PURE: {"proton": 3.0, "azure": 6.2}},
    "decode a list of 50": {NATIVE: _VALUES_IN_C, PURE: {"proton": 3.6}},
    "encode a list of 50": {NATIVE: _VALUES_IN_C, PURE: {"proton": 2.6}},
    "decode a map of 50": {NATIVE: _VALUES_IN_C, PURE: {"proton": 4.2}},
    "encode a map of 50": {NATIVE: _VALUES_IN_C, PURE: {"proton": 4.2}},
}

Candidates = Mapping[str, Callable[[], object]]


def workloads() -> list[Workload]:
    """All of them."""
    packages = own_packages("amqp_1_0")
    libraries = {**{name: own_library(package) for name, package in packages.items()}, **PEERS}
    found = []
    for strings in STRINGS:
        found += message_workloads(libraries, strings)
        found += value_workloads(libraries, strings)
    return found


def workload(name: str, count: int, candidates: Candidates, strings: str) -> Workload:
    """A workload of this family with what is wanted of it: where texts are new, only to be faster than Python."""
    wanted = WANTED.get(name, {}) if strings == "repeated" else {}
    return Workload(FAMILY, name, count, candidates, {NATIVE: _NEVER_SLOWER, **wanted}, strings)


def message_workloads(libraries: Mapping[str, Library], strings: str) -> list[Workload]:
    """A stream of transfers, each with a whole message; and the messages alone."""
    contents = units(strings, data.content)
    prepared = {
        name: [library.prepare(content) for content in contents] for name, library in libraries.items()
    }
    built = {name: library.build(prepared[name]) for name, library in libraries.items()}
    messages = {name: [message for _, message in parts] for name, parts in built.items()}
    pure = libraries[PURE]
    stream = b"".join(pure.encode([parts]) for parts in built[PURE])
    payloads = [pure.encode_message(message) for message in messages[PURE]]
    check_messages(libraries, built, stream)
    decoders = {name: partial(library.decode, stream) for name, library in libraries.items()}
    encoders = {name: partial(library.encode, built[name]) for name, library in libraries.items()}
    builders = {
        name: partial(build_and_encode, library, prepared[name]) for name, library in libraries.items()
    }
    readers = {name: each(library.decode_message, payloads) for name, library in libraries.items()}
    writers = {name: each(library.encode_message, messages[name]) for name, library in libraries.items()}
    unread = {**readers, "proton": each(decode_proton_unread, payloads)}
    count = len(contents)
    return [
        workload("decode transfer + message", count, decoders, strings),
        workload("encode transfer + message", count, encoders, strings),
        workload("build and encode transfer + message", count, builders, strings),
        workload("decode message", count, readers, strings),
        workload("decode message, proton's fields left in C", count, unread, strings),
        workload("encode message", count, writers, strings),
    ]


def build_and_encode(library: Library, prepared: list[Any]) -> bytes:
    """Makes the objects of each transfer and message, and their octets; returns those of the last."""
    return library.encode(library.build(prepared))


def check_messages(libraries: Mapping[str, Library], built: Mapping[str, Any], stream: bytes) -> None:
    """All libraries decode what was sent, and encode the same."""
    pure = libraries[PURE]
    for name, library in libraries.items():
        assert pure.decode(library.encode(built[name])) == built[PURE][-1:]
    assert pure.decode(stream) == built[PURE]
    sent = built[PURE][-1][1]
    transfer, fields = PROTON.decode(stream)[-1]
    assert transfer.value[:5] == list(data.TRANSFER.values())[:5]
    assert fields[-2:] == (sent.application_properties, data.BODY)
    assert fields[1] == data.HEADER["priority"] and fields[4] == sent.properties.message_id
    transfer, message = AZURE.decode(stream)[-1]
    assert transfer[:5] == list(data.TRANSFER.values())[:5]
    assert message.properties.message_id == sent.properties.message_id.encode()
    assert message.data == [data.BODY]
    assert len(message.application_properties) == len(sent.application_properties)


def value_workloads(libraries: Mapping[str, Library], strings: str) -> list[Workload]:
    """Lists and maps of 50 values of fourteen types."""
    values = units(strings, data.values)
    lists = {name: [library.as_list(value) for value in values] for name, library in libraries.items()}
    maps = {name: [library.as_map(value) for value in values] for name, library in libraries.items()}
    return [*_both_ways("list", libraries, lists, strings), *_both_ways("map", libraries, maps, strings)]


def _both_ways(
    what: str, libraries: Mapping[str, Library], values: Mapping[str, list[Any]], strings: str
) -> list[Workload]:
    pure = libraries[PURE]
    octets = [pure.encode_value(value) for value in values[PURE]]
    last = values[PURE][-1]
    for name, library in libraries.items():
        assert pure.decode_value(bytes(library.encode_value(values[name][-1])))[0] == last
        found = library.decode_value(octets[-1])
        found = found[0] if isinstance(found, tuple) else found
        # azure's strings stay octets.
        assert found == last or (library is AZURE and len(found) == len(last))
    decoders = {name: each(library.decode_value, octets) for name, library in libraries.items()}
    encoders = {name: each(library.encode_value, values[name]) for name, library in libraries.items()}
    return [
        workload(f"decode a {what} of 50", len(octets), decoders, strings),
        workload(f"encode a {what} of 50", len(octets), encoders, strings),
    ]
