"""Calls of the command line in a folder of their own, with templates that make next to nothing.

Rendering a whole package takes a second, and what is tested here is what happens around it.
"""

from __future__ import annotations

import errno
import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from amqp_codegen import api
from amqp_codegen.cli.main import cli
from amqp_codegen.support.cache import CACHE_VARIABLE
from amqp_codegen.support.resources import templates_dir
from click.testing import CliRunner

from tests.commands import run_command
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]

METHOD = '<method name="m" index="1"><field name="f" domain="octet"/></method>'
SPEC = f"""<amqp major="0" minor="9" revision="1" port="5672">
<constant name="not-found" value="404" class="soft-error"/>
<class name="c" index="1">{METHOD}</class>
</amqp>
"""
OTHER_SPEC = SPEC.replace('name="c"', 'name="d"')

# What every template of 0-x is replaced by, and every one of 1.0.
TINY_TEMPLATE_1_0 = "{{ header }}\nFILES = {{ spec.sources | map(attribute='name') | list | tojson }}\nSOURCES = {{ spec.sources | map(attribute='sha256') | list | tojson }}\n"
TINY_TEMPLATE = f"""{TINY_TEMPLATE_1_0}NAME = {{{{ package | literal }}}}
DIALECT = {{{{ spec.dialect.name | literal }}}}
METHODS = {{{{ spec.methods | map(attribute='full_name') | list | tojson }}}}
"""


@dataclass(frozen=True)
class Result:
    """How a call ended: its exit code, and the lines of its two streams."""

    code: int
    out: list[str]
    err: list[str]


def call(*arguments: str | Path, stdin: str | None = None) -> Result:
    """Call the command line in this process; it must not end with a traceback."""
    result = CliRunner().invoke(cli, list(map(str, arguments)), prog_name="amqp-codegen", input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.stderr
    return Result(result.exit_code, result.stdout.splitlines(), result.stderr.splitlines())


def refused(*arguments: str | Path) -> list[str]:
    """The lines that a wrong call prints: to standard error, with exit code 2, and nothing is written."""
    assert Path().resolve() != ROOT, "other tests write here: use the fixture place"
    before = everything(Path())
    result = call(*arguments)
    assert (result.code, result.out) == (2, [])
    assert everything(Path()) == before
    assert all(line.isprintable() for line in result.err)
    return result.err


def refused_with_one_line(*arguments: str | Path) -> str:
    [line] = refused(*arguments)
    assert re.fullmatch(r"(\S.*:\d+:\d+: )?error: \S.*\S \[[a-z0-9-]+\]", line), line
    return line


def process(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Call ``python -m amqp_codegen`` in a process of its own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return run_command(
        [sys.executable, "-B", "-m", "amqp_codegen", *map(str, arguments)],
        cwd=cwd,
        env={**inherited, "PYTHONPATH": str(ROOT / "codegen"), **environment},
    )


def on_terminal(*arguments: str, stream: str = "stdout", **environment: str) -> str:
    """Call ``python -m amqp_codegen`` in a process, one stream of which is a terminal; return what that shows."""
    main, terminal = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    variables |= {"PYTHONPATH": str(ROOT / "codegen"), "TERM": "xterm", **environment}
    command = [sys.executable, "-m", "amqp_codegen", *arguments]
    stdout, stderr = (terminal if text == stream else subprocess.DEVNULL for text in ("stdout", "stderr"))
    done = subprocess.Popen(command, env=variables, stdout=stdout, stderr=stderr)
    os.close(terminal)
    shown = b""
    try:
        while part := os.read(main, 65536):
            shown += part
    except OSError as error:
        assert error.errno == errno.EIO  # how Linux says that the other side is closed
    os.close(main)
    assert done.wait(timeout=PATIENCE) == 0
    return shown.decode().replace("\r\n", "\n")


def everything(folder: Path) -> dict[str, tuple[bytes, int] | None]:
    """Every file with its octets and when it was written, and every folder."""
    return {
        path.relative_to(folder).as_posix(): (
            (path.read_bytes(), path.stat().st_mtime_ns) if path.is_file() else None
        )
        for path in folder.rglob("*")
    }


def write(files: Mapping[str, str]) -> None:
    """Write files into the current folder."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def write_tiny_templates(folder: Path, *families: str, template: str) -> None:
    for path in chain.from_iterable((templates_dir() / family).rglob("*.*") for family in families):
        name = path.name if path.suffix == ".jinja" else f"{path.name}.jinja"
        target = (folder / path.relative_to(templates_dir())).with_name(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(template if path.name != "py.typed.jinja" else "", encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, the current one, with ``spec.xml`` and ``tiny`` templates in it; and a cache elsewhere.

    Files are left as they are rendered: which they are is tested, and black takes most of the time.
    """
    monkeypatch.setattr("black.format_str", lambda text, mode: text)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path_factory.mktemp("cache")))
    monkeypatch.chdir(tmp_path)
    write({"spec.xml": SPEC})
    write_tiny_templates(tmp_path / "tiny", "amqp0", "common", template=TINY_TEMPLATE)
    return tmp_path


_load_once = cache(api.load)


@pytest.fixture
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands read each built-in specification once for all tests, not anew for each call."""

    def load(spec: str, overlays: tuple[Path, ...] = (), dialect: str = "") -> api.Specification:
        if overlays or dialect or spec.endswith(".xml"):
            return _load_once.__wrapped__(spec, overlays=overlays, dialect=dialect)
        return _load_once(spec)

    monkeypatch.setattr(api, "load", load)


def tiny(*arguments: str | Path) -> Result:
    return call("--templates", "tiny", *arguments)
