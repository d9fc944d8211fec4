"""A file of one's own beside the five of the standard: new types, new providers of its archetypes, new frames."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from amqp_codegen.resolve.amqp1.names import PACKAGE_MODULES

from tests.emit.small_specifications import publish_to, unformatted
from tests.generated.amqp0.variants import read_variant
from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .bare_values import bare
from .packages import amqp as standard
from .specification import FILES, FOLDER

OWN = Path(__file__).with_name("extension.xml")
STANDARD = tuple(FOLDER / f"{name}.xml" for name in FILES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package ``extended`` stands."""
    made = unformatted((*STANDARD, OWN), "extended")
    # A class of types that the standard mentions and does not explain.
    assert [problem.rule_id for problem in made.warnings] == ["reserved-class"]
    place = tmp_path_factory.mktemp("extension")
    publish_to(place, made)
    return place


@pytest.fixture(scope="module")
def amqp(folder: Path) -> Iterator[Any]:
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module("extended")
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == "extended"]:
            del sys.modules[name]


@pytest.fixture(scope="module")
def own(amqp: Any) -> Any:
    """The module of the types of the file of one's own."""
    return amqp.extension


def same(amqp: Any, value: Any) -> Any:
    """What comes back of a value, which must be equal and encode to the same octets."""
    octets = amqp.encode(value)
    found, position = amqp.decode(octets)
    assert position == len(octets)
    assert found == value
    assert type(found) is type(value)
    assert amqp.encode(found) == octets
    # Those who do not know the extension can pass it on.
    assert amqp.encode(bare(octets, amqp)) == octets
    return found


def test_the_types_of_the_standard_are_all_there(amqp: Any) -> None:
    for module in ("performatives", "messaging", "transactions", "sasl"):
        assert getattr(amqp, module).__all__ == getattr(standard, module).__all__
    assert set(standard.__all__) <= set(amqp.__all__)
    assert amqp.SPEC.files == (*standard.SPEC.files, "extension.xml")
    opening = amqp.performatives.Open("c", idle_time_out=5)
    assert amqp.encode_frame(0, opening) == standard.encode_frame(
        0, standard.performatives.Open("c", idle_time_out=5)
    )


def test_definitions(amqp: Any) -> None:
    assert amqp.constants.LARGEST_RING == 1024


def test_a_new_outcome(amqp: Any, own: Any) -> None:
    state = own.Parked(5, own.Urgency.HIGH, [amqp.performatives.Error("x"), amqp.performatives.Error("y")])
    performatives = amqp.performatives
    for value in (
        state,
        performatives.Transfer(0, 0, b"t", 0, state=state),
        performatives.Disposition(performatives.Role.RECEIVER, 0, state=state),
        amqp.messaging.Source(default_outcome=state),
        amqp.transactions.TransactionalState(b"txn", state),
    ):
        same(amqp, value)
    found = amqp.decode(own.Parked(5).encode())[0]
    assert found.urgency is own.Urgency.LOW
    assert type(found.until) is amqp.types.Timestamp
    assert "Parked" in str(amqp.archetypes.Outcome)
    # Without the extension it is described, and comes back as the same octets.
    octets = performatives.Transfer(0, 0, b"t", 0, state=state).encode()
    foreign = standard.decode(octets)[0]
    assert type(foreign.state) is standard.Described
    assert foreign.encode() == octets


def test_a_new_delivery_state_that_is_no_outcome(amqp: Any, own: Any) -> None:
    state = own.Progress(2**40, own.Progress(1, amqp.messaging.Accepted()))
    same(amqp, amqp.performatives.Transfer(0, state=state))
    for value in (
        amqp.messaging.Source(default_outcome=state),
        amqp.transactions.TransactionalState(b"txn", state),
    ):
        with pytest.raises(amqp.EncodeError, match="Progress does not provide outcome"):
            value.encode()
    with pytest.raises(amqp.EncodeError, match="does not provide delivery-state"):
        own.Progress(1, own.Tally()).encode()


