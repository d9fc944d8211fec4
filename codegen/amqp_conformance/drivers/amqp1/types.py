"""The type system: which octets a peer understands, and which it does not. Part 1.

Odd values go into the properties of open, where a peer must decode them. It refuses values that it does not
understand: by a close, or by the end of the stream.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import AmqpValue
from amqp_1_0.types import Char, Decimal32, Decimal64, Decimal128, Int, Timestamp

from ...amqp1.broker import Broker
from ...amqp1.checks import expect_error, want
from ...amqp1.connection import LiveConnection
from ...amqp1.frames import make_frame, make_list, make_performative, value
from ...amqp1.links import LiveSession
from ...amqp1.login import expect_open
from ...engine.registry import amqp1_rule
from ...engine.run_result import NoAnswer, Violation

_OPEN, _END = 0x10, 0x17
_NULL = b"\x40"

# A value in each encoding, by name.
_ENCODINGS = {
    "null": "40",
    "boolean": "56 01",
    "true": "41",
    "false": "42",
    "ubyte": "50 ff",
    "ushort": "60 01 02",
    "uint": "70 00 00 01 02",
    "smalluint": "52 ff",
    "uint0": "43",
    "ulong": "80 00 00 00 00 00 00 01 02",
    "smallulong": "53 ff",
    "ulong0": "44",
    "byte": "51 ff",
    "short": "61 ff fe",
    "int": "71 ff ff ff fe",
    "smallint": "54 ff",
    "long": "81 ff ff ff ff ff ff ff fe",
    "smalllong": "55 ff",
    "float": "72 3f c0 00 00",
    "double": "82 3f f8 00 00 00 00 00 00",
    "decimal32": "74 32 80 00 01",
    "decimal64": "84 31 c0 00 00 00 00 00 01",
    "decimal128": "94 30 40 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
    "char": "73 00 00 00 41",
    "timestamp": "83 00 00 01 8b cf e5 68 00",
    "uuid": "98 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
    "vbin8": "a0 02 01 02",
    "vbin32": "b0 00 00 00 02 01 02",
    "str8-utf8": "a1 02 c3 a4",
    "str32-utf8": "b1 00 00 00 02 c3 a4",
    "sym8": "a3 02 61 62",
    "sym32": "b3 00 00 00 02 61 62",
    "list0": "45",
    "list8": "c0 03 01 54 05",
    "list32": "d0 00 00 00 06 00 00 00 01 54 05",
    "map8": "c1 05 02 54 01 54 02",
    "map32": "d1 00 00 00 08 00 00 00 02 54 01 54 02",
    "array8": "e0 04 02 50 01 02",
    "array32": "f0 00 00 00 07 00 00 00 02 50 01 02",
}


# --- what is understood ---


@amqp1_rule("types/implement-part-1", slow=True)
def all_encodings(broker: Broker) -> None:
    """Open with properties that have a value of each type in each of its encodings. The peer opens as well."""
    for name, octets in _ENCODINGS.items():
        want(_is_understood(broker, octets), f"an open, with a {name} in the properties of ours", "a refusal")


@amqp1_rule("encodings/variable-width")
def variable_width(broker: Broker) -> None:
    """Open with binary values of both widths. The peer opens as well; a size beyond the value's end is refused."""
    _want_understood(broker, "a0 02 01 02", "b0 00 00 00 02 01 02")
    _want_refused(broker, "a0 20 01 02")


@amqp1_rule("encodings/compound-width")
def compound_width(broker: Broker) -> None:
    """Open with lists of both widths. The peer opens as well."""
    _want_understood(broker, "c0 03 01 54 05", "d0 00 00 00 06 00 00 00 01 54 05")


@amqp1_rule("encodings/array-width", "array/one-element-type")
def array_width(broker: Broker) -> None:
    """Open with arrays of both widths. The peer opens as well."""
    _want_understood(broker, "e0 04 02 50 01 02", "f0 00 00 00 07 00 00 00 02 50 01 02")


