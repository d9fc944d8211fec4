"""Methods that no published specification has: octets written by hand, and everything back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .small_specifications import run_python, tree
from .synthetic_specification import KINDS, NAMES, VERBS, amqp, folder

__all__ = ["amqp", "folder"]

VALUES = {
    "octet": (0, 1, 255),
    "short": (0, 0x1234, 0xFFFF),
    "long": (0, 0x12345678, 0xFFFFFFFF),
    "longlong": (0, 1 << 40, 2**64 - 1),
    "timestamp": (0, 1_700_000_000, 2**64 - 1),
    "shortstr": ("", "a", "\u00e9" * 127),
    "longstr": (b"", b"\0\xce", b"x" * 300),
    "bit": (False, True, False),
    "table": ({}, {"k": "v", "n": 1}, {"deep": {"er": {}}}),
}


def values_of(amqp: ModuleType, kind: str) -> tuple[Any, ...]:
    if kind == "content":
        content = amqp.Content
        return (content(), content(0, b"data"), content(1, b"a name"))
    return VALUES[kind]


def back_again(amqp: ModuleType, method: Any) -> None:
    """Assert that a method survives being encoded, straight on, field by field and in a frame."""
    payload = method.encode()
    assert amqp.decode_method(payload) == method
    lossless = amqp.decode_method(payload, lossless=True)
    assert lossless == method
    assert lossless.encode() == payload
    frame = amqp.encode_frame(3, method)
    assert frame == b"\1\0\3" + len(payload).to_bytes(4, "big") + payload + b"\xce"
    assert amqp.decode_frames(frame) == ([(3, method)], len(frame))
    for end in range(len(payload)):
        with pytest.raises(amqp.DecodeError):
            amqp.decode_method(payload[:end])
    with pytest.raises(amqp.DecodeError):
        amqp.decode_method(payload + b"\0")


# --- Bits ----------------------------------------------------------------------------------------


def with_bits(method: Any, *numbers: int, **others: Any) -> Any:
    return method(**{f"b{number}": True for number in numbers}, **others)


@pytest.mark.parametrize(
    ("name", "numbers", "octets"),
    [
        ("One", [], "00"),
        ("One", [0], "01"),
        ("Eight", range(8), "ff"),
        ("Eight", [0], "01"),
        ("Eight", [7], "80"),
        ("Eight", [1, 3, 5, 7], "aa"),
        ("Nine", [], "00 00"),
        ("Nine", [8], "00 01"),
        ("Nine", range(9), "ff 01"),
        ("Nine", [0, 8], "01 01"),
        ("Sixteen", [15], "00 80"),
        ("Sixteen", range(16), "ff ff"),
        ("Sixteen", [7, 8], "80 01"),
        ("Seventeen", [16], "00 00 01"),
        ("Seventeen", range(17), "ff ff 01"),
        ("Seventeen", [0, 8, 16], "01 01 01"),
    ],
)
def test_runs_of_bits(amqp: ModuleType, name: str, numbers: list[int], octets: str) -> None:
    method = with_bits(getattr(amqp.methods, f"Bits{name}"), *numbers)
    assert method.encode()[4:] == bytes.fromhex(octets)
    back_again(amqp, method)


@pytest.mark.parametrize(
    ("numbers", "octets"),
    [
        ([], "00 07 00 00 02 6869 00"),
        ([0, 1], "03 07 00 00 02 6869 00"),
        ([2, 10], "00 07 01 01 02 6869 00"),
        ([9], "00 07 80 00 02 6869 00"),
        ([11], "00 07 00 00 02 6869 01"),
        (range(12), "03 07 ff 01 02 6869 01"),
    ],
)
def test_bits_split_by_other_fields(amqp: ModuleType, numbers: list[int], octets: str) -> None:
    method = with_bits(amqp.methods.BitsEnds, *numbers, x=7, s="hi")
    assert method.encode() == bytes.fromhex("000a 0014") + bytes.fromhex(octets)
    back_again(amqp, method)


@pytest.mark.parametrize(
    ("numbers", "octets"), [([0], "01 00000000 00"), ([1], "00 00000000 01"), ([0, 1], "01 00000000 01")]
)
def test_bits_on_both_sides_of_a_table(amqp: ModuleType, numbers: list[int], octets: str) -> None:
    method = with_bits(amqp.methods.BitsTable, *numbers)
    assert method.encode() == bytes.fromhex("000a 0015" + octets)
    back_again(amqp, method)


def test_reserved_bits_between_other_fields(amqp: ModuleType) -> None:
    method = amqp.methods.BitsBetween(x=1, y=2)
    assert method.encode() == bytes.fromhex("000a 0016 01 00 02")
    back_again(amqp, method)


@pytest.mark.parametrize(
    ("values", "octets"),
    [({}, "00 0000 00"), ({"b0": True}, "01 0000 00"), ({"b2": True, "x": 0x102}, "04 0102 00")],
)
def test_reserved_bits_among_others(amqp: ModuleType, values: dict[str, Any], octets: str) -> None:
    method = amqp.methods.BitsMixed(**values)
    assert method.encode() == bytes.fromhex("000a 0017" + octets)
    back_again(amqp, method)


def test_bits_at_the_end(amqp: ModuleType) -> None:
    method = with_bits(amqp.methods.BitsLast, 0, 9, x=b"\xff")
    assert method.encode() == bytes.fromhex("000a 0018 00000001 ff 01 02")
    back_again(amqp, method)


def test_bits_of_no_field_are_malformed_or_kept(amqp: ModuleType) -> None:
    payload = bytes.fromhex("000a 0001 82")
    method = amqp.decode_method(payload, lossless=True)
    assert method.b0 is False
    assert method.encode() == payload


# --- Reserved fields -----------------------------------------------------------------------------


def test_only_reserved_fields(amqp: ModuleType) -> None:
    """octet, shortstr, short, longstr, long, table, longlong, timestamp, two bits, content: all zero."""
    method = amqp.methods.ReservedAll()
    sizes = [1, 1, 2, 4, 4, 4, 8, 8, 1, 1 + 4]
    assert method.encode() == bytes.fromhex("000b 0001") + bytes(sum(sizes))
    back_again(amqp, method)
    for number, kind in enumerate(KINDS):
        assert getattr(method, f"r{number}") == values_of(amqp, kind)[0]


@pytest.mark.parametrize(("name", "octets"), [("Table", "00000000 05"), ("Content", "00 00000000 05")])
def test_one_reserved_field(amqp: ModuleType, name: str, octets: str) -> None:
    for method in (getattr(amqp.methods, f"Reserved{name}")(x=5),):
        assert method.encode()[4:] == bytes.fromhex(octets)
        back_again(amqp, method)


def test_a_class_whose_only_table_or_content_is_reserved(amqp: ModuleType) -> None:
    back_again(amqp, amqp.methods.OnlyTable(x=5))
    back_again(amqp, amqp.methods.OnlyContentContent(x=5))
    assert amqp.methods.OnlyTable().r == {}
    assert amqp.methods.OnlyContentContent().r == amqp.Content()


@pytest.mark.parametrize("which", [0, 1, 2])
def test_every_other_field_reserved(amqp: ModuleType, which: int) -> None:
    kinds = [(number, kind) for number, kind in enumerate(KINDS * 2) if number % 2 == 0]
    method = amqp.methods.ReservedEveryOther(
        **{f"f{number}": values_of(amqp, kind)[which] for number, kind in kinds}
    )
    back_again(amqp, method)
    with pytest.raises(TypeError):
        amqp.methods.ReservedEveryOther(f1=0)


def test_reserved_fields_that_a_peer_has_set_are_kept_when_asked(amqp: ModuleType) -> None:
    payload = bytes.fromhex("000b 0003 0000000b 016b 53 00000005") + b"value"
    payload = payload[:4] + (len(payload) - 8).to_bytes(4, "big") + payload[8:] + b"\x05"
    assert amqp.decode_method(payload) == amqp.methods.ReservedTable(x=5)
    lossless = amqp.decode_method(payload, lossless=True)
    assert lossless.encode() == payload
    assert dict(lossless.r) == {"k": "value"}


# --- Names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["octet", "shortstr", "longstr", "table", "timestamp"])
def test_fields_called_as_python_or_our_code_calls_things(amqp: ModuleType, kind: str) -> None:
    method = getattr(amqp.methods, f"Named{kind.capitalize()}")
    plain = [field.name for field in method.FIELDS]
    assert len(set(plain)) == len(NAMES) + 2
    assert [name.rstrip("_").replace("_", "-") for name in plain] == [*NAMES, "own-table", "own-time"]
    for which in range(3):
        values = {name: values_of(amqp, kind)[which] for name in plain[:-2]}
        # Each field another value where the type has enough, so that none is taken for its neighbour.
        if kind in ("octet", "timestamp"):
            values = {name: number + which for number, name in enumerate(values)}
        elif kind == "shortstr":
            values = {name: f"{name} {which}" for name in values}
        elif kind == "longstr":
            values = {name: f"{name} {which}".encode() for name in values}
        made = method(**values, own_table={"t": which}, own_time=which)
        assert {name: getattr(made, name) for name in values} == values
        payload = made.encode()
        assert amqp.decode_method(payload) == made
        assert amqp.decode_method(payload, lossless=True).encode() == payload
        assert eval(repr(made), {**vars(amqp.methods), "Content": amqp.Content}) == made


def test_octets_of_clashing_fields_stand_in_order(amqp: ModuleType) -> None:
    method = amqp.methods.NamedOctet
    values = {field.name: number for number, field in enumerate(method.FIELDS[:-2])}
    assert method(**values).encode()[4:] == bytes(range(len(NAMES))) + bytes(4 + 8)


def test_an_aware_datetime_is_a_timestamp_whatever_the_field_is_called(amqp: ModuleType) -> None:
    moment = datetime(2020, 1, 1, tzinfo=UTC)
    made = amqp.methods.NamedTimestamp(epoch_seconds=moment, own_time=moment)
    again = amqp.decode_method(made.encode())
    assert again.epoch_seconds == again.own_time == int(moment.timestamp())


def test_replies_in_a_circle(amqp: ModuleType) -> None:
    classes = [getattr(amqp.methods, f"Return{verb.capitalize()}") for verb in VERBS]
    for number, class_ in enumerate(classes, 1):
        assert (classes[number % len(classes)],) == class_.RESPONSES
        assert (30, number, f"return.{VERBS[number - 1]}") == (class_.CLASS_ID, class_.METHOD_ID, class_.NAME)
        assert frozenset({"client", "server"}) == class_.SENT_BY
        back_again(amqp, class_(x=number))


def test_a_class_without_methods_has_no_module(amqp: ModuleType, folder: Path) -> None:
    assert "synthetic/methods/_empty.py" not in tree(folder)
    assert not any(method.CLASS_ID == 40 for method in amqp.METHODS.values())


@pytest.mark.parametrize(
    ("name", "index"),
    [
        *(
            ("LenM", 70),
            ("DictM", 71),
            ("IntM", 72),
            ("StrM", 73),
            ("TupleM", 74),
            ("ListM", 75),
            ("BytesM", 76),
        ),
        *(("TableReaderM", 77), ("WalkFieldsM", 78), ("DecodeMethodM", 79)),
    ],
)
def test_classes_called_as_the_package_calls_things(amqp: ModuleType, name: str, index: int) -> None:
    method = getattr(amqp.methods, name)(x=9)
    assert method.encode() == bytes((0, index, 0, 1, 9))
    back_again(amqp, method)


def test_domains_and_constants_called_as_the_package_calls_things(amqp: ModuleType) -> None:
    assert amqp.SPEC.version == "0-9-1"
    assert amqp.constants.PORT == 5672
    assert amqp.constants.FRAME_END == 206
    assert amqp.PROTOCOL_HEADER == b"AMQP\0\0\x09\1"
    assert len(amqp.constants.HARD_ERRORS) == 8
    assert set(amqp.CLOSE_ERRORS) == {404, *range(900, 908)}
    assert len(set(amqp.CLOSE_ERRORS.values())) == 9
    assert amqp.ReplyCode(900).name.startswith("PORT")


# --- Asserts -------------------------------------------------------------------------------------

RIGHT = {"pattern": "a$", "choice": "ax", "there": 1, "low": 1, "high": 1}


@pytest.mark.parametrize(
    ("field", "right", "wrong"),
    [
        ("pattern", ["a$"], ["a", "", "ba$"]),
        ("choice", ["ax", "b", "xb", "a"], ["xa", "", "bx", "b\n"]),
        ("range", ["", "a-b_c.:9"], ["a b", "\u00e9", "a\n"]),
        ("short", ["", "abc", "\u00e9\u00e9\u00e9"], ["abcd"]),
        ("number", [0, 6, 8], [7]),
        ("there", [1], [0]),
        ("gone", [0], [1]),
        ("word", [0, 1], [2, 255]),
        ("octets", [b"", b"\x80\xff"], [b"a", b"\x80\n"]),
    ],
)
def test_asserts(amqp: ModuleType, field: str, right: list[Any], wrong: list[Any]) -> None:
    for value in right:
        amqp.validate(amqp.methods.CheckedAll(**{**RIGHT, field: value}))
    for value in wrong:
        with pytest.raises(amqp.ValidationError, match=f"checked.all.{field} ") as caught:
            amqp.validate(amqp.methods.CheckedAll(**{**RIGHT, field: value}))
        assert len(caught.value.violations) == 1
        amqp.validate(amqp.methods.CheckedAll(**{**RIGHT, field: value}), "off")
        amqp.validate(amqp.methods.CheckedAll(**{**RIGHT, field: value}), "wire")


def test_a_field_that_must_not_exceed_another_one(amqp: ModuleType) -> None:
    """Of its own method, and of an earlier one; zero there is no limit."""
    amqp.validate(amqp.methods.CheckedAll(**{**RIGHT, "low": 5, "high": 5}))
    amqp.validate(amqp.methods.CheckedAll(**{**RIGHT, "low": 5, "high": 0}))
    with pytest.raises(amqp.ValidationError, match=r"^checked\.all\.low "):
        amqp.validate(amqp.methods.CheckedAll(**{**RIGHT, "low": 6, "high": 5}))
    earlier = [amqp.methods.CheckedAll(**{**RIGHT, "high": 5})]
    amqp.validate(amqp.methods.CheckedBound(upper=5), earlier=earlier)
    amqp.validate(amqp.methods.CheckedBound(upper=6))
    with pytest.raises(amqp.ValidationError, match=r"^checked\.bound\.upper "):
        amqp.validate(amqp.methods.CheckedBound(upper=6), earlier=earlier)


# --- The whole package ---------------------------------------------------------------------------


def test_it_needs_nothing_but_the_standard_library_and_no_name_of_its_own(
    folder: Path, tmp_path: Path
) -> None:
    """In an interpreter without site-packages, under another name, as part of something else."""
    for path, octets in tree(folder / "synthetic").items():
        target = tmp_path / "vendored" / "inside" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(octets)
    code = (
        "import vendored.inside as amqp\n"
        "method = amqp.methods.BitsNine(b8=True)\n"
        "assert amqp.decode_method(method.encode()) == method\n"
        "assert not any(name.startswith(('amqp_codegen', 'synthetic', 'jinja2', 'black')) for name in sys.modules)\n"
        "print(method.encode().hex())"
    )
    result = run_python(code, tmp_path, "-W", "error")
    assert (result.stdout, result.stderr) == ("000a00090001\n", "")


def test_its_types_are_right(shared: Shared, folder: Path) -> None:
    """Fields called ``int`` or ``bytes`` confuse no type checker."""
    result = run_mypy(shared, "synthetic", cwd=folder)
    assert result.returncode == 0, result.stdout
