"""``amqp-codegen decode``: octets to an annotated view."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..model.problem import Problem, SpecError
from ..reader.inputs import BUILT_IN
from ..support.command_line import (
    HintedChoice,
    is_coloured,
    one_line,
    output_option,
    overlay_option,
    print_problems,
    require_writable,
    write_report,
)
from ..support.json_text import json_text
from ..support.wording import counted, listing, quote

if TYPE_CHECKING:
    from ..decode.guess import BestReading
    from ..decode.input_text import InputOctets
    from ..decode.text_view import Link, Piece
    from ..model.amqp0 import spec as spec0
    from ..model.amqp1 import spec as spec1

# In the order in which they are guessed: RabbitMQ's version is the most common, and includes 0-9-1. Its 0-8 is read
# where it is named.
_VERSIONS = ("0-9-1-rabbitmq", "0-9-1", "0-9", "0-8", "1.0")
_KINDS = ("frames", "method", "header", "table", "message", "value")
_LIKE_A_VERSION = re.compile(r"\d{1,2}[.-]\d{1,2}([.-].*)?")
# Octets between dashes or dots, as C# prints them: no version begins with two digits.
_LIKE_OCTETS = re.compile(r"[0-9a-f]{2}([.-][0-9a-f]{2})+", re.IGNORECASE)
_STDIN = "-"
# Columns where there is no terminal.
_WIDTH = 110
_STYLES: dict[str, dict[str, object]] = {
    "offset": {"dim": True},
    "octets": {"fg": "cyan"},
    "prefix": {"fg": "cyan", "dim": True},
    "heading": {"bold": True},
    "type": {"dim": True},
    "value": {"fg": "yellow"},
    "note": {"dim": True},
    "error": {"fg": "red", "bold": True},
}


@click.command("decode")
@click.argument("inputs", nargs=-1, metavar="[VERSION] [INPUT]...")
@overlay_option
@click.option("--dialect", default="", help="The dialect of field tables, if not the version's own.")
@click.option("--as", "kind", type=HintedChoice(_KINDS), help="What the octets are.  [default: guessed]")
@click.option("--full", is_flag=True, help="Show all octets of long bodies, and the whole of long values.")
@click.option(
    "--format",
    "form",
    default="text",
    type=HintedChoice(["text", "json"]),
    help="A view for people, or JSON.",
    show_default=True,
)
@output_option
def command(
    inputs: tuple[str, ...],
    overlays: tuple[Path, ...],
    dialect: str,
    kind: str | None,
    full: bool,
    form: str,
    output: Path | None,
) -> None:
    """Explain octets: each with its offset, name, type and value.

    INPUT is a file, or the octets themselves: hexadecimal in any spelling, base64, a hex dump, a literal of a program,
    log lines, what tshark prints. Without INPUT, or with -, standard input is read. VERSION is a built-in specification or an
    XML file; without it, the version is guessed.

    \b
    amqp-codegen decode 01 00 01 00 00 00 05 00 14 00 0a 00 ce
    amqp-codegen decode 1.0 AAAACAIAAAA=
    xxd frame.bin | amqp-codegen decode
    amqp-codegen decode 0-9-1 --as table --format json table.bin

    Exit codes: 0 fine; 1 an error is marked in the view; 2 the call or the input is wrong.
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
    from ..decode.guess import guess
    from ..decode.protocol_headers import PROTOCOL, known_headers
    from ..decode.reading import kinds_of
    from ..model.amqp1.spec import Spec as Spec1

    try:
        require_writable(output)
        version, rest = _split_version(inputs)
        if not version and (overlays or dialect):
            option = "--overlay" if overlays else "--dialect"
            raise SpecError([Problem("no-version", f"{option} needs a VERSION")])
        given = _octets(rest)
        specs = _specs(version, overlays, dialect)
        fitting = [spec for spec in specs if not kind or kind in kinds_of(spec)]
        if not fitting:
            raise SpecError([_no_such_kind(kind or "", specs[0])])
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    amqp1 = [spec for spec in specs if isinstance(spec, Spec1)]
    if not amqp1 and PROTOCOL in given.octets:
        amqp1 = [spec for spec in _built_in(("1.0",)) if isinstance(spec, Spec1)]
    guessed = guess(given.octets, fitting, known_headers(amqp1[0] if amqp1 else None), kind or "")
    if form == "json":
        from ..decode.json_view import view_document

        text = json_text(view_document(guessed, _link(guessed.reading.spec)), indent=2, ascii_only=False)
        write_report(f"{text}\n", output, lines=False)
    else:
        _write_lines(_text_lines(given, guessed, bool(version), full, output), output)
    sys.exit(1 if guessed.reading.errors else 0)


