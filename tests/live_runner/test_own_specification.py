"""Rules of a user's own specification, tried by drivers from a user's folder; and what is wrong with others.

The files and the mistakes are in ``own_specification.toml``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.support import toml
from amqp_codegen.support.resources import specs_dir

from tests.cli.command_calls import Result, call, place, refused, write
from tests.conftest import AMQP_URL

from .amqp1 import fake_peer
from .fake_broker import FakeBroker, fake_broker

__all__ = ["place"]

DOCUMENT = toml.loads((Path(__file__).parent / "own_specification.toml").read_text(encoding="utf-8"))
OWN = ("--spec", "0-9-1", "--overlay", "peek.xml", "--drivers", "drivers")


@pytest.fixture(autouse=True)
def files(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    write(DOCUMENT["files"])


def report(url: str, *options: str) -> dict[str, Any]:
    """The report of a run."""
    result = call("conformance", url, "--format", "json", *options)
    assert result.err == []
    document: dict[str, Any] = json.loads("\n".join(result.out))
    return document


def verdicts(document: Mapping[str, Any]) -> dict[str, str]:
    return {rule["path"]: rule["verdict"] for rule in document["rules"]}


def test_a_rule_and_a_driver_of_ones_own() -> None:
    with fake_broker() as fake:
        document = report(fake.url, *OWN, "--rules", "queue.declare/short-names")
    assert document["spec"] == "0-9-1 peek.xml"
    assert verdicts(document) == {"queue.declare/short-names": "passed"}
    assert "QueueDeclare(queue='q'" in str(document["rules"][0]["evidence"])


def test_the_drivers_of_the_specification_that_is_extended_serve_too() -> None:
    with fake_broker() as fake:
        document = report(fake.url, *OWN, "--rules", "channel.open/state")
    assert verdicts(document) == {"channel.open/state": "passed"}


@pytest.mark.broker
def test_a_method_of_ones_own_goes_to_rabbitmq() -> None:
    """Which does not know it: the rule is broken."""
    document = report(AMQP_URL, *OWN, "--rules", "queue.*/[ms][ih][so][sr]*")
    assert verdicts(document) == {"queue.declare/short-names": "passed", "queue.peek/missing": "failed"}
    (broken,) = (rule for rule in document["rules"] if rule["path"] == "queue.peek/missing")
    assert "queue.peek" in [exchange["name"] for exchange in broken["evidence"]]


def test_a_driver_of_ones_own_comes_before_ours_and_before_our_reason_for_none() -> None:
    with fake_broker() as fake:
        ours = report(fake.url, "--spec", "0-9-1", "--rules", "redelivered/hinting")
        document = report(fake.url, "--drivers", "other", "--rules", "redelivered/hinting")
        taken = report(fake.url, "--drivers", "other", "--rules", "channel.open/state")
    assert verdicts(ours) == {"redelivered/hinting": "not_testable"}
    assert verdicts(document) == {"redelivered/hinting": "passed"}
    assert [rule["evidence"] for rule in taken["rules"]] == [[]]


def test_a_whole_specification_of_ones_own(tmp_path: Path) -> None:
    """The rules that it leaves out are no mistake in a file of expectations."""
    text = (specs_dir() / "amqp0-9-1.xml").read_text(encoding="utf-8")
    begin = text.index('<rule name="state"')
    end = text.index("</rule>", begin) + len("</rule>")
    (tmp_path / "own.xml").write_text(text[:begin] + text[end:], encoding="utf-8")
    known = '["0-9-1"]\n"channel.open/state" = { got = "x", reason = "y" }\n'
    (tmp_path / "known.toml").write_text(known, encoding="utf-8")
    with fake_broker() as fake:
        document = report(
            fake.url,
            "--spec",
            "own.xml",
            "--rules",
            "framing.frame-end/wrong",
            "--expectations",
            "known.toml",
        )
        (line,) = refused("conformance", fake.url, "--spec", "own.xml", "--rules", "channel.open/state")
    assert document["spec"] == "own.xml"
    assert [rule["path"] for rule in document["rules"]] == ["framing.frame-end/wrong"]
    assert line.startswith("error: no rule of own.xml fits 'channel.open/state'")


def test_expectations_of_ones_own_specification() -> None:
    """They stand in the table of the specification that it extends."""
    with fake_broker() as fake:
        first = run_with(fake, "--write-expectations", "mine.toml")
        assert '["0-9-1"]\n"queue.peek/missing" = ' in Path("mine.toml").read_text(encoding="utf-8")
        second = run_with(fake, "--expectations", "mine.toml")
    assert (first.code, second.code) == (1, 0)


def run_with(fake: FakeBroker, *options: str) -> Result:
    return call("conformance", fake.url, *OWN, "--rules", "queue.peek/*", "--timeout", "1", *options)


def test_a_type_of_ones_own_in_1_0() -> None:
    with fake_peer.running() as peer:
        parts = (
            "--spec",
            "1.0",
            "--spec",
            "mine.xml",
            "--drivers",
            "drivers_1_0",
            "--rules",
            "colour-filter/*",
        )
        document = report(peer.url, *parts)
    assert document["spec"] == "1.0 mine.xml"
    assert verdicts(document) == {"colour-filter/listed": "passed"}
    assert "value='red'" in str(document["rules"][0]["evidence"])


@pytest.mark.parametrize(
    ("rule", "options", "declared"),
    [
        (
            "queue.peek/missing",
            ("--spec", "0-9-1", "--overlay", "peek.xml"),
            '@rule({"0-9-1": "queue.peek/missing"})',
        ),
        (
            "queue.peek/missing",
            ("--overlay", "peek.xml"),
            '@rule({"0-9-1-rabbitmq": "queue.peek/missing"})',
        ),
        (
            "colour-filter/listed",
            ("--spec", "1.0", "--spec", "mine.xml"),
            '@amqp1_rule("colour-filter/listed")',
        ),
    ],
)
def test_the_skeleton_of_a_driver(rule: str, options: tuple[str, ...], declared: str) -> None:
    """It can be run as it is."""
    Path("written").mkdir()
    assert call("conformance", "new", rule, *options, "-o", "written/driver.py").code == 0
    assert declared in Path("written/driver.py").read_text(encoding="utf-8")
    [note] = call("conformance", "new", rule, *options, "--drivers", "written").err
    assert note.endswith("written/driver.py: a rule takes only one")


@pytest.mark.parametrize("case", DOCUMENT["case"], ids=lambda case: case["call"])
def test_a_mistake_is_answered(case: Mapping[str, Any]) -> None:
    assert refused("conformance", *case["call"].split()) == case["says"]
