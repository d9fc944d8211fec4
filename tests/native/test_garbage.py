"""Objects of ``amqp_native_ingest`` are collected with what refers to them, and what they hold is looked at by the collector."""

from __future__ import annotations

import gc
import importlib.util
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("amqp_native_ingest", reason="needs the cores in C: make native")
pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

import amqp_native_ingest as native
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import OrderedQuarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.decode.body_retention import parse_body_retention
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.native import tables as native_tables
from amqp_traffic.ingest.native.host import NativeHost
from amqp_traffic.ingest.native.tables import NativeTables

from tests.fuzz.hostile_captures import M, disposition, talk, transfer
from tests.traffic.synth.made_captures import make

TALK_0 = make(seed=5, size=60_000, connections=3, mix={"0-9-1-rabbitmq": 1}).capture
TALK_1 = talk(
    [
        (0, transfer(0)),
        (1, disposition(0, None, state=M.Accepted())),
        (0, transfer(1, more=True)),
        (0, transfer(2)),
    ]
)


class Witness:
    """Refers to an ingest, and is referred to by something that only C holds."""

    def __init__(self) -> None:
        self.core: Any = None


class Text(str):
    """A str that leads to a witness."""

    witness: Witness


class Pair(tuple[Any, ...]):
    """A tuple that does."""

    witness: Witness


def text(value: str, witness: Witness) -> Text:
    made = Text(value)
    made.witness = witness
    return made


def pair(values: Any, witness: Witness) -> Pair:
    made = Pair(values)
    made.witness = witness
    return made


def in_the_host(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    original = NativeHost.describe

    def describe(host: Any, number: int) -> Any:
        host.witness = witness
        return original(host, number)

    patch.setattr(NativeHost, "describe", describe)


def in_a_conversation(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    original = NativeHost.begin

    def begin(host: NativeHost, *arguments: Any) -> Any:
        conversation: Any = original(host, *arguments)
        conversation.witness = witness
        return conversation

    patch.setattr(NativeHost, "begin", begin)


def in_a_reader(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    original = NativeHost.describe

    def describe(host: NativeHost, number: int) -> Any:
        family, rows, *rest = original(host, number)
        key, name_number, name, reader, *facts = rows[0]

        def reading(*arguments: Any) -> Any:
            assert witness
            return reader(*arguments)

        return family, [(key, name_number, name, reading, *facts), *rows[1:]], *rest

    patch.setattr(NativeHost, "describe", describe)


def in_a_state(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NativeHost, "read_state", lambda *_: (text("accepted", witness), "ack"))


def in_an_address(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NativeHost, "address_of", lambda *_: text("a queue", witness))


def in_a_body(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NativeHost, "keep_body", lambda *_: pair((None, b"beginning"), witness))


def in_a_content(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    original = NativeHost.new_content

    def new_content(host: NativeHost) -> Any:
        content: Any = original(host)
        content.witness = witness
        return content

    patch.setattr(NativeHost, "new_content", new_content)


def in_a_column(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    original = native_tables._native_columns

    def columns(table: str) -> Any:
        return tuple((text(name, witness), kind) for name, kind in original(table))

    patch.setattr(native_tables, "_native_columns", columns)


def in_the_texts_of_secrets(witness: Witness, patch: pytest.MonkeyPatch) -> None:
    original = native_tables._secret_texts
    patch.setattr(native_tables, "_secret_texts", lambda: pair(original(), witness))


PLACES: list[tuple[Callable[[Witness, pytest.MonkeyPatch], None], bytes]] = [
    (in_the_host, TALK_0),
    (in_a_conversation, TALK_0),
    (in_a_reader, TALK_0),
    (in_a_reader, TALK_1),
    (in_a_state, TALK_1),
    (in_an_address, TALK_1),
    (in_a_body, TALK_0),
    (in_a_content, TALK_1),
    (in_a_column, TALK_0),
    (in_the_texts_of_secrets, TALK_0),
]


@contextmanager
def few_objects() -> Iterator[None]:
    """The collector leaves out what is there already, so that it is fast."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def tables(bodies: str = "none") -> NativeTables:
    settings = ReadSettings(bodies=parse_body_retention(bodies))
    return NativeTables("capture", settings, lambda *_: None, OrderedQuarantine())


def segments(capture: bytes) -> list[Any]:
    return list(read_segments(recognise_capture(capture)))


@pytest.mark.parametrize(("place", "capture"), PLACES)
def test_a_cycle_through_what_only_c_holds(
    place: Callable[[Witness, pytest.MonkeyPatch], None], capture: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ingest is in the midst of it: connections are open, messages wait to be settled."""
    listed = segments(capture)
    with few_objects():
        witness = Witness()
        place(witness, monkeypatch)
        made = tables("head:10" if place in (in_a_body, in_a_content) else "none")
        witness.core, left = made.core, weakref.ref(witness)
        made.core.add(listed[: len(listed) * 5 // 8 if capture is TALK_0 else len(listed) * 2 // 3])
        monkeypatch.undo()
        alone = Witness()
        assert sys.getrefcount(witness) > sys.getrefcount(alone), "nothing refers to it"
        del witness, made
        assert left() is not None
        gc.collect()
        assert left() is None


def test_a_scan_in_a_cycle() -> None:
    made = tables()
    host: Any = made._host
    host.scan = native.Scan(native.FlowBuckets(b"\1" * 1024), 0, 512, made.core)
    host.scan.read_pcap(TALK_1, 24, True, 1000, 1)
    left = weakref.ref(host)
    del host, made
    gc.collect()
    assert left() is None


@pytest.mark.parametrize("capture", [TALK_0, TALK_1])
def test_the_collector_looks_at_an_ingest_at_work(capture: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken() -> Any:
        made = tables("head:10")
        made.core.add(segments(capture))
        made.core.finish()
        return made.core.take()

    expected, calls = taken(), list[str]()

    def collecting(name: str) -> Callable[..., Any]:
        original = getattr(NativeHost, name)

        def called(*arguments: Any) -> Any:
            gc.collect()
            calls.append(name)
            return original(*arguments)

        return called

    for name in (
        "begin",
        "end",
        "describe",
        "read_state",
        "address_of",
        "new_content",
        "keep_body",
        "text_of",
    ):
        monkeypatch.setattr(NativeHost, name, collecting(name))
    with few_objects():
        assert taken() == expected
    assert {"begin", "end", "describe"} < set(calls)


def test_each_module_object_has_its_own_types() -> None:
    spec = importlib.util.find_spec("amqp_native_ingest")
    assert spec is not None and spec.loader is not None
    other = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(other)
    assert other.Scan is not native.Scan
    with pytest.raises(TypeError, match="FlowBuckets or None"):
        native.Scan(other.FlowBuckets(bytes(1024)), 0, 512)
    left = weakref.ref(other.Ingest)
    del other
    gc.collect()
    assert left() is None
