"""Columns hold what decoding gives, for every method and property set and any octets; nothing is lost."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import LARGEST_EXPONENT, line_exponent
from tests.sampling import examples

from .letters import KINDS
from .packages import (
    NAMES,
    PACKAGES,
    RABBITMQ,
    bare,
    dialect_of,
    each_method,
    each_package,
    each_property_set,
)
from .raw_octets import any_raw_header, any_raw_method, raw_headers, raw_methods
from .reference_codec import frame, longstr
from .test_fast_reader_agrees_with_walker import mutated, outcome
from .values import any_method, greatest_values, least_values, typical_values
from .variants import expected_table, integer, is_text, read_variant

for item in NAMES:
    import_module(f"{item}.columns")

LARGEST = 2**63 - 1
LAST_SECOND = 253_402_300_799
TYPES = {
    "bit": "bool",
    "octet": "int16",
    "short": "int32",
    "long": "int64",
    "longlong": "int64",
    "shortstr": "string",
    "longstr": "binary",
    "timestamp": "timestamp[us]",
    "table": "variant",
}


# --- What rows should be ----------------------------------------------------------------------------------


def in_column(amqp: Any, kind: str, value: Any) -> Any:
    """What a column holds for a value that lossless decoding gives; None when it does not fit."""
    if value is None:
        return None
    if kind == "longlong":
        return value if value <= LARGEST else None
    if kind == "timestamp":
        return value * 1_000_000 if value <= LAST_SECOND else None
    if kind == "table":
        return expected_table(longstr(value.raw), KINDS[dialect_of(amqp)])
    if kind == "shortstr":
        return octets_of(value).decode(errors="backslashreplace")
    return value


def octets_of(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def columns_of(
    amqp: Any, fields: Any, source: Any, several: set[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns of fields, and what fits none of them."""
    columns: dict[str, Any] = {}
    misfits: dict[str, Any] = {}
    for field in fields:
        value = getattr(source, field.name)
        name = f"{field.name}_{field.type}" if field.name in several else field.name
        if field.type == "content":
            columns |= {f"{name}_kind": value.kind, name: value.data}
            continue
        columns[name] = in_column(amqp, field.type, value)
        if columns[name] is None and value is not None:
            misfits[name] = integer(value)
        if field.type == "shortstr" and value is not None and not is_text(octets_of(value)):
            misfits[name] = ("binary", octets_of(value))
    return columns, misfits


def several_types(amqp: Any) -> set[str]:
    """Names of fields that have different types in different methods."""
    types: dict[str, set[str]] = {}
    for cls in amqp.METHODS.values():
        for field in cls.FIELDS:
            if not field.reserved:
                types.setdefault(field.name, set()).add(field.type)
    return {name for name, found in types.items() if len(found) > 1}


def method_row(amqp: Any, payload: bytes) -> dict[str, Any]:
    """The row of a method, from lossless decoding; columns in which there is nothing are left out."""
    method = amqp.decode_method(payload, lossless=True)
    plain = [field for field in method.FIELDS if not field.reserved]
    columns, misfits = columns_of(amqp, plain, method, several_types(amqp))
    spare: dict[str, int] = {}
    bits = [field for field in method.FIELDS if field.type == "bit"]
    if method.residue is not None:
        for value in method.residue.spare_bits.values():
            spare[f"bits of {bits[0].name}"] = spare.get(f"bits of {bits[0].name}", 0) | value
        for name, value in method.residue.reserved.items():
            if type(value) is bool:
                bit = 1 << [field.name for field in bits].index(name)
                spare[f"bits of {bits[0].name}"] = spare.get(f"bits of {bits[0].name}", 0) | bit
            else:
                misfits[name] = residue(value)
    misfits |= {name: ("int64", value) for name, value in spare.items()}
    columns["method"] = method.NAME
    return finished(columns, misfits)


def residue(value: Any) -> Any:
    if isinstance(value, int):
        return integer(value)
    octets = value.encode(errors="surrogateescape") if isinstance(value, str) else value
    return ("string", octets.decode()) if is_text(octets) else ("binary", octets)


