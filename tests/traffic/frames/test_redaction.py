"""Passwords do not get further than the frames they are in."""

from __future__ import annotations

import base64
from typing import Any

import amqp_0_8
import amqp_0_9
import amqp_0_9_1
import amqp_0_9_1_rabbitmq
import amqp_1_0
import pytest
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.frames.redaction import MARKER, Login, redact_method, redact_performative

from .test_protocol import Talk

CLIENT, SERVER = Direction.client_to_server, Direction.server_to_client
PASSWORD = b"sw0rdfish-\xc3\xa4"
PACKAGES = {it.__name__: it for it in (amqp_0_8, amqp_0_9, amqp_0_9_1, amqp_0_9_1_rabbitmq)}
PLAIN = b"\0alice\0" + PASSWORD


def amqplain(amqp) -> bytes:
    return amqp.encode_table({"LOGIN": "alice", "PASSWORD": PASSWORD.decode()})[4:]


def is_in(octets: bytes) -> bool:
    """The password, plain or in an encoding that somebody may have put it in."""
    spellings = [PASSWORD, PASSWORD.hex().encode(), base64.b64encode(PASSWORD), repr(PASSWORD)[2:-1].encode()]
    return any(spelling in octets for spelling in spellings) or PASSWORD[:6] in octets


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize(
    ("mechanism", "user"), [("PLAIN", "alice"), ("AMQPLAIN", "alice"), ("X-OURS", ""), ("EXTERNAL", "")]
)
def test_start_ok(package, mechanism, user):
    amqp = PACKAGES[package]
    response = amqplain(amqp) if mechanism == "AMQPLAIN" else PLAIN
    method = amqp.methods.ConnectionStartOk({"product": "p", "n": 5}, mechanism, response, "en_US")
    payload, login = redact_method(method.encode(), package)
    assert login == Login(mechanism, user)
    assert amqp.decode_method(payload) == amqp.methods.ConnectionStartOk(
        {"product": "p", "n": 5}, mechanism, MARKER.encode(), "en_US"
    )


def test_an_empty_response_stays_empty():
    method = amqp_0_9_1.methods.ConnectionStartOk({}, "EXTERNAL", b"", "en_US")
    assert redact_method(method.encode(), "amqp_0_9_1")[0] == method.encode()


@pytest.mark.parametrize(
    "response", [PASSWORD, b"\0" + PASSWORD, PLAIN + b"\0", b"\x05LOGINS\xff\xff\xff\xff" + PASSWORD]
)
@pytest.mark.parametrize("mechanism", ["PLAIN", "AMQPLAIN"])
def test_responses_in_a_wrong_form_have_no_user(mechanism, response):
    method = amqp_0_9_1.methods.ConnectionStartOk({}, mechanism, response, "en_US")
    payload, login = redact_method(method.encode(), "amqp_0_9_1")
    assert not is_in(payload) and login == Login(mechanism)


@pytest.mark.parametrize("package", PACKAGES)
def test_secure_ok_and_update_secret(package):
    amqp = PACKAGES[package]
    payload, _ = redact_method(amqp.methods.ConnectionSecureOk(PASSWORD).encode(), package)
    assert amqp.decode_method(payload).response == MARKER.encode()
    update = amqp_0_9_1_rabbitmq.methods.ConnectionUpdateSecret(PASSWORD, "it is time").encode()
    payload, _ = redact_method(update, package)
    assert amqp_0_9_1_rabbitmq.decode_method(payload).new_secret == MARKER.encode()
    assert amqp_0_9_1_rabbitmq.decode_method(payload).reason == "it is time"


@pytest.mark.parametrize("package", PACKAGES)
def test_secrets_among_client_properties(package):
    amqp = PACKAGES[package]
    secret = PASSWORD.decode()
    properties = {"product": "p", "Password": secret, "oauth": {"access-token": secret, "n": 5}, "API_KEY": 1}
    method = amqp.methods.ConnectionStartOk(properties, "EXTERNAL", b"", "en_US")
    payload, _ = redact_method(method.encode(), package)
    assert amqp.decode_method(payload).client_properties == {
        "product": "p",
        "Password": MARKER,
        "oauth": {"access-token": MARKER, "n": 5},
        "API_KEY": MARKER,
    }


def test_secrets_in_lists_of_client_properties():
    amqp, secret = amqp_0_9_1_rabbitmq, PASSWORD.decode()
    properties: amqp_0_9_1_rabbitmq.FieldTable = {
        "list": ["x", [{"token": secret, "n": 5}], amqp.Tagged("F", {"token": secret})]
    }
    method = amqp.methods.ConnectionStartOk(properties, "EXTERNAL", b"", "en_US")
    payload, _ = redact_method(method.encode(dialect="rabbitmq"), "amqp_0_9_1_rabbitmq")
    found = amqp.decode_method(payload, dialect="rabbitmq").client_properties
    assert found["list"][:2] == ["x", [{"token": MARKER, "n": 5}]]
    assert not is_in(payload)


def test_what_cannot_be_decoded_is_gone_but_for_what_it_is():
    whole = amqp_0_9_1.methods.ConnectionStartOk({}, "PLAIN", PLAIN, "en_US").encode()
    for damaged in (*(whole[:end] for end in range(4, len(whole))), whole + b"x"):
        assert redact_method(damaged, "amqp_0_9_1") == (b"\x00\x0a\x00\x0b", None)
    assert (
        redact_method(b"\x00\x0a\x00\x15\x00\x00\x00\xff" + PASSWORD, "amqp_0_9_1")[0] == b"\x00\x0a\x00\x15"
    )


