"""The state of a reading as octets: it comes back as it was, and forged octets do nothing but raise ``StateError``."""

from __future__ import annotations

import functools
import json
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_codegen.support.resources import load_package
from amqp_traffic.capture.files import open_capture
from amqp_traffic.capture.quarantine import Quarantine, Quarantined, Reason
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.decode.body_retention import parse_body_retention
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.ring import state_classes
from amqp_traffic.ingest.ring.ring import RingReading
from amqp_traffic.ingest.ring.state_classes import StateError
from amqp_traffic.ingest.ring.state_loading import load_state
from amqp_traffic.ingest.ring.state_writing import write_state

from tests.sampling import examples

from ...synth.made_captures import make
from ...wrapped_captures import Wrap, wrapped
from ..test_wrapped_connections import WRAPS
from .capture_rings import Script, ring_of, write

DAMAGE: dict[str, Any] = {"drop": 0.01, "duplicate": 0.02, "reorder": 0.05, "overlap": 0.02, "conflict": 0.01}


def reading_of(
    folder: Path, seed: int, bodies: str = "none", wrap: Callable[[], Wrap] | None = None, **fields: Any
) -> RingReading:
    """A reading in the middle of a ring, with connections that are open."""
    capture = make(seed=seed, **{"size": 60_000, "connections": 8, **fields}).capture
    name = next(iter(ring := ring_of(capture if wrap is None else wrapped(capture, wrap), 2)))
    write(folder, {name: ring[name]})
    reading = RingReading("cap", ReadSettings(bodies=parse_body_retention(bodies)))
    with open_capture(folder / name) as file:
        for _ in reading.read(file, lambda table, date, rows: None):
            pass
    return reading


@pytest.fixture(scope="module")
def octets(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_state(reading_of(tmp_path_factory.mktemp("ring"), 3, size=15_000, connections=5))


@pytest.mark.parametrize("seed", range(6))
def test_a_reading_comes_back(seed: int, tmp_path: Path) -> None:
    written = write_state(
        reading_of(tmp_path, seed, ("none", "all")[seed % 2], **(DAMAGE if seed > 3 else {}))
    )
    assert write_state(load_state(written)) == written


@pytest.mark.parametrize("name", WRAPS)
def test_a_reading_of_wrapped_connections_comes_back(name: str, tmp_path: Path) -> None:
    written = write_state(reading_of(tmp_path, 7, wrap=WRAPS[name]))
    assert write_state(load_state(written)) == written


def test_a_reading_that_begins_in_the_middle_comes_back(tmp_path: Path) -> None:
    written = write_state(reading_of(tmp_path, 8, skip=60))
    assert b"held_back" in written
    assert write_state(load_state(written)) == written


def test_values_come_back() -> None:
    types, methods = load_package("amqp_1_0").types, load_package("amqp_0_9_1").methods
    values = [
        None, True, 0, -(1 << 70), 1.5, float("inf"), "", "\udc80\u2028\x00", b"", b"\x00\n", (), (1, (b"x", None)),
        bytearray(b"abc"), {1, "a", b"c", (1, b"d")}, frozenset((1, 2)), deque([1, [2]], maxlen=3), Counter("aab"),
        OrderedDict(b=1, a=2), {Direction.server_to_client: Reason.TLS}, Decimal("1.50"), UUID(int=7),
        datetime(2026, 11, 21, 1, 2, 3, 4, UTC), timedelta(-1, 2, 3), StreamPiece(b"x", 1, 2, 3, 4, 5),
        types.Symbol("s"), types.ULong(7), types.Char("c"), types.Timestamp(5),
        methods.BasicPublish(exchange="e", routing_key="k"), Quarantined(Reason.TLS, 3, sample=b"s"),
    ]  # fmt: skip
    loaded = load_state(write_state(values))
    assert loaded == values
    assert [type(value) for value in loaded] == [type(value) for value in values]
    assert loaded[15].maxlen == 3


def test_sets_are_written_in_order() -> None:
    """Whatever order the hashes of this process and their history give them."""
    names = [f"cap_{number}" for number in range(20)]
    forward, backward = {*names}, {*reversed(names)}
    assert write_state([forward, frozenset(names)]) == write_state([backward, frozenset(reversed(names))])
    assert json.loads(write_state(forward).splitlines()[0])[3] == [["set", *sorted(names)]]


def test_shared_and_cyclic_objects_come_back() -> None:
    shared: list[Any] = [1]
    cycle: dict[Any, Any] = {"shared": shared, "again": (shared, shared)}
    cycle["cycle"] = (cycle,)
    quarantine = Quarantine()
    loaded = load_state(write_state([cycle, {"rows": quarantine.rows, "of": quarantine}]))
    assert loaded[0]["cycle"][0] is loaded[0]
    assert loaded[0]["again"][0] is loaded[0]["again"][1] is loaded[0]["shared"]
    assert loaded[1]["of"].rows is loaded[1]["rows"]


def test_a_chain_of_any_length_comes_back() -> None:
    """The objects of a state are no recursion."""
    chain: list[Any] = []
    for _ in range(100_000):
        chain = [chain]
    loaded, length = load_state(write_state(chain)), 0
    while loaded:
        (loaded,), length = loaded, length + 1
    assert length == 100_000


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Script(), "Script is in no state$"),
        ([print], "builtin_function_or_method is in no state$"),
        ({"a": Path()}, "Path is in no state$"),
        (ValueError("x"), "ValueError is in no state$"),
        (Script().stop, "is in no state$"),
        (Quarantine().add, "add is not a callback$"),
        (partial(print, 1), "is not a callback$"),
    ],
    ids=["object", "function", "path", "exception", "method", "callback", "partial"],
)
def test_what_is_in_no_state_is_not_written(value: Any, message: str) -> None:
    with pytest.raises(StateError, match=message):
        write_state(value)