def header_row(amqp: Any, payload: bytes) -> dict[str, Any]:
    """The row of a content header, in the same way."""
    ((_, header),) = amqp.decode_frames(frame(2, 1, payload), lossless=True)[0]
    columns, misfits = columns_of(amqp, header.properties.FIELDS, header.properties, set())
    columns |= {"class_id": header.class_id, "body_size": in_column(amqp, "longlong", header.body_size)}
    if columns["body_size"] is None:
        misfits["body_size"] = integer(header.body_size)
    if header.weight:
        misfits["$weight"] = ("int64", header.weight)
    if header.properties.residue is not None:
        misfits["$flags"] = ("array", [("int64", word) for word in header.properties.residue.flags])
    return finished(columns, misfits)


def finished(columns: dict[str, Any], misfits: dict[str, Any]) -> dict[str, Any]:
    if misfits:
        columns["misfits"] = ("object", misfits)
    return {name: value for name, value in columns.items() if value is not None}


# --- Rows ---------------------------------------------------------------------------------------------------


def key_of(payload: bytes) -> int:
    return int.from_bytes(payload[:4], "big")


def rows_of(columns: dict[str, list[Any]], schema: Any) -> list[dict[str, Any]]:
    """Columns as rows without what is None; variants are read."""
    types = dict(schema)
    assert [name for name, _ in schema if name in columns] == list(columns)
    assert len({len(values) for values in columns.values()}) <= 1
    rows: list[dict[str, Any]] = [{} for _ in next(iter(columns.values()), [])]
    for name, values in columns.items():
        assert any(value is not None for value in values)
        for row, value in zip(rows, values, strict=True):
            if value is not None:
                row[name] = read_variant(value) if types[name] == "variant" else value
    return rows


def rows_of_methods(amqp: Any, payloads: list[bytes]) -> list[dict[str, Any]]:
    columns = amqp.columns.MethodColumns()
    for number, payload in enumerate(payloads):
        assert len(columns) == number
        columns.append(key_of(payload), payload)
    return rows_of(columns.take(), amqp.columns.METHOD_SCHEMA)


def rows_of_headers(amqp: Any, payloads: list[bytes]) -> list[dict[str, Any]]:
    columns = amqp.columns.HeaderColumns()
    for payload in payloads:
        columns.append(payload)
    return rows_of(columns.take(), amqp.columns.HEADER_SCHEMA)


@pytest.mark.parametrize("values", [least_values, typical_values, greatest_values])
@each_method
def test_every_method(amqp: Any, cls: Any, values: Any) -> None:
    payload = cls(**values(amqp, cls)).encode()
    assert rows_of_methods(amqp, [payload]) == [method_row(amqp, payload)]


@each_method
@given(data=st.data())
@examples(6)
def test_every_method_with_any_octets(amqp: Any, cls: Any, data: st.DataObject) -> None:
    payload = data.draw(raw_methods(amqp, cls))
    assert rows_of_methods(amqp, [payload]) == [method_row(amqp, payload)]


@each_package
@given(data=st.data())
@examples(60)
def test_batches_of_methods(amqp: Any, data: st.DataObject) -> None:
    """Rows are aligned: each is the same as alone."""
    payloads = [method.encode() for method in data.draw(st.lists(any_method(amqp), max_size=8))]
    assert rows_of_methods(amqp, payloads) == [method_row(amqp, payload) for payload in payloads]


@each_property_set
@given(data=st.data())
@examples(60)
def test_every_property_set(amqp: Any, cls: Any, data: st.DataObject) -> None:
    payloads = data.draw(
        st.lists(raw_headers(amqp, cls, tidy=data.draw(st.booleans())), min_size=1, max_size=4)
    )
    assert rows_of_headers(amqp, payloads) == [header_row(amqp, payload) for payload in payloads]


@each_package
@given(data=st.data())
@examples(60)
def test_batches_of_headers(amqp: Any, data: st.DataObject) -> None:
    payloads = data.draw(st.lists(any_raw_header(amqp, tidy=True), max_size=6))
    kept = [
        payload
        for payload in payloads
        if outcome(amqp, lambda payload=payload: rows_of_headers(amqp, [payload]))[0]
    ]
    assert rows_of_headers(amqp, kept) == [header_row(amqp, payload) for payload in kept]


# --- Octets that are wrong ------------------------------------------------------------------------------------


