"""The suite of 1.0 finds faults: each one that is planted in a copy of the package fails at least one check."""

from __future__ import annotations

import pytest

from .faulty_packages import Mutant, mutants, planted
from .suite_runner import first_failure, package_peer

SUITE = "amqp_1_0"
HEADER, OPEN, TRANSFER = "_types/_header.py", "_types/_open.py", "_types/_transfer.py"
PACK = "def pack("


MUTANTS = [
    # Encodings
    *mutants(SUITE, "_scalar_writer.py",
        ("a format code written", "pack_BH(0x60", "pack_BH(0x61"),
        ("a wide encoding", "if size <= 255:", "if size <= 254:", "def write_string("),
        ("no short encoding", "if -128 <= value <= 127:", "if -127 <= value <= 127:", "def write_int("),
        ("a plain long", "-128 <= value <= 127", "-128 <= value <= 126", "def write_plain_int("),
        ("a long string as octets", "0xB1", "0xB0", "def string_start("),
    ),
    *mutants(SUITE, "_value_reader.py",
        ("a format code read", "0x55: value_long_smalllong", "0x57: value_long_smalllong"),
        ("two format codes swapped", "0x41: value_boolean_true", "0x41: value_boolean_false"),
    ),
    *mutants(SUITE, "_scalar_reader.py",
        ("a sign dropped", "unpack_q(", "unpack_Q(", "def value_long("),
        ("small numbers without a sign", "_octet(_LONGS)", "_octet(range(256))"),
        ("any octet is true", '    if octet > 1:\n        raise Malformed("boolean")\n', ""),
        ("surrogates are characters", "if 0xD800 <= point <= 0xDFFF:", "if False:"),
        ("symbols in Latin-1", 'octets.decode("ascii")', 'octets.decode("latin-1")'),
    ),
    Mutant("octets in the order of the machine", SUITE, "_basics.py", 'Struct(">I").unpack', 'Struct("<I").unpack'),
    *(
        Mutant(f"{name} in arrays: {wrong}", SUITE, "_scalar_writer.py", right, wrong, f"def write_{name}(")
        for name, right, wrongs in (
            ("long", "-128 <= value <= 127", ("-127 <= value <= 127", "-128 <= value <= 126", "-128 <= value <= 128")),
            ("int", "-128 <= value <= 127", ("-129 <= value <= 127", "-128 <= value <= 126", "-128 <= value <= 128")),
            ("uint", "0 <= value <= 255", ("0 <= value <= 254", "1 <= value <= 255")),
            ("ulong", "0 <= value <= 255", ("0 <= value <= 254", "1 <= value <= 255")),
        )
        for wrong in wrongs
    ),
    # Compounds
    *mutants(SUITE, "_value_reader.py",
        ("a list that may overrun", "if position != end:", "if position < end:", "def _read_items("),
        ("a list of one item too few", "range(count)", "range(count - 1)", "def _read_items("),
        ("no limit of elements", " or count > limits.elements", "", "def _read_array("),
        ("a key twice", "len({encode_key(key) for key, _ in pairs}) != len(pairs)", "False"),
    ),
    *mutants(SUITE, "_value_writer.py",
        ("a size without its count", "pack_BBB(0xC0, size + 1, count)", "pack_BBB(0xC0, size, count)"),
        ("a list8 too large", "size <= 254", "size <= 255", "def write_list("),
    ),
    Mutant("narrow elements", SUITE, "_array_writer.py", "return max((", "return min(("),
    Mutant("no limit of nesting", SUITE, "_limits.py",
           "for _ in range(max_depth):", "for _ in range(max_depth + 1):"),
    # Composites
    *mutants(SUITE, HEADER,
        ("fields swapped when written", "NULL if self.ttl is None else write_uint(self.ttl)",
         "NULL if self.delivery_count == 0 else write_uint(self.delivery_count)", PACK),
        ("a default written", "self.priority == 4", "self.priority == 5", PACK),
        ("a default in the layout", 'FieldLayout("priority", "priority", "ubyte", "ubyte", default=4)',
         'FieldLayout("priority", "priority", "ubyte", "ubyte", default=0)'),
    ),
    *mutants(SUITE, TRANSFER,
        ("fields swapped when read", "value.resume", "value.aborted", "def read_transfer("),
        ("mandatory in the layout", '"handle", "uint", mandatory=True', '"handle", "uint"'),
    ),
    *mutants(SUITE, OPEN,
        ("a default of a new object", "channel_max: int = 65535", "channel_max: int = 65534"),
        ("several in the layout", '"symbol", "symbol", multiple=True', '"symbol", "symbol"'),
    ),
    Mutant("nothing is mandatory", SUITE, "_types/_sasl_mechanisms.py", "if not sasl_server_mechanisms:", "if False:"),
    Mutant("a mandatory field may be missing", SUITE, "_types/_sasl_init.py",
           "mechanism, position = read_symbol(buffer, position)",
           "mechanism, position = (read_symbol(buffer, position) if buffer[position] != 0x40 else ('', position + 1))"),
    *mutants(SUITE, "_field_writer.py",
        ("nulls at the end", "while count and fields[count - 1] is NULL:", "while False:"),
        ("one value in an array", "if len(items) > 1 or", "if len(items) > 0 or"),
    ),
    Mutant("an empty array is an error", SUITE, "_field_reader.py",
           "items: list[Any] = list(value)", "items: list[Any] = list(value) or [value]"),
    Mutant("one item too many", SUITE, "_types/_modified.py", " or count > 3", "", "def read_modified("),
    # Descriptors, archetypes, choices
    Mutant("a descriptor written", SUITE, "_types/_released.py", r'b"\x00S&"', r'b"\x00S%"'),
    *mutants(SUITE, "_types/_received.py",
        ("a descriptor read", "code=0x23", "code=0x22"),
        ("a provider too many", 'provides=("delivery-state",)', 'provides=("delivery-state", "outcome")'),
    ),
    Mutant("a symbolic descriptor", SUITE, "_types/_source.py", '"amqp:source:list"', '"amqp:target:list"'),
    Mutant("a provider too few", SUITE, "_types/_declared.py",
           'provides=("delivery-state", "outcome")', 'provides=("delivery-state",)'),
    Mutant("anything provides anything", SUITE, "_field_reader.py",
           "return not archetype.names.isdisjoint(value.PROVIDES)", "return True"),
    Mutant("a choice", SUITE, "_types/_restricted.py", "UNSETTLED_STATE = 2", "UNSETTLED_STATE = 3"),
    Mutant("a choice over symbols", SUITE, "_types/_restricted.py",
           '"amqp:link:stolen"', '"amqp:link:stollen"'),
    # Messages, frames, deliveries, headers
    *mutants(SUITE, "message.py",
        ("sections in any order",
         "if section <= last and (section < last or section not in _REPEATABLE):", "if False:"),
        ("a section twice", "section not in _REPEATABLE", "False"),
    ),
    *mutants(SUITE, "frames.py",
        ("an extended header is a body", "start = position + 4 * words", "start = position + 8"),
        ("a body that starts in the header", "start > end or words < 2", "start > end or words < 1"),
        ("a body before the header's end", "start > end or words < 2", "start > end or size < 4"),
        ("empty frames left out", 'frames.append((channel, None, b""))', "pass"),
        ("a limit that is off by one",
         "if size > settings.max_frame_size:", "if size > settings.max_frame_size + 1:"),
        ("a channel in SASL frames", "                channel = 0\n", ""),
    ),
    *mutants(SUITE, "transfers.py",
        ("no more after the first transfer", "if transfer.more:", "if False:"),
        ("contradicting transfers", "if value is not None and value != getattr(first, attribute):", "if False:"),
    ),
    *mutants(SUITE, "constants.py",
        ("the protocol header of SASL", r'b"AMQP\x03\x01\x00\x00"', r'b"AMQP\x02\x01\x00\x00"'),
        ("a constant", "MIN_MAX_FRAME_SIZE: Final = 512", "MIN_MAX_FRAME_SIZE: Final = 256"),
    ),
]  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_fault_is_found(mutant: Mutant) -> None:
    with planted(mutant) as package:
        assert first_failure(SUITE, package_peer(SUITE, package)) != ""


def test_a_faultless_copy_passes() -> None:
    """What is found in the others is the fault, not the copy."""
    with planted(Mutant("none", SUITE, "__init__.py", "", "")) as package:
        assert first_failure(SUITE, package_peer(SUITE, package)) == ""
