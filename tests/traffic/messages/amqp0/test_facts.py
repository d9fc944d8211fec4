"""What connections of 0-x say about themselves."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_traffic.messages.output import ConnectionFacts
from amqp_traffic.variant_values import variant_value

from ..method_script import OLD, RABBITMQ, Step, client, header, play, server


def _login(package: str, client_properties: dict[str, Any], server_properties: dict[str, Any]) -> list[Step]:
    start = {"server_properties": server_properties, "mechanisms": b"PLAIN", "locales": b"en_US"}
    start_ok = {
        "client_properties": client_properties,
        "mechanism": "PLAIN",
        "response": b"\0me\0secret",
        "locale": "en_US",
    }
    return [
        header(package),
        server("connection.start", 0, package, **start),
        client("connection.start-ok", 0, package, **start_ok),
        server("connection.tune", 0, package, channel_max=2047, frame_max=131_072, heartbeat=60),
        client("connection.tune-ok", 0, package, channel_max=100, frame_max=65_536, heartbeat=30),
        client("connection.open", 0, package, virtual_host="/there"),
        server("connection.open-ok", 0, package),
    ]


@pytest.mark.parametrize("package", [RABBITMQ, OLD])
def test_facts(package: str) -> None:
    ours = {"product": "pika", "version": "1.3", "platform": "Python", "connection_name": "mine", "more": "x"}
    theirs = {"product": "RabbitMQ", "version": "4.1.0", "cluster_name": "rabbit@here"}
    steps = [
        *_login(package, ours, theirs),
        server("connection.close", 0, package, reply_code=320, reply_text="CONNECTION_FORCED"),
        client("connection.close-ok", 0, package),
    ]
    facts = play(steps).facts
    assert facts.client_properties is not None and facts.server_properties is not None
    assert variant_value(facts.client_properties) == ours
    assert variant_value(facts.server_properties) == theirs
    assert facts == ConnectionFacts(
        product="pika",
        version="1.3",
        platform="Python",
        connection_name="mine",
        client_properties=facts.client_properties,
        server_product="RabbitMQ",
        server_version="4.1.0",
        server_properties=facts.server_properties,
        vhost="/there",
        server_channel_max=2047,
        server_frame_max=131_072,
        server_heartbeat=60,
        client_channel_max=100,
        client_frame_max=65_536,
        client_heartbeat=30,
        close_code=320,
        close_text="CONNECTION_FORCED",
        close_by="server",
        is_closed=True,
    )


def test_who_closes_first_closes() -> None:
    steps = [
        *_login(RABBITMQ, {}, {}),
        client("connection.close", 0, reply_code=200, reply_text="bye"),
        server("connection.close", 0, reply_code=320, reply_text="forced"),
    ]
    facts = play(steps).facts
    assert (facts.close_code, facts.close_text, facts.close_by) == (200, "bye", "client")
    assert not facts.is_closed


def test_properties_of_other_types_are_no_names() -> None:
    facts = play(_login(RABBITMQ, {"product": 5, "version": {"major": 1}, "platform": b"\xff"}, {})).facts
    assert (facts.product, facts.version, facts.platform) == (None, None, None)
    assert facts.client_properties is not None
    assert variant_value(facts.client_properties)["product"] == 5


def test_what_says_nothing_has_no_facts() -> None:
    assert play([header()]).facts == ConnectionFacts()


def test_methods_of_the_connection_on_another_channel_say_nothing() -> None:
    steps = [header(), client("channel.open"), client("connection.close", 1, reply_code=200, reply_text="")]
    rows = play(steps)
    assert rows.facts == ConnectionFacts()
    assert rows.pairs() == [("channel.open", None, "unanswered")]
