"""Every letter of every dialect, at the edges of its range: written with ``Tagged`` and read back."""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any

import pytest

from .letters import INTEGERS, KINDS, same
from .packages import PACKAGES, RABBITMQ, dialect_of, each_dialect, each_package

LETTERS = [
    pytest.param(dialect, letter, kind, id=f"{dialect}-{letter}")
    for dialect, kinds in KINDS.items()
    for letter, kind in kinds.items()
]


def edges(kind: str) -> list[tuple[Any, bytes]]:
    """Values and the octets that follow the letter."""
    if kind in INTEGERS:
        code, low, high = INTEGERS[kind]
        return [(value, struct.pack(code, value)) for value in sorted({low, -1, 0, 1, high}) if low <= value]
    if kind in ("decimal", "decimal-unsigned"):
        code, low, high = (">Bi", -(2**31), 2**31 - 1) if kind == "decimal" else (">BI", 0, 2**32 - 1)
        return [
            (Decimal(f"{number}E-{scale}"), struct.pack(code, scale, number))
            for number in (low, 0, 1, high)
            for scale in (0, 1, 255)
        ]
    if kind in ("float", "double"):
        code = ">f" if kind == "float" else ">d"
        values = [0.0, -0.0, 1.5, float("inf"), float("-inf"), float("nan")]
        values.append(3.4028234663852886e38 if kind == "float" else 1.7976931348623157e308)
        values.append(1.401298464324817e-45 if kind == "float" else 5e-324)
        return [(value, struct.pack(code, value)) for value in values]
    text = [("", b""), ("a", b"a"), ("ä€𝄞\0", "ä€𝄞\0".encode()), (b"\xff\xfe", b"\xff\xfe")]
    return {
        "boolean": [(True, b"\1"), (False, b"\0")],
        "timestamp": [
            (RABBITMQ.Timestamp(value), struct.pack(">Q", value)) for value in (0, 1, 2**63, 2**64 - 1)
        ],
        "shortstr": [(value, bytes((len(data),)) + data) for value, data in [*text, ("x" * 255, b"x" * 255)]],
        "longstr": [
            (value, struct.pack(">I", len(data)) + data)
            for value, data in [*text, ("x" * 70000, b"x" * 70000)]
        ],
        "bytes": [(data, struct.pack(">I", len(data)) + data) for data in (b"", b"a", bytes(range(256)))],
        "array": [([], b"\0\0\0\0"), ([{}], b"\0\0\0\5F\0\0\0\0")],
        "table": [({}, b"\0\0\0\0"), ({"": {}}, b"\0\0\0\6\0F\0\0\0\0")],
        "void": [(None, b"")],
    }[kind]


@pytest.mark.parametrize(("dialect", "letter", "kind"), LETTERS)
def test_edges(dialect: str, letter: str, kind: str) -> None:
    for value, octets in edges(kind):
        entry = b"\1k" + letter.encode() + octets
        expected = struct.pack(">I", len(entry)) + entry
        assert RABBITMQ.encode_table({"k": RABBITMQ.Tagged(letter, value)}, dialect=dialect) == expected
        table, position = RABBITMQ.decode_table(expected, 0, dialect=dialect)
        assert position == len(expected)
        assert same(table, {"k": value})
        # The same as the item of an array, where there are arrays.
        if "A" in KINDS[dialect]:
            array = b"\1aA" + struct.pack(">I", 2 * len(entry[2:])) + 2 * entry[2:]
            expected = struct.pack(">I", len(array)) + array
            tagged = RABBITMQ.Tagged(letter, value)
            assert RABBITMQ.encode_table({"a": [tagged, tagged]}, dialect=dialect) == expected
            assert same(RABBITMQ.decode_table(expected, 0, dialect=dialect)[0], {"a": [value, value]})


@pytest.mark.parametrize(("dialect", "letter", "kind"), LETTERS)
def test_beyond_the_edges(dialect: str, letter: str, kind: str) -> None:
    wrong: list[Any] = [object(), {1, 2}]
    if kind in INTEGERS:
        _, low, high = INTEGERS[kind]
        wrong += [low - 1, high + 1, 2**64, -(2**63) - 1, 10**400, 1.5, "1", None]
    elif kind.startswith("decimal"):
        lowest = -(2**31) - 1 if kind == "decimal" else -1
        highest = 2**31 if kind == "decimal" else 2**32
        wrong += [
            Decimal(lowest),
            Decimal(highest),
            Decimal("1E-256"),
            Decimal("1E+10"),
            Decimal("1E+1000000"),
        ]
        wrong += [
            Decimal("NaN"),
            Decimal("sNaN"),
            Decimal("Infinity"),
            Decimal("-Infinity"),
            "abc",
            [1],
            None,
        ]
    elif kind in ("float", "double"):
        wrong += [10**400, "x", None]
        if kind == "float":
            wrong += [3.5e38]
    elif kind == "timestamp":
        wrong += [-1, 2**64, "now", 1.5, None]
    elif kind in ("longstr", "shortstr", "bytes"):
        wrong += [1, None, ["a"], "\ud800"]
        if kind == "shortstr":
            wrong += ["x" * 256, b"x" * 256, "€" * 86]
    elif kind == "array":
        wrong += [1, None, [object()], "text", b"octets", {"a": 1}]
    elif kind == "table":
        wrong += [1, [], "text", {"a": object()}, {1: 1}, {b"a": 1}, {"x" * 256: 1}, {"\ud800": 1}]
    elif kind == "void":
        wrong += [0, False, ""]
    else:
        wrong = []  # anything is true or false
    for value in wrong:
        with pytest.raises(RABBITMQ.EncodeError) as caught:
            RABBITMQ.encode_table({"outer": {"key": RABBITMQ.Tagged(letter, value)}}, dialect=dialect)
        assert caught.value.path.startswith("outer.key"), value
        assert caught.value.message


