"""The straight-line readers and the walkers behind them accept the same octets and read the same values.

The walkers say what is wrong where the readers refuse. If one of them accepted what the other does not, errors
would come without a reason, or lossless decoding would differ from plain decoding.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .letters import same
from .packages import each_dialect, each_package, plain_fields
from .raw_octets import any_raw_header, any_raw_method, raw_tables
from .reference_codec import frame


@st.composite
def mutated(draw: st.DrawFn, octets: bytes) -> bytes:
    """The octets with up to three of them changed, left out or put in."""
    data = bytearray(octets)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        change = draw(st.sampled_from(["set", "cut", "insert", "remove", "word"]))
        if change == "set" and place < len(data):
            data[place] = draw(st.integers(0, 255))
        elif change == "cut":
            del data[place:]
        elif change == "insert":
            data[place:place] = draw(st.binary(min_size=1, max_size=4))
        elif change == "remove":
            del data[place : place + draw(st.integers(1, 4))]
        elif change == "word":
            size = draw(st.sampled_from([0, 1, 2**31 - 1, 2**31, 2**32 - 1, 0x53, 0x46]))
            data[place : place + 4] = size.to_bytes(4, "big")
    return bytes(data)


def outcome(amqp: Any, call: Any) -> tuple[Any, Any]:
    """What a call returns, or else the DecodeError that it raises."""
    try:
        return call(), None
    except amqp.DecodeError as error:
        assert error.message
        return None, error


@each_package
@given(data=st.data())
@examples(200)
def test_methods(amqp: Any, data: st.DataObject) -> None:
    payload = data.draw(mutated(data.draw(any_raw_method(amqp))))
    fast, refused = outcome(amqp, lambda: amqp.decode_method(payload))
    tables = amqp._table_reader.table_reader()

    def walk() -> dict[str, Any]:
        cls = amqp.methods._find_method(payload, 0, len(payload))
        values, _, stop = amqp._fields.walk_fields(
            cls.FIELDS, payload, 4, len(payload), tables, cls.NAME, False
        )
        if stop != len(payload):
            raise amqp.errors.Malformed("octets are left over", stop)
        return dict(values)

    slow, reason = outcome(amqp, walk)
    assert (refused is None) == (reason is None), (refused, reason)
    if refused is None:
        assert same({field.name: getattr(fast, field.name) for field in plain_fields(type(fast))}, slow)
    else:
        assert (type(refused), refused.offset) == (type(reason), reason.offset)


@each_package
@given(data=st.data())
@examples(120)
def test_headers(amqp: Any, data: st.DataObject) -> None:
    payload = data.draw(mutated(data.draw(any_raw_header(amqp, tidy=data.draw(st.booleans())))))
    strict = data.draw(st.booleans())
    fast, refused = outcome(amqp, lambda: amqp.decode_frames(frame(2, 1, payload), strict=strict)[0][0][1])
    _, broken = outcome(amqp, lambda: fast.properties if fast else None)
    refused = refused or broken
    tables = amqp._table_reader.table_reader(strict=strict)
    slow, reason = outcome(amqp, lambda: amqp._headers.walk_header(payload, 0, len(payload), tables, False))
    assert (refused is None) == (reason is None), (refused, reason)
    if refused is None:
        assert (fast.class_id, fast.body_size) == (slow.class_id, slow.body_size)
        for field in fast.properties.FIELDS:
            assert same(getattr(fast.properties, field.name), getattr(slow.properties, field.name))
    else:
        assert (type(refused), refused.offset) == (type(reason), reason.offset + 7)


@each_dialect
@each_package
@given(data=st.data())
@examples(50)
def test_tables(amqp: Any, dialect: str, data: st.DataObject) -> None:
    octets = data.draw(mutated(data.draw(raw_tables(amqp, dialect)).octets))
    fast, refused = outcome(amqp, lambda: amqp.decode_table(octets, 0, dialect=dialect))
    tables = amqp._table_reader.table_reader(dialect)

    def walk() -> Any:
        amqp._table_walker.TableWalker(octets, tables, True).table(0, len(octets), 1, "")
        raw, position = amqp.decode_table(octets, 0, dialect=dialect, lossless=True)
        return dict(raw), position

    slow, reason = outcome(amqp, walk)
    assert (refused is None) == (reason is None), (refused, reason)
    if refused is None:
        assert same(fast[0], slow[0])
        assert fast[1] == slow[1]
    else:
        assert (type(refused), refused.offset) == (type(reason), reason.offset)


@each_package
@given(data=st.data())
@examples(40)
def test_limits(amqp: Any, data: st.DataObject) -> None:
    octets = data.draw(raw_tables(amqp, "spec-0-9-1")).octets
    limits = {"max_depth": data.draw(st.integers(1, 4)), "max_elements": data.draw(st.integers(1, 4))}
    fast, refused = outcome(amqp, lambda: amqp.decode_table(octets, 0, dialect="spec-0-9-1", **limits))
    slow, reason = outcome(
        amqp, lambda: amqp.decode_table(octets, 0, dialect="spec-0-9-1", lossless=True, **limits)
    )
    if refused is None:
        assert same(fast[0], dict(slow[0]))
    elif reason is None:
        assert "UTF-8" in refused.message
    else:
        # A key that is no UTF-8 may stand before the limit that is exceeded.
        assert type(reason) is amqp.errors.LimitExceeded
        assert type(refused) is type(reason) or "UTF-8" in refused.message
