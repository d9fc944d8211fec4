"""Columns hold what decoding gives, for every performative and message and any octets; nothing is lost."""

from __future__ import annotations

import struct
from typing import Any

import amqp_1_0.columns
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generated.amqp0.test_fast_reader_agrees_with_walker import mutated, outcome
from tests.generated.amqp0.variants import integer, read_variant
from tests.sampling import examples

from .fields import MAPS, SIMPLE, STRINGS, filled, least, of_composite
from .packages import BY_NAME, amqp
from .specification import COMPOSITES
from .variants import FIRST_SECOND, LAST_SECOND, expected, typed, without_counts

columns = amqp_1_0.columns
LARGEST = 2**63 - 1
PERFORMATIVES = [
    BY_NAME[composite.name] for composite in COMPOSITES if {"frame", "sasl-frame"} & set(composite.provides)
]
TYPES = {
    "boolean": "bool",
    "ubyte": "int16",
    "ushort": "int32",
    "uint": "int64",
    "ulong": "int64",
    "binary": "binary",
    "string": "string",
    "symbol": "string",
    "timestamp": "timestamp[us]",
}
each_performative = pytest.mark.parametrize("cls", [pytest.param(cls, id=cls.NAME) for cls in PERFORMATIVES])


def is_sasl(cls: Any) -> bool:
    return "sasl-frame" in cls.PROVIDES


# --- What rows should be ----------------------------------------------------------------------------------


def column_type(field: Any) -> str:
    if field.multiple:
        return "list<string>" if field.primitive == "symbol" else "variant"
    return TYPES.get(field.primitive, "variant")


def fits(primitive: str, value: Any) -> bool:
    """Whether a number or moment can be in a column."""
    if primitive == "timestamp":
        return FIRST_SECOND <= value // 1000 <= LAST_SECOND
    return primitive != "ulong" or value <= LARGEST


def row_of(composite: Any) -> dict[str, Any]:
    """The row of a composite; columns in which there is nothing are left out."""
    row: dict[str, Any] = {}
    misfits: dict[str, Any] = {}
    for field in composite.FIELDS:
        value, kind = getattr(composite, field.attribute), column_type(field)
        if value is None or (field.multiple and not value):
            continue
        if kind == "list<string>":
            row[field.attribute] = [str(item) for item in value]
        elif kind == "variant":
            row[field.attribute] = typed(value, field.primitive, field.type)
        elif not fits(field.primitive, value):
            misfits[field.attribute] = integer(int(value))
        else:
            row[field.attribute] = value * 1000 if field.primitive == "timestamp" else value
        if field.type == "error":
            row["error_condition"] = str(value.condition)
            if value.description is not None:
                row["error_description"] = value.description
    return row | ({"misfits": ("object", dict(sorted(misfits.items())))} if misfits else {})


def rows_of(taken: dict[str, list[Any]], schema: Any) -> list[dict[str, Any]]:
    """Columns as rows without what is None; variants are read."""
    types = dict(schema)
    assert [name for name, _ in schema if name in taken] == list(taken)
    rows: list[dict[str, Any]] = [{} for _ in next(iter(taken.values()), [])]
    for name, values in taken.items():
        assert any(value is not None for value in values)
        for row, value in zip(rows, values, strict=True):
            if value is not None:
                row[name] = without_counts(read_variant(value)) if types[name] == "variant" else value
    return rows


def rows_of_bodies(bodies: list[tuple[bytes, bool]]) -> list[dict[str, Any]]:
    batch = columns.PerformativeColumns()
    for number, (body, sasl) in enumerate(bodies):
        assert len(batch) == number
        batch.append(body, sasl=sasl)
    return rows_of(batch.take(), columns.PERFORMATIVE_SCHEMA)


def decoded(body: bytes, sasl: bool) -> tuple[Any, bytes]:
    """The performative and the payload of the frame with this body."""
    frame = struct.pack(">IBBH", 8 + len(body), 2, int(sasl), 0) + body
    ((_, performative, payload),) = amqp.decode_frames(frame)[0]
    return performative, payload


# --- Performatives ------------------------------------------------------------------------------------------


@each_performative
@pytest.mark.parametrize("make", [filled, least])
def test_every_performative(cls: Any, make: Any) -> None:
    performative = make(cls)
    assert rows_of_bodies([(performative.encode(), is_sasl(cls))]) == [
        {"performative": cls.NAME, **row_of(performative)}
    ]