@each_dialect
def test_letters_of_the_dialect_and_no_others(dialect: str) -> None:
    for code in range(256):
        octets = b"\0\0\0\x0b\1k" + bytes((code,)) + bytes(8)
        known = chr(code) in KINDS[dialect]
        if not known:
            with pytest.raises(RABBITMQ.errors.Unknown) as caught:
                RABBITMQ.decode_table(octets, 0, dialect=dialect)
            assert (caught.value.offset, caught.value.path) == (6, "k")
            with pytest.raises(RABBITMQ.errors.Unknown):
                RABBITMQ.decode_table(octets, 0, dialect=dialect, lossless=True)
            with pytest.raises(RABBITMQ.EncodeError) as refused:
                RABBITMQ.encode_table({"k": RABBITMQ.Tagged(chr(code), 0)}, dialect=dialect)
            assert refused.value.path == "k"
    for letter in ("", "SS", "€"):
        with pytest.raises(RABBITMQ.EncodeError):
            RABBITMQ.encode_table({"k": RABBITMQ.Tagged(letter, 0)}, dialect=dialect)


@each_package
def test_every_package_has_every_dialect(amqp: Any) -> None:
    assert set(amqp.dialects.DIALECTS) == set(KINDS)
    for name, dialect in amqp.dialects.DIALECTS.items():
        assert dialect.name == name
        assert dict(dialect.read) == KINDS[name]
    assert amqp.dialects.DEFAULT_DIALECT is amqp.dialects.DIALECTS[dialect_of(amqp)]
    assert amqp.SPEC.dialect == dialect_of(amqp)


@each_package
def test_the_default_dialect_is_the_packages_own(amqp: Any) -> None:
    void = b"\0\0\0\3\1kV"
    if "V" in KINDS[dialect_of(amqp)]:
        assert amqp.decode_table(void) == ({"k": None}, 7)
        assert amqp.encode_table({"k": None}) == void
    else:
        with pytest.raises(amqp.errors.Unknown):
            amqp.decode_table(void)
        with pytest.raises(amqp.EncodeError):
            amqp.encode_table({"k": None})


def test_s_and_l_mean_what_the_dialect_says() -> None:
    short = b"\0\0\0\x05\1ks\1A"
    assert RABBITMQ.decode_table(short, 0, dialect="rabbitmq")[0] == {"k": 0x141}
    assert RABBITMQ.decode_table(short, 0, dialect="spec-0-9-1")[0] == {"k": "A"}
    long = b"\0\0\0\x0b\1kl" + b"\xff" * 8
    assert RABBITMQ.decode_table(long, 0, dialect="rabbitmq")[0] == {"k": -1}
    assert RABBITMQ.decode_table(long, 0, dialect="spec-0-9-1")[0] == {"k": 2**64 - 1}
    decimal = b"\0\0\0\x08\1kD\1\xff\xff\xff\xff"
    assert RABBITMQ.decode_table(decimal, 0, dialect="rabbitmq")[0] == {"k": Decimal("-0.1")}
    assert RABBITMQ.decode_table(decimal, 0, dialect="spec-0-9-1")[0] == {"k": Decimal("-0.1")}


@pytest.mark.parametrize("octet", [1, 2, 0x7F, 0x80, 0xFF])
def test_any_octet_but_zero_is_true(octet: int) -> None:
    table = b"\0\0\0\4\1kt" + bytes((octet,))
    assert RABBITMQ.decode_table(table)[0]["k"] is True
    assert RABBITMQ.decode_table(table[:-1] + b"\0")[0]["k"] is False


@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_dialects_are_the_same_in_every_package(package: Any) -> None:
    for name, dialect in package.dialects.DIALECTS.items():
        for value in (1, 2**31, "x"):
            try:
                expected: Any = RABBITMQ.encode_table({"k": value}, dialect=name)
            except RABBITMQ.EncodeError:
                with pytest.raises(package.EncodeError):
                    package.encode_table({"k": value}, dialect=dialect)
            else:
                assert package.encode_table({"k": value}, dialect=dialect) == expected