@amqp1_rule("encodings/described-constructor")
def described_value(broker: Broker) -> None:
    """Open with a string that a symbol describes. The peer opens as well."""
    _want_understood(broker, "00 a3 03 55 52 4c a1 01 78")


@amqp1_rule("encodings/descriptor-any-value", "types/reserved-descriptor-types")
def odd_descriptors(broker: Broker) -> None:
    """Open with values that a string, and a described number, describe. The peer opens as well."""
    _want_understood(broker, "00 a1 03 55 52 4c a1 01 78", "00 00 53 01 53 02 40")


@amqp1_rule("list/empty-list-forms")
def empty_lists(broker: Broker) -> None:
    """End a session by an empty list in each of its three forms. The peer ends it, too."""
    connection = broker.connect()
    for channel, form in enumerate(("45", "c0 01 00", "d0 00 00 00 04 00 00 00 00")):
        session = LiveSession(connection, channel)
        session.begin()
        octets = b"\x00\x53" + bytes([_END]) + bytes.fromhex(form)
        connection.send_octets(make_frame(octets, channel), f"end with the list {form}")
        session.expect_end()


@amqp1_rule("map/alternating-pairs")
def map_pairs(broker: Broker) -> None:
    """Open with a map of two pairs. The peer opens as well."""
    _want_understood(broker, "c1 07 04 54 01 41 54 02 42")


@amqp1_rule("types/omit-trailing-nulls")
def trailing_nulls(broker: Broker) -> None:
    """Open once with all trailing nulls written and once with none of them. The peer opens both times."""
    for count in (8, 0):
        ours = broker.make_open()
        fields = (value(ours.container_id), value(ours.hostname))
        connection = _send_open(broker, make_performative(_OPEN, *fields, *[_NULL] * count))
        expect_open(connection)


@amqp1_rule("types/multiple-single-value")
def multiple_single(broker: Broker) -> None:
    """Open with offered-capabilities as a lone symbol, then as an array of one. The peer opens both times."""
    for capabilities in ("a3 01 61", "e0 04 01 a3 01 61"):
        expect_open(_send_capabilities(broker, capabilities))


@amqp1_rule("types/multiple-as-array")
def multiple_array(broker: Broker) -> None:
    """Open with two offered-capabilities in an array: the peer opens as well. In a list they are refused."""
    expect_open(_send_capabilities(broker, "e0 06 02 a3 01 61 01 62"))
    want(
        not _goes_on(_send_capabilities(broker, "c0 07 02 a3 01 61 a3 01 62")),
        "a refusal of a list",
        "an open",
    )


@amqp1_rule("types/null-equals-empty-array")
def multiple_empty(broker: Broker) -> None:
    """Open once with null as offered-capabilities and once with an empty array of symbols. The peer opens both times."""
    for capabilities in ("40", "e0 02 00 a3"):
        expect_open(_send_capabilities(broker, capabilities))


@amqp1_rule("types/symbolic-descriptor-layout")
def symbolic_descriptor(broker: Broker) -> None:
    """Open under the symbol amqp:open:list instead of the number. The peer opens as well."""
    ours = broker.make_open()
    fields = (value(ours.container_id), value(ours.hostname))
    expect_open(_send_open(broker, make_list(value(amqp.Symbol("amqp:open:list")), *fields)))


# --- what comes out as it went in ---


@amqp1_rule("int/small-int-sign")
def small_int(broker: Broker) -> None:
    """Send the int -1 in one octet through a queue. It comes out as -1."""
    _want_same(broker, "54 ff", Int(-1))


@amqp1_rule("long/small-long-sign")
def small_long(broker: Broker) -> None:
    """Send the long -1 in one octet through a queue. It comes out as -1."""
    _want_same(broker, "55 ff", -1)


@amqp1_rule("decimal32/binary-integer-decimal")
def decimal32(broker: Broker) -> None:
    """Send 1 as decimal32 through a queue. It comes out as 1."""
    _want_same(broker, _ENCODINGS["decimal32"], Decimal32(Decimal(1)))