@each_package
@given(data=st.data())
@examples(200)
def test_accepts_methods_that_decoding_accepts(amqp: Any, data: st.DataObject) -> None:
    payload = data.draw(mutated(data.draw(any_raw_method(amqp))))
    columns = amqp.columns.MethodColumns()
    _, refused = outcome(amqp, lambda: columns.append(key_of(payload), payload))
    _, plain = outcome(amqp, lambda: amqp.decode_method(payload))
    _, lossless = outcome(amqp, lambda: amqp.decode_method(payload, lossless=True))
    if refused is None:
        assert lossless is None
        assert rows_of(columns.take(), amqp.columns.METHOD_SCHEMA) == [method_row(amqp, payload)]
        assert plain is None
    else:
        assert (type(refused), refused.offset, refused.path) == (type(plain), plain.offset, plain.path)
        assert len(columns) == 0
        assert columns.take() == {}


@each_package
@given(data=st.data())
@examples(200)
def test_accepts_headers_that_decoding_accepts(amqp: Any, data: st.DataObject) -> None:
    payload = data.draw(mutated(data.draw(any_raw_header(amqp, tidy=data.draw(st.booleans())))))
    columns = amqp.columns.HeaderColumns()
    _, refused = outcome(amqp, lambda: columns.append(payload))
    _, plain = outcome(amqp, lambda: amqp.decode_frames(frame(2, 1, payload))[0][0][1].properties)
    if refused is None:
        assert rows_of(columns.take(), amqp.columns.HEADER_SCHEMA) == [header_row(amqp, payload)]
        assert plain is None
    else:
        assert (type(refused), refused.offset, refused.path) == (type(plain), plain.offset - 7, plain.path)
        assert columns.take() == {}


@each_package
@given(data=st.data())
@examples(40)
def test_a_row_that_fails_leaves_no_trace(amqp: Any, data: st.DataObject) -> None:
    good = data.draw(
        st.lists(any_method(amqp), min_size=1, max_size=4).map(lambda all: [m.encode() for m in all])
    )
    columns = amqp.columns.MethodColumns()
    for payload in good:
        for cut in range(len(payload)):
            with pytest.raises(amqp.DecodeError):
                columns.append(key_of(payload), payload[:cut])
        with pytest.raises(amqp.DecodeError):
            columns.append(key_of(payload), payload + b"\0")
        columns.append(key_of(payload), payload)
    assert len(columns) == len(good)
    assert rows_of(columns.take(), amqp.columns.METHOD_SCHEMA) == [method_row(amqp, frame) for frame in good]


@each_package
def test_unknown_numbers(amqp: Any) -> None:
    columns = amqp.columns.MethodColumns()
    with pytest.raises(amqp.errors.Unknown, match="there is no method 99 in class 999"):
        columns.append(999 << 16 | 99, b"\3\xe7\0\x63")
    headers = amqp.columns.HeaderColumns()
    with pytest.raises(amqp.errors.Unknown, match="class 999 carries no content"):
        headers.append(b"\3\xe7" + bytes(12))
    with pytest.raises(amqp.errors.Truncated):
        headers.append(b"")


@each_package
def test_limits_and_dialects(amqp: Any) -> None:
    for columns in (amqp.columns.MethodColumns, amqp.columns.HeaderColumns):
        with pytest.raises(ValueError, match="no dialect 'x'"):
            columns(dialect="x")
        with pytest.raises(ValueError, match="max_elements"):
            columns(max_elements=0)
    cls = amqp.METHODS[50 << 16 | 10]  # queue.declare
    payload = cls(arguments={"a": {"b": {}}}).encode()
    columns = amqp.columns.MethodColumns(max_depth=2)
    with pytest.raises(amqp.errors.LimitExceeded):
        columns.append(key_of(payload), payload)
    arguments = longstr(b"\1kx" + longstr(b"octets"))  # spec-0-8 has no x
    payload = bare(cls).encode()[:-4] + arguments
    with pytest.raises(amqp.errors.Unknown):
        amqp.columns.MethodColumns(dialect="spec-0-8").append(key_of(payload), payload)
    columns = amqp.columns.MethodColumns(dialect="spec-0-8", lenient=True)
    columns.append(key_of(payload), payload)
    assert read_variant(columns.take()["arguments"][0]) == ("object", {"k": ("binary", b"octets")})


