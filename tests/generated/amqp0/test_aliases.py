"""Names that users know from other libraries, and reserved fields."""

from __future__ import annotations

import dataclasses
from inspect import signature
from typing import Any

import pytest

from . import reference_codec
from .packages import DRAFT, OLDEST, PACKAGES, RABBITMQ, STANDARD, bare, method, methods_of, properties_of

# package, method, alias, field
ALIASES = [
    (DRAFT, "exchange.declare", "exchange_type", "type"),
    (DRAFT, "basic.qos", "global_qos", "global_"),
    (OLDEST, "exchange.declare", "exchange_type", "type"),
    (OLDEST, "basic.qos", "global_qos", "global_"),
    *[
        (amqp, name, alias, field)
        for amqp in (STANDARD, RABBITMQ)
        for name, alias, field in [
            ("queue.declare", "nowait", "no_wait"),
            ("queue.bind", "nowait", "no_wait"),
            ("basic.consume", "nowait", "no_wait"),
            ("basic.cancel", "nowait", "no_wait"),
            ("exchange.declare", "nowait", "no_wait"),
            ("exchange.declare", "exchange_type", "type"),
            ("basic.qos", "global_qos", "global_"),
        ]
    ],
    (RABBITMQ, "exchange.bind", "nowait", "no_wait"),
]
# What is reserved, and how it used to be called.
FORMER = [
    ("connection.open", "capabilities", "reserved_1"),
    ("connection.open", "insist", "reserved_2"),
    ("connection.open-ok", "known_hosts", "reserved_1"),
    ("channel.open", "out_of_band", "reserved_1"),
    ("channel.open-ok", "channel_id", "reserved_1"),
    ("basic.get-empty", "cluster_id", "reserved_1"),
    *[
        (name, "ticket", "reserved_1")
        for name in (
            "exchange.declare",
            "exchange.delete",
            "queue.declare",
            "queue.bind",
            "queue.unbind",
            "queue.purge",
            "queue.delete",
            "basic.consume",
            "basic.publish",
            "basic.get",
        )
    ],
]


@pytest.mark.parametrize(
    ("amqp", "name", "alias", "field"),
    ALIASES,
    ids=[f"{a.SPEC.version}-{n}-{alias}" for a, n, alias, _ in ALIASES],
)
def test_alias(amqp: Any, name: str, alias: str, field: str) -> None:
    built = method(amqp, name)()
    value = "x" if isinstance(getattr(built, field), str) else True
    assert getattr(built, alias) == getattr(built, field)
    setattr(built, alias, value)
    assert getattr(built, field) == getattr(built, alias) == value
    assert amqp.decode_method(built.encode()) == built == method(amqp, name)(**{field: value})
    assert method(amqp, name)(**{alias: value}) == built
    assert type(built).ALIASES[alias] == field
    for given in (value, getattr(method(amqp, name)(), field)):  # the default, too
        with pytest.raises(TypeError, match=f"{alias} is an alias of {field}"):
            method(amqp, name)(**{alias: value, field: given})


@pytest.mark.parametrize(("name", "alias", "field"), FORMER)
@pytest.mark.parametrize("amqp", [STANDARD, RABBITMQ], ids=["standard", "rabbitmq"])
def test_reserved(amqp: Any, name: str, alias: str, field: str) -> None:
    cls = method(amqp, name)
    layout = next(item for item in cls.FIELDS if item.name == field)
    zero: Any = {"bit": False, "shortstr": "", "longstr": b""}.get(layout.type, 0)
    value: Any = {"bit": True, "shortstr": "old", "longstr": b"old"}.get(layout.type, 7)
    assert getattr(bare(cls), field) == getattr(bare(cls), alias) == zero
    others = {"virtual_host": "/"} if name == "connection.open" else {}  # whose default is not zero
    payload = reference_codec.method(cls, {field: value, **others}, "rabbitmq")[0]
    found = amqp.decode_method(payload, lossless=True)
    assert getattr(found, field) == getattr(found, alias) == value
    assert getattr(amqp.decode_method(payload), alias) == zero
    assert cls.ALIASES[alias] == field
    assert amqp.decode_method(payload) != found
    assert cls(**{alias: value}) == found
    assert cls(**{alias: value}).encode() == payload
    assert cls(**{alias: zero}) == cls() == dataclasses.replace(found, **{alias: zero})
    with pytest.raises(TypeError):
        cls(**{field: value})
    # It cannot be set by accident.
    for keyword in (field, alias):
        with pytest.raises((AttributeError, TypeError)):
            setattr(bare(cls), keyword, value)


@pytest.mark.parametrize("amqp", PACKAGES.values(), ids=PACKAGES)
def test_each_alias_is_a_keyword_and_a_property(amqp: Any) -> None:
    for cls in (*methods_of(amqp), *properties_of(amqp)):
        parameters = list(signature(cls).parameters)
        assert tuple(parameters[: len(cls.__match_args__)]) == cls.__match_args__
        assert parameters[len(cls.__match_args__) :] == list(cls.ALIASES)
        assert set(cls.ALIASES.values()) <= {field.name for field in cls.FIELDS}
        assert all(isinstance(getattr(cls, alias), property) for alias in cls.ALIASES)


@pytest.mark.parametrize("amqp", PACKAGES.values(), ids=PACKAGES)
def test_property_aliases(amqp: Any) -> None:
    built = amqp.BasicProperties(type="t")
    assert built.message_type == "t"
    built.message_type = "u"
    assert built == amqp.BasicProperties(type="u") == amqp.BasicProperties(message_type="u")
    with pytest.raises(TypeError, match="message_type is an alias of type"):
        amqp.BasicProperties(type="t", message_type="u")
    if amqp in (STANDARD, RABBITMQ):
        built.cluster_id = "c"
        assert built.reserved == "c"
    else:
        assert [field.name for field in amqp.BasicProperties.FIELDS][-1] == "cluster_id"


def test_tickets_are_ordinary_before_0_9_1() -> None:
    for amqp in (OLDEST, DRAFT):
        publish = method(amqp, "basic.publish")(ticket=9)
        assert amqp.decode_method(publish.encode()).ticket == 9


def test_nowait_everywhere() -> None:
    # Some XML files spell it no-wait and some nowait.
    for amqp in PACKAGES.values():
        for cls in methods_of(amqp):
            names = {field.name for field in cls.FIELDS}
            if names & {"nowait", "no_wait"}:
                assert bare(cls).nowait is False, cls.NAME


def test_an_unknown_attribute_is_an_error() -> None:
    for built in (method(RABBITMQ, "queue.declare")(), RABBITMQ.BasicProperties()):
        with pytest.raises(AttributeError):
            built.durabel = True
        with pytest.raises(TypeError):
            type(built)(durabel=True)
