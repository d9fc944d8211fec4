"""The picture of speeds shows what was measured."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

from tools.speed_picture import NATIVE, NEW, PEERS, PICTURE, PURE, ROWS, SPEEDS, draw, rows_of

MEASURED = json.loads(SPEEDS.read_text(encoding="utf-8"))


def test_the_picture_is_current() -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw(MEASURED), "run: python tools/speed_picture.py"


def test_it_has_every_row_and_every_candidate() -> None:
    for family, peers in PEERS.items():
        rows = rows_of(family, MEASURED)
        assert [row.label for row in rows] == [label for _, label in ROWS[family]]
        for row in rows:
            assert row.speeds.keys() == {NATIVE, PURE, NEW, *peers}
            assert row.speeds[peers[0]] == 1


def test_it_is_drawn_without_the_cores_too() -> None:
    """Where there is no compiler, and where not everything was measured."""
    workloads = [
        {
            **workload,
            "microseconds": {name: time for name, time in workload["microseconds"].items() if name != NATIVE},
        }
        for workload in MEASURED["workloads"]
        if workload["strings"] == "repeated"
    ]
    text = draw({**MEASURED, "workloads": workloads[1:]})
    ElementTree.fromstring(text)
    marks = re.findall(r'class="(native|new|pure)" cx', text)
    shown = sum(map(len, ROWS.values())) - 1
    # The legend has each of them, for each family.
    assert (marks.count("native"), marks.count("pure")) == (len(PEERS), len(PEERS) + shown)
