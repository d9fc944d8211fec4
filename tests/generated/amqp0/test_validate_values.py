"""``validate`` of properties, and of values that the asserts do not name: NaN and infinity, NUL in short strings."""

from __future__ import annotations

import math
from typing import Any

import pytest

from .packages import OLDEST, PACKAGES, RABBITMQ, STANDARD, each_package, method

NAN, INFINITY = math.nan, math.inf
TABLES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nan": ({"x": NAN}, ["x"]),
    "infinity": ({"x": INFINITY, "y": -INFINITY}, ["x", "y"]),
    "in tables and arrays": ({"a": {"b": [1, {"c": NAN}]}}, ["a.b[1].c"]),
    "tagged": ({"x": RABBITMQ.Tagged("f", NAN), "y": RABBITMQ.Tagged("A", [INFINITY])}, ["x", "y[0]"]),
    "raw": (RABBITMQ.decode_table(RABBITMQ.encode_table({"k": NAN}), lossless=True)[0], ["k"]),
}


@pytest.mark.parametrize("name", TABLES)
def test_rabbitmq_takes_no_nan_and_no_infinity(name: str) -> None:
    table, paths = TABLES[name]
    for value, owner in (
        (RABBITMQ.methods.QueueDeclare(arguments=table), "queue.declare.arguments"),
        (RABBITMQ.BasicProperties(headers=table), "basic.properties.headers"),
        (RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(headers=table), 5), "basic.properties.headers"),
    ):
        found = RABBITMQ.validation.violations(value, "rabbitmq")
        assert [text.split()[0] for text in found] == [f"{owner}.{path}" for path in paths]
        assert all("must be a finite number" in text for text in found)
        for profile in ("off", "wire", "spec"):
            RABBITMQ.validate(value, profile)


def test_finite_numbers_are_fine() -> None:
    table = {"x": 1.5, "y": [0.0, -1e308], "z": None, "t": {"s": "nan"}}
    RABBITMQ.validate(RABBITMQ.methods.QueueDeclare(arguments=table), "rabbitmq")
    RABBITMQ.validate(RABBITMQ.BasicProperties(headers=table), "rabbitmq")


# Each as RabbitMQ 3.10 answers it; tests/broker asks it again.
PROPERTIES: list[tuple[str, list[Any], list[Any]]] = [
    ("delivery_mode", [0, 3, 255], [1, 2]),
    (
        "expiration",
        [
            "",
            "abc",
            "-1",
            " 5",
            "5 ",
            "5.0",
            "1e3",
            "0x10",
            "\u0665",
            "1_0",
            "5\0",
            "+",
            "9" * 255,
            "315360000001",
        ],
        ["0", "60000", "00005", "+5", "-0", "315360000000"],
    ),
]
ROUTES = [["a"], [], ["a", b"b"], [1], ("a",)]
NO_ROUTES = ["a", b"a", None, 5, {"a": 1}]


@each_package
@pytest.mark.parametrize(("name", "wrong", "right"), PROPERTIES)
def test_properties(amqp: Any, name: str, wrong: list[Any], right: list[Any]) -> None:
    for value in right:
        amqp.validate(amqp.BasicProperties(**{name: value}), "rabbitmq")
    for value in wrong:
        properties = amqp.BasicProperties(**{name: value})
        for made in (properties, amqp.ContentHeader(properties)):
            with pytest.raises(amqp.ValidationError) as caught:
                amqp.validate(made, "rabbitmq")
            [text] = caught.value.violations
            assert text.startswith(f"basic.properties.{name} must be "), value
        amqp.validate(properties, "wire")
        if "\0" not in str(value):
            amqp.validate(properties)


@pytest.mark.parametrize("key", ["CC", "BCC"])
def test_routes_in_headers_are_arrays(key: str) -> None:
    for routes in ROUTES:
        RABBITMQ.validate(RABBITMQ.BasicProperties(headers={key: routes}), "rabbitmq")
    for routes in NO_ROUTES:
        properties = RABBITMQ.BasicProperties(headers={key: routes, "cc": routes})
        [text] = RABBITMQ.validation.violations(properties, "rabbitmq")
        assert text == f"basic.properties.headers.{key} must be an array of long strings"
        RABBITMQ.validate(properties)


