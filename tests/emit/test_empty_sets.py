"""Specifications that lack what others have: their packages are mypy-strict clean, with nothing to infer a type from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .small_specifications import FRAME_CONSTANTS, element, fields, generated, publish_to, written

WITHOUT_ERRORS = "".join(line for line in FRAME_CONSTANTS.splitlines(True) if "class=" not in line)
PING = element("method", element("chassis", name="server", implement="MUST"), name="ping", index=10)
SAY = element("method", element("chassis", name="server", implement="MUST"), name="say", index=20, content=1)

# Name to body and constants.
SPECIFICATIONS = {
    "no_errors_and_no_content": (element("class", PING, name="plain", index=1), WITHOUT_ERRORS),
    "content_without_properties": (element("class", PING + SAY, name="plain", index=1), WITHOUT_ERRORS),
    "properties_without_content": (
        element("class", fields(note="shortstr", flag="bit") + PING, name="plain", index=1),
        FRAME_CONSTANTS,
    ),
}


@pytest.mark.slow
def test_types_of_empty_sets(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    for name, (body, constants) in SPECIFICATIONS.items():
        spec = written(tmp_path, body.replace('domain="', 'type="'), f"{name}.xml", constants)
        publish_to(tmp_path / "out", generated(spec, name))
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        "",
        "--cache-dir",
        str(tmp_path / "c"),
    ]
    command += [str(tmp_path / "out" / name) for name in SPECIFICATIONS]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path)
    assert result.returncode == 0, result.stdout
