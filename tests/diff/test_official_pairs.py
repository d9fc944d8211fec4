"""The built-in specifications, and the published ones: what is known to differ between them.

RabbitMQ publishes a list of what changed from 0-8 to 0-9-1. Of that list the XML shows the version, the frame
types, the reply codes, access tickets, known hosts and redirection, the classes that went, exchanges' auto-delete,
queue.unbind, the arguments of consume, and recover.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from amqp_codegen.diff.change import Action, Change, Level, SpecComparison
from amqp_codegen.diff.compare import compare
from amqp_codegen.diff.reports import happened, text_report
from amqp_codegen.reader.inputs import Inputs, resolve_input
from amqp_codegen.resolve.specification import read_specification

from tests.published_specs.published_files import PARTS, needs_published, published_file
from tests.published_specs.spec_sources import FULL, STRIPPED, needs_official


def comparison(old: str, new: str | Inputs) -> SpecComparison:
    inputs = (side if isinstance(side, Inputs) else resolve_input(side) for side in (old, new))
    found = compare(*(read_specification(side.files, side.overlays) for side in inputs))
    assert isinstance(found, SpecComparison)
    return found


@pytest.fixture(scope="module")
def from_0_8() -> SpecComparison:
    return comparison("0-8", "0-9-1")


def said(changes: Iterable[Change], level: Level, path: str) -> list[str]:
    return [
        f"{change.id}: {happened(change)}"
        for change in changes
        if (change.level, change.path) == (level, path)
    ]


def paths(found: SpecComparison, action: Action, kind: str) -> list[str]:
    return [change.path for change in found.changes if (change.action, change.kind) == (action, kind)]


@pytest.mark.parametrize(
    ("level", "path", "change"),
    [
        ("WIRE", "header", "protocol-header: octets: AMQP 1-1-8-0 -> AMQP 0-0-9-1"),
        ("WIRE", "frame-oob-method", "frame-type-removed: removed: 4"),
        ("WIRE", "frame-oob-header", "frame-type-removed: removed: 5"),
        ("WIRE", "frame-oob-body", "frame-type-removed: removed: 6"),
        ("WIRE", "frame-trace", "frame-type-removed: removed: 7"),
        ("SOURCE", "not-delivered", "constant-removed: removed: 310, soft error"),
        ("BEHAVIOUR", "no-consumers", "constant-added: added: 313, soft error"),
        ("BEHAVIOUR", "precondition-failed", "constant-added: added: 406, soft error"),
        ("BEHAVIOUR", "unexpected-frame", "constant-added: added: 505, hard error"),
        ("SOURCE", "queue.declare.reserved-1", "field-retired: renamed, was ticket, reserved now"),
        ("SOURCE", "connection.open-ok.reserved-1", "field-retired: renamed, was known-hosts, reserved now"),
        ("SOURCE", "connection.open.reserved-2", "field-retired: renamed, was insist, reserved now"),
        ("WIRE", "connection.redirect", "method-removed: removed: index 50: (host shortstr, known-hosts shortstr)"),
        ("BEHAVIOUR", "connection.open", "method-replies: replies: open-ok, redirect -> open-ok"),
        ("WIRE", "connection.close", "method-index: index: 60 -> 50"),
        ("SOURCE", "exchange.declare.reserved-2", "field-retired: renamed, was auto-delete, reserved now"),
        ("WIRE", "basic.consume.arguments", "field-added: added: table"),
        ("WIRE", "channel.open-ok.reserved-1", "field-added: added: longstr, reserved"),
        ("SOURCE", "basic.recover-async", "method-renamed: renamed, was recover"),
        ("DOC", "basic.recover-async", "method-deprecated: deprecated: no -> yes"),
        ("BEHAVIOUR", "basic.recover", "method-added: added: index 110: (requeue bit)"),
        ("SOURCE", "basic.properties.reserved", "property-renamed: renamed, was cluster-id"),
    ],
)  # fmt: skip
def test_from_0_8_to_0_9_1(from_0_8: SpecComparison, level: str, path: str, change: str) -> None:
    assert change in said(from_0_8.changes, Level[level], path)


def test_what_went_and_came_from_0_8_to_0_9_1(from_0_8: SpecComparison) -> None:
    assert paths(from_0_8, Action.REMOVED, "class") == ["access", "file", "stream", "dtx", "tunnel", "test"]
    assert paths(from_0_8, Action.ADDED, "class") == []
    assert paths(from_0_8, Action.REMOVED, "method") == ["connection.redirect", "channel.alert"]
    assert paths(from_0_8, Action.ADDED, "method") == [
        *("queue.unbind", "queue.unbind-ok", "basic.recover", "basic.recover-ok"),
    ]
    retired = {change.old for change in from_0_8.changes if change.id == "field-retired"}
    assert retired == {
        *("ticket", "capabilities", "insist", "known-hosts", "out-of-band", "auto-delete", "internal", "cluster-id"),
    }  # fmt: skip


def test_from_0_8_to_0_9() -> None:
    found = comparison("0-8", "0-9")
    assert paths(found, Action.REMOVED, "class") == ["test"]
    assert paths(found, Action.ADDED, "class") == ["message"]  # its index was that of test
    assert paths(found, Action.RENAMED, "method") == []
    assert said(found.changes, Level.WIRE, "connection.redirect") == ["method-index: index: 50 -> 42"]
    added = [change.path for change in found.changes if change.id == "field-added"]
    assert added == [
        *(
            "channel.open-ok.channel-id",
            "basic.consume.filter",
            "file.consume.filter",
            "stream.consume.filter",
        ),
    ]


def test_from_0_9_to_0_9_1() -> None:
    found = comparison("0-9", "0-9-1")
    gone = ["access", "file", "stream", "dtx", "tunnel", "message"]
    assert paths(found, Action.REMOVED, "class") == gone
    assert paths(found, Action.REMOVED, "method") == [
        *("connection.redirect", "channel.resume", "channel.ping", "channel.pong", "channel.ok"),
    ]
    assert said(found.changes, Level.SOURCE, "basic.consume.arguments") == [
        "field-renamed: renamed, was filter"
    ]
    assert {change.id for change in found.changes if change.level is Level.WIRE} == {
        *("protocol-header", "protocol-dialect", "frame-type-removed", "class-removed", "method-removed"),
    }


def test_from_0_9_1_to_rabbitmq() -> None:
    found = comparison("0-9-1", "0-9-1-rabbitmq")
    assert [change.path for change in found.changes if change.level is Level.WIRE] == ["dialect"]
    assert paths(found, Action.ADDED, "method") == [
        *("connection.blocked", "connection.unblocked", "connection.update-secret", "connection.update-secret-ok"),
        *("exchange.bind", "exchange.bind-ok", "exchange.unbind", "exchange.unbind-ok", "basic.nack"),
    ]  # fmt: skip
    assert paths(found, Action.ADDED, "class") == ["access", "confirm"]
    revived = {change.path: change.old for change in found.changes if change.id == "field-revived"}
    assert revived == {
        "exchange.declare.auto-delete": "reserved-2",
        "exchange.declare.internal": "reserved-3",
    }
    assert paths(found, Action.REMOVED, "method") == paths(found, Action.REMOVED, "field") == []


@pytest.mark.parametrize("name", ["0-8", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0"])
def test_nothing_differs_from_itself(name: str) -> None:
    found = comparison(name, name)
    assert (found.changes, found.worst, found.remarks) == ((), None, ())
    assert text_report(found).endswith(": no differences\n")


@pytest.mark.parametrize(
    "names", [("0-8", "0-9"), ("0-8", "0-9-1"), ("0-9", "0-9-1"), ("0-9-1", "0-9-1-rabbitmq")]
)
def test_the_way_back_is_the_way_there_backwards(names: tuple[str, str]) -> None:
    there, back = comparison(*names), comparison(*reversed(names))
    for kind in ("constant", "domain", "class", "method", "field", "property"):
        assert sorted(paths(there, Action.ADDED, kind)) == sorted(paths(back, Action.REMOVED, kind))
        assert len(paths(there, Action.RENAMED, kind)) == len(paths(back, Action.RENAMED, kind))


@needs_published(*PARTS)
def test_two_revisions_of_1_0() -> None:
    """Ours follows the standard; the published copy lacks the defaults of the header, and has no rules."""
    found = comparison("1.0", Inputs(tuple(map(published_file, PARTS))))
    assert [(change.level, change.path, change.old, change.new) for change in found.changes] == [
        (Level.BEHAVIOUR, "header.durable", "false", "none"),
        (Level.BEHAVIOUR, "header.priority", "4", "none"),
        (Level.BEHAVIOUR, "header.first-acquirer", "false", "none"),
        (Level.BEHAVIOUR, "header.delivery-count", "0", "none"),
    ]
    assert [remark.partition(" has ")[2] for remark in found.remarks] == [
        "no rules, so they are not compared",
        "no texts for people, so they are not compared",
    ]


@needs_published(STRIPPED["0-8"], STRIPPED["0-9"])
@pytest.mark.parametrize("name", ["0-8", "0-9"])
def test_a_stripped_file_differs_in_nothing_it_has(name: str) -> None:
    found = comparison(name, str(published_file(STRIPPED[name])))
    assert [change for change in found.changes if change.level > Level.DOC] == []
    assert len(found.remarks) == 3


@needs_official
@pytest.mark.parametrize("name", FULL)
def test_ours_differ_from_the_published_ones_only_in_words(name: str) -> None:
    ours = "0-9-1-rabbitmq" if name == "extended" else name
    found = comparison(ours, str(published_file(FULL[name])))
    # RabbitMQ's codec has the class access; no published file does.
    kinds = {change.kind for change in found.changes if change.level > Level.DOC and change.path != "access"}
    assert kinds <= {"rule", "protocol"}  # rules are in our own words; the dialect is that of the version
