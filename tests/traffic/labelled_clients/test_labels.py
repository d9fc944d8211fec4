"""The broker does to each client what its label says, and the tables have it."""

from __future__ import annotations

import pytest

from .conftest import Capture, Lake
from .labels import ANSWERS_HEADER, HANGS_UP, LEGAL, MISBEHAVING, Label, read_labels
from .play_scripts import SCRIPTS_0, SCRIPTS_1

LABELS = read_labels()


def test_every_client_has_a_label() -> None:
    assert {id for id, label in LABELS.items() if label.version == "1.0"} == set(SCRIPTS_1)
    assert {id for id, label in LABELS.items() if label.version != "1.0"} == set(SCRIPTS_0)


def test_who_misbehaves_breaks_rules() -> None:
    assert {label.kind for label in LABELS.values()} == {MISBEHAVING, LEGAL}
    for label in LABELS.values():
        assert bool(label.rules) == (label.kind == MISBEHAVING), label
        assert label.kind == MISBEHAVING or label.reaction == "nothing", label


@pytest.mark.parametrize("label", LABELS.values(), ids=LABELS)
def test_the_broker_reacts(capture: Capture, label: Label) -> None:
    played = capture.played[label.id]
    assert played.failure == ""
    assert played.reaction == label.reaction


@pytest.mark.parametrize("label", LABELS.values(), ids=LABELS)
def test_every_client_is_in_the_tables(capture: Capture, lake: Lake, label: Label) -> None:
    """With the code with which the broker has closed the connection, if it did."""
    rows = lake.of(capture.played[label.id])
    assert rows
    for row in rows:
        assert row["client_bytes_gap"] == row["server_bytes_gap"] == 0
    codes = {row["close_code"] for row in rows if row["close_by"] == "server"} - {None}
    conditions = {row["close_condition"] for row in rows if row["close_by"] == "server"} - {None}
    what, _, why = label.reaction.partition(" ")
    assert codes == ({int(why)} if what == "connection" else set())
    assert conditions == ({why} if what == "close" and why else set())
    if label.reaction in (HANGS_UP, ANSWERS_HEADER):
        assert all(row["close_by"] is None for row in rows)
    if label.reaction == ANSWERS_HEADER:
        assert all(row["answer_bytes"] is not None for row in rows)


def test_clean_traffic_is_in_the_tables(capture: Capture, lake: Lake) -> None:
    assert len(lake.clean(capture)) == len(capture.clean_names) + len(capture.clean_ports)
