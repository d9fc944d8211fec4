"""Field tables through the broker: every letter it accepts, at the edges of its range, and those it does not.

A header table takes one of two ways. ``as it is``: a message that is only routed keeps its octets.
``anew``: a BCC header makes RabbitMQ decode the table, drop that entry and encode the rest in its own letters.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import amqp_0_8
import amqp_0_9
import amqp_0_9_1
import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect

Tagged, Timestamp = amqp.Tagged, amqp.Timestamp
LARGEST_FLOAT = struct.unpack(">f", bytes.fromhex("7f7fffff"))[0]
SMALLEST_FLOAT = struct.unpack(">f", bytes.fromhex("00000001"))[0]

VALUES: dict[str, list[Any]] = {
    "t": [False, True],
    "b": [-0x80, -1, 0, 0x7F],
    "B": [0, 0x80, 0xFF],
    "s": [-0x8000, -1, 0, 0x7FFF],
    "u": [0, 0x8000, 0xFFFF],
    "I": [-0x80000000, -1, 0, 0x7FFFFFFF],
    "i": [0, 0x80000000, 0xFFFFFFFF],
    "l": [-(1 << 63), -1, 0, (1 << 63) - 1],
    "L": [-(1 << 63), -1, 0, (1 << 63) - 1],
    "f": [0.0, -1.5, LARGEST_FLOAT, -LARGEST_FLOAT, SMALLEST_FLOAT],
    "d": [0.0, 0.1, -1.7976931348623157e308, 5e-324, 2.0**-1022],
    "D": [
        Decimal(0),
        Decimal("12.34"),
        Decimal("0.10"),
        Decimal("-1.5"),
        Decimal(-(1 << 31)),
        Decimal((0, (7,), -255)),
    ],
    "S": ["", "ascii", "é€😀", "\0", "x" * 70_000, b"\xff no UTF-8 \x80"],
    "x": [b"", bytes(range(256)), b"looks like text"],
    "T": [Timestamp(0), Timestamp(1 << 31), Timestamp(1 << 32), Timestamp(1 << 63), Timestamp((1 << 64) - 1)],
    "A": [[], [1, "two", [3.0, [None]], {"four": True}], list(range(1000))],
    "F": [{}, {"": 1, "k" * 255: {"é": {}}}, {str(number): number for number in range(1000)}],
    "V": [None],
}
WAYS = ("as it is", "anew")
EVERYTHING = {
    f"{letter}{number}": Tagged(letter, value)
    for letter, values in VALUES.items()
    for number, value in enumerate(values)
}
PLAIN = {key: tagged.value for key, tagged in EVERYTHING.items()}


def through(client: Client, headers: Any, way: str = "as it is") -> Any:
    """The headers as they come back."""
    queue = client.declare()
    client.publish(queue, b"", client.amqp.BasicProperties(headers=headers))
    if way == "anew":
        client.fetch(queue)
        headers = {**headers, "BCC": [queue]}
        client.publish("no such queue", b"", client.amqp.BasicProperties(headers=headers))
    return client.fetch(queue).properties.headers


def publish_octets(client: Client, routing_key: str, octets: bytes) -> None:
    """Publishes a message whose header table has exactly these octets, right or wrong."""
    table = struct.pack(">I", len(octets)) + octets
    header = struct.pack(">HHQH", 60, 0, 0, 0x2000) + table
    client.send(amqp.methods.BasicPublish(routing_key=routing_key))
    client.send_octets(struct.pack(">BHI", 2, 1, len(header)) + header + b"\xce")


def octets_through(client: Client, octets: bytes) -> Any:
    """The header table that comes back for these octets."""
    queue = client.declare()
    publish_octets(client, queue, octets)
    return client.fetch(queue).properties.headers


def same(got: Any, wanted: Any) -> bool:
    """Equal in value and in type, all the way down."""
    if type(got) is not type(wanted) or got != wanted:
        return False
    if isinstance(wanted, dict):
        return all(same(got[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return all(map(same, got, wanted))
    return not isinstance(wanted, Decimal) or got.as_tuple() == wanted.as_tuple()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("letter", VALUES)
def test_each_letter(connect: Connect, letter: str, way: str) -> None:
    client = connect()
    for value in VALUES[letter]:
        got = through(client, {"key": Tagged(letter, value)}, way)
        assert same(got, {"key": value}), (got, value)


@pytest.mark.parametrize("way", WAYS)
def test_all_of_them_in_one_table_in_every_version(any_client: Client, way: str) -> None:
    package = any_client.amqp
    headers = {key: package.Tagged(tagged.letter, tagged.value) for key, tagged in EVERYTHING.items()}
    got = through(any_client, headers, way)
    assert list(got) == list(PLAIN)
    assert got == PLAIN


@pytest.mark.parametrize(("way", "rewritten"), [("as it is", {}), ("anew", {"L": "l"})])
def test_letters(connect: Connect, way: str, rewritten: dict[str, str]) -> None:
    """RabbitMQ itself writes l for L, and keeps all others."""
    client = connect(lossless=True)
    table = through(client, EVERYTHING, way)
    assert isinstance(table, amqp.RawTable)
    got = {entry.key.decode(): entry.value.letter for entry in table.entries}
    assert got == {key: rewritten.get(tagged.letter, tagged.letter) for key, tagged in EVERYTHING.items()}
    if way == "as it is":
        assert amqp.encode_table(table) == amqp.encode_table(EVERYTHING)


@pytest.mark.parametrize(("way", "octet"), [("as it is", 5), ("anew", 1)])
def test_any_octet_but_zero_is_true(connect: Connect, way: str, octet: int) -> None:
    client = connect(lossless=True)
    queue = client.declare()
    bcc = amqp.encode_table({"BCC": [queue]})[4:] if way == "anew" else b""
    publish_octets(client, "no such queue" if bcc else queue, b"\x01at\x05" + bcc)
    headers = client.fetch(queue).properties.headers
    assert headers["a"] is True
    assert headers.raw == bytes([1, ord("a"), ord("t"), octet])


def test_letters_that_python_values_get(connect: Connect) -> None:
    client = connect(lossless=True)
    moment = datetime(2024, 2, 29, 12, tzinfo=UTC)
    values: dict[str, tuple[str, Any]] = {
        "bool": ("t", True),
        "small": ("I", -5),
        "large": ("l", 1 << 31),
        "float": ("d", 0.1),
        "str": ("S", "ü"),
        "bytes": ("x", b"\0"),
        "decimal": ("D", Decimal("1.50")),
        "datetime": ("T", moment),
        "list": ("A", [1]),
        "dict": ("F", {"k": 1}),
        "none": ("V", None),
    }
    table = through(client, {key: value for key, (_, value) in values.items()}, "anew")
    letters = {entry.key.decode(): entry.value.letter for entry in table.entries}
    assert letters == {key: letter for key, (letter, _) in values.items()}
    assert table["datetime"] == moment.timestamp()
    assert {**table, "datetime": moment} == {key: value for key, (_, value) in values.items()}


@pytest.mark.parametrize("way", WAYS)
def test_nesting_to_our_limit(client: Client, way: str) -> None:
    table: dict[str, Any] = {}
    for level in range(amqp.table.MAX_DEPTH - 1):
        table = {"k": table} if level % 2 else {"k": table, "other": level}
    assert through(client, table, way) == table


def test_duplicate_keys_and_order_are_kept(connect: Connect) -> None:
    client = connect(lossless=True)
    octets = b"\x01zV" + b"\x01aV" + b"\x01at\x01" + b"\x00t\x00"
    table = octets_through(client, octets)
    assert table.raw == octets
    assert table.to_dict() == {"z": None, "a": True, "": False}


@pytest.mark.parametrize(
    "octets",
    [
        b"\x01aU\x00\x01",
        b"\x01a\x00",
        b"\x01a?",
        b"\x01af" + bytes.fromhex("7f800000"),
        b"\x01ad" + bytes.fromhex("7ff8000000000000"),
        b"\x01ad" + bytes.fromhex("fff0000000000000"),
        b"\x01aS\x00\x00\x00\x05four",
        b"\x01aA\x00\x00\x00\x02I\x00",
        b"\x05a",
    ],
    ids=["U", "octet 0", "?", "f inf", "d nan", "d -inf", "S too long", "A cut off", "key cut off"],
)
def test_what_rabbitmq_cannot_read_ends_the_connection_with_541(client: Client, octets: bytes) -> None:
    queue = client.declare()
    publish_octets(client, queue, octets)
    with pytest.raises(amqp.errors.ConnectionCloseError) as caught:
        client.get(queue)
    assert type(caught.value) is amqp.CLOSE_ERRORS[541] is amqp.errors.InternalErrorClose


def test_the_rabbitmq_dialect_does_not_write_what_ends_the_connection() -> None:
    with pytest.raises(amqp.EncodeError, match="no letter 'U'"):
        amqp.encode_table({"a": Tagged("U", 1)})
    assert amqp.encode_table({"a": Tagged("U", 1)}, dialect="spec-0-9-1")


def test_the_letters_of_0_8_with_its_own_dialect(connect: Connect) -> None:
    client = connect(amqp_0_8)  # in RabbitMQ's dialect, which its connection.start may need
    client.dialect = "spec-0-8"
    client.inbox.decoder = amqp_0_8.FrameDecoder(
        max_frame_size=client.frame_max, dialect="spec-0-8", lossless=True
    )
    values = {
        "S": "text",
        "I": -1,
        "D": Decimal("-0.5"),
        "T": datetime(2000, 1, 1, tzinfo=UTC),
        "F": {"S": ""},
    }
    table = through(client, values)
    assert [entry.value.letter for entry in table.entries] == list("SIDTF")
    assert table.to_dict() == {**values, "T": 946684800}


def test_the_sign_of_a_decimal_is_between_the_clients(connect: Connect) -> None:
    """RabbitMQ reads the 32 bits as an unsigned number, and writes them as they came."""
    for client in (connect(amqp_0_9_1, dialect="spec-0-9-1"), connect()):
        for way in WAYS:
            assert through(client, {"d": Decimal("-1.5")}, way) == {"d": Decimal("-1.5")}
    assert octets_through(connect(), b"\1dD\1\xff\xff\xff\xf1") == {"d": Decimal("-1.5")}


def test_what_0_9_1_calls_s_and_l_is_not_what_rabbitmq_takes(connect: Connect) -> None:
    client = connect(amqp_0_9_1, dialect="spec-0-9-1")
    with pytest.raises(amqp_0_9_1.errors.InternalErrorClose):
        through(client, {"s": amqp_0_9_1.Tagged("s", "a short string")})
    large = {"l": amqp_0_9_1.Tagged("l", (1 << 64) - 1)}
    again = connect(amqp_0_9_1, dialect="spec-0-9-1")
    assert through(again, large, "anew") == {"l": (1 << 64) - 1}
    again.inbox.decoder = amqp_0_9_1.FrameDecoder(max_frame_size=again.frame_max, dialect="rabbitmq")
    assert through(again, large, "anew") == {"l": -1}


@pytest.mark.parametrize("package", [amqp_0_8, amqp_0_9, amqp_0_9_1])
def test_from_one_version_to_the_other(connect: Connect, package: Any, fresh_name: Callable[[], str]) -> None:
    queue = fresh_name()
    ours, theirs = connect(), connect(package)
    ours.declare(queue, exclusive=False, auto_delete=True)
    for sender, receiver in ((ours, theirs), (theirs, ours)):
        headers = {key: sender.amqp.Tagged(tagged.letter, tagged.value) for key, tagged in EVERYTHING.items()}
        sender.publish(queue, b"x", sender.amqp.BasicProperties(headers=headers, message_id="m"))
        sender.expect_count(queue, 1)
        message = receiver.fetch(queue)
        assert message.properties.headers == PLAIN
        assert message.properties.message_id == "m"
