"""The handshake of the engine, of both sides: what opens, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ...test_public_names import NAMES_0
from .ends import Ends, events, names

RABBITMQ = "amqp_0_9_1_rabbitmq"


@pytest.mark.parametrize("package", NAMES_0)
@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_both_sides_open(package: str, piece: int) -> None:
    ends = Ends(
        package, piece=piece, virtual_host="/here", heartbeat=20, server_heartbeat=60, server_channel_max=9
    )
    client, server = ends.open()
    assert names(client) == ["Opened"]
    assert names(server) == ["LoginRequested", "OpenRequested", "Opened"]
    assert (server[0].mechanism, server[0].response) == ("PLAIN", b"\0guest\0secret")
    assert server[1].virtual_host == "/here"
    assert client[0].limits == server[2].limits == ends.methods.ConnectionTuneOk(9, 131072, 20)
    assert ends.client.state is ends.server.state is ends.engine.ConnectionState.OPEN


def test_a_client_says_what_it_is_and_can() -> None:
    ends = Ends(RABBITMQ, properties={"product": "p"}, server_properties={"version": "4"})
    client, server = ends.open()
    assert client[0].server == {"version": "4"}
    assert server[2].server["product"] == "p"
    assert server[2].server["capabilities"]["basic.nack"] is True


def test_a_password_is_in_no_text() -> None:
    ends = Ends(RABBITMQ)
    _, server = ends.open()
    assert "secret" not in repr(ends.client.settings) + repr(server[0])


def test_start_again() -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    with pytest.raises(ends.engine.LocalError, match="started already"):
        ends.client.start(0)


def test_octets_before_the_start() -> None:
    ends = Ends(RABBITMQ)
    with pytest.raises(ends.engine.LocalError, match="call start"):
        ends.client.receive_data(b"AMQP", 0)


def test_the_best_mechanism_that_both_know() -> None:
    engine = Ends(RABBITMQ).engine
    logins = (engine.ExternalLogin(), engine.PlainLogin("u", "p"), engine.AnonymousLogin())
    ends = Ends(RABBITMQ, login=logins, server_mechanisms=("ANONYMOUS", "PLAIN"))
    assert ends.open()[1][0].mechanism == "PLAIN"


def test_no_mechanism_in_common() -> None:
    ends = Ends(RABBITMQ, server_mechanisms=("SCRAM-SHA-256",))
    client, _ = ends.open()
    assert names(client) == ["Closed"]
    assert "SCRAM-SHA-256" in str(client[0].error)
    assert (client[0].by_peer, ends.client.is_closed) == (False, True)


def test_questions_of_the_server() -> None:
    engine = Ends(RABBITMQ).engine
    ends = Ends(RABBITMQ, login=engine.OtherLogin("SCRAM", b"first"), server_mechanisms=("SCRAM",))
    ends.start()
    client, server = ends.exchange()
    assert [event.response for event in server] == [b"first"]
    ends.server.challenge(b"who?")
    client, _ = ends.exchange()
    assert client == [engine.Challenged(b"who?")]
    ends.client.answer_challenge(b"me")
    client, server = ends.exchange(ends.welcome)
    assert [server[0].mechanism, server[0].response, names(client)] == ["SCRAM", b"me", ["Opened"]]
    with pytest.raises(engine.LocalError, match="CHALLENGED"):
        ends.client.answer_challenge(b"again")


def test_a_question_that_plain_does_not_have() -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    ends.exchange()
    ends.server.challenge(b"who?")
    client, _ = ends.exchange()
    assert names(client) == ["Closed"]
    assert "asks a question" in str(client[0].error)


def test_a_login_that_is_refused() -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    ends.exchange()
    ends.server.close(403, "ACCESS_REFUSED")
    client, server = ends.exchange()
    assert names(client) == names(server) == ["Closed"]
    assert (client[0].error.reply_code, client[0].by_peer, server[0].by_peer) == (403, True, False)
    assert server[0].error is None


def test_an_old_broker_that_hangs_up_on_a_wrong_password() -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    ends.exchange()
    ends.client.receive_eof(ends.now)
    [closed] = events(ends.client)
    assert "refuse a login" in str(closed.error)
    assert closed.by_peer


@pytest.mark.parametrize("piece", [1, 3, 8])
def test_a_broker_of_another_version(piece: int) -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    header = b"AMQP\0\1\0\0"
    for start in range(0, 8, piece):
        ends.client.receive_data(header[start : start + piece], ends.now)
    refused, closed = events(ends.client)
    assert refused == ends.engine.VersionRefused(header)
    assert (closed.by_peer, "another version" in str(closed.error)) == (True, True)


@pytest.mark.parametrize("octets", [b"AMQP\0\1\0\0", b"GET / HTTP/1.1\r\n"])
def test_a_client_of_another_version(octets: bytes) -> None:
    ends = Ends(RABBITMQ)
    ends.server.start(0)
    ends.server.receive_data(octets, 0)
    assert names(list(events(ends.server)))[-1] == "Closed"
    assert ends.server.data_to_send() in (ends.amqp.PROTOCOL_HEADER, b"")


def test_start_of_another_version() -> None:
    ends = Ends(RABBITMQ)
    ends.client.start(0)
    start = ends.methods.ConnectionStart(8, 0, {}, b"PLAIN", b"en_US")
    ends.client.receive_data(ends.amqp.encode_frame(0, start), 0)
    [closed] = events(ends.client)
    assert "AMQP 8.0" in str(closed.error)


def test_a_server_that_proposes_frames_below_the_least() -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    ends.exchange()
    ends.client.receive_data(ends.amqp.encode_frame(0, ends.methods.ConnectionTune(9, 100, 0)), 0)
    client, server = ends.exchange()
    assert names(client) == names(server) == ["Closed"]
    assert client[0].error.reply_code == server[0].error.reply_code == 502


def test_a_client_that_wants_more_than_was_proposed() -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    ends.exchange()
    ends.server.accept_login()
    ends.server.receive_data(ends.amqp.encode_frame(0, ends.methods.ConnectionTuneOk(9999, 131072, 0)), 0)
    [closed] = events(ends.server)
    assert "more than was proposed" in str(closed.error)


def test_a_virtual_host_that_is_refused() -> None:
    ends = Ends(RABBITMQ)
    ends.start()

    def answer(event: Any) -> None:
        if isinstance(event, ends.engine.LoginRequested):
            ends.server.accept_login()
        elif isinstance(event, ends.engine.OpenRequested):
            ends.server.close(530, "no such vhost")

    client, _ = ends.exchange(answer)
    assert [client[0].error.reply_code, names(client)] == [530, ["Closed"]]


def test_the_handshake_takes_too_long() -> None:
    ends = Ends(RABBITMQ, handshake_seconds=5.0)
    ends.start()
    assert ends.client.next_timer() == ends.now + 5
    ends.client.timer(ends.now + 4.9)
    assert ends.client.next_event() is None
    ends.client.timer(ends.now + 5)
    [closed] = events(ends.client)
    assert "too long in the state HEADER" in str(closed.error)
    assert ends.client.next_timer() is None


@pytest.mark.parametrize(
    "method", ["ConnectionTune", "ConnectionOpenOk", "ConnectionSecure", "ChannelOpenOk", "QueueDeclareOk"]
)
def test_what_comes_too_early(method: str) -> None:
    ends = Ends(RABBITMQ)
    ends.client.start(0)
    channel = int(not method.startswith("Connection"))
    ends.client.receive_data(ends.amqp.encode_frame(channel, getattr(ends.methods, method)()), 0)
    assert names(list(events(ends.client))) == ["Closed"]
    assert ends.client.data_to_send() == ends.amqp.PROTOCOL_HEADER  # who has not said start expects no close


def test_close_during_the_handshake_hangs_up() -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    ends.client.close()
    assert list(events(ends.client)) == [ends.engine.Closed(None, False)]
    ends.client.close()
    assert list(events(ends.client)) == []


@pytest.mark.parametrize("frame_max", [1, 7, 100, 4095])
def test_a_client_that_wants_frames_below_the_least(frame_max: int) -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    ends.exchange()
    ends.server.accept_login()
    ends.server.receive_data(ends.amqp.encode_frame(0, ends.methods.ConnectionTuneOk(9, frame_max, 0)), 0)
    [closed] = events(ends.server)
    assert "4096 is the least" in str(closed.error)


def test_a_server_without_limits_gets_some() -> None:
    ends = Ends(RABBITMQ, server_max_frame_size=0, server_channel_max=0)
    client, _ = ends.open()
    assert client[0].limits.frame_max == 1 << 20  # or one frame would take 4 GiB of memory


@pytest.mark.parametrize(
    ("side", "limit", "value"),
    [
        ("client", "channel_max", 65536),
        ("client", "heartbeat", -1),
        ("client", "max_frame_size", 100),
        ("server", "max_frame_size", 7),
        ("server", "heartbeat", 65536),
    ],
)
def test_limits_that_cannot_be_proposed(side: str, limit: str, value: int) -> None:
    with pytest.raises(ValueError, match=limit):
        Ends(RABBITMQ, **{limit if side == "client" else f"server_{limit}": value})


@pytest.mark.parametrize(
    "settings",
    [
        {"virtual_host": "x" * 256},
        {"properties": {"x" * 256: 1}},
        {"locale": "x" * 256},
        {"server_properties": {"x" * 256: 1}},
    ],
)
def test_settings_that_cannot_be_sent(settings: dict[str, Any]) -> None:
    ends = Ends(RABBITMQ, **settings)
    client, server = ends.open()
    [closed] = [event for event in client + server if isinstance(event, ends.engine.Closed)]
    assert "the settings cannot be sent" in str(closed.error)


def test_whoever_speaks_something_else_gets_our_header() -> None:
    ends = Ends(RABBITMQ)
    ends.server.start(ends.now)
    ends.server.receive_data(b"GET / HTTP/1.1\r\n\r\n", ends.now)
    assert names(list(events(ends.server))) == ["Closed"]
    assert ends.server.data_to_send() == ends.amqp.PROTOCOL_HEADER


def test_tables_of_the_dialect() -> None:
    """0-9 has no booleans; the letters of others are read nevertheless."""
    ends = Ends("amqp_0_9", server_properties={"capabilities": True}, server_dialect="rabbitmq")
    client, _ = ends.open()
    assert client[0].server == {"capabilities": True}
    assert b"capabilitiest\x01" in ends.sent["server"]
