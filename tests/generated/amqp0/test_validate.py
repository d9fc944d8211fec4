"""``validate``: each kind of assert in each profile, with values that pass and values that do not."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from .packages import (
    DRAFT,
    OLDEST,
    OLDEST_RABBITMQ,
    RABBITMQ,
    STANDARD,
    bare,
    each_package,
    method,
    methods_of,
)

CLOSE = {"reply_code": 320, "reply_text": "bye"}


class Case(NamedTuple):
    """A method with a field for which there is one assert, and values on both sides of it."""

    amqp: Any
    name: str
    field: str
    kind: str
    wrong: list[Any]
    right: list[Any]
    others: Mapping[str, Any] = MappingProxyType({})  # so that nothing else is wrong


NAME = ["a\n", "a b", "ä", "a/b", "a\0", "a,", "a\n\n", "\n"]
TICKET = {"ticket": 1}
CASES = [
    # notnull, of strings, octets and numbers
    Case(STANDARD, "connection.start", "mechanisms", "notnull", [b""], [b"PLAIN"], {"locales": b"en_US"}),
    Case(STANDARD, "connection.secure-ok", "response", "notnull", [b""], [b"\0", b"x"]),
    Case(STANDARD, "connection.open", "virtual_host", "notnull", [""], ["/", "0"]),
    Case(STANDARD, "connection.tune-ok", "channel_max", "notnull", [0], [1, 65535]),
    Case(STANDARD, "basic.return", "reply_code", "notnull", [0], [1, 312], {"reply_text": "x"}),
    Case(STANDARD, "queue.declare-ok", "queue", "notnull", [""], ["q"]),
    Case(STANDARD, "exchange.declare", "exchange", "notnull", [""], ["x"]),
    Case(OLDEST, "connection.redirect", "host", "notnull", [""], ["h"]),
    Case(OLDEST, "dtx.start", "dtx_identifier", "notnull", [""], ["d"]),
    Case(DRAFT, "connection.close", "reply_text", "notnull", [""], ["x"], {"reply_code": 320}),
    # length, counted in characters
    Case(STANDARD, "queue.bind", "queue", "length", ["x" * 128, "x" * 255], ["x" * 127, ""]),
    Case(STANDARD, "connection.open", "virtual_host", "length", ["x" * 128], ["x" * 127, "ä" * 127]),
    Case(OLDEST, "queue.bind", "exchange", "length", ["x" * 128], ["x" * 127, "€" * 80], {"ticket": 1}),
    Case(DRAFT, "basic.publish", "exchange", "length", ["x" * 128], ["x" * 127], {"ticket": 1}),
    # regexp, matched to the very end
    Case(STANDARD, "queue.declare", "queue", "regexp", NAME, ["", "a", "aZ09-_.:", "amq.gen-1"]),
    Case(RABBITMQ, "exchange.bind", "source", "regexp", NAME, ["", "a", "aZ09-_.:"]),
    Case(OLDEST, "queue.declare", "queue", "regexp", NAME, ["", "aZ09-_.:"], TICKET),
    Case(
        OLDEST,
        "exchange.declare",
        "exchange",
        "regexp",
        ["", *NAME],
        ["a", "aZ09-_.:"],
        {**TICKET, "type": "t"},
    ),
    Case(DRAFT, "exchange.declare", "type", "regexp", ["", "a b"], ["direct"], {**TICKET, "exchange": "x"}),
    # In these two the pattern has a range from / to _, so it takes ; and refuses the hyphen.
    Case(OLDEST, "connection.open", "virtual_host", "regexp", ["/a\n", "a-b", "a b"], ["/", "/a_b", "a;b"]),
    Case(DRAFT, "connection.open", "virtual_host", "regexp", ["/a\n", "a-b", "a b"], ["/", "/a_b", "a;b"]),
    # ne and null
    Case(OLDEST, "access.request-ok", "ticket", "ne", [0], [1, 65535]),
    Case(DRAFT, "queue.purge", "ticket", "ne", [0], [1]),
    Case(OLDEST, "channel.open", "out_of_band", "null", ["x"], [""]),
    Case(DRAFT, "channel.open", "out_of_band", "null", ["x"], [""]),
    # enum, whose values are counted from 0
    Case(OLDEST, "test.integer", "operation", "enum", [3, 255], [0, 1, 2]),
    Case(OLDEST, "test.string", "operation", "enum", [3], [0, 1, 2]),
    Case(OLDEST, "test.table", "integer_op", "enum", [3], [0, 1, 2]),
    Case(OLDEST, "test.table", "string_op", "enum", [3], [0, 1, 2]),
]
each_case = pytest.mark.parametrize(
    "case", CASES, ids=[f"{c.amqp.SPEC.version}-{c.name}-{c.field}-{c.kind}" for c in CASES]
)
# Kinds that RabbitMQ does not enforce, whatever the field.
UNENFORCED = {"length", "regexp", "ne", "null"}
# Single asserts that it does not enforce either.
LENIENT = {"connection.close.reply_text"}


def build(case: Case, value: Any) -> Any:
    return method(case.amqp, case.name)(**{**case.others, case.field: value})


@each_case
def test_spec(case: Case) -> None:
    for value in case.right:
        assert case.amqp.validate(build(case, value)) is None
        assert case.amqp.validation.violations(build(case, value), "spec") == []
    for value in case.wrong:
        with pytest.raises(case.amqp.ValidationError) as caught:
            case.amqp.validate(build(case, value))
        assert all(text.startswith(f"{case.name}.{case.field} ") for text in caught.value.violations), value
        assert len(caught.value.violations) == 1
        assert str(caught.value) == caught.value.violations[0]
        assert case.amqp.validation.violations(build(case, value)) == list(caught.value.violations)


@each_case
@pytest.mark.parametrize("profile", ["off", "wire"])
def test_off_and_wire(case: Case, profile: str) -> None:
    for value in (*case.wrong, *case.right):
        case.amqp.validate(build(case, value), profile)


@each_case
def test_rabbitmq(case: Case) -> None:
    for value in case.right:
        case.amqp.validate(build(case, value), "rabbitmq")
    for value in case.wrong:
        if case.kind in UNENFORCED or f"{case.name}.{case.field}" in LENIENT:
            case.amqp.validate(build(case, value), "rabbitmq")
        else:
            with pytest.raises(case.amqp.ValidationError):
                case.amqp.validate(build(case, value), "rabbitmq")


@each_package
@pytest.mark.parametrize(
    ("offered", "answered", "fits"),
    [
        (10, 10, True),
        (10, 9, True),
        (10, 1, True),
        (10, 11, False),
        (10, 65535, False),
        (0, 65535, True),  # 0 is no limit
        (0, 1, True),
        (1, 2, False),
    ],
)
def test_less_or_equal(amqp: Any, offered: int, answered: int, fits: bool) -> None:
    tune = method(amqp, "connection.tune")(channel_max=offered)
    tune_ok = method(amqp, "connection.tune-ok")(channel_max=answered)
    earlier = [method(amqp, "connection.start")(), tune]
    for profile in ("spec", "rabbitmq"):
        if fits:
            amqp.validate(tune_ok, profile, earlier=earlier)
        else:
            with pytest.raises(amqp.ValidationError) as caught:
                amqp.validate(tune_ok, profile, earlier=iter(earlier))
            assert caught.value.violations[0].startswith("connection.tune-ok.channel_max ")
            assert str(offered) in str(caught.value)
        # Nothing to compare with.
        amqp.validate(tune_ok, profile)
        amqp.validate(tune_ok, profile, earlier=[earlier[0]])
    for profile in ("off", "wire"):
        amqp.validate(tune_ok, profile, earlier=earlier)


@each_package
def test_no_limit_where_there_is_one(amqp: Any) -> None:
    tune = method(amqp, "connection.tune")(channel_max=10)
    found = amqp.validation.violations(method(amqp, "connection.tune-ok")(), "spec", earlier=[tune])
    assert len(found) == 2  # empty, and more than was offered
    assert all(text.startswith("connection.tune-ok.channel_max ") for text in found)


@each_package
def test_every_violation_is_listed(amqp: Any) -> None:
    found = amqp.validation.violations(method(amqp, "connection.start-ok")(), "spec")
    assert [text.split()[0] for text in found] == [
        "connection.start-ok.mechanism",
        "connection.start-ok.response",
        "connection.start-ok.locale",
    ]
    with pytest.raises(amqp.ValidationError) as caught:
        amqp.validate(method(amqp, "connection.start-ok")())
    assert caught.value.violations == tuple(found)
    assert all(text in str(caught.value) for text in found)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.violations == caught.value.violations
    assert str(again) == str(caught.value)


@each_package
def test_what_cannot_be_encoded_is_a_violation(amqp: Any) -> None:
    declare = method(amqp, "queue.declare")(queue="x" * 256)
    table = method(amqp, "queue.declare")(queue="q", arguments={"k": object()})
    for profile in ("wire", "rabbitmq", "spec"):
        for built, path in ((declare, "queue.declare.queue"), (table, "queue.declare.arguments.k")):
            with pytest.raises(amqp.ValidationError) as caught:
                amqp.validate(built, profile)
            assert caught.value.violations[0].startswith(path)
    amqp.validate(declare, "off")
    with pytest.raises(amqp.ValidationError):
        amqp.validate(method(amqp, "queue.declare")(queue=None))


@each_package
def test_dialects(amqp: Any) -> None:
    # RabbitMQ's profile means RabbitMQ's tables, whatever the version; a dialect may be given besides.
    delete = {"ticket": 1} if amqp in (OLDEST, OLDEST_RABBITMQ, DRAFT) else {}
    declare = method(amqp, "queue.declare")(queue="q", arguments={"x-single-active-consumer": True}, **delete)
    amqp.validate(declare, "rabbitmq")
    amqp.validate(declare, "spec", dialect="rabbitmq")
    amqp.validate(declare, "wire", dialect=amqp.dialects.RABBITMQ)
    if amqp in (OLDEST, DRAFT):
        with pytest.raises(amqp.ValidationError) as caught:
            amqp.validate(declare, "spec")
        assert caught.value.violations[0].startswith("queue.declare.arguments.x-single-active-consumer")
    with pytest.raises(ValueError):
        amqp.validate(declare, "spec", dialect="nope")


@each_package
def test_unknown_profiles(amqp: Any) -> None:
    for profile in ("", "SPEC", "strict"):
        with pytest.raises(ValueError) as caught:
            amqp.validate(bare(method(amqp, "basic.ack")), profile)
        assert not isinstance(caught.value, amqp.CodecError)
        assert "spec" in str(caught.value)


@each_package
def test_decoding_and_encoding_never_validate(amqp: Any) -> None:
    for cls in methods_of(amqp):
        assert amqp.decode_method(bare(cls).encode()) == bare(cls)
        amqp.validate(bare(cls), "wire")
        amqp.validate(bare(cls), "off")


def test_methods_without_asserts() -> None:
    for name in ("tx.select", "basic.ack", "channel.flow", "connection.tune"):
        RABBITMQ.validate(bare(method(RABBITMQ, name)))
        assert RABBITMQ.validation.violations(bare(method(RABBITMQ, name))) == []


@each_package
def test_lossless_methods_are_validated_too(amqp: Any) -> None:
    payload = method(amqp, "connection.open")(virtual_host="x").encode()
    amqp.validate(amqp.decode_method(payload, lossless=True))
    empty = amqp.decode_method(method(amqp, "connection.open")("").encode(), lossless=True)
    with pytest.raises(amqp.ValidationError):
        amqp.validate(empty)


@each_package
def test_profiles(amqp: Any) -> None:
    assert set(amqp.validation.PROFILES) == {"off", "wire", "rabbitmq", "spec"}
    closing = method(amqp, "connection.close")(**CLOSE)
    for profile in amqp.validation.PROFILES:
        amqp.validate(closing, profile)
