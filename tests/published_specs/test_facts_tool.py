"""A second reader, which shares no code with ours, finds no fact that differs and no copied prose."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from amqp_codegen.reader.overlay import merge_overlays
from amqp_codegen.reader.xml_tree import read_xml
from amqp_codegen.support.resources import specs_dir

from tests.reader.write_xml import write_xml

from .spec_sources import FULL, OFFICIAL, SHARED

TOOL = SHARED / "tools" / "facts.py"
pytestmark = pytest.mark.skipif(not TOOL.is_file() or not OFFICIAL.is_dir(), reason=f"there is no {TOOL}")


def run(published: Path, own: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), str(published), str(own)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("name", ["0-8", "0-9", "0-9-1"])
def test_ours(name: str) -> None:
    result = run(OFFICIAL / FULL[name], specs_dir() / f"amqp{name}.xml")
    assert result.returncode == 0, result.stdout + result.stderr
    assert " 0 missing, 0 differ, 0 extra; " in result.stdout


def test_0_9_1_with_the_overlay_merged(tmp_path: Path) -> None:
    base, overlay = (
        read_xml((specs_dir() / file).read_bytes(), file) for file in ("amqp0-9-1.xml", "rabbitmq.xml")
    )
    merged, problems = merge_overlays(base, [overlay])
    assert problems == []
    own = tmp_path / "merged.xml"
    own.write_text(write_xml(merged), encoding="utf-8")
    result = run(OFFICIAL / FULL["extended"], own)
    *extra, total = result.stdout.splitlines()
    # RabbitMQ's codec has the class access; no published file does.
    assert all(line.startswith("extra ") and " access" in line for line in extra), result.stdout
    assert " 0 missing, 0 differ, 5 extra; " in total


def test_it_does_find_what_differs(tmp_path: Path) -> None:
    changed = (
        (specs_dir() / "amqp0-9-1.xml").read_text(encoding="utf-8").replace('index="60"', 'index="61"', 1)
    )
    own = tmp_path / "changed.xml"
    own.write_text(changed, encoding="utf-8")
    assert run(OFFICIAL / FULL["0-9-1"], own).returncode == 1