@each_performative
@given(data=st.data())
@examples(40)
def test_every_performative_with_any_values(cls: Any, data: st.DataObject) -> None:
    body = data.draw(of_composite(cls)).encode()
    performative, _ = decoded(body, is_sasl(cls))
    assert rows_of_bodies([(body, is_sasl(cls))]) == [{"performative": cls.NAME, **row_of(performative)}]


@given(data=st.data())
@examples(60)
def test_batches(data: st.DataObject) -> None:
    """Rows are aligned: each is the same as alone."""
    some = st.sampled_from(PERFORMATIVES).flatmap(of_composite)
    bodies = [(item.encode(), is_sasl(type(item))) for item in data.draw(st.lists(some, max_size=8))]
    assert rows_of_bodies(bodies) == [row for body in bodies for row in rows_of_bodies([body])]


def test_the_payload_starts_after_the_performative() -> None:
    batch = columns.PerformativeColumns()
    transfer = filled(BY_NAME["transfer"]).encode()
    assert batch.append(transfer + b"payload") == len(transfer)
    with pytest.raises(amqp.errors.Malformed, match="3 octets are left over in a SASL frame"):
        batch.append(filled(BY_NAME["sasl-init"]).encode() + b"abc", sasl=True)
    assert len(batch) == 1


def test_descriptors_of_all_forms() -> None:
    descriptors = (b"\x53\x17", b"\x80" + bytes(7) + b"\x17", b"\xa3\x0d" + b"amqp:end:list")
    bodies = [(b"\0" + descriptor + b"\x45", False) for descriptor in descriptors]
    assert rows_of_bodies(bodies) == [{"performative": "end"}] * 3


def test_what_is_no_performative() -> None:
    batch = columns.PerformativeColumns()
    end, init = BY_NAME["end"]().encode(), filled(BY_NAME["sasl-init"]).encode()
    for body, sasl, message in [
        (end, True, "end is not the body of a SASL frame"),
        (init, False, "sasl-init is not the body of an AMQP frame"),
        (BY_NAME["accepted"]().encode(), False, "accepted is not the body of an AMQP frame"),
        (b"\0\x53\xff\x45", False, "an unknown described value is not the body of an AMQP frame"),
        (b"\0\x54\x17\x45", False, "an unknown described value is not the body of an AMQP frame"),
        (b"\x45", False, "a performative is described; 0x45 does not begin one"),
        (b"", False, "the body is empty"),
    ]:
        with pytest.raises(amqp.DecodeError, match=message):
            batch.append(body, sasl=sasl)
    assert batch.take() == {}


@each_performative
@given(data=st.data())
@examples(60)
def test_accepts_what_decoding_accepts(cls: Any, data: st.DataObject) -> None:
    body = data.draw(mutated(data.draw(of_composite(cls)).encode()))
    batch = columns.PerformativeColumns()
    stop, refused = outcome(amqp, lambda: batch.append(body, sasl=is_sasl(cls)))
    if not body:
        assert refused.message == "the body is empty"
        return
    found, reason = outcome(amqp, lambda: decoded(body, is_sasl(cls)))
    if refused is None:
        assert reason is None
        assert body[stop:] == found[1]
        row = {"performative": type(found[0]).NAME, **row_of(found[0])}
        assert rows_of(batch.take(), columns.PERFORMATIVE_SCHEMA) == [row]
    else:
        assert reason is not None
        same = (type(reason), reason.message, reason.offset - 8, reason.path)
        assert (type(refused), refused.message, refused.offset, refused.path) == same
        assert batch.take() == {}


def test_a_row_that_fails_leaves_no_trace() -> None:
    batch = columns.PerformativeColumns()
    for cls in PERFORMATIVES:
        body = filled(cls).encode()
        for cut in range(len(body)):
            with pytest.raises(amqp.DecodeError):
                batch.append(body[:cut], sasl=is_sasl(cls))
        batch.append(body, sasl=is_sasl(cls))
    assert len(batch) == len(PERFORMATIVES)
    names = [row["performative"] for row in rows_of(batch.take(), columns.PERFORMATIVE_SCHEMA)]
    assert names == [cls.NAME for cls in PERFORMATIVES]


