"""The audit finds what a broker refuses, in captures of the broker refusing it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq import methods

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_codegen.cli.main import cli
from amqp_traffic.lake.deprecated_uses import ARGUMENT_USES
from click.testing import CliRunner

from tests.broker.client import Client, address

from .argument_trials import TABLE, VERSIONS, Trial, trials
from .asker import Asker, answer
from .recorder import FIRST_PORT, Recorder
from .refused_features import REFUSED, RefusedFeature

pytestmark = pytest.mark.broker
RULES_OF_ARGUMENTS = {use.rule_id for use in ARGUMENT_USES}


class Recorded(NamedTuple):
    """What came of one thing that clients did.

    Attributes:
        answer: What the broker answered, if it refused it.
        rules: The rules that are broken in the capture.
    """

    answer: str
    rules: set[str]


def version_of_broker() -> str:
    client = Client(amqp).handshake()
    client.close()
    return ".".join(client.start.server_properties["version"].split(".")[:2])


def rules_by_connection(capture: bytes, folder: Path, count: int) -> list[set[str]]:
    """Return the rules that ``amqp-codegen traffic audit`` finds broken, for each connection of a capture."""
    file, lake = folder / "refused.pcap", str(folder / "lake")
    file.write_bytes(capture)
    ingested = CliRunner().invoke(cli, ["traffic", "ingest", str(file), "--out", lake])
    assert ingested.exit_code == 0, ingested.output
    audited = CliRunner().invoke(
        cli, ["traffic", "audit", lake, "--target", "rabbitmq-4.3", "--format", "json"]
    )
    assert audited.exit_code in (0, 1), audited.output
    rules: list[set[str]] = [set() for _ in range(count)]
    for finding in json.loads(audited.stdout)["findings"]:
        port = re.search(r":(\d+)\)$", finding["client"])
        assert port, finding
        rules[int(port[1]) - FIRST_PORT].add(finding["rule_id"])
    return rules


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Recorded]:
    """All features, used one after the other."""
    if version_of_broker() != VERSIONS[-1]:
        pytest.skip(f"needs RabbitMQ {VERSIONS[-1]}")
    recorder, queue = Recorder(address()), f"amqp-codegen.{uuid4().hex}"
    answers: dict[str, tuple[str, range]] = {}
    for name, feature in REFUSED.items():
        first = recorder.count
        told = _answer(feature, recorder, queue)
        answers[name] = told, range(first, recorder.count)
        cleaner = Client(amqp).handshake().open_channel()
        cleaner.call(methods.QueueDelete(queue))
        cleaner.close()
    rules = rules_by_connection(recorder.stop(), tmp_path_factory.mktemp("features"), recorder.count)
    return {name: Recorded(told, _rules_in(rules, numbers)) for name, (told, numbers) in answers.items()}


def _rules_in(rules: list[set[str]], numbers: range) -> set[str]:
    """Return the rules that are broken in some of the connections."""
    return {rule for number in numbers for rule in rules[number]}


def _answer(feature: RefusedFeature, recorder: Recorder, queue: str) -> str:
    try:
        feature.act(recorder.address, queue)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_found(features: dict[str, Recorded], name: str) -> None:
    feature, recorded = REFUSED[name], features[name]
    assert bool(recorded.answer) != feature.is_taken, recorded.answer
    assert re.search(feature.answer, recorded.answer, re.DOTALL)
    assert feature.rule in recorded.rules


@pytest.fixture(scope="module")
def version() -> str:
    version = version_of_broker()
    if version not in VERSIONS:
        pytest.skip(f"arguments.toml is not about RabbitMQ {version}")
    return version


def test_what_is_refused_of_arguments_is_found(version: str, tmp_path: Path) -> None:
    """And nothing else: by the rules of the broker's version now, by those of a migration what 4.3 refuses."""
    recorder, asked = Recorder(address()), []
    for trial in (trial for argument in TABLE.arguments for trial in trials(argument)):
        first = recorder.count
        asker = Asker(recorder.address)
        refusal = answer(asker, trial)
        asker.close()
        asked.append((trial, bool(refusal), range(first, recorder.count)))
    rules = rules_by_connection(recorder.stop(), tmp_path, recorder.count)
    wrong = [
        (trial, is_refused, _rules_in(rules, numbers))
        for trial, is_refused, numbers in asked
        if not _is_right(trial, is_refused, _rules_in(rules, numbers))
    ]
    assert wrong == []


def _is_right(trial: Trial, is_refused: bool, found: set[str]) -> bool:
    if not is_refused and "argument-refused" in found:
        return False
    if is_refused and not found & {"argument-refused", *RULES_OF_ARGUMENTS}:
        return False
    by_any = {"argument-refused", "argument-newly-refused", *RULES_OF_ARGUMENTS}
    return not trial.is_refused(VERSIONS[-1]) or bool(found & by_any)
