"""Frames that real brokers send and that no strict reader takes: each field that can be read has its value."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_traffic.decode.decoded import OK, UNDECODED
from amqp_traffic.variant_values import variant_value

from tests.generated.amqp0.packages import RABBITMQ, distinct, methods_of, properties_of
from tests.generated.amqp0.values import least_values

from .decoded_frames import HEADER, METHOD, SERVER, decode, span

OCTETS = b"a\xe2\x82"  # a text that was cut inside a character
ESCAPED = "a\\xe2\\x82"
METHODS = distinct(methods_of)
PROPERTIES = distinct(properties_of)
BASIC = 60


def _short_strings(cls: Any) -> list[str]:
    return [field.name for field in cls.FIELDS if field.type == "shortstr" and not field.reserved]


def _column(name: str, columns: Any) -> int:
    """Fields of one name and several types have columns with the type in their names."""
    return next(at for at, (column, _) in enumerate(columns) if column in (name, f"{name}_shortstr"))


def _header(flags: bytes, rest: bytes = b"", weight: int = 0, class_id: int = BASIC, size: int = 3) -> bytes:
    return b"".join(
        (class_id.to_bytes(2, "big"), weight.to_bytes(2, "big"), size.to_bytes(8, "big"), flags, rest)
    )


def test_every_short_string_of_every_method() -> None:
    seen = 0
    for amqp, cls in (method.values for method in METHODS):
        for name in _short_strings(cls):
            method = cls(**least_values(amqp, cls))
            setattr(method, name, OCTETS.decode(errors="surrogateescape"))
            result = decode([span(METHOD, method.encode())], amqp.__name__, SERVER)
            assert result.statuses == [(cls.NAME, OK, None)], name
            (rows,) = result.decoded.methods
            column = _column(name, rows.columns)
            assert rows.rows[0][column] == ESCAPED
            assert variant_value(rows.rows[0][-1]) == {rows.columns[column][0]: OCTETS}
            assert not result.quarantine.rows
            seen += 1
    assert seen


def test_every_short_string_of_every_property_set() -> None:
    seen = 0
    for amqp, cls in (property_.values for property_ in PROPERTIES):
        for name in _short_strings(cls):
            properties = cls(**{name: OCTETS.decode(errors="surrogateescape")})
            payload = amqp.encode_frame(1, amqp.ContentHeader(properties, 5))[7:-1]
            result = decode([span(HEADER, payload)], amqp.__name__)
            assert result.statuses == [("content-header", OK, None)], name
            row = result.events[0][5]
            columns = amqp.columns.HeaderColumns().gathered[cls.CLASS_ID].kind.columns
            column = _column(name, columns)
            assert (row[0], row[1], row[column]) == (cls.CLASS_ID, 5, ESCAPED)
            assert variant_value(row[-1]) == {columns[column][0]: OCTETS}
            seen += 1
    assert seen


def test_a_close_with_a_text_that_was_cut() -> None:
    close = RABBITMQ.methods.ChannelClose(406, "X", 50, 10).encode().replace(b"\1X", b"\3" + OCTETS)
    (rows,) = decode([span(METHOD, close)]).decoded.methods
    assert rows.rows[0][:4] == (406, ESCAPED, 50, 10)


@pytest.mark.parametrize(
    ("flags", "rest", "words", "priority"),
    [
        (b"\x00\x02", b"", [2], None),
        (b"\x08\x02", b"\x09", [0x0802], 9),
        (b"\x08\x01\x00\x00", b"\x09", [0x0801, 0], 9),
        (b"\x00\x01\x80\x01\x00\x02", b"", [1, 0x8001, 2], None),
    ],
    ids=["unknown", "unknown and known", "an empty word", "three words"],
)
def test_flags_without_a_meaning(flags: bytes, rest: bytes, words: list[int], priority: int | None) -> None:
    result = decode([span(HEADER, _header(flags, rest))])
    row = result.events[0][5]
    assert result.statuses == [("content-header", OK, None)]
    assert (row[1], row[6], variant_value(row[-1])) == (3, priority, {"$flags": words})


def test_a_weight() -> None:
    row = decode([span(HEADER, _header(b"\0\0", weight=7))]).events[0][5]
    assert (row[1], variant_value(row[-1])) == (3, {"$weight": 7})


def _nested(levels: int, key: bytes = b"k") -> bytes:
    table = bytes(4)
    for _ in range(levels):
        entry = bytes([len(key)]) + key + b"F" + table
        table = len(entry).to_bytes(4, "big") + entry
    return table


def test_keys_that_are_not_utf8() -> None:
    result = decode([span(HEADER, _header(b"\x20\0", _nested(1, b"\xff")))])
    assert result.statuses == [("content-header", OK, None)]
    assert variant_value(result.events[0][5][4]) == {"$table": [[b"\xff", {}]]}


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (_header(b"\x20\0", _nested(65)), "our-limit"),
        (_header(b"\x20\0", _nested(65, b"\xff")), "our-limit"),
        (_header(b"\x20\0", b"\0\0\0\3\1k?"), "table-tag"),
        (_header(b"\x80\0", b"\xff"), "args-truncated"),
        (_header(b"\x80\0", b"\1\xff!"), "args-trailing"),
        (_header(b"\0\0", b"!", weight=1), "args-trailing"),
        (_header(b"\0\1"), "args-truncated"),
        (_header(b""), "args-truncated"),
        (_header(b"\0\0", class_id=999), "unknown-method"),
    ],
    ids=[
        "deep",
        "deep with octets",
        "letter",
        "cut",
        "more",
        "weight and more",
        "no second word",
        "no flags",
        "class",
    ],
)
def test_properties_that_cannot_be_read(payload: bytes, reason: str) -> None:
    """The size of the body is known all the same."""
    result = decode([span(HEADER, payload)])
    assert result.statuses == [("content-header", UNDECODED, reason)]
    class_id = int.from_bytes(payload[:2], "big")
    assert result.events[0][5] == (class_id, 3, *(None,) * 15)
    assert [row.reason.value for row in result.quarantine.rows] == [reason]


def test_a_body_larger_than_any_column() -> None:
    result = decode([span(HEADER, _header(b"\0\1", size=1 << 63))])
    assert result.events[0][5][:2] == (BASIC, None)


def test_no_secret_in_what_is_read_again() -> None:
    table = b"\x08passwordS\0\0\0\5horse\1\xfft\1"
    rest = b"\1\xff" + len(table).to_bytes(4, "big") + table
    result = decode([span(HEADER, _header(b"\xa0\0", rest))])
    assert result.statuses == [("content-header", OK, None)]
    assert b"horse" not in b"".join(result.events[0][5][4])
