"""Asserts judged by hand: which values pass, and in which profile."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_codegen.vectors.amqp0.assert_cases import passes, verdicts

from .built_in_specifications import cases_of, field_of, method_of, spec_of


def judge(version: str, path: str, kind: str, value: Any) -> bool:
    field = field_of(version, path)
    check = next(item for item in field.asserts if item.check == kind)
    return passes(check, field, value, {}, {}, method_of(version, path.rpartition(".")[0]))


@pytest.mark.parametrize(
    ("version", "path", "kind", "good", "bad"),
    [
        ("0-9-1", "queue.declare.queue", "regexp", ["", "aZ09-_.:"], ["a b", "a\n", "ü", "a/b"]),
        ("0-9-1", "queue.declare.queue", "length", ["x" * 127], ["x" * 128]),
        ("0-9-1", "connection.start.mechanisms", "notnull", [{"hex": "00"}], [{"hex": ""}]),
        ("0-9-1", "connection.tune-ok.channel-max", "notnull", [1, 65535], [0]),
        # The range from / to _ has ; and ? in it, and no hyphen.
        ("0-8", "connection.open.virtual-host", "regexp", ["/", "/a_b", "a;b?"], ["a-b", "a b", "/a\n", ""]),
        ("0-8", "access.request-ok.ticket", "ne", [1], [0]),
        ("0-8", "channel.open.out-of-band", "null", [""], ["x"]),
        ("0-8", "test.integer.operation", "enum", [0, 2], [3, 255]),
    ],
)
def test_judgements(version: str, path: str, kind: str, good: list[Any], bad: list[Any]) -> None:
    assert [judge(version, path, kind, value) for value in good] == [True] * len(good)
    assert [judge(version, path, kind, value) for value in bad] == [False] * len(bad)


@pytest.mark.parametrize(
    ("offered", "answered", "fits"),
    [(10, 10, True), (10, 11, False), (10, 0, False), (0, 65535, True), (0, 0, True)],
)
def test_at_most_what_was_offered(offered: int, answered: int, fits: bool) -> None:
    field = field_of("0-9-1", "connection.tune-ok.channel-max")
    (check,) = (item for item in field.asserts if item.check == "le")
    method = method_of("0-9-1", "connection.tune-ok")
    assert passes(check, field, answered, {}, {("ConnectionTune", "channel_max"): offered}, method) == fits
    assert passes(check, field, answered, {}, {}, method)


def test_profiles() -> None:
    spec, method = spec_of("0-9-1"), method_of("0-9-1", "connection.open")
    empty = verdicts(spec, method, {"virtual-host": ""}, {})
    assert empty == {"off": True, "wire": True, "rabbitmq": False, "spec": False}
    long = verdicts(spec, method, {"virtual-host": "x" * 128}, {})
    assert long == {"off": True, "wire": True, "rabbitmq": True, "spec": False}
    # One assert that RabbitMQ does not enforce, though it does enforce others of its kind.
    case = cases_of("0-9-1")["connection.close.reply-text/notnull-broken"]
    assert case.input["accepted-by"] == ["off", "wire", "rabbitmq"]
