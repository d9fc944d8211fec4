"""Specifications that lack what others have: their packages are mypy-strict clean, with nothing to infer a type from."""

from __future__ import annotations

from pathlib import Path

from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .small_specifications import FRAME_CONSTANTS, element, fields, publish_to, unformatted, written

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


def test_types_of_empty_sets(shared: Shared, tmp_path: Path) -> None:
    for name, (body, constants) in SPECIFICATIONS.items():
        spec = written(tmp_path, body.replace('domain="', 'type="'), f"{name}.xml", constants)
        publish_to(tmp_path / "out", unformatted(spec, name))
    result = run_mypy(shared, *SPECIFICATIONS, cwd=tmp_path / "out")
    assert result.returncode == 0, result.stdout