def test_descriptors_with_a_symbol_or_a_number_only(amqp: Any, own: Any) -> None:
    assert (own.Progress.CODE, own.Progress.SYMBOL) == (None, "example:progress:list")
    assert own.Progress(1).encode().startswith(b"\x00\xa3\x15example:progress:list")
    assert (own.Tally.CODE, own.Tally.SYMBOL) == (0xFFFF_0000_0003, "")
    assert own.Tally().encode() == b"\x00\x80\x00\x00\xff\xff\x00\x00\x00\x03\x45"
    for value in (own.Progress(1), own.Tally()):
        same(amqp, value)
    parked = amqp.Described(amqp.Symbol("example:parked:list"), [amqp.types.Timestamp(1), "h"])
    assert amqp.decode(amqp.encode(parked))[0] == own.Parked(1, own.Urgency.HIGH)


def test_several_values_of_an_archetype(amqp: Any, own: Any) -> None:
    parked, accepted = own.Parked(1), amqp.messaging.Accepted()
    for outcomes in ([], [parked], [parked, own.Parked(2)], [accepted, accepted]):
        assert same(amqp, own.Tally(outcomes)).outcomes == outcomes
    assert same(amqp, own.Tally(parked)).outcomes == [parked]
    # An array has elements of one type.
    with pytest.raises(amqp.EncodeError) as caught:
        own.Tally([parked, accepted]).encode()
    assert caught.value.path == "tally.outcomes[1]"


def test_new_filters_and_lifetime_policies(amqp: Any, own: Any) -> None:
    filters = {
        amqp.Symbol("selector"): own.Selector("colour = 'red'"),
        amqp.Symbol("window"): own.Window(5, 7),
        amqp.Symbol("none"): None,
        amqp.Symbol("unknown"): amqp.Described(amqp.Symbol("x:y"), 1),
    }
    policy = {amqp.Symbol("lifetime-policy"): own.Window()}
    source = amqp.messaging.Source("q", dynamic_node_properties=policy, filter=filters)
    performatives = amqp.performatives
    found = same(amqp, performatives.Attach("n", 0, performatives.Role.RECEIVER, source=source)).source
    assert [type(value) for value in found.filter.values()] == [
        own.Selector,
        own.Window,
        type(None),
        amqp.Described,
    ]
    assert own.Window().to == 0xFFFF_FFFF
    assert own.Window(from_=1, to=0xFFFF_FFFF).encode()[-1:] == b"\x45"


def test_new_addresses_and_termini(amqp: Any, own: Any) -> None:
    for address in ("plain", own.QueueAddress("q"), UUID(int=7), amqp.Described(amqp.Symbol("x"), 1)):
        found = same(amqp, amqp.messaging.Target(address)).address
        assert type(found) is type(address)
    for wrong in (7, b"octets", own.Selector("x")):
        with pytest.raises(amqp.EncodeError, match="does not provide address"):
            amqp.messaging.Target(wrong).encode()
    performatives = amqp.performatives
    attach = performatives.Attach("n", 0, performatives.Role.SENDER, source=own.Ring(1), target=own.Ring(2))
    same(amqp, attach)
    with pytest.raises(amqp.EncodeError, match="mandatory") as caught:
        performatives.Attach("n", 0, performatives.Role.SENDER, source=own.Ring(None)).encode()
    assert caught.value.path == "attach.source.size"


def test_new_choices_of_open_types(amqp: Any, own: Any) -> None:
    error = same(amqp, amqp.performatives.Error(own.ExampleError.RING_FULL))
    assert error.condition is own.ExampleError.RING_FULL
    assert amqp.decode(amqp.performatives.Error("amqp:not-found").encode())[0].condition is (
        amqp.performatives.AmqpError.NOT_FOUND
    )
    source = same(amqp, amqp.messaging.Source(distribution_mode="example:round-robin"))
    assert source.distribution_mode is own.Sharing.ROUND_ROBIN
    foreign = standard.decode(amqp.encode(error))[0]
    assert type(foreign.condition) is standard.Symbol


