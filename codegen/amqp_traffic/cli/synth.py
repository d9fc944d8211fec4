"""``amqp-codegen traffic synth``: make a synthetic capture with labels of everything in it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from amqp_codegen.model.problem import Problem
from amqp_codegen.support.command_line import HintedChoice, print_problems, progress_line, say
from amqp_codegen.support.wording import quote

from ..synth.bodies import CONTENTS
from ..synth.capture_writer import LINK_TYPES
from ..synth.mix import DEFAULT_MIX, KINDS, MixError, read_mix

if TYPE_CHECKING:
    from ..synth.order import CaptureOrder


_UNITS = {
    "": 1,
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KIB": 1 << 10,
    "MIB": 1 << 20,
    "GIB": 1 << 30,
}


def read_size(ctx: click.Context, param: click.Parameter, value: str) -> int:
    """Return a number of octets from a text such as 200MB, 64KiB or 1448; the callback of an option.

    Raises:
        click.BadParameter: The text is not a size, or the size is 0.
    """
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?([KMG]I?B|B|)", value.upper(), re.ASCII)
    size = int(float(match[1]) * _UNITS[match[2]]) if match else 0
    if size < 1:
        raise click.BadParameter(f"{value!r} is not a size; write for example 64KB or 200MB", ctx, param)
    return size


_RATE = click.FloatRange(0, 1)
_PROGRESS_OCTETS = 1 << 22  # between two lines of progress
_BUFFER_SIZE = 1 << 20


def _read_mix(ctx: click.Context, param: click.Parameter, value: str | None) -> Mapping[str, int]:
    """Return the mix of --mix; the callback of that option."""
    try:
        return read_mix(value) if value is not None else DEFAULT_MIX
    except MixError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command("synth")
@click.option(
    "--seed", required=True, type=int, help="The random seed; the same seed and options give the same octets."
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The capture file; its labels are written to OUT.labels.jsonl.",
)
@click.option(
    "--size",
    default="1MB",
    callback=read_size,
    help="The approximate size of the capture.",
    show_default=True,
)
@click.option(
    "--connections", default=16, type=click.IntRange(1), help="The number of connections.", show_default=True
)
@click.option(
    "--mix",
    callback=_read_mix,
    metavar="KIND[=SHARE],...",
    help=f"Kinds of connections: {', '.join(KINDS)}  [default: all]",
)
@click.option(
    "--bodies",
    "contents",
    default="text",
    type=HintedChoice(list(CONTENTS)),
    help="The contents of message bodies; frames and captures in them test whether a reader takes them for real ones.",
    show_default=True,
)
@click.option(
    "--body-size",
    default="16KiB",
    callback=read_size,
    help="The largest usual size of bodies; one body in 64 is larger.",
    show_default=True,
)
@click.option("--server-port", default=5672, type=click.IntRange(1, 65535), show_default=True)
@click.option("--ip", default="4", type=HintedChoice(["4", "6", "both"]), show_default=True)
@click.option(
    "--mss", default=1448, type=click.IntRange(1), help="The most octets in a TCP segment.", show_default=True
)
@click.option(
    "--cut",
    default=0.1,
    type=_RATE,
    help="The rate of writes whose first segment is shorter than it could be.",
    show_default=True,
)
# The file
@click.option("--format", "form", default="pcap", type=HintedChoice(["pcap", "pcapng"]), show_default=True)
@click.option("--byte-order", default="little", type=HintedChoice(["little", "big"]), show_default=True)
@click.option("--time-unit", default="us", type=HintedChoice(["us", "ns"]), show_default=True)
@click.option("--link-type", default="ethernet", type=HintedChoice(list(LINK_TYPES)), show_default=True)
@click.option(
    "--packet-block",
    default="enhanced",
    type=HintedChoice(["enhanced", "obsolete", "simple"]),
    help="The packet blocks of pcapng; simple blocks have no time.",
    show_default=True,
)
@click.option(
    "--snaplen",
    default=262_144,
    type=click.IntRange(1, 262_144),
    help="The most octets captured of a packet.",
)
# The damage
@click.option(
    "--skip", default=0, type=click.IntRange(0), help="The number of packets before the capture begins."
)
@click.option("--drop", default=0.0, type=_RATE, help="The rate of packets that are lost.")
@click.option("--duplicate", default=0.0, type=_RATE, help="The rate of packets that are captured twice.")
@click.option("--reorder", default=0.0, type=_RATE, help="The rate of packets that come late.")
@click.option(
    "--reorder-within",
    default=8,
    type=click.IntRange(1),
    help="The most packets by which a packet comes late.",
    show_default=True,
)
@click.option(
    "--overlap", default=0.0, type=_RATE, help="The rate of segments that become two overlapping ones."
)
@click.option("--flip", default=0.0, type=_RATE, help="The rate of payloads with one wrong bit.")
@click.option(
    "--conflict", default=0.0, type=_RATE, help="The rate of packets followed by a copy with another payload."
)
@click.option(
    "--garbage",
    default=0,
    type=click.IntRange(0),
    help="The number of pieces of garbage, 4 KiB each, between records.",
)
@click.option("--truncate", is_flag=True, help="End the file within its last record.")
def command(out: Path, **options: Any) -> None:
    """Make a synthetic capture, and labels of everything in it.

    Clients and brokers connect, publish, consume and vanish in every version of AMQP. Rates are from 0 to 1. The labels
    have a line for each frame that was sent, and whether all of it is in the file:

    \b
    amqp-codegen traffic synth --seed 1 --out a.pcap
    amqp-codegen traffic synth --seed 1 --out lossy.pcap --drop 0.01 --reorder 0.02
    amqp-codegen traffic synth --seed 1 --out hot.pcap --size 200MB --connections 1 --mix 0-9-1-rabbitmq

    Exit codes: 0 success; 2 the call is wrong.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    # Imported late: --help must be fast.
    from ..synth.order import OrderError
    from ..synth.synthesis import synthesise

    try:
        order = _order(options)
        order.check()
    except OrderError as error:
        print_problems([Problem("synth-order", str(error))])
        sys.exit(2)
    if not out.absolute().parent.is_dir() or out.is_dir():
        fault = (
            f"{quote(str(out))} is a folder"
            if out.is_dir()
            else f"there is no folder {quote(str(out.parent))}"
        )
        print_problems([Problem("no-such-folder", f"{fault}; --out is to be a file")])
        sys.exit(2)
    labels = out.with_name(f"{out.name}.labels.jsonl")
    with _new_files(out, labels) as (capture, book), progress_line() as show:
        summary = synthesise(order, capture, book, _progress(show, order.size))
    say(f"{out}: {summary.packets:,} packets, {summary.octets:,} octets")
    say(f"{labels}: {summary.frames:,} frames, {summary.intact:,} of them intact")


