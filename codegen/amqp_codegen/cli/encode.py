"""``amqp-codegen encode``: frames from text, for tests of other software."""

from __future__ import annotations

import base64
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ..model.problem import Problem, SpecError
from ..reader.inputs import BUILT_IN
from ..support.command_line import HintedChoice, overlay_option, print_problems
from ..support.wording import listing

_KINDS = ("frames", "method", "header", "table", "message", "value")


@click.command("encode")
@click.argument("version")
@click.argument("statements", nargs=-1, required=True, metavar="STATEMENT...")
@overlay_option
@click.option("--dialect", default="", help="The dialect of field tables, if not the version's own.")
@click.option(
    "--channel",
    default=0,
    type=click.IntRange(0, 65535),
    help="The channel of the frames.",
    show_default=True,
)
@click.option(
    "--as",
    "kind",
    default="frames",
    type=HintedChoice(_KINDS),
    help="Frames, or only what is in them.",
    show_default=True,
)
@click.option(
    "--format",
    "form",
    default="hex",
    type=HintedChoice(["hex", "base64", "python"]),
    help="How the octets are printed.",
    show_default=True,
)
@click.option("--raw", is_flag=True, help="Write the octets themselves, for a pipe or a file.")
def command(
    version: str,
    statements: tuple[str, ...],
    overlays: tuple[Path, ...],
    dialect: str,
    channel: int,
    kind: str,
    form: str,
    raw: bool,
) -> None:
    """Print the octets of frames, one line for each.

    VERSION is a built-in specification, 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0 or 1.0-rabbitmq, or an
    XML file. STATEMENT is a method or performative with its fields, or header, body, heartbeat, protocol-header; in 1.0
    also the sections of a message.

    \b
    amqp-codegen encode 0-9-1 'queue.declare queue=orders durable arguments={"x-max-length": 10}' --channel 1
    amqp-codegen encode 0-9-1 'basic.publish routing-key=q' 'header content-type=text/plain' 'body hello'
    amqp-codegen encode 1.0 'open container-id=c max-frame-size=512' --raw | nc localhost 5672
    amqp-codegen encode 1.0 --as value 'uint:5'
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
    try:
        octets = _encoded(_package_of(version, overlays, dialect), statements, channel, kind)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    if raw:
        click.echo(b"".join(octets), nl=False)
        return
    for octet in octets:
        click.echo(_text(octet, form))


def _package_of(version: str, overlays: Sequence[Path], dialect: str) -> str:
    """Return the name of the package of a version; for one that is not built in, it is made in memory.

    Raises:
        SpecError: The specification is wrong or missing.
    """
    if version in BUILT_IN and not overlays and not dialect:
        return f"amqp_{version.replace('-', '_').replace('.', '_')}"
    from ..api import load
    from ..emit.own_package import own_package

    return own_package(load(version, overlays=overlays, dialect=dialect).spec)


def _encoded(package: str, statements: Sequence[str], channel: int, kind: str) -> list[bytes]:
    """Return the octets of each line.

    Raises:
        SpecError: There is no such kind, or a statement is wrong.
    """
    from ..encode.amqp0.frames import KINDS0
    from ..encode.amqp0.frames import FrameEncoder as FrameEncoder0
    from ..encode.amqp1.frames import KINDS1
    from ..encode.amqp1.frames import FrameEncoder as FrameEncoder1
    from ..encode.statement import Argument
    from ..support.resources import load_package

    try:
        amqp = load_package(package)
    except FileNotFoundError as error:
        raise SpecError([Problem("no-package", str(error))]) from None
    is_0_x, version = hasattr(amqp, "METHODS"), amqp.SPEC.version
    kinds = KINDS0 if is_0_x else KINDS1
    if kind not in kinds:
        message = f"AMQP {version} has no {kind}"
        raise SpecError([Problem("no-such-kind", message, None, f"{version} has {listing(kinds)}")])
    arguments = [Argument(text, number) for number, text in enumerate(statements, 1)]
    encoder = FrameEncoder0(package, channel) if is_0_x else FrameEncoder1(package, channel)
    return list(encoder.encode(arguments, kind))


def _text(octets: bytes, form: str) -> str:
    if form == "base64":
        return base64.b64encode(octets).decode()
    return repr(octets) if form == "python" else octets.hex()
