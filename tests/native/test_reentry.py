"""What C asks of Python must not use the object that is at work; nor may Python change under it what it reads or writes."""

from __future__ import annotations

import gc
import uuid
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest

pytest.importorskip("amqp_native_ingest", reason="needs the cores in C: make native")
pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

import amqp_native_ingest as native
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import OrderedQuarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.frames.native_conversation import NativeConversation
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.native.host import NativeHost
from amqp_traffic.ingest.native.tables import NativeTables

from tests.fuzz.hostile_captures import M, disposition, talk, transfer

CAPTURE = talk([(0, transfer(0)), (1, disposition(0, None, settled=True, state=M.Accepted()))])


def tables() -> NativeTables:
    return NativeTables("capture", ReadSettings(), lambda *_: None, OrderedQuarantine())


def segments() -> list[Any]:
    return list(read_segments(recognise_capture(CAPTURE)))


def calling(monkeypatch: pytest.MonkeyPatch, calls: list[Callable[[], object]]) -> list[str]:
    """Let the host make these calls whenever it is asked for a connection; what comes of them."""
    original, errors = NativeHost.begin, list[str]()

    def begin(host: NativeHost, *arguments: Any) -> NativeConversation:
        for call in calls:
            with pytest.raises(RuntimeError) as caught:
                call()
            errors.append(str(caught.value))
        return original(host, *arguments)

    monkeypatch.setattr(NativeHost, "begin", begin)
    return errors


def test_an_ingest_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tables()
    core = made.core
    scan = native.Scan(None, 0, 512, core)
    calls = [
        core.finish,
        core.take,
        core.end_file,
        core.is_full,
        partial(scan.read_pcap, CAPTURE, 24, True, 1000, 1),
    ]
    errors = calling(monkeypatch, [partial(core.add, segments()), *calls])
    core.add(segments())
    core.finish()
    assert len(errors) == 6 and all("this ingest is at work" in error for error in errors)
    assert core.take()["messages"][0] == 1


def test_a_scan_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    core = tables().core
    scan = native.Scan(None, 0, 1 << 20, core)
    read = partial(scan.read_pcap, CAPTURE, 24, True, 1000, 1)
    errors = calling(
        monkeypatch, [read, scan.take, scan.taken, scan.sums, partial(scan.note, 7), core.finish]
    )
    position, _ = read()
    core.end_file()
    core.finish()
    assert position == len(CAPTURE)
    assert len(errors) == 6 and all("at work" in error for error in errors)
    assert core.take()["messages"][0] == 1


def test_an_ingest_that_is_being_made() -> None:
    """The collector shows it to others before it is complete."""
    arguments: list[Any] = []
    errors: list[str] = []

    class Columns(list[Any]):
        def __getitem__(self, place: Any) -> Any:
            for one in [item for item in gc.get_objects() if type(item) is native.Ingest]:
                for call in (one.take, one.end_file, one.finish, one.is_full, partial(one.add, [])):
                    try:
                        call()
                    except RuntimeError as error:
                        errors.append(str(error))
            return super().__getitem__(place)

    class Module:
        @staticmethod
        def Ingest(*given: Any) -> None:
            arguments.extend(given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("amqp_traffic.ingest.native.tables.native_module", Module)
        tables()
    gc.collect()
    arguments[3] = {table: Columns(columns) for table, columns in arguments[3].items()}
    native.Ingest(*arguments)
    assert len(errors) >= 5 and all("this ingest is at work" in error for error in errors)


def test_spans_of_a_list_that_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host lets go of the frames that it has given, and of the list of them, while they are read."""
    core = tables().core
    original, given = NativeConversation.finish, list[Any]()

    def finish(conversation: NativeConversation, *arguments: Any) -> Any:
        found, state = original(conversation, *arguments)
        payload = bytes(bytearray(b"no frame" * 100))
        span = (0, len(payload), 0, 0, payload, 1, 24, 7)
        given.extend([found, [span]])
        found.append((0, state[0], given[1]))
        return found, state

    def undecodable(*_: Any) -> Any:
        for item in given:
            item.clear()
        return -1, -1, 0, None

    monkeypatch.setattr(NativeConversation, "finish", finish)
    monkeypatch.setattr(NativeHost, "undecodable", undecodable)
    core.add(segments())
    core.finish()
    assert given == [[], []]
    assert core.take()["frames"][0] > 1


def test_a_list_of_segments_that_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The segment at hand is held; those that are gone are not read."""
    core, listed = tables().core, segments()
    original = NativeHost.begin

    def begin(host: NativeHost, *arguments: Any) -> NativeConversation:
        listed.clear()
        return original(host, *arguments)

    monkeypatch.setattr(NativeHost, "begin", begin)
    core.add(listed)
    core.finish()
    assert core.take()["messages"][0] == 0


def test_a_connection_that_changes_its_family(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host never does this."""
    made = tables()
    number_of = made._host.number_of_package
    numbers = [number_of("amqp_1_0", ""), number_of("amqp_0_9_1", "spec-0-9-1")]
    asked: list[int] = []

    def another(*_: Any) -> int:
        asked.append(1)
        return numbers[len(asked) > 1]

    monkeypatch.setattr(made._host, "number_of_package", another)
    with pytest.raises(RuntimeError, match="changed its family"):
        made.core.add(segments())
        made.core.finish()


def test_a_key_whose_writing_changes_the_map() -> None:
    amqp = import_module("amqp_1_0")
    entries: dict[Any, Any] = {}
    entries[calling_uuid(entries.clear)] = [b"x" * 1000]
    entries["other"] = [b"y" * 1000]
    assert amqp.encode(entries) == amqp.encode({})


def test_a_key_whose_writing_exchanges_entries() -> None:
    """The map keeps its size, but has an entry more to come than its head would say."""
    amqp = import_module("amqp_1_0")
    entries: dict[Any, Any] = {}
    key = calling_uuid(lambda: entries.update(third=entries.pop(key)))
    entries[key] = 1
    entries["other"] = 2
    assert amqp.encode(entries) == amqp.encode({"other": 2, "third": 1})


def test_a_body_whose_writing_replaces_its_value() -> None:
    """The list that was the value is written to its end, and not another one in its place."""
    amqp = import_module("amqp_1_0")
    expected = amqp.Message(body=M.AmqpValue([uuid.UUID(int=7), "is written"])).encode()
    others: list[Any] = []

    def replace() -> None:
        body.value = None
        others.append([8, "is not written"])

    body = M.AmqpValue([calling_uuid(replace), "is written"])
    assert amqp.Message(body=body).encode() == expected


def calling_uuid(call: Callable[[], object]) -> uuid.UUID:
    """A UUID whose number is no int: Python is asked for its octets, and calls."""

    class Number(int):
        def to_bytes(self, *arguments: Any, **named: Any) -> bytes:
            call()
            return int(self).to_bytes(*arguments, **named)

    made = uuid.UUID(int=7)
    object.__setattr__(made, "int", Number(7))
    return made
