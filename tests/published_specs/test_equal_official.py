"""Our specification files state what the published ones state, in other words."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.model.amqp0.spec import Rule

from .plain_model import differences, facts, identity, without_rules
from .published_files import published_file
from .spec_sources import (
    FULL,
    STRIPPED,
    STRIPPED_0_9_1,
    needs_official,
    official,
    ours,
    raw_of,
    spec_of,
    stripped,
)

pytestmark = needs_official

# What RabbitMQ's "stripped" 0-9-1 has besides 0-9-1.
_RABBITMQS_OWN = {"method connection.blocked", "method connection.unblocked"}


@pytest.mark.parametrize("name", ["0-8", "0-9", "0-9-1"])
def test_the_model_of_ours_is_that_of_the_published_file(name: str) -> None:
    assert differences(facts(ours(name)), facts(official(name))) == []


def test_0_9_1_and_our_overlay_are_the_extended_file() -> None:
    assert differences(identity(facts(ours("extended"))), identity(facts(official("extended")))) == []


@pytest.mark.parametrize("name", FULL)
def test_rules_have_the_same_level_words(name: str) -> None:
    def levels(rules: list[Rule]) -> dict[str, tuple[str, ...]]:
        return {rule.path: rule.levels for rule in rules}

    assert levels(list(ours(name).rules)) == levels(list(official(name).rules))


@pytest.mark.parametrize("name", FULL)
def test_rules_are_the_duty_of_the_same_peer(name: str) -> None:
    theirs = {rule.path: rule for rule in official(name).rules}
    differing = [
        f"{rule.path}: {rule.actor} here, {theirs[rule.path].actor} there"
        for rule in ours(name).rules
        if rule.actor != theirs[rule.path].actor
    ]
    assert differing == []


@pytest.mark.parametrize(
    ("path", "actor"),
    [
        ("connection.tune-ok.frame-max/upper-limit", "server"),  # if the client ..., the server MUST ...
        ("connection.start/client-support", "client"),  # if the client ... by the server it MUST ...
        ("queue.declare.queue/default-name", "other"),  # the queue name MAY ..., in which case the server ...
        ("basic.qos.prefetch-count/01", "server"),
        ("delivery-tag/non-zero", "server"),
        ("connection.close-ok/reporting", "peer"),
    ],
)
def test_whose_duty_a_rule_is(path: str, actor: str) -> None:
    for spec in (ours("0-9-1"), official("0-9-1")):
        assert {rule.path: rule.actor for rule in spec.rules}[path] == actor


@pytest.mark.parametrize("name", STRIPPED)
def test_a_stripped_file_states_the_same_but_for_rules(name: str) -> None:
    found = without_rules(facts(stripped(name)))
    if name == "extended":  # the one fact that differs: a type where the full file has the domain
        [no_wait] = found["method confirm.select"]["fields"]
        assert (no_wait["domain"], no_wait["type"]) == ("", "bit")
        no_wait["domain"] = "no-wait"
    assert differences(found, without_rules(facts(official(name)))) == []
    assert list(stripped(name).rules) == []
    assert not any(class_.grammars for class_ in stripped(name).classes)


@pytest.mark.parametrize("name", ["0-8", "0-9"])
def test_ours_without_rules_is_the_stripped_file(name: str) -> None:
    assert differences(without_rules(facts(ours(name))), without_rules(facts(stripped(name)))) == []


def test_the_stripped_0_9_1_has_two_methods_of_rabbitmqs() -> None:
    rabbitmqs = without_rules(facts(spec_of(published_file(STRIPPED_0_9_1))))
    standard = without_rules(facts(ours("0-9-1")))
    assert rabbitmqs.keys() - standard.keys() == _RABBITMQS_OWN
    extended = without_rules(facts(ours("extended")))
    assert {name: rabbitmqs[name] for name in _RABBITMQS_OWN} == {
        name: extended[name] for name in _RABBITMQS_OWN
    }
    rabbitmqs["class connection"]["methods"] = standard["class connection"]["methods"]
    assert differences({name: rabbitmqs[name] for name in standard}, standard) == []


@pytest.mark.parametrize("name", FULL)
def test_the_raw_models_agree_on_the_root(name: str) -> None:
    raw = raw_of(published_file(FULL[name]))
    spec = ours(name)
    assert (raw.major, raw.minor, raw.revision, raw.port) == (
        spec.major,
        spec.minor,
        spec.revision,
        spec.port,
    )
    assert raw.version == Path(FULL[name]).parts[0]
