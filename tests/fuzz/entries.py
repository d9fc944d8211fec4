"""What takes an input, and how inputs for it are drawn: for each family, decoders, encoders and client modules; the ingest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

from tests.native.outcomes import outcome
from tests.native.twins import pure_twin

from .amqp0 import client as client0
from .amqp0 import decoding as decoding0
from .amqp0 import encoding as encoding0
from .amqp0 import engine as engine0
from .amqp0 import engine_inputs as engine_inputs0
from .amqp0 import inputs as inputs0
from .amqp1 import client as client1
from .amqp1 import decoding as decoding1
from .amqp1 import encoding as encoding1
from .amqp1 import inputs as inputs1
from .case import TRAFFIC, Case, Options
from .oracles import demand


@dataclass(frozen=True)
class Entry:
    """A group of functions that take the same octets.

    Attributes:
        draw: Octets from a random generator; the first argument is the name of a package.
        draw_options: The options of a case, drawn the same way.
        check: All oracles; True if the octets were accepted, an exception if an oracle fails.
    """

    draw: Callable[[str, Random], bytes]
    draw_options: Callable[[str, Random], Options]
    check: Callable[[Any, bytes, Options], bool]


# What does not reach the core in C, or by way of the other entries.
NO_CODECS = ("client", "engine")


def draw_seed(package: str, random: Random) -> bytes:
    return random.randbytes(8)


def no_options(package: str, random: Random) -> Options:
    return {}


ENTRIES_0 = {
    "frames": Entry(inputs0.draw_stream, inputs0.draw_stream_options, decoding0.check_frames),
    "method": Entry(inputs0.draw_method, inputs0.draw_options, decoding0.check_method),
    "table": Entry(inputs0.draw_table, inputs0.draw_table_options, decoding0.check_table),
    "encode": Entry(draw_seed, no_options, encoding0.check_encoders),
    "client": Entry(draw_seed, no_options, client0.check_client),
    "engine": Entry(engine_inputs0.draw_peer, engine_inputs0.draw_options, engine0.check_engine),
}
ENTRIES_1 = {
    "frames": Entry(inputs1.draw_stream, inputs1.draw_stream_options, decoding1.check_frames),
    "message": Entry(inputs1.draw_message, inputs1.draw_options, decoding1.check_message),
    "value": Entry(inputs1.draw_value, inputs1.draw_value_options, decoding1.check_value),
    "encode": Entry(draw_seed, no_options, encoding1.check_encoders),
    "client": Entry(draw_seed, no_options, client1.check_client),
}


def entries_of(package: str) -> dict[str, Entry]:
    if package == TRAFFIC:
        from . import captures, native_ingest  # need pyarrow

        return {
            "capture": Entry(captures.draw_capture, captures.draw_options, captures.check_capture),
            "native": Entry(captures.draw_capture, no_options, native_ingest.check_native),
        }
    return ENTRIES_1 if package == "amqp_1_0" else ENTRIES_0


def draw_case(package: str, entry: str, random: Random) -> Case:
    """Draw an input."""
    found = entries_of(package)[entry]
    return Case(package, entry, found.draw(package, random), found.draw_options(package, random))


def run_case(case: Case) -> bool:
    """Run an input through all oracles; True if it was accepted. Any exception is a failure."""
    amqp = import_module(case.package)
    accepted = entries_of(case.package)[case.entry].check(amqp, case.octets, case.options)
    if getattr(amqp, "ACCELERATED", False):
        compare_with_python(case)
    return accepted


def compare_with_python(case: Case) -> None:
    """Run an input through a package with its core in C and without; an exception if they differ."""
    found = outcome(import_module(case.package), case)
    demand(found == outcome(pure_twin(case.package), case), "the core in C does otherwise")
