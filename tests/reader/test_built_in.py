"""The specification files that come with the generator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from amqp_codegen.reader.inputs import resolve_input

from tests.reader.raw_models import load_amqp0, load_usable
from tests.reader.write_xml import write_xml

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
OFFICIAL = {
    "0-8": "0-8/amqp0-8.xml",
    "0-9": "0-9/amqp0-9.xml",
    "0-9-1": "0-9-1/amqp0-9-1.xml",
    "0-9-1-rabbitmq": "0-9-1/amqp0-9-1.extended.xml",
}


@pytest.mark.parametrize("name", OFFICIAL)
def test_a_built_in_specification_has_no_problems(name: str) -> None:
    inputs = resolve_input(name)
    spec, problems = load_amqp0(inputs.files[0], inputs.overlays)
    assert problems == []
    assert name.startswith(spec.version)


@pytest.mark.parametrize("name", OFFICIAL)
def test_a_merged_specification_has_the_facts_of_the_published_one(name: str, tmp_path: Path) -> None:
    facts = SHARED / "tools" / "facts.py"
    official = SHARED / "specs-official" / OFFICIAL[name]
    if not (facts.is_file() and official.is_file()):
        pytest.skip("no copies of the published specifications here")
    inputs = resolve_input(name)
    loaded = load_usable(inputs.files, inputs.overlays)
    assert loaded.problems == ()
    merged = tmp_path / "merged.xml"
    merged.write_text(write_xml(loaded.trees[0]), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, str(facts), str(official), str(merged)], capture_output=True, text=True, check=False
    )
    *extra, total = run.stdout.splitlines()
    # RabbitMQ's codec has the class access; no published file does.
    assert all(line.startswith("extra ") and " access" in line for line in extra), run.stdout
    count = 5 if name == "0-9-1-rabbitmq" else 0
    assert f"0 missing, 0 differ, {count} extra" in total, run.stdout + run.stderr


def test_every_overlay_entry_says_why() -> None:
    inputs = resolve_input("0-9-1-rabbitmq")
    [root] = load_usable(inputs.files, inputs.overlays).trees
    origins = [element.origin for element in root.walk() if element.position.file.endswith("rabbitmq.xml")]
    assert any(origins)
    assert all("(http" in origin for origin in origins if origin)
