"""The suites find faults: each one that is planted in a copy of a 0-x package fails at least one check."""

from __future__ import annotations

import pytest

from .faulty_packages import Mutant, mutants, planted
from .suite_runner import first_failure, package_peer

PLAIN, RABBITMQ, OLDEST, DRAFT = "amqp_0_9_1", "amqp_0_9_1_rabbitmq", "amqp_0_8", "amqp_0_9"
QUEUE, BASIC = "methods/_queue.py", "methods/_basic.py"
PUBLISH, READ_PUBLISH = "class BasicPublish(", "def read_basic_publish("

MUTANTS = [
    # Bits
    *mutants(PLAIN, QUEUE,
        ("a dropped mask", "passive = bits & 1 != 0", "passive = bits != 0"),
        ("the next bit read", "exclusive = bits & 4", "exclusive = bits & 8"),
        ("the next bit written", "else 4 if self.exclusive", "else 8 if self.exclusive"),
        ("bits from the highest", "1 if self.passive is True", "128 if self.passive is True"),
    ),
    # Fields
    *mutants(PLAIN, BASIC,
        ("fields swapped when read", "method.exchange = exchange", "method.exchange = routing_key", READ_PUBLISH),
        ("a default", "mandatory: bool = False", "mandatory: bool = True", PUBLISH),
        ("a length in characters", "OCTETS[len(exchange)]", "OCTETS[len(self.exchange)]", PUBLISH),
        ("a reserved field left out", r'b"\x00<\x00(\x00\x00"', r'b"\x00<\x00("', PUBLISH),
        ("a string cut short", "stop = position + exchange_length", "stop = position + exchange_length - 1"),
        ("no check of the end", "if position != end:", "if position > end:", READ_PUBLISH),
        ("nothing missed at the end", "if position != end:", "if position < end:", READ_PUBLISH),
    ),
    Mutant("fields swapped when written", RABBITMQ, BASIC,
           "str.encode(self.exchange)", "str.encode(self.routing_key)", PUBLISH),
    Mutant("a class that lossless reading has not", DRAFT, "_fields.py", 'data: bytes = b""', 'data: bytes = b"\\0"'),
    Mutant("octets in the order of the machine", PLAIN, "_values.py", 'Struct(">I").unpack', 'Struct("<I").unpack'),
    # Facts
    *mutants(PLAIN, QUEUE,
        ("a class id", "ids=(50, 10)", "ids=(51, 10)"),
        ("a method id", r'b"\x002\x00\n\x00\x00"', r'b"\x002\x00\x0b\x00\x00"'),
        ("a direction", 'sent_by=("client",)', 'sent_by=("server",)'),
        ("a reply", "responses=(QueueDeclareOk,)", "responses=(QueueBindOk,)"),
        ("nobody waits", "    synchronous=True,\n", "", "describe(\n    QueueBind,"),
    ),
    Mutant("one direction of two", RABBITMQ, BASIC, 'sent_by=("client", "server")', 'sent_by=("client",)'),
    *mutants(PLAIN, BASIC,
        ("one reply of two", "(BasicGetOk, BasicGetEmpty)", "(BasicGetOk,)"),
        ("no content", "    has_content=True,\n", "", "describe(\n    BasicPublish,"),
    ),
    *mutants(PLAIN, "constants.py",
        ("a constant", "NOT_FOUND: Final = 404", "NOT_FOUND: Final = 405"),
        ("a soft error", "        ReplyCode.RESOURCE_LOCKED,\n", ""),
    ),
    Mutant("a reply code", OLDEST, "constants.py", "NOT_DELIVERED = 310", "NOT_DELIVERED = 311"),
    *mutants(PLAIN, "errors.py",
        ("what an error closes", "NotFoundClose(ChannelCloseError)", "NotFoundClose(ConnectionCloseError)"),
        ("an error of another code", "504: ChannelErrorClose", "505: ChannelErrorClose"),
    ),
    Mutant("the protocol header", DRAFT, "constants.py", r'b"AMQP\x01\x01\x00\t"', r'b"AMQP\x01\x01\t\x00"'),
    # Content
    *mutants(PLAIN, "_headers.py",
        ("a property flag read", "if flags & 0x0800:", "if flags & 0x1000:"),
        ("a weight", "if weight != 0:\n        raise Malformed", "if False:\n        raise Malformed"),
        ("properties read late", "class_id, weight, body_size = unpack_HHQ",
         "class_id, body_size, weight = unpack_HHQ", "def postpone_header"),
        ("a spare flag", "if flags & 0x0003:", "if flags & 0x0001:"),
    ),
    Mutant("a property flag written", PLAIN, "content.py", "flags |= 0x0040", "flags |= 0x0020"),
    # Frames
    *mutants(PLAIN, "frames.py",
        ("no check of the frame end", "if buffer[end] != FRAME_END:", "if False:"),
        ("a frame type", "pack_BBHI(FRAME_END, FRAME_HEADER,", "pack_BBHI(FRAME_END, FRAME_BODY,"),
        ("a body frame too large", "room = max_frame_size - FRAME_OVERHEAD", "room = max_frame_size"),
        ("a limit that is off by one", "if size > max_payload:", "if size > max_payload + 1:"),
        ("a frame that is not whole", "if end >= available:", "if end > available:"),
        ("a heartbeat with a payload", "FRAME_HEARTBEAT and start == end", "FRAME_HEARTBEAT"),
    ),
    Mutant("a type of frame", OLDEST, "frames.py", "frozenset((4, 5, 6, 7))", "frozenset((4, 5, 6))"),
    # Tables
    *mutants(PLAIN, "dialects.py",
        ("swapped letters", '"b": "int8",\n        "B": "uint8"', '"b": "uint8",\n        "B": "int8"'),
        ("a letter of plain integers", '("I", "L", "l")', '("I", "l", "L")'),
    ),
    *mutants(RABBITMQ, "dialects.py",
        ("a letter of another dialect", '"s": "int16"', '"s": "shortstr"', 'name="rabbitmq"'),
        ("a letter of plain octets", '"bytes": "x"', '"bytes": "S"', 'name="rabbitmq"'),
    ),
    *mutants(PLAIN, "_table_reader.py",
        ("a sign dropped", "_number(unpack_h, 2)", "_number(unpack_H, 2)"),
        ("only one is true", "return buffer[position] != 0", "return buffer[position] == 1"),
        ("a table that may overrun", "if position != stop or", "if position < stop or"),
        ("an array that is a table", '"array": read_array', '"array": _read_table'),
        ("octets that are not text as Latin-1", "table[key] = data.decode()", 'table[key] = data.decode("latin-1")'),
        ("a level too many", "MAX_DEPTH: Final = 64", "MAX_DEPTH: Final = 65"),
    ),
    *mutants(PLAIN, "_table_writer.py",
        ("a sign too much", "_number(pack_BH)", "_number(pack_Bh)"),
        ("an int32 too high for plain integers",
         "-0x80000000 <= value <= 0x7FFFFFFF", "-0x80000000 <= value <= 0x80000000"),
        ("a range of int32 in arrays", '"int32": (-0x80000000, 0x7FFFFFFF)', '"int32": (-0x80000000, 0x7FFFFFFE)'),
    ),
    Mutant("a scale", PLAIN, "_values.py", "return -exponent, number", "return -exponent + 1, number"),
    *mutants(RABBITMQ, "_table_writer.py",
        ("an int32 too low for plain integers",
         "-0x80000000 <= value <= 0x7FFFFFFF", "-0x80000001 <= value <= 0x7FFFFFFF"),
        ("a range of int64", '"int64": (-(1 << 63), (1 << 63) - 1)', '"int64": (-(1 << 62), (1 << 63) - 1)'),
    ),
    Mutant("octets in a table with replacement characters", OLDEST, "_table_reader.py",
           "table[key] = data.decode()", 'table[key] = data.decode("utf-8", "replace")'),
    # Asserts
    *mutants(PLAIN, "validation.py",
        ("a length", "len(method.queue) > 127", "len(method.queue) > 128"),
        ("an end of text", "\\\\Z", "$"),
        ("an empty name", "if not method.virtual_host:", "if False:"),
        ("no limit", "value == 0 or value > bound", "value > bound + 1"),
    ),
    Mutant("an enumeration", OLDEST, "validation.py", "method.operation >= 3", "method.operation > 3"),
    *mutants(RABBITMQ, "validation.py",
        ("a profile", '            "length",\n', ""),
        ("a stricter profile", '"wire": frozenset(("le", "length"', '"wire": frozenset(("le"'),
    ),
    # Grammars
    *mutants(PLAIN, "_states.py",
        ("a reply from the wrong side", '("server", QueueDeclareOk)', '("client", QueueDeclareOk)'),
        ("a step left out", '            ("server", ConnectionSecure): 3,\n', ""),
        ("a step too many", '("server", TxSelectOk): 0', '("server", TxSelectOk): 1'),
    ),
]  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_fault_is_found(mutant: Mutant) -> None:
    with planted(mutant) as package:
        assert first_failure(mutant.package, package_peer(mutant.package, package)) != ""


def test_a_faultless_copy_passes() -> None:
    """What is found in the others is the fault, not the copy."""
    with planted(Mutant("none", PLAIN, "__init__.py", "", "")) as package:
        assert first_failure(PLAIN, package_peer(PLAIN, package)) == ""