# --- Forged octets ---

_EVENTS: list[str] = []
_WATCHED = (
    "open",
    "exec",
    "compile",
    "import",
    "subprocess",
    "os.",
    "shutil.",
    "socket.",
    "ctypes.",
    "pickle.",
    "marshal.",
)


@functools.cache
def _install_hook() -> None:
    sys.addaudithook(
        lambda event, _: _EVENTS.append(event) if _EVENTS and event.startswith(_WATCHED) else None
    )


@contextmanager
def nothing_happens() -> Iterator[None]:
    """Nothing in the block opens, starts, imports or compiles anything."""
    _install_hook()
    _EVENTS.append("begin")
    try:
        yield
        assert _EVENTS == ["begin"]
    finally:
        _EVENTS.clear()


def forged(*rows: Any, layouts: Any = (), lengths: Any = (), begin: Any = None, blob: bytes = b"") -> bytes:
    begin = [0] if begin is None else begin
    return json.dumps([list(layouts), list(lengths), begin, list(rows)]).encode() + b"\n" + blob


PIECE, TYPES = ("capture.stream_data", "StreamPiece"), "amqp_1_0.types"
TOTAL = ("capture.quarantine", "Total", ["count", "octets"])
DECODING = ("decode.decoding", "Decoding", ["_bodies"])
FORGED = {
    "a dotted name": forged([0], layouts=[("tasks.spark.requirements", "subprocess.Popen", [])]),
    "a dotted name of a class of ours": forged([0], layouts=[("capture.quarantine", "Quarantine.add", [])]),
    "a module of Python": forged([0], layouts=[("subprocess", "Popen", [])]),
    "a full name": forged([0], layouts=[("amqp_traffic.capture.quarantine", "Total", ["count", "octets"])]),
    "another module of ours": forged([0], layouts=[("lake.folder", "Lake", ["place", "filesystem", "root"])]),
    "a class that a module imports": forged([0], layouts=[("ingest.ring.ring", "Path", [])]),
    "a class that a generated module imports": forged([0, 1], layouts=[(TYPES, "IntEnum")]),
    "a function of a generated package": forged([0], layouts=[("amqp_1_0", "decode", [])]),
    "a module of a generated package that is not loaded": forged([0], layouts=[("amqp_0_9_1.columns", "x", [])]),
    "an exception": forged([0], layouts=[("amqp_1_0.errors", "CodecError", ["args"])]),
    "a module that is no text": forged([0], layouts=[(1, "x", [])]),
    "a layout that is no list": forged([0], layouts=[7]),
    "fewer slots": forged([0, 1], layouts=[("capture.quarantine", "Total", ["count"])]),
    "more slots": forged([0, 1, 2, 3], layouts=[("capture.quarantine", "Total", ["count", "octets", "x"])]),
    "fewer values": forged([0, 1], layouts=[TOTAL]),
    "more values": forged([0, 1, 2, 3], layouts=[TOTAL]),
    "an attribute twice": forged([0, 1, 2], layouts=[("decode.decoding", "Decoding", ["_bodies", "_bodies"])]),
    "a method as attribute": forged([0, 1], layouts=[("decode.decoding", "Decoding", ["take"])]),
    "a property as attribute": forged([0, 1], layouts=[("decode.decoding", "Decoding", ["full"])]),
    "a class as attribute": forged([0, 1], layouts=[("decode.decoding", "Decoding", ["__class__"])]),
    "what is made again": forged([0, 1], layouts=[("decode.decoding", "Decoding", ["_decoders"])]),
    "instances of a tuple": forged([0], layouts=[(*PIECE, [])]),
    "a tuple with fewer fields": forged(begin=["n", 0, 1], layouts=[PIECE]),
    "a named tuple that is none": forged(["n", 0, 1, 2], begin=["n", 0, 1, 2], layouts=[TOTAL]),
    "no member of an enumeration": forged([0, "x"], layouts=[("capture.quarantine", "Reason")]),
    "a list for a member": forged([0, [1]], layouts=[("capture.quarantine", "Reason")]),
    "a symbol of a number": forged([0, 1], layouts=[(TYPES, "Symbol")]),
    "a row that is missing": forged(["list", [1]]),
    "a negative row": forged(["list", [-1]]),
    "a row that is a boolean": forged(["list", [False]]),
    "two rows": forged(["list", [0, 0]]),
    "an empty list for a value": forged(["list", []]),
    "an empty row": forged([]),
    "a row of another kind": forged(["exec", "1"]),
    "a row with a list as kind": forged([["list"]]),
    "a negative layout": forged([-1, 1], layouts=[TOTAL]),
    "octets that are missing": forged(["bytearray", 0]),
    "negative octets": forged(["bytearray", -1], lengths=[1], blob=b"x"),
    "octets of another length": forged(["list"], lengths=[1 << 60], blob=b"x"),
    "octets of a negative length": forged(["list"], lengths=[3, -2], blob=b"x"),
    "a method that is no callback": forged([0, 1], layouts=[DECODING], begin=["m", [0], "take"]),
    "a constructor as callback": forged([0, 1], layouts=[DECODING], begin=["m", [0], "__init__"]),
    "a callback of a text": forged(begin=["m", "x", "upper"]),
    "a callback that is an attribute": forged([0, 1], layouts=[DECODING], begin=["m", [0], "_bodies"]),
    "a call of something else": forged(["list"], begin=["p", [0], 1]),
    "a call of nothing": forged(begin=["p"]),
    "a key that is a list": forged(["dict", [1], 2], ["list"]),
    "a key without a value": forged(["dict", 1]),
    "a set that contains itself": forged(["set", [0]]),
    "a dict in its own key": forged(["dict", ["t", [0]], 1]),
    "a frozen key that contains itself": forged(
        ["dict", [1], 1], [0, [1], "", "", ""], layouts=[("ingest.inputs", "RingName", ["time", "number", "ring"])]
    ),
    "a frozenset with a list": forged(["frozenset", [0]]),
    "a deque of an odd length": forged(["deque", "x"]),
    "a deque of a negative length": forged(["deque", -1]),
    "a decimal of a list": forged(["decimal", [0]]),
    "a decimal that is none": forged(["decimal", "x"]),
    "a decimal with a context": forged(["decimal", "1", "2"]),
    "a moment that is none": forged(["datetime", "x"]),
    "a span beyond all limits": forged(["timedelta", 1 << 70, 0, 0]),
    "an object of JSON": b'[[],[],{"x":1},[]]\n',
    "a number of many digits": b"[[],[]," + b"9" * 10_000 + b",[]]\n",
    "deep nesting": b"[" * 100_000 + b"\n",
    "deep tuples": b"[[],[]," + b'["t",' * 50_000 + b"1" + b"]" * 50_000 + b",[]]\n",
    "not JSON": b"garbage",
    "nothing": b"",
    "a pickle": b"cposix\nsystem\n(S'touch marker'\ntR.",
}  # fmt: skip


