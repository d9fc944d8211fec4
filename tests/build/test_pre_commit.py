"""The hooks for pre-commit work as `docs/build.md` says: pre-commit clones this repository and installs it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands import run_command
from tests.patience import PATIENCE

from .projects import ROOT, Tools

pytestmark = pytest.mark.full

PROJECT = """[tool.amqp-codegen]
output = "vendored"
[[tool.amqp-codegen.targets]]
spec = "0-9-1"
package = "wire"
"""


def git(*arguments: str, cwd: Path) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "core.hooksPath=/dev/null")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=cwd, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, str]:
    """A repository with the working tree in one commit, and the name of this commit."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    folder = tmp_path / "repository"
    for name in git("ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git("init", "--quiet", cwd=folder)
    git("add", "--all", "--force", cwd=folder)
    git("commit", "--quiet", "--message", "all", cwd=folder)
    return folder, git("rev-parse", "HEAD", cwd=folder).strip()


def test_the_block_of_the_page(tools: Tools, tmp_path: Path, repository: tuple[Path, str]) -> None:
    (block,) = re.findall(
        r"^```yaml\n(repos:.*?)^```", (ROOT / "docs/build.md").read_text(encoding="utf-8"), re.M | re.S
    )
    folder, commit = repository
    project = tmp_path / "project"
    project.mkdir()
    filled = block.replace("https://HOST/PATH/amqp-codegen", str(folder)).replace("COMMIT", commit)
    (project / ".pre-commit-config.yaml").write_text(filled, encoding="utf-8")
    (project / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    assert tools.workshop is not None
    subprocess.run([tools.workshop / "bin" / "amqp-codegen"], cwd=project, timeout=PATIENCE, check=True)
    git("init", "--quiet", cwd=project)
    git("add", "--all", cwd=project)

    code, output = run_hooks(tools, project)
    assert (code, output.count("Passed")) == (0, 2), output
    with (project / "vendored" / "wire" / "frames.py").open("a") as file:
        file.write("# by hand\n")
    code, output = run_hooks(tools, project)
    assert (code, output.count("Failed")) == (1, 1), output
    assert "changed: vendored/wire/frames.py\n" in output


def run_hooks(tools: Tools, project: Path) -> tuple[int, str]:
    assert tools.workshop is not None
    variables = {
        "PATH": f"{tools.workshop}/bin:{os.environ['PATH']}",
        "HOME": str(project.parent),
        "PRE_COMMIT_HOME": str(project.parent / "pre-commit"),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tools.wheels),
    }
    done = run_command(["pre-commit", "run", "--all-files"], cwd=project, env=variables)
    return done.returncode, done.stdout + done.stderr
