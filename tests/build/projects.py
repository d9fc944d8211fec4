"""Small projects that generate when they are built: those of ``examples/build/``, changed or not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from tests.commands import run_command
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "build"
PLACEHOLDER = "file:///path/to/amqp_codegen-0.1.0-py3-none-any.whl"
BACKENDS = ("flit", "hatchling", "pdm", "poetry", "setuptools", "uv")
# One method: a package of it is generated in a second.
SMALL_SPEC = """<amqp major="0" minor="9" revision="1" port="5672">
<constant name="not-found" value="404" class="soft-error"/>
<class name="c" index="1"><method name="m" index="1"><field name="f" domain="octet"/></method></class>
</amqp>
"""


@dataclass(frozen=True)
class Tools:
    """What builds and installs, without an index.

    Attributes:
        uv: The program.
        wheels: A folder with all that is installed.
        generator: The wheel of the generator in it.
        home: The home folder of all processes, with their caches.
        workshop: An environment that has the generator and every backend.
    """

    uv: Path
    wheels: Path
    generator: Path
    home: Path
    workshop: Path | None = None

    def run(self, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run uv with nothing of the environment of the tests."""
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "UV_CACHE_DIR": str(self.home / "uv"),
            "UV_FIND_LINKS": str(self.wheels),
            "UV_NO_INDEX": "1",
            "UV_OFFLINE": "1",
            "UV_NO_CONFIG": "1",
            "UV_PYTHON": sys.executable,
            "UV_PYTHON_DOWNLOADS": "never",
        }
        if "--no-build-isolation" in arguments:
            variables["PATH"] = f"{self.workshop}/bin:{variables['PATH']}"
            variables["UV_PYTHON"] = f"{self.workshop}/bin/python"
        return run_command([self.uv, *arguments], cwd=cwd, env=variables)

    def succeed(self, *arguments: str | Path, cwd: Path) -> None:
        done = self.run(*arguments, cwd=cwd)
        assert done.returncode == 0, done.stdout + done.stderr

    def build(self, project: Path, *options: str) -> list[Path]:
        """Build with ``uv build``; return the wheel and the sdist, if they are built."""
        self.succeed("build", *options, project, cwd=project)
        return [*(project / "dist").glob("*.whl"), *(project / "dist").glob("*.tar.gz")]

    def build_wheel(self, project: Path) -> set[str]:
        """Build a wheel in the workshop; return its files."""
        (wheel,) = self.build(project, "--no-build-isolation", "--wheel")
        return names_in(wheel)

    def refused(self, project: Path) -> str:
        """Try to build a wheel in the workshop; return the standard error of the failure."""
        done = self.run("build", "--no-build-isolation", "--wheel", project, cwd=project)
        assert done.returncode
        assert list(project.glob("dist/*.whl")) == []
        assert "Traceback" not in done.stderr
        return done.stderr

    def environment(self, folder: Path) -> Path:
        """Make an empty environment; return its Python."""
        self.succeed("venv", "--quiet", folder, cwd=folder.parent)
        return folder / "bin" / "python"

    def install(self, python: Path, *what: str | Path) -> None:
        self.succeed("pip", "install", "--quiet", "--python", python, *what, cwd=python.parent)


def example(tools: Tools, backend: str, folder: Path) -> Path:
    """Copy an example into a git repository, and fill in where the generator is."""
    project = folder / "orders"
    shutil.copytree(EXAMPLES / backend, project, ignore=shutil.ignore_patterns("wire", "dist", "__pycache__"))
    edit(project / "pyproject.toml", PLACEHOLDER, tools.generator.as_uri())
    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True, timeout=PATIENCE)
    return project


def small_example(tools: Tools, backend: str, folder: Path) -> Path:
    """Return an example with a small specification of its own, and nothing else in its package."""
    project = example(tools, backend, folder)
    edit(project / "pyproject.toml", '"0-9-1-rabbitmq"', '"specs/small.xml"')
    (project / "src" / "orders" / "__init__.py").write_text("", encoding="utf-8")
    (project / "specs").mkdir()
    (project / "specs" / "small.xml").write_text(SMALL_SPEC, encoding="utf-8")
    return project


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def names_in(wheel: Path) -> set[str]:
    """The files of a wheel, but for its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name and not name.endswith("/")}
