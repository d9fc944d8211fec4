"""Addresses of queues and exchanges of RabbitMQ 4: any name survives, and what is no address is refused."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from amqp_1_0_rabbitmq.client.addresses import ExchangeAddress, QueueAddress, parse_address
from amqp_1_0_rabbitmq.errors import DecodeError, EncodeError
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300)


@given(NAMES)
def test_a_queue_of_any_name(name: str) -> None:
    address = str(QueueAddress(name))
    assert parse_address(address) == QueueAddress(name)
    assert address.isascii() and address.count("/") == 2 and unquote(address) == f"/queues/{name}"


@given(NAMES, st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_an_exchange_of_any_name(name: str, key: str) -> None:
    address = str(ExchangeAddress(name, key))
    assert parse_address(address) == ExchangeAddress(name, key)
    assert address.count("/") == (3 if key else 2)


def test_only_unreserved_characters_stay() -> None:
    assert str(QueueAddress("aZ09-._~ :/?#[]@!$&'()*+,;=%é")) == (
        "/queues/aZ09-._~%20%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25%C3%A9"
    )


@pytest.mark.parametrize(
    ("address", "offset", "message"),
    [
        ("", 0, "does not begin with /queues/ or /exchanges/"),
        ("/queue/orders", 0, "does not begin with /queues/ or /exchanges/"),
        ("/amq/queue/orders", 0, "does not begin with /queues/ or /exchanges/"),
        ("/exchange/amq.topic/key", 0, "does not begin with /queues/ or /exchanges/"),
        ("/queues/", 8, "has an empty queue"),
        ("/queues/a/b", 9, "has a slash in its queue, which is written %2F"),
        ("/exchanges/", 11, "has an empty exchange"),
        ("/exchanges//key", 11, "has an empty exchange"),
        ("/exchanges/a/b/c", 14, "has a slash in its routing key, which is written %2F"),
        ("/queues/a%2", 9, "has a % without two hexadecimal digits"),
        ("/queues/%zz", 8, "has a % without two hexadecimal digits"),
        ("/queues/%ff", 8, "has a queue that is not UTF-8"),
        ("/exchanges/a/%ed%a0%80", 13, "has a routing key that is not UTF-8"),
        ("/queues/\udc80", 8, "has a queue that is not Unicode"),
    ],
)
def test_what_is_no_address(address: str, offset: int, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        parse_address(address)
    assert (caught.value.message, caught.value.offset, caught.value.path) == (message, offset, "address")


@pytest.mark.parametrize(
    "address",
    [
        QueueAddress(""),
        ExchangeAddress(""),
        QueueAddress("\ud800"),
        ExchangeAddress("\ud800"),
        ExchangeAddress("x", "\ud800"),
    ],
)
def test_names_without_an_address(address: QueueAddress | ExchangeAddress) -> None:
    with pytest.raises(EncodeError):
        str(address)
