"""Known deviations: which file is a broker's, what may be in it, and what a run says against it."""

from __future__ import annotations

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from amqp_codegen.model.problem import SpecError
from amqp_conformance.engine.expectations import (
    Deviation,
    Expectations,
    find_expectations,
    judge,
    read_expectations,
)
from amqp_conformance.engine.run_result import Identity, Result, Verdict

from .made_trials import make_rule

PATHS = ["queue/one", "queue/two"]


@pytest.mark.parametrize(
    ("product", "version", "found"),
    [
        ("RabbitMQ", "3.10.8", "rabbitmq-3.10.8.toml"),
        ("RabbitMQ", "3.10.8+dfsg-1", "rabbitmq-3.10.8.toml"),
        ("RabbitMQ", "3.10.9", "rabbitmq-3.10.toml"),
        ("RabbitMQ", "3.10", "rabbitmq-3.10.toml"),
        ("RabbitMQ", "3.1.0", "rabbitmq-3.toml"),
        ("RabbitMQ", "4.0.0-rc.1", None),
        ("RabbitMQ", "", None),
        ("Apache Qpid/C++ Broker", "1.2", "apache-qpid-c-broker-1.toml"),
        ("../rabbitmq", "3", "rabbitmq-3.toml"),
        ("", "", None),
    ],
)
def test_the_file_of_a_broker(tmp_path: Path, product: str, version: str, found: str | None) -> None:
    for name in ("rabbitmq-3.10.8", "rabbitmq-3.10", "rabbitmq-3", "apache-qpid-c-broker-1"):
        (tmp_path / f"{name}.toml").touch()
    file = find_expectations(tmp_path, Identity(product, version))
    assert file == (tmp_path / found if found else None)


def read(tmp_path: Path, text: str, spec: str = "0-9-1") -> Expectations:
    file = tmp_path / "known.toml"
    file.write_text(text, encoding="utf-8")
    return read_expectations(file, spec, PATHS)


def test_expectations_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b'["0-9-1"]\n"queue/one" = { got = "a", reason = "b" }\n'
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text)))
    assert read_expectations(Path("-"), "0-9-1", PATHS).deviations == {"queue/one": Deviation("a", "b")}


def test_what_is_known(tmp_path: Path) -> None:
    text = """
["0-9-1"]
"queue/one" = { got = "a", reason = "b" }
["0-9-1-rabbitmq"]
"queue/two" = { got = "c", reason = "d" }
["0-8"]
"queue/none" = { got = "e", reason = "f" }
"""
    one, two = Deviation("a", "b"), Deviation("c", "d")
    assert read(tmp_path, text) == Expectations("known.toml", {"queue/one": one})
    assert read(tmp_path, text, "0-9-1-rabbitmq").deviations == {"queue/one": one, "queue/two": two}
    assert read(tmp_path, "").deviations == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[", "known.toml: "),
        ('["0-10"]', "known.toml: '0-10' is not a specification (there are 0-8, 0-8-rabbitmq, 0-9, "),
        (
            '["0-9-1"]\n"queue/none" = { got = "a", reason = "b" }',
            "known.toml: 0-9-1 has no rule 'queue/none' [",
        ),
        (
            '["0-9-1"]\n"queue/one" = "deviates"',
            "known.toml: 0-9-1 'queue/one' is not a deviation (it looks like {",
        ),
        ('["0-9-1"]\n"queue/one" = { got = "a" }', "'queue/one' is not a deviation"),
        ('["0-9-1"]\n"queue/one" = { got = "", reason = "b" }', "'queue/one' is not a deviation"),
        ('["0-9-1"]\n"queue/one" = { got = "a", reason = "" }', "'queue/one' is not a deviation"),
        ('["0-9-1"]\n"queue/one" = { got = "a", reason = "b", more = 1 }', "'queue/one' is not a deviation"),
    ],
)
def test_what_may_not_be_in_a_file(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(SpecError) as caught:
        read(tmp_path, text)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.toml: No such file"):
        read_expectations(tmp_path / "none.toml", "0-8", PATHS)


@pytest.mark.parametrize(
    ("verdict", "detail", "known", "judged", "surprise"),
    [
        (Verdict.PASSED, "", None, Verdict.PASSED, ""),
        (Verdict.PENDING, "no driver", None, Verdict.PENDING, ""),
        (Verdict.NOT_TESTABLE, "why", None, Verdict.NOT_TESTABLE, ""),
        (Verdict.NOT_TESTABLE, "why", Deviation("406", "r"), Verdict.NOT_TESTABLE, ""),
        (Verdict.FAILED, "got 404", None, Verdict.FAILED, "failed: got 404"),
        (Verdict.FAILED, "got 406", Deviation("406", "r"), Verdict.DEVIATES, ""),
        (Verdict.FAILED, "got 404", Deviation("406", "r"), Verdict.FAILED,
         "failed otherwise than expected (406): got 404"),
        (Verdict.PASSED, "", Deviation("406", "r"), Verdict.PASSED, "passed, a deviation was expected (406)"),
        (Verdict.INCONCLUSIVE, "set-up: 540", None, Verdict.INCONCLUSIVE, "inconclusive: set-up: 540"),
        (Verdict.INCONCLUSIVE, "set-up: 540", Deviation("540", "r"), Verdict.INCONCLUSIVE, ""),
        (Verdict.INCONCLUSIVE, "set-up: 404", Deviation("540", "r"), Verdict.INCONCLUSIVE,
         "inconclusive otherwise than expected (540): set-up: 404"),
        (Verdict.FLAKY, "failed once: 406", None, Verdict.FLAKY, "flaky: failed once: 406"),
        (Verdict.FLAKY, "failed once: 406", Deviation("failed once", "r"), Verdict.FLAKY, ""),
        (Verdict.BROKER_DIED, "gone", None, Verdict.BROKER_DIED, "the broker died: gone"),
        (Verdict.BROKER_DIED, "gone", Deviation("406", "r"), Verdict.BROKER_DIED, "the broker died: gone"),
        (Verdict.BROKER_DIED, "gone", Deviation("gone", "r"), Verdict.BROKER_DIED, ""),
    ],
)  # fmt: skip
def test_what_changed(
    verdict: Verdict, detail: str, known: Deviation | None, judged: Verdict, surprise: str
) -> None:
    result = Result(make_rule("queue/one"), verdict, detail)
    expectations = Expectations("known.toml", {"queue/one": known} if known else {})
    (after,) = judge([result], expectations)
    assert (after.verdict, after.surprise) == (judged, surprise)
    explained = known if known and not surprise and known.got in detail else None
    assert after.detail == (f"{detail}; known: {explained.reason}" if explained else detail)
