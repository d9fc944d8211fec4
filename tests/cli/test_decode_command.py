"""``amqp-codegen decode``: what it prints, guesses, links to and refuses."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.cli.main import cli
from click.testing import CliRunner

from tests.cli.command_calls import (
    Result,
    call,
    on_terminal,
    place,
    process,
    read_once,
    refused,
    refused_with_one_line,
)
from tests.generated.amqp0.packages import RABBITMQ as rabbitmq
from tests.generated.amqp1.packages import amqp as amqp1
from tests.patience import PATIENCE

__all__ = ["place", "read_once"]
pytestmark = pytest.mark.usefixtures("read_once")

OPEN = "010001000000050014000a00ce"
OPEN_1_0 = amqp1.encode_frame(0, amqp1.performatives.Open("c")).hex()


def piped(octets: bytes, *arguments: str) -> Result:
    result = CliRunner().invoke(cli, ["decode", *arguments], input=octets, prog_name="amqp-codegen")
    return Result(result.exit_code, result.stdout.splitlines(), result.stderr.splitlines())


def document(*arguments: str) -> dict[str, Any]:
    result = call("decode", "--format", "json", *arguments)
    assert result.err == []
    loaded: dict[str, Any] = json.loads("\n".join(result.out))
    return loaded


def test_a_view() -> None:
    result = call("decode", OPEN)
    assert result.code == 0
    assert result.out == [
        "13 octets of hexadecimal, read as 0-9-1-rabbitmq frames; also possible: 0-9-1, 0-9, 0-8",
        "",
        "offset  octets                   name            type      value",
        "0000    01 00 01 00 00 00 05     method frame    frame     channel 1, 5 octets",
        "0007    00 14 00 0a                channel.open  method    class 20, method 10  index.html#channel.open",
        '000b    00                           reserved-1  shortstr  "" (reserved)',
        "000c    ce                         frame end     octet     206 (0xce)",
    ]


def test_octets_as_several_arguments() -> None:
    assert (
        call("decode", *(OPEN[at : at + 2] for at in range(0, len(OPEN), 2))).out == call("decode", OPEN).out
    )


@pytest.mark.parametrize(
    ("octets", "version", "kind"),
    [
        (OPEN, "0-9-1-rabbitmq", "frames"),
        (OPEN_1_0, "1.0", "frames"),
        ("414d515000000901", "0-9-1-rabbitmq", "frames"),
        ("414d515001010800", "0-8", "frames"),
        ("414d515001010009", "0-9", "frames"),
        ("414d515003010000" + OPEN_1_0, "1.0", "frames"),
        ("0014000a00", "0-9-1-rabbitmq", "method"),
        ("003c0000000000000000000090000178" + "02", "0-9-1-rabbitmq", "header"),
        ("0000000701614900000001", "0-9-1-rabbitmq", "table"),
        ("00537045", "1.0", "message"),
        ("00531045", "1.0", "value"),
        ("a10161", "1.0", "value"),
    ],
)
def test_guesses(octets: str, version: str, kind: str) -> None:
    found = document(octets)
    assert (found["version"], found["as"]) == (version, kind)


@pytest.mark.parametrize("octets", ["08-00-00-00-00-00-00-CE", "08.00.00.00.00.00.00.ce"])
def test_octets_between_dashes_and_dots_are_no_version(octets: str) -> None:
    found = document(octets)
    assert (found["version"], found["size"], found["errors"]) == ("0-9-1-rabbitmq", 8, 0)


@pytest.mark.parametrize("version", [(), ("1.0",)])
def test_a_first_frame_of_1_0_that_is_cut_off_is_named(version: tuple[str, ...]) -> None:
    result = call("decode", *version, "000000d302000001005314c0120b520143a004443f1900")
    assert result.code == 1
    assert "read as 1.0 frames" in result.out[0]
    assert any("transfer" in line for line in result.out)
    assert any("there are only 23 octets: the frame is cut off" in line for line in result.out)


@pytest.mark.parametrize("size", range(8, 24))
def test_wherever_a_frame_of_1_0_is_cut_off_it_is_one(size: int) -> None:
    found = document("000000d302000001005314c0120b520143a004443f1900"[: 2 * size])
    assert (found["version"], found["as"]) == ("1.0", "frames")


def test_the_grammar_of_the_version_that_is_told_counts() -> None:
    assert document("0-9", OPEN)["version"] == "0-9"
    assert document("0-9-1", OPEN)["also"] == []


def test_an_error_is_marked_and_the_next_frame_is_shown() -> None:
    wrong = rabbitmq.encode_frame(1, rabbitmq.methods.QueueDeclare(queue="q")).replace(b"\x01q", b"\x09q")
    result = call("decode", (wrong + bytes.fromhex(OPEN)).hex())
    assert result.code == 1
    [mark] = [line for line in result.out if "error: " in line]
    assert mark.split() == ["^^", "error:", "the", "length", "is", "9,", "but", "6", "octets", "follow"]
    assert any("channel.open" in line for line in result.out)
    assert result.out[-1] == "1 error, at 000d"


@pytest.mark.parametrize("version", ["0-9-1", "1.0"])
def test_links_are_those_of_the_guide(place: Path, version: str) -> None:
    call("reference", version, "-o", "guide")
    octets = OPEN if version == "0-9-1" else OPEN_1_0
    links = set(all_links(document(version, octets)["parts"]))
    assert len(links) > 1
    for link in links:
        page, _, anchor = link.partition("#")
        assert f'id="{anchor}"' in (place / "guide" / page).read_text(encoding="utf-8"), link


def all_links(parts: Any) -> list[str]:
    found: list[str] = []
    for part in parts:
        found += [part["guide"]] if "guide" in part else []
        found += [bit["guide"] for bit in part.get("bits", ()) if "guide" in bit]
        found += all_links(part.get("parts", []))
    return found


def test_standard_input_and_files(place: Path) -> None:
    octets = bytes.fromhex(OPEN)
    (place / "frame.bin").write_bytes(octets)
    (place / "frame.txt").write_text(OPEN)
    views = [
        piped(octets),
        piped(octets, "-"),
        piped(OPEN.encode()),
        call("decode", "frame.bin"),
        call("decode", "frame.txt"),
    ]
    assert {tuple(view.out[1:]) for view in views} == {tuple(call("decode", OPEN).out[1:])}
    assert document("frame.bin", OPEN)["size"] == 26


def test_an_output_file(place: Path) -> None:
    assert call("decode", OPEN, "-o", "view.txt").out == []
    assert (place / "view.txt").read_text().splitlines() == call("decode", OPEN).out


def test_long_bodies_are_shortened() -> None:
    octets = rabbitmq.encode_frame(1, rabbitmq.ContentBody(b"x" * 1000)).hex()
    assert any("... 936 more octets" in line for line in call("decode", octets).out)
    assert len(call("decode", octets, "--full").out) > 120
    assert not any("more octets" in line for line in call("decode", octets, "--full").out)


def test_control_characters_are_escaped() -> None:
    octets = rabbitmq.encode_frame(
        1, rabbitmq.methods.QueueDeclare(queue="\x1b[31m\n", arguments={"\x1b]0;": 1})
    )
    assert all(line.isprintable() for line in call("decode", octets.hex()).out)


def test_bad_input(place: Path) -> None:
    (place / "trace.pcap").write_bytes(b"\xd4\xc3\xb2\xa1" + bytes(20))
    (place / "empty").write_bytes(b"")
    assert "did you mean '0-9-1'?" in refused_with_one_line("decode", "0-9-2", OPEN)
    assert "argument:1:4: error: 'g' is not" in refused_with_one_line("decode", "010g000000000000")
    assert "traffic show" in refused_with_one_line("decode", "trace.pcap")
    assert "is empty" in refused_with_one_line("decode", "empty")
    assert "neither octets nor a file" in refused_with_one_line("decode", "frame.hex")
    assert "has frames, message and value" in refused_with_one_line("decode", "1.0", "--as", "table", "40")
    assert "needs a VERSION" in refused_with_one_line("decode", "--dialect", "qpid", OPEN)
    assert "no folder" in refused_with_one_line("decode", OPEN, "-o", "nowhere/x")
    assert any("Invalid value for '--as'" in line for line in refused("decode", "--as", "frame", OPEN))


def test_help_stays_light(place: Path) -> None:
    """The main command does not import what only decode needs."""
    (place / "modules.py").write_text(
        "import sys\nfrom amqp_codegen.cli import main\n"
        "main.cli.main(['--help'], standalone_mode=False)\n"
        "print([name for name in sys.modules if 'lxml' in name or '.decode.' in name])\n"
    )
    done = subprocess.run(
        [sys.executable, "modules.py"],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert process("decode", OPEN, cwd=place).returncode == 0


# --- Colours and width ---

DECLARE = rabbitmq.encode_frame(
    1, rabbitmq.methods.QueueDeclare(queue="q" * 28, arguments={"x-max-length": 1})
)
_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def test_colours_on_a_terminal_but_not_with_no_color_or_in_a_pipe() -> None:
    arguments = ("decode", "0-9-1-rabbitmq", OPEN)
    coloured = on_terminal(*arguments, COLUMNS="110")
    plain = on_terminal(*arguments, COLUMNS="110", NO_COLOR="1")
    assert "\x1b[1m" in coloured and "\x1b[36m14 00 0a" not in plain
    assert [line.rstrip() for line in _STYLE.sub("", coloured).splitlines()] == plain.splitlines()
    assert plain.splitlines() == call("decode", "0-9-1-rabbitmq", OPEN).out
    assert _STYLE.search(on_terminal(*arguments, NO_COLOR=""))  # empty is not set


class Terminal(io.StringIO):
    """Where a terminal would be, as far as a program can ask."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "most"), [(80, 80), (100, 100), (140, 140), (20, 80)])
def test_columns_fit_the_terminal(columns: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A narrow one has fewer octets in a line. Below 80 columns the terminal has to break lines."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    with contextlib.redirect_stdout(Terminal()) as shown, pytest.raises(SystemExit):
        cli(["decode", "0-9-1-rabbitmq", DECLARE.hex()])
    lines = shown.getvalue().splitlines()
    assert max(map(len, lines[1:])) <= most
    rows = [re.match(r"[0-9a-f]{4} {4}((?:[0-9a-f]{2} ?)+)", line) for line in lines]
    assert b"".join(bytes.fromhex(row[1]) for row in rows if row) == DECLARE


def test_a_pipe_has_the_width_of_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = call("decode", "0-9-1-rabbitmq", DECLARE.hex()).out
    monkeypatch.setenv("COLUMNS", "40")
    assert call("decode", "0-9-1-rabbitmq", DECLARE.hex()).out == wide
    assert max(map(len, wide)) <= 110