def _split_version(inputs: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the version, empty if it is to be guessed, and the inputs."""
    if not inputs:
        return "", ()
    first = inputs[0]
    if first in BUILT_IN or first.endswith(".xml") or _is_specification_folder(first):
        return first, inputs[1:]
    if _LIKE_A_VERSION.fullmatch(first) and not _LIKE_OCTETS.fullmatch(first) and not os.path.exists(first):
        return first, inputs[1:]  # a wrong one is reported when it is loaded
    return "", inputs


def _is_specification_folder(text: str) -> bool:
    return os.path.isdir(text) and any(name.endswith(".xml") for name in os.listdir(text))


def _octets(inputs: Sequence[str]) -> InputOctets:
    """Return the octets of all inputs: files and standard input one after the other, texts as one.

    Raises:
        SpecError: There are none, or they are in no form that is known.
    """
    from ..decode.input_text import InputOctets, read_file_octets, read_text_octets

    if not inputs:
        if sys.stdin is None or sys.stdin.isatty():
            hint = "give octets, a file, or pipe them in"
            raise SpecError([Problem("no-octets", "there are no octets to decode", None, hint)])
        inputs = (_STDIN,)
    if not any(text == _STDIN or os.path.exists(text) for text in inputs):
        return read_text_octets(" ".join(inputs), "argument")
    parts: list[InputOctets] = []
    for text in inputs:
        if text == _STDIN:
            parts.append(read_file_octets(sys.stdin.buffer.read(), "standard input"))
        elif os.path.exists(text):
            parts.append(read_file_octets(_file_content(text), text))
        else:
            parts.append(read_text_octets(text, "argument"))
    forms = dict.fromkeys(part.form for part in parts)
    return InputOctets(b"".join(part.octets for part in parts), listing(forms))


def _file_content(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        message = f"cannot read {quote(name)}: {error.strerror or error}"
        raise SpecError([Problem("unreadable-file", message)]) from None


def _specs(version: str, overlays: Sequence[Path], dialect: str) -> Sequence[spec0.Spec | spec1.Spec]:
    """Return the specification that was named, else those that the octets may be of."""
    from ..api import load

    if version:
        return [load(version, overlays=overlays, dialect=dialect).spec]
    return _built_in(_VERSIONS)


def _built_in(versions: Sequence[str]) -> list[spec0.Spec | spec1.Spec]:
    from ..api import load

    return [load(version).spec for version in versions]


def _no_such_kind(kind: str, spec: spec0.Spec | spec1.Spec) -> Problem:
    from ..decode.reading import kinds_of

    hint = f"{spec.version} has {listing(kinds_of(spec))}"
    return Problem("no-such-kind", f"AMQP {spec.version} has no {kind}", None, hint)


def _link(spec: spec0.Spec | spec1.Spec) -> Link:
    """Return a function that returns the address of an element in the guide of a specification."""
    from ..model.amqp0.spec import Spec as Spec0

    if isinstance(spec, Spec0):
        from ..reference.amqp0.anchors import Anchors as Anchors0

        anchors0 = Anchors0(spec)
        return lambda element: f"index.html#{anchors0[element]}"  # type: ignore[index]
    from ..reference.amqp1.anchors import Anchors as Anchors1

    return Anchors1(spec).address  # type: ignore[return-value]


def _text_lines(
    given: InputOctets, guessed: BestReading, version_told: bool, full: bool, output: Path | None
) -> list[list[Piece]]:
    from ..decode.text_view import view_lines

    reading = guessed.reading
    width = _WIDTH
    if output is None and sys.stdout and sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
    also = [version if kind == reading.kind else f"{version} {kind}" for version, kind in guessed.also]
    size = counted(len(given.octets), "octet")
    heading = f"{size} of {given.form}, read as {reading.spec.version} {reading.kind}"
    if also:
        heading += f"; also possible: {', '.join(also)}"
    elif not version_told:
        heading += "; no other version fits" if not reading.errors else "; no version fits"
    lines: list[list[Piece]] = [[(heading, "note")], []]
    lines += view_lines(reading, _link(reading.spec), width, full)
    if reading.errors:
        places = ", ".join(f"{error.start:04x}" for error in reading.errors[:8])
        more = ", ..." if len(reading.errors) > 8 else ""
        lines += [[], [(f"{counted(len(reading.errors), 'error')}, at {places}{more}", "error")]]
    return lines


def _write_lines(lines: Sequence[Sequence[Piece]], output: Path | None) -> None:
    if output is not None:
        text = "".join(f"{''.join(piece for piece, _ in line).rstrip()}\n" for line in lines)
        write_report(text, output, lines=True)
        return
    coloured = is_coloured()
    for line in lines:
        if coloured:
            click.echo("".join(click.style(one_line(text), **_STYLES.get(style, {})) for text, style in line if text))  # type: ignore[arg-type]
        else:
            click.echo(one_line("".join(text for text, _ in line).rstrip()))
