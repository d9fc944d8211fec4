"""The lowest black that pyproject.toml allows and the newest one make the same of generated code."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from amqp_codegen.emit.generate import generate_unformatted
from amqp_codegen.emit.target import Target
from amqp_codegen.reader.inputs import BUILT_IN, resolve_input
from amqp_codegen.support.cache import Cache

from tests.commands import run_command
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
EMIT = ("codecs", "columns", "conformance", "native")
FORMAT = """
import hashlib, json, sys
import black

mode = black.Mode(line_length=110, target_versions={black.TargetVersion.PY311})
texts = json.load(open(sys.argv[1]))
hashes = {name: hashlib.sha256(black.format_str(texts[name], mode=mode).encode()).hexdigest() for name in texts}
print(json.dumps([black.__version__, hashes]))
"""


def lowest() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (requirement,) = (line for line in project["dependencies"] if line.startswith("black"))
    assert requirement.startswith("black>=")
    assert "," not in requirement
    return requirement.replace(">=", "==")


def formatted_by(requirement: str, texts: Path, folder: Path) -> tuple[str, dict[str, str]]:
    """The version of a black that is installed for this, and the hash of what it makes of each text."""
    uv = [sys.executable, "-m", "uv"]
    python = folder / "bin" / "python"
    run([*uv, "venv", "--quiet", "--python", sys.executable, str(folder)])
    installed = [*uv, "pip", "install", "--quiet", "--upgrade", "--python", str(python), requirement]
    done = run_command(installed)
    if done.returncode:
        pytest.skip(f"cannot install {requirement}")
    version, hashes = json.loads(run([str(python), "-c", FORMAT, str(texts)]))
    return version, hashes


def run(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout


@pytest.mark.slow
def test_the_lowest_and_the_newest_make_the_same(tmp_path: Path) -> None:
    pytest.importorskip("uv", reason="needs uv: pip install '.[lint]'")
    texts = {}
    for name in BUILT_IN:
        inputs = resolve_input(name)
        made = generate_unformatted(Target(inputs.files, inputs.overlays, emit=EMIT), Cache())
        texts |= {path: text for path, text in made.files.items() if path.endswith(".py")}
    place = tmp_path / "texts.json"
    place.write_text(json.dumps(texts))
    low, low_hashes = formatted_by(lowest(), place, tmp_path / "lowest")
    new, new_hashes = formatted_by("black", place, tmp_path / "newest")
    assert low.startswith("24.")
    assert new > low
    assert [path for path in texts if low_hashes[path] != new_hashes[path]] == []
