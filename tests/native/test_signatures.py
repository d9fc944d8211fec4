"""What ``inspect.signature`` and ``help`` tell of everything in the modules."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import amqp_0_9_1.columns
import amqp_1_0.columns
import pytest

amqp_native = pytest.importorskip("amqp_native", reason="needs the cores in C: make native")
amqp_native_ingest = pytest.importorskip("amqp_native_ingest", reason="needs the cores in C: make native")


def callables(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The types and functions of a module, and their methods."""
    for name, value in vars(module).items():
        if callable(value) and not name.startswith("_"):
            yield name, value
            for method in vars(value) if isinstance(value, type) else ():
                if not method.startswith("_"):
                    yield f"{name}.{method}", getattr(value, method)


ALL = dict([*callables(amqp_native), *callables(amqp_native_ingest)])


def test_both_modules_are_looked_at() -> None:
    assert {
        "reading",
        "Core0",
        "Core1.read_frames",
        "Ingest.add",
        "Scan.read_pcap",
        "FlowBuckets",
    } <= ALL.keys()


@pytest.mark.parametrize("name", ALL)
def test_everything_has_a_signature_and_a_sentence(name: str) -> None:
    signature = inspect.signature(ALL[name])
    assert all(parameter.kind is parameter.POSITIONAL_ONLY for parameter in signature.parameters.values())
    assert inspect.getdoc(ALL[name])


def test_parameters_are_those_of_the_call() -> None:
    assert str(inspect.signature(amqp_native.reading)) == "(kinds_by_letter, max_depth, max_elements, /)"
    assert list(inspect.signature(amqp_native.Core0).parameters) == [
        "timestamp_class",
        "decimal_class",
        "decimal_parts",
    ]
    assert list(inspect.signature(amqp_native.Core0.write_table).parameters) == ["self", "writing", "table"]


def test_row_readers() -> None:
    kind = next(iter(amqp_0_9_1.columns.MethodColumns().gathered.values())).kind
    assert list(inspect.signature(kind.read).parameters) == ["buffer", "position", "end", "tables"]
    read = amqp_1_0.columns.PerformativeColumns().gathered["transfer"].kind.read
    assert list(inspect.signature(read).parameters) == ["buffer", "position", "limits", "variants"]


def test_a_default_can_be_left_out() -> None:
    signature = inspect.signature(amqp_native_ingest.Scan)
    assert str(signature) == "(buckets, packets_before, at_once, ingest=None, tunnels=None, /)"
    assert signature.bind(None, 0, 512).arguments["at_once"] == 512
