"""The suites find faults: each one that is planted in a copy of a 0-x package fails at least one check."""

from __future__ import annotations

import pytest

from .faulty_packages import Mutant, planted
from .suite_runner import first_failure, package_peer

PLAIN, RABBITMQ, OLDEST, DRAFT = "amqp_0_9_1", "amqp_0_9_1_rabbitmq", "amqp_0_8", "amqp_0_9"
QUEUE, BASIC = "methods/_queue.py", "methods/_basic.py"
PUBLISH, READ_PUBLISH = "class BasicPublish(", "def read_basic_publish("

MUTANTS = [
    # Bits
    Mutant("a dropped mask", PLAIN, QUEUE, "passive = bits & 1 != 0", "passive = bits != 0"),
    Mutant("the next bit read", PLAIN, QUEUE, "exclusive = bits & 4", "exclusive = bits & 8"),
    Mutant("the next bit written", PLAIN, QUEUE, "else 4 if self.exclusive", "else 8 if self.exclusive"),
    Mutant("bits from the highest", PLAIN, QUEUE, "1 if self.passive is True", "128 if self.passive is True"),
    # Fields
    Mutant(
        "fields swapped when read",
        PLAIN,
        BASIC,
        "method.exchange = exchange",
        "method.exchange = routing_key",
        READ_PUBLISH,
    ),
    Mutant(
        "fields swapped when written",
        RABBITMQ,
        BASIC,
        "str.encode(self.exchange)",
        "str.encode(self.routing_key)",
        PUBLISH,
    ),
    Mutant("a default", PLAIN, BASIC, "mandatory: bool = False", "mandatory: bool = True", PUBLISH),
    Mutant(
        "a length in characters", PLAIN, BASIC, "OCTETS[len(exchange)]", "OCTETS[len(self.exchange)]", PUBLISH
    ),
    Mutant("a reserved field left out", PLAIN, BASIC, r'b"\x00<\x00(\x00\x00"', r'b"\x00<\x00("', PUBLISH),
    Mutant(
        "a string cut short",
        PLAIN,
        BASIC,
        "stop = position + exchange_length",
        "stop = position + exchange_length - 1",
    ),
    Mutant("no check of the end", PLAIN, BASIC, "if position != end:", "if position > end:", READ_PUBLISH),
    Mutant(
        "nothing missed at the end", PLAIN, BASIC, "if position != end:", "if position < end:", READ_PUBLISH
    ),
    Mutant(
        "a class that lossless reading has not",
        DRAFT,
        "_fields.py",
        'data: bytes = b""',
        'data: bytes = b"\\0"',
    ),
    Mutant(
        "octets in the order of the machine",
        PLAIN,
        "_values.py",
        'Struct(">I").unpack',
        'Struct("<I").unpack',
    ),
    # Facts
    Mutant("a class id", PLAIN, QUEUE, "ids=(50, 10)", "ids=(51, 10)"),
    Mutant("a method id", PLAIN, QUEUE, r'b"\x002\x00\n\x00\x00"', r'b"\x002\x00\x0b\x00\x00"'),
    Mutant("a direction", PLAIN, QUEUE, 'sent_by=("client",)', 'sent_by=("server",)'),
    Mutant("one direction of two", RABBITMQ, BASIC, 'sent_by=("client", "server")', 'sent_by=("client",)'),
    Mutant("a reply", PLAIN, QUEUE, "responses=(QueueDeclareOk,)", "responses=(QueueBindOk,)"),
    Mutant("one reply of two", PLAIN, BASIC, "(BasicGetOk, BasicGetEmpty)", "(BasicGetOk,)"),
    Mutant("nobody waits", PLAIN, QUEUE, "    synchronous=True,\n", "", "describe(\n    QueueBind,"),
    Mutant("no content", PLAIN, BASIC, "    has_content=True,\n", "", "describe(\n    BasicPublish,"),
    Mutant("a constant", PLAIN, "constants.py", "NOT_FOUND: Final = 404", "NOT_FOUND: Final = 405"),
    Mutant("a reply code", OLDEST, "constants.py", "NOT_DELIVERED = 310", "NOT_DELIVERED = 311"),
    Mutant("a soft error", PLAIN, "constants.py", "        ReplyCode.RESOURCE_LOCKED,\n", ""),
    Mutant(
        "what an error closes",
        PLAIN,
        "errors.py",
        "NotFoundClose(ChannelCloseError)",
        "NotFoundClose(ConnectionCloseError)",
    ),
    Mutant(
        "an error of another code", PLAIN, "errors.py", "504: ChannelErrorClose", "505: ChannelErrorClose"
    ),
    Mutant("the protocol header", DRAFT, "constants.py", r'b"AMQP\x01\x01\x00\t"', r'b"AMQP\x01\x01\t\x00"'),
    # Content
    Mutant("a property flag read", PLAIN, "_headers.py", "if flags & 0x0800:", "if flags & 0x1000:"),
    Mutant("a property flag written", PLAIN, "content.py", "flags |= 0x0040", "flags |= 0x0020"),
    Mutant(
        "a weight",
        PLAIN,
        "_headers.py",
        "if weight != 0:\n        raise Malformed",
        "if False:\n        raise Malformed",
    ),
    Mutant(
        "properties read late",
        PLAIN,
        "_headers.py",
        "class_id, weight, body_size = unpack_HHQ",
        "class_id, body_size, weight = unpack_HHQ",
        "def postpone_header",
    ),
    Mutant("a spare flag", PLAIN, "_headers.py", "if flags & 0x0003:", "if flags & 0x0001:"),
    # Frames
    Mutant("no check of the frame end", PLAIN, "frames.py", "if buffer[end] != FRAME_END:", "if False:"),
    Mutant(
        "a frame type",
        PLAIN,
        "frames.py",
        "pack_BBHI(FRAME_END, FRAME_HEADER,",
        "pack_BBHI(FRAME_END, FRAME_BODY,",
    ),
    Mutant(
        "a body frame too large",
        PLAIN,
        "frames.py",
        "room = max_frame_size - FRAME_OVERHEAD",
        "room = max_frame_size",
    ),
    Mutant(
        "a limit that is off by one",
        PLAIN,
        "frames.py",
        "if size > max_payload:",
        "if size > max_payload + 1:",
    ),
    Mutant("a frame that is not whole", PLAIN, "frames.py", "if end >= available:", "if end > available:"),
    Mutant(
        "a heartbeat with a payload",
        PLAIN,
        "frames.py",
        "FRAME_HEARTBEAT and start == end",
        "FRAME_HEARTBEAT",
    ),
    Mutant("a type of frame", OLDEST, "frames.py", "frozenset((4, 5, 6, 7))", "frozenset((4, 5, 6))"),
    # Tables
    Mutant(
        "swapped letters",
        PLAIN,
        "dialects.py",
        '"b": "int8",\n        "B": "uint8"',
        '"b": "uint8",\n        "B": "int8"',
    ),
    Mutant(
        "a letter of another dialect",
        RABBITMQ,
        "dialects.py",
        '"s": "int16"',
        '"s": "shortstr"',
        'name="rabbitmq"',
    ),
    Mutant(
        "a sign dropped",
        PLAIN,
        "_table_reader.py",
        "_number(unpack_h, 2)",
        "_number(unpack_H, 2)",
    ),
    Mutant("a sign too much", PLAIN, "_table_writer.py", "_number(pack_BH)", "_number(pack_Bh)"),
    Mutant(
        "only one is true",
        PLAIN,
        "_table_reader.py",
        "return buffer[position] != 0",
        "return buffer[position] == 1",
    ),
    Mutant("a scale", PLAIN, "_values.py", "return -exponent, number", "return -exponent + 1, number"),
    Mutant(
        "a table that may overrun",
        PLAIN,
        "_table_reader.py",
        "if position != stop or",
        "if position < stop or",
    ),
    Mutant(
        "an array that is a table", PLAIN, "_table_reader.py", '"array": read_array', '"array": _read_table'
    ),
    Mutant(
        "an int32 too high for plain integers",
        PLAIN,
        "_table_writer.py",
        "-0x80000000 <= value <= 0x7FFFFFFF",
        "-0x80000000 <= value <= 0x80000000",
    ),
    Mutant(
        "an int32 too low for plain integers",
        RABBITMQ,
        "_table_writer.py",
        "-0x80000000 <= value <= 0x7FFFFFFF",
        "-0x80000001 <= value <= 0x7FFFFFFF",
    ),
    Mutant(
        "a range of int32 in arrays",
        PLAIN,
        "_table_writer.py",
        '"int32": (-0x80000000, 0x7FFFFFFF)',
        '"int32": (-0x80000000, 0x7FFFFFFE)',
    ),
    Mutant(
        "a range of int64",
        RABBITMQ,
        "_table_writer.py",
        '"int64": (-(1 << 63), (1 << 63) - 1)',
        '"int64": (-(1 << 62), (1 << 63) - 1)',
    ),
    Mutant("a letter of plain integers", PLAIN, "dialects.py", '("I", "L", "l")', '("I", "l", "L")'),
    Mutant(
        "a letter of plain octets", RABBITMQ, "dialects.py", '"bytes": "x"', '"bytes": "S"', 'name="rabbitmq"'
    ),
    Mutant(
        "octets that are not text as Latin-1",
        PLAIN,
        "_table_reader.py",
        "table[key] = data.decode()",
        'table[key] = data.decode("latin-1")',
    ),
    Mutant(
        "octets in a table with replacement characters",
        OLDEST,
        "_table_reader.py",
        "table[key] = data.decode()",
        'table[key] = data.decode("utf-8", "replace")',
    ),
    Mutant("a level too many", PLAIN, "_table_reader.py", "MAX_DEPTH: Final = 64", "MAX_DEPTH: Final = 65"),
    # Asserts
    Mutant("a length", PLAIN, "validation.py", "len(method.queue) > 127", "len(method.queue) > 128"),
    Mutant("an end of text", PLAIN, "validation.py", "\\\\Z", "$"),
    Mutant("an empty name", PLAIN, "validation.py", "if not method.virtual_host:", "if False:"),
    Mutant("no limit", PLAIN, "validation.py", "value == 0 or value > bound", "value > bound + 1"),
    Mutant("an enumeration", OLDEST, "validation.py", "method.operation >= 3", "method.operation > 3"),
    Mutant("a profile", RABBITMQ, "validation.py", '            "length",\n', ""),
    Mutant(
        "a stricter profile",
        RABBITMQ,
        "validation.py",
        '"wire": frozenset(("le", "length"',
        '"wire": frozenset(("le"',
    ),
    # Grammars
    Mutant(
        "a reply from the wrong side",
        PLAIN,
        "_states.py",
        '("server", QueueDeclareOk)',
        '("client", QueueDeclareOk)',
    ),
    Mutant("a step left out", PLAIN, "_states.py", '            ("server", ConnectionSecure): 3,\n', ""),
    Mutant("a step too many", PLAIN, "_states.py", '("server", TxSelectOk): 0', '("server", TxSelectOk): 1'),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_fault_is_found(mutant: Mutant) -> None:
    with planted(mutant) as package:
        assert first_failure(mutant.package, package_peer(mutant.package, package)) != ""


def test_a_faultless_copy_passes() -> None:
    """What is found in the others is the fault, not the copy."""
    with planted(Mutant("none", PLAIN, "__init__.py", "", "")) as package:
        assert first_failure(PLAIN, package_peer(PLAIN, package)) == ""
