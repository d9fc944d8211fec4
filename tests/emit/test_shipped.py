"""Built-in packages are copied from the wheel, but only where they are what would be generated."""

from __future__ import annotations

import base64
import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from amqp_codegen import __version__
from amqp_codegen.emit import format as formatting
from amqp_codegen.emit import shipped
from amqp_codegen.emit.generate import generate, generate_unformatted
from amqp_codegen.emit.shipped import shipped_files
from amqp_codegen.emit.target import Target
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.support.cache import Cache
from amqp_codegen.support.resources import generated_dir, specs_dir

PACKAGE = "amqp_0_9_1"
TARGET = Target(resolve_input("0-9-1").files)
DATA = "amqp_codegen/_data"
RECORD = f"amqp_codegen-{__version__}.dist-info/RECORD"
# A file of each kind on which it depends what is generated, and what is shipped.
DECISIVE = ["amqp_codegen/emit/generate.py", f"{DATA}/templates/x.jinja", f"{DATA}/specs/x.xml"]
SHIPPED = [f"{DATA}/generated/{PACKAGE}/frames.py", f"{DATA}/generated/{PACKAGE}/py.typed"]
# And of each kind that does not matter.
OTHERS = [
    "amqp_traffic/x.py",
    f"{DATA}/native/src/x.c",
    f"{DATA}/generated/amqp_0_9/frames.py",
    "amqp_codegen/emit/x.pyc",
]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation like that of a wheel: the packages of this checkout, few other files, and their hashes."""
    for name in (PACKAGE, f"conformance/{PACKAGE}", "amqp_1_0"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(generated_dir() / name, tmp_path / DATA / "generated" / name, ignore=ignored)
    shutil.copy(
        generated_dir() / "conformance" / "__init__.py", tmp_path / DATA / "generated" / "conformance"
    )
    for name in (*DECISIVE, *OTHERS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    record(tmp_path)
    monkeypatch.setattr(shipped, "_PLACE", tmp_path)
    return tmp_path


def record(folder: Path) -> None:
    rows = [
        f"{path.relative_to(folder).as_posix()},{digest(path)},{path.stat().st_size}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    (folder / RECORD).parent.mkdir()
    (folder / RECORD).write_text("\n".join([*rows, f"{RECORD},,", ""]))


def digest(path: Path) -> str:
    octets = hashlib.sha256(path.read_bytes()).digest()
    return f"sha256={base64.urlsafe_b64encode(octets).decode().rstrip('=')}"


def copies(monkeypatch: pytest.MonkeyPatch, target: Target) -> dict[str, str]:
    """What is generated for a target if nothing may be formatted."""

    def fail(texts: object) -> object:
        raise AssertionError(texts)

    monkeypatch.setattr(formatting, "_format_all", fail)
    return generate(target).files


def text(name: str) -> str:
    return (generated_dir() / name).read_bytes().decode()


@pytest.mark.parametrize(
    "emit", [None, ("codecs", "client"), ("codecs", "client", "columns", "conformance"), ("conformance",)]
)
def test_what_is_copied_is_what_is_generated(
    installed: Path, monkeypatch: pytest.MonkeyPatch, emit: tuple[str, ...] | None
) -> None:
    target = replace(TARGET, emit=emit)
    files = copies(monkeypatch, target)
    assert files.keys() == generate_unformatted(target, Cache()).files.keys()
    assert files == {name: text(name) for name in files}


def test_warnings_are_the_same(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target(resolve_input("1.0").files)
    copies(monkeypatch, target)
    made = generate(target)
    assert [problem.rule_id for problem in made.warnings] == ["unprovided-archetype"]
    assert made.warnings == generate_unformatted(target, Cache()).warnings


@pytest.mark.parametrize("name", [*DECISIVE, *SHIPPED])
@pytest.mark.parametrize("change", ["changed", "gone"])
def test_nothing_is_copied_where_a_file_is_not_as_it_was_shipped(
    installed: Path, name: str, change: str
) -> None:
    assert shipped_files(TARGET, PACKAGE)
    (installed / name).unlink()
    if change == "changed":
        (installed / name).write_text("x = 2\n")
    assert shipped_files(TARGET, PACKAGE) is None


@pytest.mark.parametrize("name", OTHERS)
def test_other_files_do_not_matter(installed: Path, name: str) -> None:
    (installed / name).write_text("x = 2\n")
    assert shipped_files(TARGET, PACKAGE)


OPTIONS = {
    "package": {"package": PACKAGE},
    "dialect": {"dialect": "rabbitmq"},
    "templates": {"templates": Path("mine")},
    "native": {"emit": ("codecs", "native")},
    "target": {"emit": ("codecs", "go")},
    "overlay": {"overlays": (specs_dir() / "rabbitmq-0-8.xml",)},
    "file": {"files": (Path("amqp0-9-1.xml"),)},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_nothing_is_copied_with_other_options(installed: Path, options: dict[str, object]) -> None:
    assert shipped_files(replace(TARGET, **options), PACKAGE) is None  # type: ignore[arg-type]


def test_nothing_is_copied_without_the_list_of_the_wheel(installed: Path) -> None:
    (installed / RECORD).unlink()
    assert shipped_files(TARGET, PACKAGE) is None


def test_a_checkout_has_no_such_list() -> None:
    assert shipped_files(TARGET, PACKAGE) is None