def test_small_states_that_come_again() -> None:
    """They are remembered by their octets: for one archetype they may do, for another they may not."""
    state = BY_NAME["received"](section_number=1, section_offset=2)
    transfer = BY_NAME["transfer"](handle=0, state=state).encode()
    source = BY_NAME["attach"](name="a", handle=0, role=True).encode()
    batch = columns.PerformativeColumns()
    for _ in range(3):
        batch.append(transfer)
    attach = b"\0\x53\x12\xc0" + bytes((8 + len(state.encode()), 6))
    attach += b"\xa1\1a\x43\x41\x40\x40" + state.encode()
    with pytest.raises(amqp.errors.Malformed):
        batch.append(attach)
    batch.append(source)
    rows = rows_of(batch.take(), columns.PERFORMATIVE_SCHEMA)
    assert [row.get("state") for row in rows] == [expected(state)] * 3 + [None]


def test_limits() -> None:
    with pytest.raises(ValueError, match="max_depth"):
        columns.PerformativeColumns(max_depth=0)
    with pytest.raises(ValueError, match="max_elements"):
        columns.MessageColumns(max_elements=-1)
    body = BY_NAME["open"](container_id="c", properties={"a": {"b": []}}).encode()
    for depth in range(1, 5):
        _, refused = outcome(
            amqp, lambda depth=depth: columns.PerformativeColumns(max_depth=depth).append(body)
        )
        _, reason = outcome(amqp, lambda depth=depth: amqp.decode(body, max_depth=depth))
        assert repr(refused) == repr(reason)
    large = BY_NAME["open"](container_id="c", properties={"a": bytes(2**24)}).encode()
    with pytest.raises(amqp.errors.LimitExceeded, match="a VARIANT of 167772"):
        columns.PerformativeColumns().append(large)


# --- Messages -----------------------------------------------------------------------------------------------

BODIES = st.one_of(
    st.none(),
    st.binary(max_size=9).map(BY_NAME["data"]),
    st.lists(st.binary(max_size=9).map(BY_NAME["data"]), min_size=1, max_size=3),
    st.lists(SIMPLE, max_size=3).map(BY_NAME["amqp-sequence"]),
    st.lists(st.lists(SIMPLE, max_size=3).map(BY_NAME["amqp-sequence"]), min_size=1, max_size=3),
    SIMPLE.map(BY_NAME["amqp-value"]),
)
MESSAGES = st.builds(
    amqp.Message,
    header=st.none() | of_composite(BY_NAME["header"]),
    delivery_annotations=st.none() | MAPS,
    message_annotations=st.none() | MAPS,
    properties=st.none() | of_composite(BY_NAME["properties"]),
    application_properties=st.none() | st.dictionaries(STRINGS, SIMPLE, max_size=4),
    body=BODIES,
    footer=st.none() | MAPS,
)
ANNOTATIONS = ("delivery_annotations", "message_annotations", "footer")


def message_row(message: Any, head: bool = False) -> dict[str, Any]:
    """The row of a message that has been decoded."""
    row: dict[str, Any] = {}
    for section in (message.header, message.properties):
        row |= row_of(section) if section is not None else {}
    for name in ANNOTATIONS:
        value = getattr(message, name)
        if value is not None and not (head and name == "footer"):
            row[name] = expected(value, keyed=True)
    if message.application_properties is not None:
        row["application_properties"] = expected(message.application_properties)
    return row | ({} if head else body_row(message.body))


def body_row(body: Any) -> dict[str, Any]:
    sections = body if isinstance(body, list) else [] if body is None else [body]
    if not sections:
        return {}
    if isinstance(sections[0], BY_NAME["amqp-value"]):
        return {"amqp_value": expected(sections[0].value)}
    values = [section.value for section in sections]
    if isinstance(sections[0], BY_NAME["data"]):
        return {"data": values}
    return {"amqp_sequence": expected(values)}


@given(messages=st.lists(MESSAGES, max_size=4))
@examples(150)
def test_messages(messages: list[Any]) -> None:
    batch = columns.MessageColumns()
    octets = [message.encode() for message in messages]
    for message in octets:
        batch.append(message)
    wanted = [message_row(amqp.decode_message(message)) for message in octets]
    taken = rows_of(batch.take(), columns.MESSAGE_SCHEMA)
    assert taken == (wanted if taken else [])
    assert taken or not any(wanted)


@given(message=MESSAGES, data=st.data())
@examples(100)
def test_heads_of_messages(message: Any, data: st.DataObject) -> None:
    """What comes before the body, whatever is missing of the rest."""
    octets = message.encode()
    message.body = message.footer = None
    head = message.encode()
    batch = columns.MessageColumns()
    whole = len(octets) > len(head)
    cut = data.draw(st.integers(min(len(head) + 3, len(octets)), len(octets))) if whole else len(octets)
    start = batch.append_head(octets[:cut])
    assert start in (len(head), len(octets))
    if start == len(head):
        rows = rows_of(batch.take(), columns.MESSAGE_SCHEMA)
        wanted = message_row(amqp.decode_message(head), head=True)
        assert rows == ([wanted] if wanted else [])