def test_a_provider_for_an_archetype_that_had_none(amqp: Any) -> None:
    assert same(amqp, amqp.transactions.Declare(b"id")).global_id == b"id"
    with pytest.raises(amqp.EncodeError, match="does not provide global-tx-id"):
        amqp.transactions.Declare("text").encode()


def test_new_frames(amqp: Any, own: Any) -> None:
    limits = own.Limits_(
        flag="f",
        choice="c",
        symbol="s",
        role=amqp.performatives.Role.SENDER,
        mode=amqp.performatives.SenderSettleMode.MIXED,
        policy=amqp.messaging.TerminusExpiryPolicy.NEVER,
        read_uint=1,
        read_map={"a": 1},
        symbol_of="x",
        layout=own.FieldLayout_.MRO,
    )
    frames = [(3, own.Ping(), b""), (3, own.Ping(9), b"payload"), (4, own.FarPing(), b""), (0, limits, b"")]
    frames += [(0, own.SaslHint(["A", "B"]), b""), (0, amqp.performatives.Close(), b"")]
    stream = b"".join(amqp.encode_frame(*frame) for frame in frames)
    decoder = amqp.FrameDecoder()
    assert [found for octet in stream for found in decoder.feed(bytes((octet,)))] == frames
    ping = own.Ping()
    assert ping.class_ == 7
    hint = amqp.encode_frame(0, own.SaslHint("A"))
    assert hint[5] == amqp.constants.FRAME_SASL
    for octets in (amqp.encode_frame(0, own.FarPing()), hint):
        with pytest.raises(standard.errors.Unknown):
            standard.decode_frames(octets)


def test_fields_of_every_primitive_type(amqp: Any, own: Any) -> None:
    types = amqp.types
    values = {
        "boolean": True,
        "ubyte": 1,
        "ushort": 2,
        "uint": 3,
        "ulong": 4,
        "byte": types.Byte(-1),
        "short": types.Short(-2),
        "int_": types.Int(-3),
        "long": -4,
        "float_": types.Float(1.5),
        "double": 0.1,
        "decimal32": types.Decimal32(Decimal("1.5")),
        "decimal64": types.Decimal64(Decimal("-1.50")),
        "decimal128": types.Decimal128(Decimal("1E+10")),
        "char": types.Char("\N{SNOWMAN}"),
        "timestamp": types.Timestamp(-5),
        "uuid": UUID(int=1),
        "binary": b"x",
        "string": "s",
        "symbol": types.Symbol("sym"),
        "list_": [1, None],
        "map": {"a": 1},
        "array": types.Array([types.UInt(1), types.UInt(2)]),
        "any": types.Described(types.Symbol("q"), 1),
        "error": amqp.performatives.Error("e"),
        "selector": own.Selector("x"),
        "letters": types.Char("l"),
        "level": own.Level.DOWN,
    }
    assert tuple(values) == own.Gallery.__match_args__
    found = same(amqp, own.Gallery(**values))
    for name, value in values.items():
        single = getattr(same(amqp, own.Gallery(**{name: value})), name)
        for item in (getattr(found, name), single):
            assert item == value
            assert type(item) is type(value)
    moment = datetime(2024, 2, 29, tzinfo=UTC)
    later = amqp.decode(own.Gallery(timestamp=moment).encode())[0]
    assert later.timestamp.datetime == moment
    assert amqp.decode(own.Gallery(symbol="plain", char="c", byte=-1).encode())[0].symbol == "plain"
    for name in values:
        with pytest.raises(amqp.EncodeError) as caught:
            own.Gallery(**{name: object()}).encode()
        assert caught.value.path.startswith(f"gallery.{name.rstrip('_')}")


