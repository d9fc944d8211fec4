"""Every library reads and writes the same in each workload; texts that should be new are."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from benchmarks.harness import NATIVE, PURE, own_packages
from benchmarks.new_texts import NEW_UNITS, renewed, units

FAMILIES = {
    "amqp0": ("pika", "pamqp", "amqp"),
    "amqp1": ("proton", "azure.eventhub"),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_all_candidates_of_all_workloads_run(family: str) -> None:
    for peer in FAMILIES[family]:
        pytest.importorskip(peer, reason=f"needs {peer}: pip install '.[peers]'")
    codecs = import_module(f"benchmarks.{family}.codecs")
    workloads = codecs.workloads()  # compares what the libraries read and write
    assert len({(workload.name, workload.strings) for workload in workloads}) == len(workloads)
    for workload in workloads:
        assert PURE in workload.candidates
        assert all(
            peers.keys() <= workload.candidates.keys() | {NATIVE} for peers in workload.wanted.values()
        )
        for run in workload.candidates.values():
            run()


def test_what_is_wanted_is_wanted_of_workloads_that_there_are() -> None:
    for peer in FAMILIES["amqp0"]:
        pytest.importorskip(peer, reason=f"needs {peer}: pip install '.[peers]'")
    codecs = import_module("benchmarks.amqp0.codecs")
    names = {(workload.name, workload.strings) for workload in codecs.workloads()}
    assert codecs.WANTED.keys() <= names


def test_new_texts_have_nothing_in_common() -> None:
    first, second = (set(texts(renewed(VALUE, number))) for number in (1, 2))
    assert len(first) == len(second) == len(list(texts(VALUE)))
    assert not first & second


def test_all_but_texts_stays() -> None:
    value = renewed(VALUE, 7)
    assert list(value.values())[1:3] == [5, None]
    assert renewed(VALUE, None) is VALUE
    assert len(units("new", lambda number: number)) == NEW_UNITS


def test_the_pure_package_has_no_core() -> None:
    packages = own_packages("amqp_0_9_1")
    assert not packages[PURE].ACCELERATED
    assert (NATIVE in packages) == import_module("amqp_0_9_1").ACCELERATED


VALUE: dict[str, Any] = {
    "a": "short",
    "number": 5,
    "nothing": None,
    "list": ["q", {"deep": "a longer text"}],
}


def texts(value: Any) -> Any:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts(item)