def test_the_user() -> None:
    properties = RABBITMQ.BasicProperties(user_id="guest")
    RABBITMQ.validate(properties, "rabbitmq")
    RABBITMQ.validate(properties, "rabbitmq", user="guest")
    RABBITMQ.validate(RABBITMQ.BasicProperties(), "rabbitmq", user="guest")
    [text] = RABBITMQ.validation.violations(properties, "rabbitmq", user="other")
    assert text == "basic.properties.user_id must be the user of the connection, 'other', not 'guest'"
    [text] = RABBITMQ.validation.violations(RABBITMQ.BasicProperties(user_id=""), "rabbitmq")
    assert text.startswith("basic.properties.user_id ")
    RABBITMQ.validate(properties, "spec", user="other")


@each_package
def test_properties_that_cannot_be_encoded(amqp: Any) -> None:
    for properties, path in (
        (amqp.BasicProperties(content_type="x" * 256), "basic.properties.content_type"),
        (amqp.BasicProperties(headers={"k": object()}), "basic.properties.headers.k"),
        (amqp.BasicProperties(priority=256), "basic.properties.priority"),
    ):
        for profile in ("wire", "rabbitmq", "spec"):
            with pytest.raises(amqp.ValidationError) as caught:
                amqp.validate(properties, profile)
            assert caught.value.violations[0].startswith(path)
        amqp.validate(properties, "off")
    with pytest.raises(amqp.ValidationError):
        amqp.validate(amqp.ContentHeader(amqp.BasicProperties(), -1), "wire")


def test_every_violation_of_properties_is_listed() -> None:
    properties = RABBITMQ.BasicProperties(delivery_mode=0, expiration="x", headers={"CC": NAN})
    found = RABBITMQ.validation.violations(properties, "rabbitmq")
    assert sorted(text.split()[0].rpartition(".")[2] for text in found) == [
        "CC",
        "delivery_mode",
        "expiration",
    ]


@each_package
def test_properties_of_every_class(amqp: Any) -> None:
    for cls in amqp.content.PROPERTIES.values():
        for profile in amqp.validation.PROFILES:
            amqp.validate(cls(), profile)


@each_package
def test_nothing_else_can_be_validated(amqp: Any) -> None:
    for value in (None, "x", amqp.Heartbeat(), amqp.ContentBody(b""), object()):
        with pytest.raises(TypeError, match="neither a method nor properties nor a content header"):
            amqp.validate(value)


@each_package
def test_short_strings_have_no_nul(amqp: Any) -> None:
    """4.2.5.3; RabbitMQ takes them."""
    ticket = (
        {"ticket": 1} if any(field.name == "ticket" for field in method(amqp, "basic.publish").FIELDS) else {}
    )
    publish = method(amqp, "basic.publish")(routing_key="a\0b", **ticket)
    table = method(amqp, "queue.declare")(queue="q", arguments={"a\0": {"b\0": "c\0"}}, **ticket)
    properties = amqp.BasicProperties(app_id="\0", headers={"k\0": "v\0"})
    for value, paths in (
        (publish, ["basic.publish.routing_key"]),
        (table, ["queue.declare.arguments.a\\x00", "queue.declare.arguments.a\\x00.b\\x00"]),
        (properties, ["basic.properties.headers.k\\x00", "basic.properties.app_id"]),
        (amqp.ContentHeader(properties), ["basic.properties.headers.k\\x00", "basic.properties.app_id"]),
    ):
        found = amqp.validation.violations(value, "spec")
        assert [text.split()[0] for text in found] == paths
        assert all("NUL" in text for text in found)
        for profile in ("off", "wire", "rabbitmq"):
            amqp.validate(value, profile)


def test_short_strings_in_tables_have_no_nul() -> None:
    declare = STANDARD.methods.QueueDeclare(arguments={"k": [STANDARD.Tagged("s", "a\0"), "b\0"]})
    [text] = STANDARD.validation.violations(declare)
    assert text.startswith("queue.declare.arguments.k[0] ")


def test_subclasses_and_lazy_headers() -> None:
    class Mine(RABBITMQ.BasicProperties):  # type: ignore[name-defined,misc]
        __slots__ = ()

    with pytest.raises(RABBITMQ.ValidationError):
        RABBITMQ.validate(Mine(delivery_mode=3), "rabbitmq")
    header = RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(delivery_mode=3))
    octets = RABBITMQ.encode_frame(1, header)
    [(_, lazy)] = RABBITMQ.decode_frames(octets, lazy_properties=True)[0]
    with pytest.raises(RABBITMQ.ValidationError):
        RABBITMQ.validate(lazy, "rabbitmq")


def test_other_packages_know_the_same_broker() -> None:
    assert all("finite" in amqp.validation.PROFILES["wire"] for amqp in PACKAGES.values())
    [text] = OLDEST.validation.violations(OLDEST.BasicProperties(headers={"BCC": 1}), "rabbitmq")
    assert "BCC" in text