@pytest.mark.parametrize("octets", FORGED.values(), ids=FORGED.keys())
def test_forged_states_are_refused(octets: bytes) -> None:
    load_package("amqp_1_0")
    with nothing_happens(), pytest.raises(StateError) as raised:
        load_state(octets)
    assert "\n" not in str(raised.value)


def test_the_table_has_classes_only() -> None:
    """Each is defined where the table says, and each callback is a method of one of them."""
    for module, names in state_classes._CLASSES.items():
        for name in names:
            assert state_classes.names_of(state_classes.find_class(module, name)) == (module, name)
    for module, name, method in state_classes._CALLBACKS:
        assert state_classes.callback(state_classes.find_class(module, name), method)


ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 40),
    st.sampled_from(
        [1 << 40, -(1 << 70), 1e300, "", "x", "list", "m", "__class__", "subprocess", "os.system", "Popen"]
    ),
    st.lists(st.one_of(st.integers(-1, 30), st.sampled_from(["t", "n", "m", "p", "b"])), max_size=4),
    st.sampled_from([{}, {"a": 1}]),
)


@examples(2000)
@given(data=st.data())
def test_mutated_states_raise_nothing_else(octets: bytes, data: st.DataObject) -> None:
    """Something is changed somewhere in the graph of a real state: it is refused in one line, or it is loaded as plain data."""
    line, _, blob = octets.partition(b"\n")
    document = json.loads(line)
    for _ in range(data.draw(st.integers(1, 3))):
        place = document
        while True:
            index = data.draw(st.integers(0, len(place) - 1))
            if type(place[index]) is not list or not place[index] or data.draw(st.integers(0, 5)) == 0:
                break
            place = place[index]
        change = data.draw(st.sampled_from(["replace", "delete", "repeat", "swap"]))
        if change == "replace":
            place[index] = data.draw(ODD_VALUES)
        elif change == "delete" and len(place) > 1:
            del place[index]
        elif change == "repeat":
            place.insert(index, place[index])
        else:
            other = data.draw(st.integers(0, len(place) - 1))
            place[index], place[other] = place[other], place[index]
    changed = json.dumps(document).encode() + b"\n" + blob
    with nothing_happens():
        try:
            load_state(changed)
        except StateError as error:
            assert "\n" not in str(error)
