"""Install packages of npm into build/, each list of them once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "build"


class NpmError(Exception):
    """Node or npm is missing, or npm cannot install a package."""


def installed(package: Path) -> Path:
    """Return the folder with what a ``package.json`` depends on, installed under the name that it has.

    Raises:
        NpmError: It cannot be installed.
    """
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise NpmError("node and npm are not there")
    text = package.read_text(encoding="utf-8")
    folder = BUILD / str(json.loads(text)["name"])
    if (folder / "node_modules").is_dir() and (folder / "package.json").read_text(encoding="utf-8") == text:
        return folder / "node_modules"
    # Made aside and renamed: several processes may run at once.
    aside = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    (aside / "package.json").write_text(text, encoding="utf-8")
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    done = subprocess.run(command, cwd=aside, capture_output=True, text=True, timeout=1800, check=False)
    if done.returncode:
        shutil.rmtree(aside)
        raise NpmError(f"npm cannot install {folder.name}: {done.stderr.strip()[:200]}")
    try:
        shutil.rmtree(folder, ignore_errors=True)
        aside.rename(folder)
    except OSError:  # somebody else was faster
        shutil.rmtree(aside)
    return folder / "node_modules"