@given(data=st.data())
@examples(300)
def test_accepts_the_messages_that_decoding_accepts(data: st.DataObject) -> None:
    octets = data.draw(mutated(data.draw(MESSAGES).encode()))
    batch = columns.MessageColumns()
    _, refused = outcome(amqp, lambda: batch.append(octets))
    message, reason = outcome(amqp, lambda: amqp.decode_message(octets))
    assert repr(refused) == repr(reason)
    if refused is None:
        wanted = message_row(message)
        assert rows_of(batch.take(), columns.MESSAGE_SCHEMA) == ([wanted] if wanted else [])
    else:
        assert batch.take() == {}


@given(data=st.data())
@examples(200)
def test_accepts_leniently_what_decoding_accepts_leniently(data: st.DataObject) -> None:
    """Sections in any order, some of them twice."""
    message = data.draw(MESSAGES)
    parts = [amqp.Message(**{name: getattr(message, name)}).encode() for name in amqp.Message.__match_args__]
    octets = b"".join(data.draw(st.lists(st.sampled_from(parts), max_size=9) | st.permutations(parts)))
    batch = columns.MessageColumns(lenient=True)
    _, refused = outcome(amqp, lambda: batch.append(octets))
    decoded, reason = outcome(amqp, lambda: amqp.decode_message(octets, lenient=True))
    assert repr(refused) == repr(reason)
    if refused is None:
        wanted = message_row(decoded)
        assert rows_of(batch.take(), columns.MESSAGE_SCHEMA) == ([wanted] if wanted else [])


def test_bodies_of_two_kinds() -> None:
    for sections in (
        [BY_NAME["data"](b"a"), BY_NAME["amqp-value"](None)],
        [BY_NAME["data"](b"a"), BY_NAME["amqp-sequence"]([])],
        [BY_NAME["amqp-sequence"]([]), BY_NAME["amqp-value"](1)],
    ):
        with pytest.raises(amqp.errors.Malformed):
            columns.MessageColumns().append(b"".join(section.encode() for section in sections))


# --- Schemas ------------------------------------------------------------------------------------------------


def test_schemas() -> None:
    wanted = {"performative": "string", "misfits": "variant"}
    for cls in PERFORMATIVES:
        wanted |= {field.attribute: column_type(field) for field in cls.FIELDS}
    wanted |= {"error_condition": "string", "error_description": "string"}
    assert dict(columns.PERFORMATIVE_SCHEMA) == wanted
    assert len(wanted) == len(columns.PERFORMATIVE_SCHEMA)
    wanted = {
        "data": "list<binary>",
        "amqp_sequence": "variant",
        "amqp_value": "variant",
        "misfits": "variant",
    }
    wanted |= dict.fromkeys([*ANNOTATIONS, "application_properties"], "variant")
    for name in ("header", "properties"):
        wanted |= {field.attribute: column_type(field) for field in BY_NAME[name].FIELDS}
    assert dict(columns.MESSAGE_SCHEMA) == wanted
    assert len(wanted) == len(columns.MESSAGE_SCHEMA)


def test_arrow_takes_every_column() -> None:
    arrow = pytest.importorskip("pyarrow", reason="the extra traffic is not installed")
    kinds = {
        "variant": arrow.struct([("value", arrow.binary()), ("metadata", arrow.binary())]),
        "list<string>": arrow.list_(arrow.string()),
        "list<binary>": arrow.list_(arrow.binary()),
    }
    performatives = columns.PerformativeColumns()
    for cls in PERFORMATIVES:
        performatives.append(filled(cls).encode(), sasl=is_sasl(cls))
        performatives.append(least(cls).encode(), sasl=is_sasl(cls))
    messages = columns.MessageColumns()
    messages.append(
        amqp.Message(
            filled(BY_NAME["header"]), properties=filled(BY_NAME["properties"]), body=BY_NAME["data"](b"")
        ).encode()
    )
    for taken, schema in (
        (performatives.take(), columns.PERFORMATIVE_SCHEMA),
        (messages.take(), columns.MESSAGE_SCHEMA),
    ):
        for name, kind in schema:
            if name in taken:
                found = arrow.array(taken[name], kinds.get(kind) or arrow.type_for_alias(kind))
                assert len(found) == len(taken[name])
