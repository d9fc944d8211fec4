"""Packages of npm that tests run with Node; without Node, npm or a registry these tests are skipped."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

BUILD = Path(__file__).resolve().parents[1] / "build"


def installed(package: Path) -> Path:
    """The folder with what a ``package.json`` depends on, installed under the name that it has; else skips."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not there")
    text = package.read_text(encoding="utf-8")
    folder = BUILD / json.loads(text)["name"]
    if (folder / "node_modules").is_dir() and (folder / "package.json").read_text(encoding="utf-8") == text:
        return folder / "node_modules"
    # Made aside and renamed: several tests may run at once.
    aside = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    (aside / "package.json").write_text(text, encoding="utf-8")
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    done = subprocess.run(command, cwd=aside, capture_output=True, text=True, timeout=100, check=False)
    if done.returncode:
        shutil.rmtree(aside)
        pytest.skip(f"npm cannot install {folder.name}: {done.stderr.strip()[:200]}")
    try:
        shutil.rmtree(folder, ignore_errors=True)
        aside.rename(folder)
    except OSError:  # somebody else was faster
        shutil.rmtree(aside)
    return folder / "node_modules"


def node(script: Path, package: Path, requests: list[Any], timeout: int = 60) -> list[Any]:
    """The answers of a script that reads a JSON document a line, and writes one for each."""
    modules = installed(package)
    done = subprocess.run(
        ["node", str(script)],
        input="".join(json.dumps(request) + "\n" for request in requests),
        env={**os.environ, "NODE_PATH": str(modules)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(requests)
    return answers
