"""Small specifications for tests, and the packages that are generated from them."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from xml.sax.saxutils import quoteattr

from amqp_codegen.emit.compare import compare
from amqp_codegen.emit.generate import generate, generate_unformatted
from amqp_codegen.emit.publish import publish
from amqp_codegen.emit.target import Generated, Target
from amqp_codegen.support.cache import open_cache

from tests.commands import run_command

ROOT = Path(__file__).resolve().parents[2]
RESERVED = ' reserved="1"'
FRAME_CONSTANTS = """\
<constant name="frame-method" value="1"/><constant name="frame-header" value="2"/>
<constant name="frame-body" value="3"/><constant name="frame-heartbeat" value="8"/>
<constant name="frame-min-size" value="4096"/><constant name="frame-end" value="206"/>
<constant name="not-found" value="404" class="soft-error"/>
"""


def document(body: str, constants: str = FRAME_CONSTANTS) -> str:
    """Return a whole 0-9-1 specification."""
    return f'<amqp major="0" minor="9" revision="1" port="5672">\n{constants}{body}</amqp>\n'


def written(folder: Path, body: str, name: str = "made.xml", constants: str = FRAME_CONSTANTS) -> Path:
    path = folder / name
    path.write_text(document(body, constants), encoding="utf-8", newline="")
    return path


def element(tag: str, inner: str = "", **attributes: str | int) -> str:
    """Return an element; an underscore in an attribute's name stands for a hyphen."""
    listed = "".join(
        f" {name.replace('_', '-')}={quoteattr(str(value))}" for name, value in attributes.items()
    )
    return f"<{tag}{listed}>{inner}</{tag}>\n" if inner else f"<{tag}{listed}/>\n"


def fields(**kinds: str) -> str:
    """Return fields by name and type; a hyphen before the type makes one reserved."""
    return "".join(
        f'<field name="{name.replace("_", "-")}" domain="{kind.lstrip("-")}"{RESERVED * kind.startswith("-")}/>\n'
        for name, kind in kinds.items()
    )


def generated(spec: Path | Sequence[Path], package: str = "made", **options: object) -> Generated:
    """What the generator makes; with columns, unless the options say what to emit or name templates."""
    return generate(_target(spec, package, options), open_cache())


def unformatted(spec: Path | Sequence[Path], package: str = "made", **options: object) -> Generated:
    """The same without black, which takes twenty times as long as all else: for code that is run, not read."""
    return generate_unformatted(_target(spec, package, options), open_cache())


def _target(spec: Path | Sequence[Path], package: str, options: dict[str, object]) -> Target:
    if not options.keys() & {"emit", "templates"}:
        options["emit"] = ("codecs", "client", "columns")
    files = (spec,) if isinstance(spec, Path) else tuple(spec)
    return Target(files, package=package, **options)  # type: ignore[arg-type]


def publish_to(folder: Path, made: Generated) -> None:
    publish(folder, made.files, compare(folder, made.files, made.folders))


@contextmanager
def imported(folder: Path, package: str) -> Iterator[ModuleType]:
    """Import a package that stands in a folder, and forget it afterwards."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(package)
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]


def run_python(code: str, folder: Path, *flags: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter that sees nothing but a folder and the standard library."""
    command = [
        sys.executable,
        "-S",
        "-B",
        *flags,
        "-c",
        f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}",
    ]
    return run_command(command, cwd=folder, env={**bare_environment(), **environment})


def bare_environment() -> dict[str, str]:
    """The environment without what changes how Python behaves."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))
    }


def run_cli(
    *arguments: str | Path, cwd: Path, python: Sequence[str] = (sys.executable,), **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m amqp_codegen`` in a process of its own."""
    own = {"PYTHONPATH": str(ROOT / "codegen")}
    return run_command(
        [*python, "-B", "-m", "amqp_codegen", *map(str, arguments)],
        encoding="utf-8",
        cwd=cwd,
        env={**bare_environment(), **own, **environment},
    )


def tree(folder: Path) -> Mapping[str, bytes]:
    """Return the octets of every file in a folder by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
