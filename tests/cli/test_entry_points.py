"""How the command line is started, and what it says of itself."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from amqp_codegen import __version__
from amqp_codegen.cli import main
from amqp_traffic.cli import main as traffic
from click.testing import CliRunner

from tests.commands import run_command

from .command_calls import ROOT, call, place, process

__all__ = ["place"]


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help(place: Path, option: str) -> None:
    result = call(option)
    assert (result.code, result.err) == (0, [])
    text = "\n".join(result.out)
    assert text.startswith("Usage: amqp-codegen ")
    assert "generate" in text
    assert "Exit codes: 0 fine; 1 something was found (drift); 2 the call or the input is wrong." in " ".join(
        text.split()
    )


@pytest.mark.parametrize("arguments", [("generate", "--help"), ("generate", "-h")])
def test_help_of_the_default_command(place: Path, arguments: tuple[str, ...]) -> None:
    text = "\n".join(call(*arguments).out)
    for option in ("--output", "--package", "--overlay", "--dialect", "--templates", "--check", "--emit"):
        assert option in text
    for name in ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq"):
        assert name in text


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(place: Path, option: str) -> None:
    result = call(option)
    assert (result.code, result.out) == (0, [f"amqp-codegen, version {__version__}"])


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("amqp-codegen li", {"lint"}),
        ("amqp-codegen traffic sh", {"show"}),
        ("amqp-codegen 0-9-1 --ove", {"--overlay"}),
        ("amqp-codegen lint --format j", {"json", "junit"}),
    ],
)
def test_completion_by_the_shell(place: Path, words: str, offered: set[str]) -> None:
    number = str(len(words.split()) - 1)
    done = process(cwd=place, _AMQP_CODEGEN_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=number)
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == offered


def test_the_exit_codes_of_all_commands_are_in_one_table() -> None:
    """Each command's help names no code that the table of docs/command-line.md does not have."""
    text = (
        (ROOT / "docs/command-line.md")
        .read_text(encoding="utf-8")
        .partition("## Exit codes")[2]
        .partition("\n## ")[0]
    )
    told = set(re.findall(r"^\| (\d+) \|", text, re.MULTILINE))
    named: set[str] = set()
    for group in (main.COMMANDS, {f"traffic {name}": "" for name in traffic.COMMANDS}):
        for name in group:
            helped = " ".join(" ".join(call(*name.split(), "--help").out).split())
            codes = set(re.findall(r"(\d+) ", helped.partition("Exit codes: ")[2].partition("Options:")[0]))
            assert codes <= told, name
            named |= codes
    assert named | {"130", "141"} == told


def test_as_a_module(place: Path) -> None:
    result = process("--version", cwd=place)
    assert (result.returncode, result.stdout, result.stderr) == (
        0,
        f"amqp-codegen, version {__version__}\n",
        "",
    )


def test_a_wrong_call_in_a_process_of_its_own(place: Path) -> None:
    result = process("nosuch.xml", cwd=place)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "error: there is no file or folder 'nosuch.xml' [no-such-file]\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_messages_in_any_encoding(place: Path, encoding: str) -> None:
    result = process(
        "\u00e9\u6f22.xml",
        cwd=place,
        PYTHONIOENCODING=encoding,
        LC_ALL="C",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
    )
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert result.stderr.endswith(".xml' [no-such-file]\n")
    assert result.stderr.count("\n") == 1


def test_help_needs_nothing_that_is_slow_to_import(place: Path) -> None:
    code = (
        "import sys\nfrom amqp_codegen.cli.main import cli\n"
        "try: cli(['--help'])\nexcept SystemExit: pass\n"
        "slow = {'black', 'jinja2', 'xml', 'lxml', 'amqp_codegen.emit.generate', 'multiprocessing', 'concurrent.futures'}\n"
        "print(sorted(slow & set(sys.modules)), len(sys.modules) < 250, file=sys.stderr)"
    )
    result = run_command([sys.executable, "-c", code], cwd=place, env={"PYTHONPATH": str(ROOT / "codegen")})
    assert result.stderr == "[] True\n"


def test_checking_needs_no_terminal_and_shows_no_progress(place: Path) -> None:
    result = process("--templates", "tiny", "spec.xml", cwd=place)
    assert (result.returncode, result.stderr) == (0, "")
    assert "\x1b" not in result.stdout
    assert "\r" not in result.stdout


def test_a_reader_that_goes_away(place: Path) -> None:
    """As in ``amqp-codegen --check | head -1``."""
    command = (
        f"{shlex.quote(sys.executable)} -m amqp_codegen --templates tiny spec.xml --check --no-cache | true"
    )
    result = run_command(
        ["bash", "-c", command], cwd=place, env={"PYTHONPATH": str(ROOT / "codegen"), "PATH": "/usr/bin:/bin"}
    )
    assert "Traceback" not in result.stderr
    assert "Exception" not in result.stderr


def test_the_committed_packages_are_current() -> None:
    """``amqp-codegen --check`` in a checkout names the 0-x packages among its targets."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name in ("amqp0-8.xml", "amqp0-9.xml", "amqp0-9-1.xml", "rabbitmq.xml"):
        assert f'"specs/{name}"' in text


def test_the_runner_of_click_and_a_process_say_the_same(place: Path) -> None:
    from amqp_codegen.cli.main import cli

    inside = CliRunner().invoke(cli, ["spec.xml", "--dialect", "x"], prog_name="amqp-codegen")
    outside = process("spec.xml", "--dialect", "x", cwd=place)
    assert (inside.exit_code, inside.stdout, inside.stderr) == (
        outside.returncode,
        outside.stdout,
        outside.stderr,
    )
