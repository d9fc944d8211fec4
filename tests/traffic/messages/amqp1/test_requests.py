"""Requests and replies of AMQP 1.0, and facts of its connections."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
import pytest
from amqp_traffic.decode.body_retention import NO_BODIES
from amqp_traffic.messages.amqp1 import requests
from amqp_traffic.messages.amqp1.assembly import Assembly
from amqp_traffic.messages.output import Sink
from amqp_traffic.variant_values import variant_value

from tests.growth import lines

from ..performative_script import CLIENT, CONNECTION, SENDER, SERVER, Result, Talk

P = amqp.performatives
BEGIN: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 1, "outgoing_window": 1}


def test_a_whole_conversation() -> None:
    said = Talk()
    said.say(SERVER, amqp.sasl.SaslMechanisms(["ANONYMOUS"]))
    said.say(CLIENT, amqp.sasl.SaslInit("ANONYMOUS"))
    said.say(SERVER, amqp.sasl.SaslOutcome(amqp.sasl.SaslCode.OK))
    said.say(CLIENT, P.Open("c"))
    said.say(SERVER, P.Open("s"))
    said.begin(2, 3)
    said.attach(channel=2)
    result = Result(said)  # the server's attach came on channel 2, which is not its own
    assert ("attach", 7, None, None, "unanswered") in result.pairs()
    row = next(row for row in result.exchanges if row["name"] == "begin")
    assert (row["conn_id"], row["channel"], row["request_dir"], row["latency_ns"]) == (7, 2, CLIENT, 1000)
    assert (row["request_ns"], row["reply_ns"]) == (5000, 6000)
    assert row["request_off"] > 0
    assert row["reply_off"] > 0
    assert result.pairs()[2:] == [
        ("begin", 5, "begin", 6, "ok"),
        ("open", 3, "open", 4, "ok"),
        ("sasl-init", 1, "sasl-outcome", 2, "ok"),
    ]


def test_either_end_may_ask() -> None:
    said = Talk()
    said.begin()
    said.say(SERVER, P.Attach("x", 4, SENDER))
    said.say(CLIENT, P.Attach("x", 5, P.Role.RECEIVER))
    said.say(CLIENT, P.Detach(5, closed=True))
    said.say(SERVER, P.Detach(4, closed=True))
    said.say(SERVER, P.End())
    said.say(CLIENT, P.End())
    said.say(SERVER, P.Close())
    said.say(CLIENT, P.Close())
    assert Result(said).pairs() == [
        ("attach", 2, "attach", 3, "ok"),
        ("begin", 0, "begin", 1, "ok"),
        ("close", 8, "close", 9, "ok"),
        ("detach", 4, "detach", 5, "ok"),
        ("end", 6, "end", 7, "ok"),
    ]


def test_links_of_one_name_in_both_directions() -> None:
    said = Talk()
    said.begin()
    said.say(CLIENT, P.Attach("x", 0, SENDER))
    said.say(CLIENT, P.Attach("x", 1, P.Role.RECEIVER))
    said.say(SERVER, P.Attach("x", 0, SENDER))
    said.say(SERVER, P.Attach("x", 1, P.Role.RECEIVER))
    assert Result(said).pairs()[:2] == [("attach", 2, "attach", 5, "ok"), ("attach", 3, "attach", 4, "ok")]


def test_what_a_close_leaves_without_answer() -> None:
    said = Talk()
    said.say(CLIENT, P.Open("c"))
    said.say(CLIENT, P.Begin(**BEGIN))
    said.say(SERVER, P.Close())
    said.say(CLIENT, P.Close())
    assert Result(said).pairs() == [
        ("begin", 1, "close", 2, "closed"),
        ("close", 2, "close", 3, "ok"),
        ("open", 0, "close", 2, "closed"),
    ]


def test_what_the_end_of_a_session_leaves_without_answer() -> None:
    said = Talk()
    said.begin()
    said.begin(1, 1)
    said.say(CLIENT, P.Attach("x", 0, SENDER))
    said.say(CLIENT, P.Attach("x", 0, SENDER), channel=1)
    said.say(SERVER, P.End())
    assert Result(said).pairs() == [
        ("attach", 4, "end", 6, "closed"),
        ("attach", 5, None, None, "unanswered"),
        ("begin", 0, "begin", 1, "ok"),
        ("begin", 2, "begin", 3, "ok"),
        ("end", 6, None, None, "unanswered"),
    ]


def test_an_answer_to_what_was_not_captured() -> None:
    said = Talk()
    said.say(SERVER, amqp.sasl.SaslOutcome(amqp.sasl.SaslCode.OK))
    said.say(SERVER, P.Begin(remote_channel=3, **BEGIN))
    assert Result(said).exchanges == []


def test_an_answer_to_what_was_not_said() -> None:
    said = Talk()
    said.say(CLIENT, P.Open("c"))
    said.say(SERVER, P.Open("s"))
    said.say(SERVER, P.Begin(remote_channel=3, **BEGIN))
    _, row = Result(said).exchanges
    assert (row["name"], row["request_dir"], row["request_ns"], row["latency_ns"]) == (None, 0, None, None)
    assert (row["reply_name"], row["reply_frame_no"], row["outcome"]) == ("begin", 2, "out-of-order")


def test_asked_twice() -> None:
    said = Talk()
    said.say(CLIENT, P.Open("c"))
    said.say(CLIENT, P.Open("c"))
    said.say(SERVER, P.Open("s"))
    assert Result(said).pairs() == [
        ("open", 0, None, None, "unanswered"),
        ("open", 1, "open", 2, "ok"),
    ]


def test_only_so_many_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "_MOST_OPEN_REQUESTS", 2)
    said = Talk()
    said.say(CLIENT, P.Open("c"))
    said.say(SERVER, P.Open("s"))
    for channel in range(4):
        said.say(CLIENT, P.Begin(**BEGIN), channel=channel)
    for channel in range(4):
        said.say(SERVER, P.Begin(remote_channel=channel, **BEGIN), channel=channel)
    outcomes = [row["outcome"] for row in Result(said).exchanges]
    assert outcomes == ["ok", "unanswered", "unanswered", "out-of-order", "out-of-order", "ok", "ok"]


def test_facts() -> None:
    said = Talk()
    told: dict[str, Any] = {"product": "pump", "version": "1.2", "platform": "Lua", "n": 1}
    limits: Any = {"max_frame_size": 4096, "channel_max": 9, "idle_time_out": 1500}
    said.say(CLIENT, P.Open("me", hostname="shop", properties=told, **limits))
    said.say(SERVER, P.Open("broker", properties={"product": "RabbitMQ", "version": "4.0.1"}))
    error = P.Error("amqp:connection:forced", "the end")
    said.say(SERVER, P.Close(error=error))
    said.say(CLIENT, P.Close(error=P.Error("amqp:internal-error", "me too")))
    facts = Result(said).facts
    assert (facts.product, facts.version, facts.platform) == ("pump", "1.2", "Lua")
    assert (facts.connection_name, facts.vhost) == ("me", "shop")
    assert (facts.server_product, facts.server_version) == ("RabbitMQ", "4.0.1")
    assert facts.client_properties is not None
    assert variant_value(facts.client_properties) == told
    assert (facts.client_channel_max, facts.client_frame_max, facts.client_heartbeat) == (9, 4096, 2)
    assert facts.server_heartbeat is None
    assert (facts.server_channel_max, facts.server_frame_max) == (65_535, (1 << 32) - 1)  # the defaults
    assert (facts.close_by, facts.close_condition, facts.close_text, facts.close_code) == (
        "server",
        "amqp:connection:forced",
        "the end",
        None,
    )


def test_nothing_is_made_up() -> None:
    said = Talk()
    said.say(CLIENT, P.Open("me", properties={"product": 5}))
    said.say(CLIENT, P.Close())
    facts = Result(said).facts
    assert (facts.product, facts.vhost, facts.server_properties, facts.close_condition) == (None,) * 4
    assert facts.close_by == "client"


@pytest.mark.parametrize("last", [P.End(), P.Close()], ids=["end", "close"])
def test_an_end_looks_at_no_requests_that_it_does_not_close(last: Any) -> None:
    said = Talk()
    said.say(CLIENT, P.Begin(**BEGIN))
    for number in range(500):
        said.say(CLIENT, P.Attach(f"link {number}", number, SENDER))
    said.say(CLIENT, P.Begin(**BEGIN), channel=1)
    said.say(CLIENT, last, channel=1)
    assembly = Assembly(CONNECTION, Sink(), NO_BODIES)
    for event in said.events[:-1]:
        assembly.add(event)
    assert lines(assembly.add, said.events[-1]) < 150