def _order(options: Mapping[str, Any]) -> CaptureOrder:
    """Return the order that the options describe."""
    from ..synth.damage import Damage
    from ..synth.order import CaptureOrder, FileShape

    def part(kind: type[Any]) -> dict[str, Any]:
        return {name: options[name] for name in kind.__dataclass_fields__ if name in options}

    return CaptureOrder(
        **part(CaptureOrder), file=FileShape(**part(FileShape)), damage=Damage(**part(Damage))
    )


@contextmanager
def _new_files(out: Path, labels: Path) -> Iterator[tuple[IO[bytes], IO[str]]]:
    """Open both files; they appear under their names only if all goes well."""
    unfinished = [path.with_name(f".{path.name}.{os.getpid()}") for path in (out, labels)]
    try:
        with ExitStack() as stack:
            capture = stack.enter_context(unfinished[0].open("wb", buffering=_BUFFER_SIZE))
            book = stack.enter_context(
                unfinished[1].open("w", buffering=_BUFFER_SIZE, encoding="ascii", newline="\n")
            )
            yield capture, book
        for path, target in zip(unfinished, (out, labels), strict=True):
            path.replace(target)
    finally:
        for path in unfinished:
            path.unlink(missing_ok=True)


def _progress(show: Callable[[str], None], size: int) -> Callable[[int], None]:
    """Return a function that now and then shows how many octets there are."""
    due = _PROGRESS_OCTETS

    def tell(octets: int) -> None:
        nonlocal due
        if octets >= due:
            due = octets + _PROGRESS_OCTETS
            show(f"{octets / 1e6:,.0f} of about {size / 1e6:,.0f} MB")

    return tell
