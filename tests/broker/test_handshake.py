"""From the protocol header to connection.open-ok, in every version that RabbitMQ answers."""

from __future__ import annotations

import time
from typing import Any

import amqp_0_8
import amqp_0_9
import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import CAPABILITIES, Client, Connect, Dial, Disconnected

VERSIONS = {"amqp_0_8": (8, 0), "amqp_0_9": (0, 9), "amqp_0_9_1": (0, 9), "amqp_0_9_1_rabbitmq": (0, 9)}

BEYOND_THE_OFFER = (
    {"frame_max": 1 << 20},
    {"frame_max": 0},
    {"frame_max": 4095},
    {"channel_max": 65535},
    {"channel_max": 0},
)


def read_to_end(client: Client) -> bytes:
    """What the broker sends until it closes the socket."""
    data = b""
    deadline = time.monotonic() + client.timeout
    while True:
        try:
            data += client.receive_octets(deadline)
        except Disconnected:
            return data


def up_to_start(client: Client) -> Client:
    """Sends the header and takes connection.start."""
    client.send_octets(amqp.PROTOCOL_HEADER)
    client.expect(amqp.methods.ConnectionStart, channel=0)
    return client


def answer_tune(client: Client, **changes: int) -> Client:
    """Logs in and answers connection.tune with what the broker offers, but for changes."""
    client.send(up_to_start(client).start_ok(), channel=0)
    tune = client.expect(amqp.methods.ConnectionTune, channel=0)
    offer = {"channel_max": tune.channel_max, "frame_max": tune.frame_max, "heartbeat": 0}
    client.send(amqp.methods.ConnectionTuneOk(**{**offer, **changes}), channel=0)
    return client


def test_every_version_opens_and_closes(connect: Connect, package: Any) -> None:
    client = connect(package)
    start = client.start
    assert (start.version_major, start.version_minor) == VERSIONS[package.__name__]
    assert b"PLAIN" in start.mechanisms.split()
    assert b"en_US" in start.locales.split()
    assert start.server_properties["product"] == "RabbitMQ"
    assert client.tune.frame_max >= package.constants.FRAME_MIN_SIZE
    assert client.tune.channel_max > 0
    client.call(package.methods.ChannelClose(200, "done"))
    client.open_channel()
    client.close()


def test_rabbitmq_names_its_capabilities(client: Client) -> None:
    capabilities = client.start.server_properties["capabilities"]
    assert set(CAPABILITIES) < set(capabilities)
    assert all(value is True for value in capabilities.values())


def test_it_names_none_to_0_8(connect: Connect) -> None:
    assert connect(amqp_0_8).start.server_properties["capabilities"] == {}


@pytest.mark.parametrize("header", amqp_0_8.constants.OTHER_PROTOCOL_HEADERS)
def test_the_other_header_of_0_8_works_too(dial: Dial, header: bytes) -> None:
    client = dial(amqp_0_8)
    client.handshake(header=header)
    assert (client.start.version_major, client.start.version_minor) == (8, 0)
    client.close()


def test_the_header_of_0_9_is_taken_for_0_9_1(dial: Dial) -> None:
    client = dial(amqp_0_9)
    client.handshake()
    assert client.start.server_properties["capabilities"]["publisher_confirms"] is True
    # 0-9 closes with 10, 50 as 0-9-1 does; in 0-8 it is 10, 60.
    client.close()
    client = dial(amqp)
    client.handshake(header=amqp_0_9.PROTOCOL_HEADER).open_channel().close()


@pytest.mark.parametrize(
    "header",
    [
        b"AMQP\x01\x01\x00\x0a",  # 0-10
        b"AMQP\x00\x00\x09\x02",
        b"AMQP\x00\x00\x08\x00",
        b"AMQP\x01\x01\x09\x00",
        b"HTTP/1.1",
        b"amqp\x00\x00\x09\x01",
        bytes(8),
    ],
)
def test_a_wrong_header_is_answered_with_that_of_0_9_1(dial: Dial, header: bytes) -> None:
    client = dial()
    client.send_octets(header)
    assert read_to_end(client) == b"AMQP\x00\x00\x09\x01" == amqp.PROTOCOL_HEADER


def test_one_octet_at_a_time(dial: Dial) -> None:
    client = dial()
    client.chunk = 1
    for octet in amqp.PROTOCOL_HEADER:
        client.send_octets(bytes([octet]))
    client.expect(amqp.methods.ConnectionStart, channel=0)
    for octet in amqp.encode_frame(0, client.start_ok()):
        client.send_octets(bytes([octet]))
    client.expect(amqp.methods.ConnectionTune, channel=0)