def test_a_variant_that_is_too_large() -> None:
    table = longstr(b"\1kS" + longstr(bytes(2**24)))
    payload = RABBITMQ.methods.QueueDeclare().encode()[:-4] + table
    columns = RABBITMQ.columns.MethodColumns()
    with pytest.raises(RABBITMQ.errors.LimitExceeded, match="a VARIANT of 1677"):
        columns.append(key_of(payload), payload)
    assert len(columns) == 0


# --- The rest -------------------------------------------------------------------------------------------------


@each_package
def test_schemas(amqp: Any) -> None:
    """Every field has a column of its type, named after it."""
    several = several_types(amqp)
    methods = dict(amqp.columns.METHOD_SCHEMA)
    headers = dict(amqp.columns.HEADER_SCHEMA)
    assert len(methods) == len(amqp.columns.METHOD_SCHEMA)
    assert len(headers) == len(amqp.columns.HEADER_SCHEMA)
    wanted = {"method": "string", "misfits": "variant"}
    for cls in amqp.METHODS.values():
        for field in cls.FIELDS:
            name = f"{field.name}_{field.type}" if field.name in several else field.name
            if field.type == "content":
                wanted |= {f"{name}_kind": "int16", name: "binary"}
            elif not field.reserved:
                wanted[name] = TYPES[field.type]
    assert methods == wanted
    wanted = {"class_id": "int32", "body_size": "int64", "misfits": "variant"}
    for properties in amqp.content.PROPERTIES.values():
        wanted |= {field.name: TYPES[field.type] for field in properties.FIELDS}
    assert headers == wanted


@each_package
def test_taking_starts_again(amqp: Any) -> None:
    columns = amqp.columns.MethodColumns()
    assert columns.take() == {}
    payload = amqp.METHODS[60 << 16 | 60](routing_key="a").encode()  # basic.deliver
    columns.append(key_of(payload), payload)
    first = columns.take()
    assert first["routing_key"] == ["a"]
    assert len(columns) == 0
    columns.append(key_of(payload), bytearray(payload))
    columns.append(key_of(payload), memoryview(payload))
    assert columns.take()["routing_key"] == ["a", "a"]
    assert first["routing_key"] == ["a"]


@pytest.mark.parametrize("name", NAMES)
def test_arrow_takes_every_column(name: str) -> None:
    """The types are what the schema says; the largest and the smallest values fit."""
    arrow = pytest.importorskip("pyarrow", reason="the extra traffic is not installed")
    amqp = PACKAGES[name]
    variant = arrow.struct([("value", arrow.binary()), ("metadata", arrow.binary())])

    def check(taken: dict[str, list[Any]], schema: Any) -> None:
        for column, kind in schema:
            if column in taken:
                found = variant if kind == "variant" else arrow.type_for_alias(kind)
                assert arrow.array(taken[column], found).to_pylist() is not None

    columns = amqp.columns.MethodColumns()
    for cls in amqp.METHODS.values():
        for values in (least_values, typical_values, greatest_values):
            payload = cls(**values(amqp, cls)).encode()
            columns.append(key_of(payload), payload)
    check(columns.take(), amqp.columns.METHOD_SCHEMA)
    headers = amqp.columns.HeaderColumns()
    for cls in amqp.content.PROPERTIES.values():
        for values in (least_values, typical_values, greatest_values):
            header = amqp.ContentHeader(cls(**values(amqp, cls)), 2**64 - 1)
            headers.append(amqp.encode_frame(1, header)[7:-1])
    check(headers.take(), amqp.columns.HEADER_SCHEMA)


@pytest.mark.skipif(
    RABBITMQ.ACCELERATED, reason="lines of Python tell nothing about the core in C: AMQP_PURE=1"
)
def test_lines_grow_with_the_rows() -> None:
    payloads = [bare(cls).encode() for cls in RABBITMQ.METHODS.values()]

    def take(repeats: int) -> None:
        columns = RABBITMQ.columns.MethodColumns()
        for payload in payloads * repeats:
            columns.append(key_of(payload), payload)
        columns.take()

    assert line_exponent(lambda repeats: repeats, take, 5) <= LARGEST_EXPONENT