def test_other_methods_stay_as_they_are():
    for method in (
        amqp_0_9_1.methods.ConnectionTuneOk(1, 2, 3),
        amqp_0_9_1.methods.ConnectionSecure(b"challenge"),
    ):
        assert redact_method(method.encode(), "amqp_0_9_1") == (method.encode(), None)


# --- 1.0 ---


def body(performative) -> bytes:
    return amqp_1_0.encode_frame(0, performative)[8:]


def test_sasl_of_1_0():
    payload, init, login = redact_performative(body(amqp_1_0.sasl.SaslInit("PLAIN", PLAIN, "host")), True)
    assert login == Login("PLAIN", "alice")
    expected = amqp_1_0.sasl.SaslInit("PLAIN", MARKER.encode(), "host")
    assert amqp_1_0.decode(payload)[0] == expected == init
    payload, _, _ = redact_performative(body(amqp_1_0.sasl.SaslResponse(PASSWORD)), True)
    assert amqp_1_0.decode(payload)[0] == amqp_1_0.sasl.SaslResponse(MARKER.encode())
    outcome = body(amqp_1_0.sasl.SaslOutcome(amqp_1_0.sasl.SaslCode.OK))
    assert (
        redact_performative(outcome, True)[0] == redact_performative(outcome + PASSWORD, True)[0] == outcome
    )


def test_sasl_of_1_0_that_cannot_be_decoded():
    whole = body(amqp_1_0.sasl.SaslInit("PLAIN", PLAIN))
    for damaged in (
        *(whole[:end] for end in range(len(whole))),
        whole[:2] + b"\x99" + whole[3:],
        b"\xa0\x05" + PASSWORD,
    ):
        assert not is_in(redact_performative(damaged, True)[0])
    assert redact_performative(whole + PASSWORD, True)[0].endswith(MARKER.encode())


def test_properties_of_open():
    opening = amqp_1_0.performatives.Open("c", properties={"password": PASSWORD.decode(), "product": "p"})
    payload, _, _ = redact_performative(body(opening), False)
    assert amqp_1_0.decode(payload)[0].properties == {"password": MARKER, "product": "p"}
    for end in range(3, len(body(opening))):
        assert not is_in(redact_performative(body(opening)[:end], False)[0])


# --- In conversations ---


def everything(talk: Talk) -> bytes:
    """All that anybody gets."""
    octets = b"".join(frame.payload for frames in talk.frames for frame in frames)
    told = repr((talk.conversation.login, talk.protocol, talk.quarantine, talk.frames))
    return octets + told.encode()


def check_that_nothing_leaks(said: bytes, frames: int) -> None:
    """However a client's octets come: whole, from the middle, with a gap, broken off."""
    for size in (1, 30, 1000):
        talk = Talk().say(CLIENT, said, size).end()
        assert len(talk.frames[CLIENT]) == frames
        assert talk.conversation.login == Login("PLAIN", "alice")
        assert not is_in(everything(talk))
    for start in range(0, len(said), 3):
        talk = Talk(from_start=False).say(CLIENT, said[start:], 40).lose(CLIENT, 20)
        talk.say(CLIENT, said[: -start or None]).end()
        assert not is_in(everything(talk))


def test_a_conversation_of_0_x_does_not_give_it_away():
    amqp = amqp_0_9_1_rabbitmq
    methods: list[Any] = [
        amqp.methods.ConnectionStartOk({"password": PASSWORD.decode()}, "PLAIN", PLAIN, "en_US"),
        amqp.methods.ConnectionSecureOk(PASSWORD),
        amqp.methods.ConnectionUpdateSecret(PASSWORD, "r"),
    ]
    octets = b"".join(amqp.encode_frame(channel, it) for channel in (0, 1) for it in methods)
    check_that_nothing_leaks(amqp.PROTOCOL_HEADER + octets, 7)


def test_a_conversation_of_1_0_does_not_give_it_away():
    headers = amqp_1_0.PROTOCOL_HEADERS
    init = amqp_1_0.encode_frame(0, amqp_1_0.sasl.SaslInit("PLAIN", PLAIN))
    response = amqp_1_0.encode_frame(0, amqp_1_0.sasl.SaslResponse(PASSWORD))
    check_that_nothing_leaks(headers["sasl"] + init + response + headers["amqp"], 4)


def test_secrets_in_containers_of_open():
    secret, symbol = PASSWORD.decode(), amqp_1_0.Symbol
    table: dict[str, amqp_1_0.Value] = {"token": secret, "n": 5}
    for value in (
        [table],
        amqp_1_0.Array([table]),
        amqp_1_0.Described(symbol("x:y"), table),
        amqp_1_0.Map([("token", secret), ([1], 2)]),
        amqp_1_0.Map([([1], [table])]),
    ):
        opened = amqp_1_0.performatives.Open("c", properties={symbol("x"): value, symbol("y"): [1]})
        payload, performative, _ = redact_performative(body(opened), False)
        assert not is_in(payload)
        assert amqp_1_0.decode(payload)[0] == performative
        assert performative.properties[symbol("y")] == [1]
