"""Conversations by the class grammars, against some that were thought out by hand."""

from __future__ import annotations

import pytest
from amqp_codegen.vectors.amqp0.conversation_cases import shortest_paths

from .built_in_specifications import VERSIONS, cases_of, spec_of


def steps(version: str, name: str) -> list[str]:
    return [f"{sender[0].upper()}:{method}" for sender, method in cases_of(version)[name].input["steps"]]


OPEN = ["C:channel.open", "S:channel.open-ok"]


def test_legal_ones() -> None:
    assert steps("0-9-1", "queue.declare/legal-from-client") == [*OPEN, "C:queue.declare"]
    assert steps("0-9-1", "queue.declare-ok/legal-from-server") == [
        *OPEN,
        "C:queue.declare",
        "S:queue.declare-ok",
    ]
    assert steps("0-9-1", "channel.close-ok/legal-from-client") == [
        *OPEN,
        "S:channel.close",
        "C:channel.close-ok",
    ]
    assert steps("0-9-1", "connection.open-ok/legal-from-server") == [
        "S:connection.start",
        "C:connection.start-ok",
        "S:connection.tune",
        "C:connection.tune-ok",
        "C:connection.open",
        "S:connection.open-ok",
    ]
    assert cases_of("0-9-1")["connection.tune/legal-from-server"].input["channel"] == 0
    assert cases_of("0-9-1")["tx.select/legal-from-client"].input["channel"] == 1


def test_out_of_place_ones() -> None:
    assert steps("0-9-1", "queue.declare-ok/unasked-from-server") == [*OPEN, "S:queue.declare-ok"]
    assert steps("0-9-1", "queue.declare/from-the-server") == [*OPEN, "S:queue.declare"]
    assert steps("0-9-1", "queue.declare/before-the-channel-is-open-from-client") == ["C:queue.declare"]
    assert steps("0-9-1", "tx.select-ok/again-from-server") == [
        *OPEN,
        "C:tx.select",
        "S:tx.select-ok",
        "S:tx.select-ok",
    ]
    # Either side may start and stop the flow.
    assert "channel.flow/from-the-server" not in cases_of("0-9-1")
    # A ping may come before the last one is answered.
    assert "channel.ping/again-from-client" not in cases_of("0-9")


# Where the published files contradict themselves: by grammar or by what brokers do, others send it than by chassis.
CONTRADICTIONS = {
    "0-8": {"tunnel.request"},
    "0-8-rabbitmq": {"tunnel.request"},
    "0-9": {"tunnel.request", "message.empty"},
    "0-9-1": set(),
    "0-9-1-rabbitmq": set(),
}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_method_is_said_by_those_who_may(version: str) -> None:
    contradictions = set()
    for entry in spec_of(version).classes:
        said = set(shortest_paths(entry))
        assert {name for _, name in said} <= {method.full_name for method in entry.methods}
        for method in entry.methods:
            if {sender for sender, name in said if name == method.full_name} != set(method.sent_by):
                contradictions.add(method.full_name)
    assert contradictions == CONTRADICTIONS[version]


@pytest.mark.parametrize("version", VERSIONS)
def test_verdicts(version: str) -> None:
    legal = [case for case in cases_of(version).values() if "/legal-from-" in case.id]
    wrong = [case for case in cases_of(version).values() if case.kind == "conversation" and case not in legal]
    assert {case.verdict for case in legal} == {"accept"}
    assert {(case.verdict, case.error) for case in wrong} == {("reject", "order")}
    assert len(wrong) > len(legal) > 50
