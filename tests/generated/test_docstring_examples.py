"""The examples in docstrings do what they say: every one, in all modules of all packages."""

from __future__ import annotations

import doctest
import re
from importlib import import_module

import pytest

from .test_public_names import NAMES, NAMES_0, sources

# What authors of clients keep count with, and the package itself: these have examples.
COUNTERS = ("assembly", "heartbeats", "numbers", "replies", "sasl_responses", "tuning")
COUNTERS_1_0 = ("deliveries", "link_credit", "numbers", "sasl_responses", "serial", "session_window")
EXPECTED = {package: {package, *(f"{package}.client.{name}" for name in COUNTERS)} for package in NAMES_0}
EXPECTED["amqp_0_9_1_rabbitmq"] |= {
    f"amqp_0_9_1_rabbitmq.client.{name}" for name in ("arguments", "confirms")
}
EXPECTED["amqp_1_0"] = {"amqp_1_0", *(f"amqp_1_0.client.{name}" for name in COUNTERS_1_0)}
EXPECTED["amqp_1_0_rabbitmq"] = {
    f"amqp_1_0_rabbitmq.client.{name}"
    for name in (*COUNTERS_1_0, "addresses", "claims", "direct_reply", "management")
}


@pytest.mark.parametrize(
    "package", [*NAMES, "conformance", "amqp_codegen", "amqp_conformance", "amqp_traffic"]
)
def test_examples(package: str) -> None:
    found = set()
    for name, path in sources(package):
        prompts = len(re.findall(r"^\s*>>> ", path.read_text("utf-8"), re.MULTILINE))
        if prompts:
            results = doctest.testmod(import_module(name))
            assert (results.failed, results.attempted) == (0, prompts), name
            found.add(name)
    assert found >= EXPECTED.get(package, set())