def test_several_values_of_every_kind(amqp: Any, own: Any) -> None:
    pairs: dict[str, list[Any]] = {
        "uint": [1, 2**32 - 1],
        "string": ["", "two"],
        "binary": [b"", b"two"],
        "map": [{}, {"a": 1}],
        "list_": [[], [1, [2]]],
        "error": [amqp.performatives.Error("a"), amqp.performatives.Error("b", "why")],
        "selector": [own.Selector("a"), own.Selector("b")],
        "level": [own.Level.UP, own.Level.DOWN],
        "urgency": [own.Urgency.LOW, own.Urgency.HIGH],
    }
    assert tuple(pairs) == own.Galleries.__match_args__
    same(amqp, own.Galleries(**pairs))
    for name, pair in pairs.items():
        for values in (pair, pair[:1], pair[1:]):
            found = getattr(same(amqp, own.Galleries(**{"uint": [1], name: values})), name)
            assert found == values
            kinds = [amqp.types.UInt if name == "uint" else type(value) for value in values]
            assert [type(item) for item in found] == kinds


def test_closed_types_of_other_primitives(amqp: Any, own: Any) -> None:
    for value, path in [
        (own.Gallery(level=5), "gallery.level"),
        (own.Parked(1, "x"), "parked.urgency"),
    ]:
        with pytest.raises(amqp.EncodeError, match="not one of") as caught:
            value.encode()
        assert caught.value.path == path
    unknown = amqp.Described(amqp.Symbol("example:parked:list"), [amqp.types.Timestamp(1), "x"])
    with pytest.raises(amqp.errors.Malformed, match="one of h, l") as refused:
        amqp.decode(amqp.encode(unknown))
    assert refused.value.path == "parked.urgency"


def test_names_that_the_codec_uses_itself(amqp: Any, own: Any) -> None:
    values: dict[str, Any] = {
        name: f"text of {name}" for name in ("value", "encode_", "pack_", "self_", "buffer")
    }
    values |= dict.fromkeys(("position", "end", "count", "code", "depth"), 5)
    values |= {"limits": {"a": 1}, "start": b"x", "lambda_": True, "several_": ["a", "b"], "datetime_": 1}
    assert set(values) == set(own.Names.__match_args__)
    same(amqp, own.Names(**values))


def test_parts_are_called_unlike_the_modules_of_the_package(folder: Path, amqp: Any) -> None:
    modules = {path.stem for path in (folder / "extended").glob("[!_]*.py")} - {"extension"}
    folders = {path.parent.name for path in (folder / "extended").glob("[!_]*/__init__.py")}
    functions = {name for name in amqp.__all__ if name.islower()} - {"extension"}
    assert modules | folders | functions <= PACKAGE_MODULES


def test_type_checkers_are_content(shared: Shared, folder: Path) -> None:
    done = run_mypy(shared, "extended", cwd=folder)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_columns_of_own_frames_and_fields(amqp: Any, own: Any) -> None:
    """Rows of own performatives, and of those of the standard with values of own types."""
    columns = importlib.import_module("extended.columns")
    batch = columns.PerformativeColumns()
    for performative in (
        own.Ping(),
        own.Ping(9),
        own.FarPing(),
        amqp.performatives.Attach(name="n", handle=0, role=True, source=own.Ring(3)),
        amqp.performatives.Disposition(role=True, first=1, state=own.Parked(until=5, reasons=[])),
    ):
        batch.append(performative.encode())
    batch.append(own.SaslHint(["a", "b"]).encode(), sasl=True)
    taken = batch.take()
    assert taken["performative"] == ["ping", "ping", "far-ping", "attach", "disposition", "sasl-hint"]
    assert taken["class_"] == [7, 9, None, None, None, None]
    assert taken["mechanisms"] == [None] * 5 + [["a", "b"]]
    ring = read_variant(taken["source"][3])
    assert ring == ("object", {"$type": ("string", "ring"), "size": ("int32", 3)})
    parked = {"$type": ("string", "parked"), "until": ("timestamp", 5000), "urgency": ("string", "l")}
    assert read_variant(taken["state"][4]) == ("object", parked)
