"""The projects of ``examples/build/`` are built, installed and used, each in clean environments."""

from __future__ import annotations

import os
import re
import tarfile
from pathlib import Path

import pytest

from tests.commands import run_command

from .projects import BACKENDS, EXAMPLES, ROOT, Tools, example, names_in, small_example

# Prints something that made a round trip, and where the package is.
ORDERS = "import orders; print(orders.decode_orders(orders.encode_order(7) + orders.encode_order(8)), orders.wire.__file__)"


def test_there_is_one_for_each_backend() -> None:
    assert sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()) == sorted(BACKENDS)


def test_the_page_on_builds_shows_them() -> None:
    """Each block of TOML for a backend is in its example, and the table of targets in all of them."""
    blocks = re.findall(r"^```toml\n(.*?)^```", (ROOT / "docs/build.md").read_text(), re.M | re.S)
    examples = {name: (EXAMPLES / name / "pyproject.toml").read_text(encoding="utf-8") for name in BACKENDS}
    targets, *rest = blocks
    assert all(targets in text for text in examples.values())
    shown = [
        {name for name, text in examples.items() if all(part in text for part in block.split("\n\n"))}
        for block in rest
    ]
    assert sorted(name for names in shown for name in names) == sorted(BACKENDS)


@pytest.mark.parametrize(
    "backend",
    [pytest.param(backend, marks=[] if backend == "hatchling" else [pytest.mark.slow]) for backend in BACKENDS],
)
def test_it_is_built_and_installed(tools: Tools, tmp_path: Path, backend: str) -> None:
    """The wheel is built from the sdist, which has nothing generated; an editable one generates into the source tree."""
    project = example(tools, backend, tmp_path)
    wheel, sdist = tools.build(project)
    with tarfile.open(sdist) as archive:
        assert [name for name in archive.getnames() if "/wire/" in name] == []
    assert wheel.name == "orders-1.0-py3-none-any.whl"
    generated = ROOT / "generated" / "amqp_0_9_1_rabbitmq"
    files = [path.relative_to(generated) for path in generated.rglob("*") if path.suffix in (".py", ".typed")]
    codec = {f"orders/wire/{path.as_posix()}" for path in files if path.parts[0] != "columns"}
    assert names_in(wheel) == {"orders/__init__.py", *codec}
    python = tools.environment(tmp_path / "env")
    tools.install(python, wheel)
    assert output(python, ORDERS).startswith(f"[7, 8] {tmp_path / 'env'}")
    tools.install(python, "--editable", project)
    assert output(python, ORDERS) == f"[7, 8] {project}/src/orders/wire/__init__.py\n"


def test_flit_build_after_the_generator(tools: Tools, tmp_path: Path) -> None:
    """The command of flit asks no backend: it packs what is there."""
    project = small_example(tools, "flit", tmp_path)
    assert tools.workshop is not None
    for name, arguments in (("amqp-codegen", ()), ("flit", ("build",))):
        program = [str(tools.workshop / "bin" / name), *arguments]
        environment = {"HOME": str(tools.home), "PATH": os.environ["PATH"]}
        done = run_command(program, cwd=project, env=environment)
        assert done.returncode == 0, done.stderr
    (wheel,) = (project / "dist").glob("*.whl")
    assert {"orders/__init__.py", "orders/wire/methods/_c.py", "orders/wire/py.typed"} <= names_in(wheel)


@pytest.mark.parametrize("backend", ["hatchling", "pdm", "setuptools"])
def test_sdist_has_the_specification(tools: Tools, tmp_path: Path, backend: str) -> None:
    (sdist,) = tools.build(small_example(tools, backend, tmp_path), "--no-build-isolation", "--sdist")
    with tarfile.open(sdist) as archive:
        assert "orders-1.0/specs/small.xml" in archive.getnames()


def output(python: Path, program: str) -> str:
    """Run a program far from the project; return what it prints."""
    done = run_command([python, "-c", program], cwd=python.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout
