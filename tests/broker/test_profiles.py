"""``validate`` by profile against what the broker really takes: ``rabbitmq`` lets pass what ``spec`` refuses."""

from __future__ import annotations

import uuid
from typing import Any

import amqp_0_8
import amqp_0_9_1
import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect, Dial, Disconnected

methods = amqp.methods
UNIQUE = uuid.uuid4().hex
NAMES = {
    "200 characters": UNIQUE.ljust(200, "x"),
    "255 octets": UNIQUE.ljust(255, "x"),
    "slash": f"{UNIQUE}/slash",
    "semicolon": f"{UNIQUE};semicolon",
    "blanks": f" {UNIQUE} with blanks ",
    "unicode": f"{UNIQUE} Gänse 雁 🦆",
    "punctuation": UNIQUE + "!\"#$%&'()*+,<=>?@[\\]^`{|}~",
    "control characters": UNIQUE + "\0\t\x7f\x85",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_queues(client: Client, name: str) -> None:
    declare = methods.QueueDeclare(name, exclusive=True)
    with pytest.raises(amqp.ValidationError, match=r"^queue\.declare\.queue must"):
        amqp.validate(declare, "spec")
    amqp.validate(declare, "rabbitmq")
    assert client.call(declare).queue == name
    client.publish(name, b"by name")
    assert client.fetch(name).method.routing_key == name
    client.call(methods.QueueDelete(name))


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_exchanges(client: Client, name: str) -> None:
    declare = methods.ExchangeDeclare(name, "fanout", auto_delete=True)
    with pytest.raises(amqp.ValidationError, match=r"^exchange\.declare\.exchange must"):
        amqp.validate(declare, "spec")
    amqp.validate(declare, "rabbitmq")
    client.call(declare)
    try:
        queue = client.declare()
        client.call(methods.QueueBind(queue, name))
        client.publish(name, b"by name", exchange=name)
        message = client.fetch(queue)
        assert (message.method.exchange, message.method.routing_key) == (name, name)
    finally:
        client.call(methods.ExchangeDelete(name))


def test_line_ends_are_cut_out_of_names(client: Client) -> None:
    """The one thing that RabbitMQ does not take, nor refuse: queues and exchanges get a shorter name."""
    name = f"\r{UNIQUE}\n.line"
    assert client.declare(name) == f"{UNIQUE}.line"
    with pytest.raises(amqp.errors.NotFoundClose):
        client.get(name)
    client.open_channel().call(methods.ExchangeDeclare(name, "direct"))
    client.call(methods.ExchangeDelete(f"{UNIQUE}.line", if_unused=True))


@pytest.mark.parametrize("name", ["plain", "with-dash_and.dot:colon", "x" * 94])
def test_names_that_all_profiles_let_pass(client: Client, name: str) -> None:
    declare = methods.QueueDeclare(f"{UNIQUE}.{name}", exclusive=True)
    for profile in ("off", "wire", "rabbitmq", "spec"):
        amqp.validate(declare, profile)
    client.call(declare)


def test_256_octets_fit_no_profile_but_off() -> None:
    for name in ("x" * 256, "ü" * 128):
        declare = methods.QueueDeclare(name)
        amqp.validate(declare, "off")
        for profile in ("wire", "rabbitmq", "spec"):
            with pytest.raises(amqp.ValidationError, match="256 octets"):
                amqp.validate(declare, profile)


def test_consumer_tags_and_routing_keys_have_no_rules(client: Client) -> None:
    queue = client.declare()
    for tag in NAMES.values():
        for method in (methods.BasicConsume(queue, tag), methods.QueueBind(queue, "amq.topic", tag)):
            amqp.validate(method, "rabbitmq")
            client.call(method)


def first_refusal(client: Client, method: Any) -> type[Exception] | None:
    """The error with which the broker answers a method, None when it takes it."""
    try:
        client.call(method, channel=0 if method.CLASS_ID == 10 else 1)
    except (client.amqp.errors.CloseError, Disconnected) as error:
        return type(error)
    return None


LONG = UNIQUE.ljust(128, "x")
OLD = amqp_0_8.methods
# By kind of assert that the profile leaves out: what violates nothing else, and what RabbitMQ takes all the same.
TAKEN: dict[str, list[tuple[Any, Any]]] = {
    "length": [
        (amqp, methods.QueueDeclare(LONG, exclusive=True)),
        (amqp, methods.ExchangeDelete(LONG)),
        (amqp_0_8, OLD.AccessRequest(realm="/" + LONG)),
        (amqp_0_8, OLD.ExchangeDelete(ticket=1, exchange=LONG)),
        (amqp_0_8, OLD.QueueDeclare(ticket=1, queue=LONG, exclusive=True)),
    ],
    "regexp": [
        (amqp, methods.QueueDeclare(f"{UNIQUE} !", exclusive=True)),
        (amqp, methods.ExchangeDelete(f"{UNIQUE} !")),
        (amqp_0_8, OLD.QueueDeclare(ticket=1, queue=f"{UNIQUE} !", exclusive=True)),
    ],
    "ne": [
        (amqp_0_8, OLD.QueueDeclare(ticket=0, exclusive=True)),
        (amqp_0_8, OLD.ExchangeDelete(ticket=0, exchange=UNIQUE)),
    ],
    "null": [(amqp_0_8, OLD.ChannelOpen(out_of_band="of any kind"))],
}


@pytest.mark.parametrize(
    ("package", "method"),
    [pair for pairs in TAKEN.values() for pair in pairs],
    ids=[f"{kind}-{pair[1].NAME}" for kind, pairs in TAKEN.items() for pair in pairs],
)
def test_what_the_profile_leaves_out_rabbitmq_takes(connect: Connect, package: Any, method: Any) -> None:
    assert len(package.validation.violations(method, "spec")) == 1
    package.validate(method, "rabbitmq")
    client = connect(package)
    if method.NAME == "channel.open":
        client.call(package.methods.ChannelClose(200, "to be opened again"))
    assert first_refusal(client, method) is None


def test_a_long_virtual_host_is_refused_for_not_being_there(dial: Dial) -> None:
    client = dial()
    client.address = client.address._replace(virtual_host="x" * 255)
    with pytest.raises(amqp.errors.NotAllowedClose, match="vhost xxx"):
        client.handshake()
    with pytest.raises(amqp.ValidationError, match="at most 127 characters"):
        amqp.validate(methods.ConnectionOpen("x" * 255))
    amqp.validate(methods.ConnectionOpen("x" * 255), "rabbitmq")


@pytest.mark.parametrize(
    "method", [OLD.TestInteger(operation=3), OLD.FileQos(), OLD.StreamQos(), OLD.DtxSelect()]
)
def test_classes_of_0_8_that_rabbitmq_does_not_have(connect: Connect, method: Any) -> None:
    """So the asserts on operations of class test (enum) never matter to it."""
    assert first_refusal(connect(amqp_0_8), method) is amqp_0_8.errors.CommandInvalidClose


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (methods.ExchangeDeclare("", "direct"), amqp.errors.AccessRefusedClose),
        (methods.ExchangeDelete(""), amqp.errors.AccessRefusedClose),
    ],
)
def test_what_the_profile_keeps_rabbitmq_refuses(client: Client, method: Any, error: type[Exception]) -> None:
    with pytest.raises(amqp.ValidationError, match="must not be empty"):
        amqp.validate(method, "rabbitmq")
    assert first_refusal(client, method) is error


def test_an_empty_virtual_host_is_refused(dial: Dial) -> None:
    with pytest.raises(amqp.ValidationError, match="must not be empty"):
        amqp.validate(methods.ConnectionOpen(""), "rabbitmq")
    client = dial()
    client.address = client.address._replace(virtual_host="")
    with pytest.raises(amqp.errors.NotAllowedClose, match="vhost  not found"):
        client.handshake()


@pytest.mark.parametrize("package", [amqp_0_8, amqp_0_9_1, amqp])
def test_empty_fields_that_rabbitmq_takes_against_the_spec(dial: Dial, package: Any) -> None:
    client = dial(package)
    start_ok = client.start_ok({})
    start_ok.locale = ""
    client.start_ok = lambda capabilities=None: start_ok  # type: ignore[method-assign]
    client.handshake().open_channel()
    close_channel, close = package.methods.ChannelClose(0, ""), package.methods.ConnectionClose(0, "")
    for method in (start_ok, close_channel, close):
        with pytest.raises(package.ValidationError, match="must not be empty"):
            package.validate(method, "spec")
    client.call(close_channel)
    client.call(close, channel=0)
