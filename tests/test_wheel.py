"""The wheel is complete: the generator in it finds its specifications and templates."""

from __future__ import annotations

import json
import os
import re
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from amqp_codegen.reader.inputs import resolve_input

from tests.commands import run_command
from tests.emit.small_specifications import unformatted

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", str(folder), cwd=ROOT)
    return folder


def run(*command: str, cwd: Path, **environment: str) -> str:
    done = run_command(command, cwd=cwd, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked(folder: str) -> set[str]:
    """The files of a folder, but for what tools leave there."""
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file())
    names = {path.relative_to(ROOT).as_posix() for path in files}
    return {name for name in names if not any(part in name for part in ("__pycache__", "_cache/", ".pyc"))}


def test_wheel_has_the_generator_and_its_data(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (
            Parser().parsestr(archive.read(name).decode()) for name in names if name.endswith("/METADATA")
        )
    expected = {name.removeprefix("codegen/") for name in tracked("codegen")}
    for folder in ("expectations", "specs", "templates", "generated", "native/src"):
        expected |= {f"amqp_codegen/_data/{name}" for name in tracked(folder)}
    assert {name for name in names if ".dist-info/" not in name} == expected
    needed = {line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line}
    assert {re.split("[<>]", line)[0] for line in needed} == {"black", "click", "jinja2", "lxml"}


@pytest.mark.parametrize("package", ["amqp_codegen", "amqp_conformance", "amqp_traffic"])
def test_type_checkers_of_users_read_the_annotations(built: Path, package: str) -> None:
    """Without ``py.typed`` (PEP 561), what ``api.load`` returns is ``Any`` to them."""
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"{package}/py.typed") == b""


def test_source_distribution_has_everything(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    for folder in ("codegen", "specs", "templates", "generated", "tests", "docs", "tools"):
        assert tracked(folder) <= names
    assert {"LICENSE", "Makefile", "README.md", "CHANGELOG.md", "pyproject.toml"} <= names


def unpacked(built: Path, folder: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


# Black would take most of the time, and is not in the wheel.
GENERATE = """
import json
from amqp_codegen.emit.generate import generate_unformatted
from amqp_codegen.emit.target import Target
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.support.cache import Cache

inputs = resolve_input("0-9-1-rabbitmq")
target = Target(inputs.files, inputs.overlays, emit=("codecs", "columns", "conformance"))
print(json.dumps(generate_unformatted(target, Cache()).files))
"""


def test_generator_of_the_wheel_makes_the_same_package(built: Path, tmp_path: Path) -> None:
    """Run from the unpacked wheel, far from the checkout; its dependencies are those of this environment."""
    unpacked(built, tmp_path)
    where = run(
        sys.executable, "-c", "import amqp_codegen as it; print(it.__file__)", cwd=tmp_path, PYTHONPATH="site"
    )
    assert Path(where.strip()).is_relative_to(tmp_path)
    inputs = resolve_input("0-9-1-rabbitmq")
    emit = ("codecs", "columns", "conformance")
    expected = unformatted(inputs.files, "", overlays=inputs.overlays, emit=emit).files
    made = json.loads(run(sys.executable, "-c", GENERATE, cwd=tmp_path, PYTHONPATH="site"))
    assert made == expected


def test_spark_finds_the_data_source_of_the_wheel(built: Path, tmp_path: Path) -> None:
    """Spark looks for modules ``pyspark_*`` at the top, and for ``DefaultSource`` in them."""
    pytest.importorskip("pyspark")
    site = unpacked(built, tmp_path)
    program = "import pyspark_amqp as it; print(it.__file__, it.DefaultSource.name())"
    where, name = run(sys.executable, "-c", program, cwd=tmp_path, PYTHONPATH=str(site)).split()
    assert (Path(where), name) == (site / "pyspark_amqp.py", "amqp")
    # Without pyarrow there is none, and no error: Spark would not find those of others, either.
    program = "import sys; sys.modules['pyarrow'] = None; import pyspark_amqp as it; print(dir(it))"
    assert "DefaultSource" not in run(sys.executable, "-c", program, cwd=tmp_path, PYTHONPATH=str(site))