@amqp1_rule("decimal64/binary-integer-decimal")
def decimal64(broker: Broker) -> None:
    """Send 1 as decimal64 through a queue. It comes out as 1."""
    _want_same(broker, _ENCODINGS["decimal64"], Decimal64(Decimal(1)))


@amqp1_rule("decimal128/binary-integer-decimal")
def decimal128(broker: Broker) -> None:
    """Send 1 as decimal128 through a queue. It comes out as 1."""
    _want_same(broker, _ENCODINGS["decimal128"], Decimal128(Decimal(1)))


@amqp1_rule("timestamp/milliseconds")
def timestamp(broker: Broker) -> None:
    """Send 26 July 2011, 18:21:03.521 in UTC as milliseconds through a queue. It comes out the same."""
    _want_same(broker, "83 00 00 01 31 68 06 c0 e1", Timestamp(0x0000_0131_6806_C0E1))


@amqp1_rule("map/order-counts")
def order_of_map(broker: Broker) -> None:
    """Send maps of the same two pairs in different order through a queue. Each keeps its order."""
    for octets, keys in (("c1 07 04 54 01 41 54 02 42", [1, 2]), ("c1 07 04 54 02 42 54 01 41", [2, 1])):
        got = list(_pass(broker, octets))
        want(got == keys, f"the keys {keys} in this order", got)


# --- what is refused ---


@amqp1_rule("encodings/value-starts-with-constructor")
def no_constructor(broker: Broker) -> None:
    """Open with the octet 1e where a value should be. It is refused."""
    _want_refused(broker, "1e")


@amqp1_rule("encodings/format-code-range")
def unknown_format_codes(broker: Broker) -> None:
    """Open with values that begin with 01, 3f and 47, which no type has. All are refused."""
    _want_refused(broker, "01", "3f", "47")


@amqp1_rule("encodings/extension-octet")
def extended_format_code(broker: Broker) -> None:
    """Open with a value that begins with 4f 00, an extended code without a type. It is refused."""
    _want_refused(broker, "4f 00")


@amqp1_rule("encodings/fixed-width")
def fixed_width(broker: Broker) -> None:
    """Open with an int of four octets: the peer opens as well. One with three is refused."""
    _want_understood(broker, "71 00 00 00 01")
    _want_refused(broker, "71 00 00 01")


@amqp1_rule("encodings/compound-size-spans-count")
def wrong_size(broker: Broker) -> None:
    """Open with a list whose size is one too large, and one too small. Both are refused."""
    _want_refused(broker, "c0 04 01 54 05", "c0 02 01 54 05")


@amqp1_rule("boolean/octet-values")
def boolean_octets(broker: Broker) -> None:
    """Open with booleans of the octets 01 and 00: the peer opens as well. One of 02 is refused."""
    _want_understood(broker, "56 01", "56 00")
    _want_refused(broker, "56 02")


@amqp1_rule("char/utf-32-big-endian")
def char_out_of_range(broker: Broker) -> None:
    """Send the char A through a queue: it comes out the same. Open with one past the last code point: it is refused."""
    _want_same(broker, "73 00 00 00 41", Char("A"))
    _want_refused(broker, "73 00 11 00 00")


@amqp1_rule("string/utf-8-without-mark")
def not_utf_8(broker: Broker) -> None:
    """Open with a string whose octets are not UTF-8. It is refused."""
    _want_refused(broker, "a1 02 c3 28")


@amqp1_rule("symbol/seven-bit-ascii")
def not_ascii(broker: Broker) -> None:
    """Open with a symbol of an octet above 7f. It is refused."""
    _want_refused(broker, "a3 01 c3")


@amqp1_rule("map/even-count")
def odd_map(broker: Broker) -> None:
    """Open with a map of one item. It is refused."""
    _want_refused(broker, "c1 03 01 54 05")


@amqp1_rule("map/distinct-keys")
def same_key_twice(broker: Broker) -> None:
    """Open with a map that has the key 1 twice. It is refused."""
    _want_refused(broker, "c1 07 04 54 01 41 54 01 42")


@amqp1_rule("types/mandatory-field-not-null")
def mandatory_null(broker: Broker) -> None:
    """Open with null as container-id, and without any field. Both are refused."""
    for fields in ((_NULL, value(broker.make_open().hostname)), ()):
        want(not _goes_on(_send_open(broker, make_performative(_OPEN, *fields))), "a refusal", "an open")


@amqp1_rule("types/single-value-field")
def array_for_single(broker: Broker) -> None:
    """Open with an array of two strings as container-id. It is refused."""
    array = bytes.fromhex("e0 06 02 a1 01 61 01 62")
    want(not _goes_on(_send_open(broker, make_performative(_OPEN, array))), "a refusal", "an open")


@amqp1_rule("amqp-error.invalid-field/bad-field")
def bad_field(broker: Broker) -> None:
    """Attach with the snd-settle-mode 9. The error that comes is invalid-field or decode-error."""
    session = broker.begin()
    fields = (
        value("link"),
        b"\x43",
        b"\x41",
        b"\x50\x09",
        _NULL,
        make_performative(0x28, value(broker.queue())),
    )
    session.connection.send_octets(
        make_frame(make_performative(0x12, *fields)), "attach with snd-settle-mode 9"
    )
    expect_error(session.connection, "amqp:invalid-field", "amqp:decode-error")


def _send_open(broker: Broker, body: bytes) -> LiveConnection:
    """Return a connection on which a frame with this body was sent instead of open."""
    connection = broker.before_open()
    connection.send_octets(make_frame(body), "open made by hand")
    return connection


def _send_capabilities(broker: Broker, octets: str) -> LiveConnection:
    """Return a connection on which open was sent with these octets as its offered-capabilities."""
    ours = broker.make_open()
    fields = (value(ours.container_id), value(ours.hostname), *[_NULL] * 5, bytes.fromhex(octets))
    return _send_open(broker, make_performative(_OPEN, *fields))


def _is_understood(broker: Broker, octets: str) -> bool:
    """Return whether the peer opens if these octets are a value in the properties of our open."""
    key = value(amqp.Symbol("x-odd"))
    items = key + bytes.fromhex(octets)
    properties = b"\xc1" + bytes([1 + len(items), 2]) + items
    ours = broker.make_open()
    fields = (value(ours.container_id), value(ours.hostname), *[_NULL] * 7, properties)
    return _goes_on(_send_open(broker, make_performative(_OPEN, *fields)))


def _goes_on(connection: LiveConnection) -> bool:
    """Return whether the peer opens and answers begin; not if it closes the connection.

    Raises:
        NoAnswer: It does neither.
    """
    try:
        expect_open(connection)
        LiveSession(connection).begin()
    except NoAnswer:
        raise
    except Violation:
        return False
    return True


def _want_understood(broker: Broker, *values: str) -> None:
    for octets in values:
        want(_is_understood(broker, octets), f"an open, with {octets} in the properties of ours", "a refusal")


def _want_refused(broker: Broker, *values: str) -> None:
    for octets in values:
        want(
            not _is_understood(broker, octets), f"a refusal of {octets} in the properties of open", "an open"
        )


def _pass(broker: Broker, octets: str) -> Any:
    """Send these octets as amqp-value; return the value that comes out of the queue."""
    session, address = broker.begin(), broker.queue()
    sender = session.sender(address)
    with broker.trial():
        sender.send_accepted(b"\x00\x53\x77" + bytes.fromhex(octets))
    body = session.receiver(address).fetch().message().body
    if not isinstance(body, AmqpValue):
        raise Violation(f"expected an amqp-value, got {body!r}")
    return body.value


def _want_same(broker: Broker, octets: str, wanted: object) -> None:
    got = _pass(broker, octets)
    want(type(got) is type(wanted) and got == wanted, repr(wanted), repr(got))