def test_lossless_the_servers_first_words_are_written_as_they_came(dial: Dial, package: Any) -> None:
    client = dial(package)
    client.send_octets(package.PROTOCOL_HEADER)
    data = b""
    deadline = time.monotonic() + client.timeout
    while not (found := package.decode_frames(data, dialect="rabbitmq", lossless=True)[0]):
        data += client.receive_octets(deadline)
    ((channel, start),) = found
    assert channel == 0
    assert package.encode_frame(0, start, dialect="rabbitmq") == data


def test_the_letters_of_0_9_are_too_few_for_rabbitmq_unless_reading_is_lenient(dial: Dial) -> None:
    strict = dial(amqp_0_9, dialect="spec-0-9")
    strict.inbox.decoder = amqp_0_9.FrameDecoder(strict=True)
    strict.send_octets(amqp_0_9.PROTOCOL_HEADER)
    with pytest.raises(amqp_0_9.errors.Unknown, match=r"capabilities\.publisher_confirms: .* no letter 't'"):
        strict.expect(amqp_0_9.methods.ConnectionStart, channel=0)
    lenient = dial(amqp_0_9, dialect="spec-0-9")
    lenient.inbox.decoder = amqp_0_9.FrameDecoder(lenient=True)
    lenient.send_octets(amqp_0_9.PROTOCOL_HEADER)
    start = lenient.expect(amqp_0_9.methods.ConnectionStart, channel=0)
    assert start.server_properties["capabilities"]["publisher_confirms"] is True


def test_amqplain_is_a_table_without_its_length(dial: Dial) -> None:
    client = dial()
    up_to_start(client)
    login = {"LOGIN": client.address.user, "PASSWORD": client.address.password}
    start_ok = client.start_ok()
    start_ok.mechanism, start_ok.response = "AMQPLAIN", amqp.encode_table(login)[4:]
    client.send(start_ok, channel=0)
    client.expect(amqp.methods.ConnectionTune, channel=0)


def test_an_unknown_virtual_host(dial: Dial) -> None:
    client = dial()
    client.address = client.address._replace(virtual_host="amqp-codegen/no such")
    with pytest.raises(amqp.errors.NotAllowedClose, match="vhost amqp-codegen/no such not found"):
        client.handshake()


def test_before_it_is_tuned_the_broker_hangs_up_without_a_word(dial: Dial) -> None:
    """Three seconds after the fault, and for all of them at once; the spec asks for connection.close."""
    clients = [answer_tune(dial(), **changes) for changes in BEYOND_THE_OFFER]
    for changed in (
        {"response": b"\0nobody\0?"},
        {"response": b""},
        {"mechanism": "NONE"},
        {"mechanism": ""},
    ):
        client = up_to_start(dial())
        start_ok = client.start_ok({})  # without authentication_failure_close
        for field, value in changed.items():
            setattr(start_ok, field, value)
        client.send(start_ok, channel=0)
        clients.append(client)
    for client in clients:
        assert read_to_end(client) == b""


@pytest.mark.parametrize("changes", [{"frame_max": 4096}, {"channel_max": 1}, {"heartbeat": 65535}])
def test_tuning_within_the_offer_is_fine(dial: Dial, changes: dict[str, int]) -> None:
    client = dial()
    answer_tune(client, **changes)
    client.call(amqp.methods.ConnectionOpen(client.address.virtual_host), channel=0)
    client.close()


def test_channel_max_limits_how_many_channels_are_open_not_their_numbers(dial: Dial) -> None:
    client = dial()
    answer_tune(client, channel_max=1)
    client.call(amqp.methods.ConnectionOpen(client.address.virtual_host), channel=0)
    client.open_channel(65535)
    with pytest.raises(amqp.errors.NotAllowedClose, match=r"number of channels opened \(1\)"):
        client.open_channel(1)


def test_update_secret(client: Client) -> None:
    # The chassis of RabbitMQ's XML has the direction the wrong way round: it is the client that sends it.
    method = amqp.methods.ConnectionUpdateSecret(client.address.password.encode(), "token expires")
    assert client.call(method, channel=0) == amqp.methods.ConnectionUpdateSecretOk()
    client.open_channel(2)


def test_connection_blocked_can_be_asked_for(connect: Connect) -> None:
    client = connect()
    assert CAPABILITIES["connection.blocked"] is True
    assert client.start.server_properties["capabilities"]["connection.blocked"] is True
    client.declare()
    assert client.inbox.waiting(0) == 0  # nothing is blocked here, so nothing is said
