"""A second reader, which shares no code with ours, finds no fact that differs."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.support.resources import specs_dir

from tests.reader.raw_models import load_usable
from tests.reader.write_xml import write_xml

from .published_files import published_file
from .second_reader import read_facts
from .spec_sources import FULL, needs_official, our_files

pytestmark = needs_official


@pytest.mark.parametrize("name", FULL)
def test_ours(name: str, tmp_path: Path) -> None:
    """As they are read, overlays merged, and written again."""
    file, *overlays = our_files(name)
    merged = tmp_path / "merged.xml"
    merged.write_text(write_xml(load_usable([file], overlays).trees[0]), encoding="utf-8")
    # RabbitMQ's codec has the class access; no published file does.
    ours = read_facts(merged, "access" if overlays else "")
    theirs = read_facts(published_file(FULL[name]))
    assert len(theirs) > 500
    assert ours == theirs


def test_it_does_find_what_differs(tmp_path: Path) -> None:
    text = (specs_dir() / "amqp0-9-1.xml").read_text(encoding="utf-8")
    changed = tmp_path / "changed.xml"
    changed.write_text(text.replace('index="60"', 'index="61"', 1), encoding="utf-8")
    assert read_facts(changed) != read_facts(published_file(FULL["0-9-1"]))
