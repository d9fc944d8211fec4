"""The suite of 1.0 finds faults: each one that is planted in a copy of the package fails at least one check."""

from __future__ import annotations

import pytest

from .faulty_packages import Mutant, planted
from .suite_runner import first_failure, package_peer

SUITE = "amqp_1_0"
HEADER, OPEN, TRANSFER = "messaging/_header.py", "performatives/_open.py", "performatives/_transfer.py"
PACK = "def pack("


def fault(name: str, file: str, right: str, wrong: str, after: str = "") -> Mutant:
    return Mutant(name, SUITE, file, right, wrong, after)


MUTANTS = [
    # Encodings
    fault("a format code written", "_scalar_writer.py", "pack_BH(0x60", "pack_BH(0x61"),
    fault(
        "a format code read", "_value_reader.py", "0x55: value_long_smalllong", "0x57: value_long_smalllong"
    ),
    fault(
        "two format codes swapped",
        "_value_reader.py",
        "0x41: value_boolean_true",
        "0x41: value_boolean_false",
    ),
    fault("a wide encoding", "_scalar_writer.py", "if size <= 255:", "if size <= 254:", "def write_string("),
    fault(
        "no short encoding",
        "_scalar_writer.py",
        "if -128 <= value <= 127:",
        "if -127 <= value <= 127:",
        "def write_int(",
    ),
    fault("a sign dropped", "_scalar_reader.py", "unpack_q(", "unpack_Q(", "def value_long("),
    fault(
        "small numbers without a sign",
        "_scalar_reader.py",
        "_octet(_LONGS)",
        "_octet(range(256))",
    ),
    fault("octets in the order of the machine", "_basics.py", 'Struct(">I").unpack', 'Struct("<I").unpack'),
    fault(
        "any octet is true",
        "_scalar_reader.py",
        '    if octet > 1:\n        raise Malformed("boolean")\n',
        "",
    ),
    fault("surrogates are characters", "_scalar_reader.py", "if 0xD800 <= point <= 0xDFFF:", "if False:"),
    fault("symbols in Latin-1", "_scalar_reader.py", 'octets.decode("ascii")', 'octets.decode("latin-1")'),
    *(
        fault(f"{name} in arrays: {wrong}", "_scalar_writer.py", right, wrong, f"def write_{name}(")
        for name, right, wrongs in (
            (
                "long",
                "-128 <= value <= 127",
                ("-127 <= value <= 127", "-128 <= value <= 126", "-128 <= value <= 128"),
            ),
            (
                "int",
                "-128 <= value <= 127",
                ("-129 <= value <= 127", "-128 <= value <= 126", "-128 <= value <= 128"),
            ),
            ("uint", "0 <= value <= 255", ("0 <= value <= 254", "1 <= value <= 255")),
            ("ulong", "0 <= value <= 255", ("0 <= value <= 254", "1 <= value <= 255")),
        )
        for wrong in wrongs
    ),
    fault(
        "a plain long",
        "_scalar_writer.py",
        "-128 <= value <= 127",
        "-128 <= value <= 126",
        "def write_plain_int(",
    ),
    fault("a long string as octets", "_scalar_writer.py", "0xB1", "0xB0", "def string_start("),
    # Compounds
    fault(
        "a list that may overrun",
        "_value_reader.py",
        "if position != end:",
        "if position < end:",
        "def _read_items(",
    ),
    fault(
        "a list of one item too few",
        "_value_reader.py",
        "range(count)",
        "range(count - 1)",
        "def _read_items(",
    ),
    fault(
        "a size without its count",
        "_value_writer.py",
        "pack_BBB(0xC0, size + 1, count)",
        "pack_BBB(0xC0, size, count)",
    ),
    fault("a list8 too large", "_value_writer.py", "size <= 254", "size <= 255", "def write_list("),
    fault("narrow elements", "_array_writer.py", "return max((", "return min(("),
    fault("no limit of elements", "_value_reader.py", " or count > limits.elements", "", "def _read_array("),
    fault(
        "no limit of nesting", "_limits.py", "for _ in range(max_depth):", "for _ in range(max_depth + 1):"
    ),
    fault(
        "a key twice", "_value_reader.py", "len({encode_key(key) for key, _ in pairs}) != len(pairs)", "False"
    ),
    # Composites
    fault(
        "fields swapped when written",
        HEADER,
        "NULL if self.ttl is None else write_uint(self.ttl)",
        "NULL if self.delivery_count == 0 else write_uint(self.delivery_count)",
        PACK,
    ),
    fault("fields swapped when read", TRANSFER, "value.resume", "value.aborted", "def read_transfer("),
    fault("a default of a new object", OPEN, "channel_max: int = 65535", "channel_max: int = 65534"),
    fault("a default written", HEADER, "self.priority == 4", "self.priority == 5", PACK),
    fault(
        "a default in the layout",
        HEADER,
        'FieldLayout("priority", "priority", "ubyte", "ubyte", default=4)',
        'FieldLayout("priority", "priority", "ubyte", "ubyte", default=0)',
    ),
    fault("nothing is mandatory", "sasl/_sasl_mechanisms.py", "if not sasl_server_mechanisms:", "if False:"),
    fault(
        "a mandatory field may be missing",
        "sasl/_sasl_init.py",
        "mechanism, position = read_symbol(buffer, position)",
        "mechanism, position = (read_symbol(buffer, position) if buffer[position] != 0x40 else ('', position + 1))",
    ),
    fault("mandatory in the layout", TRANSFER, '"handle", "uint", mandatory=True', '"handle", "uint"'),
    fault("several in the layout", OPEN, '"symbol", "symbol", multiple=True', '"symbol", "symbol"'),
    fault(
        "nulls at the end", "_field_writer.py", "while count and fields[count - 1] is NULL:", "while False:"
    ),
    fault("one value in an array", "_field_writer.py", "if len(items) > 1:", "if len(items) > 0:"),
    fault(
        "an empty array is an error",
        "_field_reader.py",
        "items: list[Any] = list(value)",
        "items: list[Any] = list(value) or [value]",
    ),
    fault("one item too many", "messaging/_modified.py", " or count > 3", "", "def read_modified("),
    # Descriptors, archetypes, choices
    fault("a descriptor written", "messaging/_released.py", r'b"\x00S&"', r'b"\x00S%"'),
    fault("a descriptor read", "messaging/_received.py", "code=0x23", "code=0x22"),
    fault("a symbolic descriptor", "messaging/_source.py", '"amqp:source:list"', '"amqp:target:list"'),
    fault(
        "a provider too many",
        "messaging/_received.py",
        'provides=("delivery-state",)',
        'provides=("delivery-state", "outcome")',
    ),
    fault(
        "a provider too few",
        "transactions/_declared.py",
        'provides=("delivery-state", "outcome")',
        'provides=("delivery-state",)',
    ),
    fault(
        "anything provides anything",
        "_field_reader.py",
        "return not archetype.names.isdisjoint(value.PROVIDES)",
        "return True",
    ),
    fault("a choice", "messaging/_restricted.py", "UNSETTLED_STATE = 2", "UNSETTLED_STATE = 3"),
    fault(
        "a choice over symbols", "performatives/_restricted.py", '"amqp:link:stolen"', '"amqp:link:stollen"'
    ),
    # Messages, frames, deliveries, headers
    fault(
        "sections in any order",
        "message.py",
        "if section <= last and (section < last or section not in _REPEATABLE):",
        "if False:",
    ),
    fault("a section twice", "message.py", "section not in _REPEATABLE", "False"),
    fault(
        "an extended header is a body", "frames.py", "start = position + 4 * words", "start = position + 8"
    ),
    fault(
        "a body that starts in the header",
        "frames.py",
        "start > end or words < 2",
        "start > end or words < 1",
    ),
    fault(
        "a body before the header's end", "frames.py", "start > end or words < 2", "start > end or size < 4"
    ),
    fault("empty frames left out", "frames.py", 'frames.append((channel, None, b""))', "pass"),
    fault(
        "a limit that is off by one",
        "frames.py",
        "if size > settings.max_frame_size:",
        "if size > settings.max_frame_size + 1:",
    ),
    fault("a channel in SASL frames", "frames.py", "                channel = 0\n", ""),
    fault("no more after the first transfer", "transfers.py", "if transfer.more:", "if False:"),
    fault(
        "contradicting transfers",
        "transfers.py",
        "if value is not None and value != getattr(first, attribute):",
        "if False:",
    ),
    fault(
        "the protocol header of SASL", "constants.py", r'b"AMQP\x03\x01\x00\x00"', r'b"AMQP\x02\x01\x00\x00"'
    ),
    fault("a constant", "constants.py", "MIN_MAX_FRAME_SIZE: Final = 512", "MIN_MAX_FRAME_SIZE: Final = 256"),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_fault_is_found(mutant: Mutant) -> None:
    with planted(mutant) as package:
        assert first_failure(SUITE, package_peer(SUITE, package)) != ""


def test_a_faultless_copy_passes() -> None:
    """What is found in the others is the fault, not the copy."""
    with planted(fault("none", "__init__.py", "", "")) as package:
        assert first_failure(SUITE, package_peer(SUITE, package)) == ""
