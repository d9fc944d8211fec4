"""What a connection speaks."""

from __future__ import annotations

from random import Random

import amqp_0_8
import amqp_0_8_rabbitmq
import amqp_0_9
import amqp_0_9_1
import amqp_1_0
import pytest
from amqp_traffic.capture.ledgers import LedgerError
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.frames.conversation import FramedConversation
from amqp_traffic.frames.formats import PROTOCOL_HEADER
from amqp_traffic.frames.protocol import ASSUMED, describe_hello, narrow, recognise_protocol

from ..stream_builder import message0, message1

CLIENT, SERVER = Direction.client_to_server, Direction.server_to_client
RABBITMQ = "amqp_0_9_1_rabbitmq"


def hello(name: bytes = b"broker.example", extra: bytes = b"") -> bytes:
    """A TLS ClientHello."""
    entry = b"\x00" + len(name).to_bytes(2, "big") + name
    extension = b"\x00\x00" + (len(entry) + 2).to_bytes(2, "big") + len(entry).to_bytes(2, "big") + entry
    extensions = extra + extension
    body = b"\x03\x03" + bytes(32) + b"\x00" + b"\x00\x02\x13\x01" + b"\x01\x00"
    body += len(extensions).to_bytes(2, "big") + extensions
    handshake = b"\x01" + len(body).to_bytes(3, "big") + body
    return b"\x16\x03\x01" + len(handshake).to_bytes(2, "big") + handshake


@pytest.mark.parametrize(
    ("head", "name", "package", "by"),
    [
        (b"AMQP\x00\x00\x09\x01", "0-9-1", RABBITMQ, "header"),
        (b"AMQP\x01\x01\x00\x09", "0-9", "amqp_0_9", "header"),
        (b"AMQP\x01\x01\x08\x00", "0-8", "amqp_0_8", "header"),
        (b"AMQP\x01\x01\x09\x01", "0-8", "amqp_0_8", "header"),
        (b"AMQP\x01\x01\x00\x0a", "0-10", "", "header"),
        (b"AMQP\x00\x01\x00\x00", "1.0", "amqp_1_0", "header"),
        (b"AMQP\x02\x01\x00\x00", "1.0", "amqp_1_0", "header"),
        (b"AMQP\x03\x01\x00\x00", "1.0", "amqp_1_0", "header"),
        (b"AMQP\x00\x02\x00\x00", "other", "", "header"),
        (hello(), "tls", "", "shape"),
        (b"GET / HTTP/1.1\r\n", "http", "", "shape"),
        (b"PRI * HTTP/2.0\r\n", "http", "", "shape"),
        (b"EHLO example\r\n", "other", "", "shape"),
        (message0(Random(1))[0], "other", "", "shape"),  # no protocol header
    ],
)
def test_the_first_octets_of_a_client(head, name, package, by):
    found = recognise_protocol(head, CLIENT, True)
    assert found is not None
    assert (found.name, found.package, found.by) == (name, package, by)
    assert (found.reason is None) == bool(package)
    for end in range(5):
        assert recognise_protocol(head[:end], CLIENT, True) is None or head.startswith((b"GET", b"PRI"))


@pytest.mark.parametrize(
    ("head", "name", "by"),
    [
        (b"AMQP\x00\x00\x09\x01", "0-9-1", "answer"),
        (b"AMQP\x03\x01\x00\x00", "1.0", "answer"),
        (amqp_0_9_1.encode_frame(0, amqp_0_9_1.methods.ConnectionStart()), "0-9-1", "start"),
        (amqp_0_8.encode_frame(0, amqp_0_8.methods.ConnectionStart(8, 0)), "0-8", "start"),
        (b"HTTP/1.1 400 Bad Request\r\n", "http", "shape"),
        (b"\x15\x03\x03\x00\x02\x02\x28", "tls", "shape"),
    ],
)
def test_the_first_octets_of_a_server(head, name, by):
    found = recognise_protocol(head, SERVER, True)
    assert found is not None and (found.name, found.by) == (name, by)


def test_octets_from_the_middle_tell_the_family_by_their_frames():
    assert recognise_protocol(b"...\xce" + b"".join(message0(Random(1))), CLIENT, False) == ASSUMED
    found = recognise_protocol(b"..." + b"".join(message1(Random(1))), SERVER, False)
    assert found is not None and (found.name, found.by) == ("1.0", "shape")
    assert recognise_protocol(b"nothing that anybody knows" * 10, CLIENT, False) is None
    assert recognise_protocol(b"AMQP is what this body is about", CLIENT, False) is None


def test_what_a_client_hello_tells():
    assert describe_hello(hello()) == "TLS 1.2, broker.example"
    assert describe_hello(hello(extra=b"\x00\x17\x00\x00")) == "TLS 1.2, broker.example"
    assert describe_hello(hello(b"no\nname")) == "TLS 1.2"
    assert describe_hello(hello(b"\xff")) == "TLS 1.2"
    for end in range(5, len(hello())):
        assert describe_hello(hello()[:end]) in ("TLS 1.0", "TLS 1.2", "TLS 1.2, broker.example")


def key(method: type) -> int:
    return method.CLASS_ID << 16 | method.METHOD_ID


def test_methods_tell_versions_apart():
    assert narrow(ASSUMED, {key(amqp_0_9_1.methods.BasicPublish)}) == ASSUMED
    old = narrow(ASSUMED, {key(amqp_0_8.methods.AccessRequest), key(amqp_0_8.methods.ChannelAlert)})
    assert (old.name, old.package, old.by) == ("0-8", "amqp_0_8", "methods")
    newer = narrow(ASSUMED, {key(amqp_0_9.methods.AccessRequest), key(amqp_0_9.methods.MessageQos)})
    assert newer.package == "amqp_0_9"
    assert narrow(ASSUMED, {0xFFFF_FFFF}) == ASSUMED


# --- Both directions ---


class Talk:
    """A conversation that is fed by hand."""

    def __init__(self, from_start: bool = True, roles_are_certain: bool = True) -> None:
        self.frames: list[list] = [[], []]
        self.quarantine = Quarantine()
        self.conversation = FramedConversation(
            1, self.on_frames, self.quarantine, from_start=from_start, roles_are_certain=roles_are_certain
        )
        self.lengths = [0, 0]

    def on_frames(self, conversation, direction, frames) -> None:
        assert conversation.protocol is not None
        self.frames[direction] += frames

    def say(self, direction: Direction, data: bytes, size: int = 1 << 20) -> Talk:
        for start in range(0, len(data), size):
            part = data[start : start + size]
            self.conversation.feed(direction, StreamPiece(part, self.lengths[direction], 0, 1, 24, 5))
            self.lengths[direction] += len(part)
        return self

    def lose(self, direction: Direction, octets: int) -> Talk:
        self.conversation.feed(direction, StreamPiece(b"", self.lengths[direction], octets, 1, 24, 5))
        self.lengths[direction] += octets
        return self

    def end(self) -> Talk:
        self.conversation.finish((self.lengths[0], self.lengths[1]))
        return self

    @property
    def protocol(self):
        return self.conversation.protocol

    @property
    def reasons(self) -> dict[str, int]:
        return {reason.value: total.octets for reason, total in self.quarantine.totals.items()}


def start(amqp=amqp_0_9_1, **properties) -> bytes:
    method = amqp.methods.ConnectionStart(server_properties=properties, mechanisms=b"PLAIN", locales=b"en_US")
    return amqp.encode_frame(0, method, dialect="rabbitmq")


@pytest.mark.parametrize(
    ("properties", "package", "dialect"),
    [
        ({"product": "RabbitMQ"}, RABBITMQ, "rabbitmq"),
        ({"product": "LavinMQ", "capabilities": {"basic.nack": True}}, RABBITMQ, ""),
        ({"product": "qpid-cpp"}, "amqp_0_9_1", ""),
        ({"product": 5, "capabilities": "none"}, "amqp_0_9_1", ""),
        ({}, "amqp_0_9_1", ""),
    ],
)
def test_the_server_says_whether_it_is_rabbitmq(properties, package, dialect):
    talk = Talk().say(CLIENT, amqp_0_9_1.PROTOCOL_HEADER, 3).say(SERVER, start(**properties), 10).end()
    assert (talk.protocol.package, talk.conversation.dialect) == (package, dialect)
    assert talk.protocol.by == "header"
    assert [frame.type for frame in talk.frames[0]] == [PROTOCOL_HEADER]


def test_rabbitmq_speaks_0_8_too():
    talk = Talk().say(CLIENT, b"AMQP\x01\x01\x09\x01").say(SERVER, start(amqp_0_8, product="RabbitMQ")).end()
    assert (talk.protocol.package, talk.conversation.dialect) == ("amqp_0_8_rabbitmq", "rabbitmq")
    assert (talk.protocol.name, talk.protocol.by) == ("0-8", "header")
    talk = Talk().say(CLIENT, b"AMQP\x01\x01\x08\x00").say(SERVER, start(amqp_0_8, product="qpid-cpp")).end()
    assert talk.protocol.package == "amqp_0_8"
    of_8_0 = amqp_0_8.methods.ConnectionStart(8, 0, {"product": "RabbitMQ"}, b"PLAIN", b"en_US")
    talk = Talk().say(SERVER, amqp_0_8.encode_frame(0, of_8_0)).end()  # no header
    assert (talk.protocol.package, talk.protocol.by) == ("amqp_0_8_rabbitmq", "start")


def test_rabbitmq_answers_0_9_with_0_9_1():
    draft = b"AMQP\x01\x01\x00\x09"
    talks = [
        Talk().say(CLIENT, draft).say(SERVER, start(product="RabbitMQ")).end(),
        Talk().say(SERVER, start(product="RabbitMQ")).say(CLIENT, draft).end(),
    ]
    for talk in talks:
        assert (talk.protocol.name, talk.protocol.package) == ("0-9", RABBITMQ)
    talk = Talk().say(CLIENT, draft).say(SERVER, start(product="qpid-cpp")).end()
    assert (talk.protocol.name, talk.protocol.package) == ("0-9", "amqp_0_9")


def test_a_header_that_was_captured_late_does_not_make_a_broker_rabbitmq():
    talk = Talk().say(SERVER, start(product="qpid-cpp")).say(CLIENT, amqp_0_9_1.PROTOCOL_HEADER).end()
    assert (talk.protocol.package, talk.protocol.by) == ("amqp_0_9_1", "header")


def test_after_a_gap_methods_of_rabbitmqs_are_frames_too():
    unbind = amqp_0_8_rabbitmq.methods.QueueUnbind(queue="q", exchange="e", routing_key="k")
    for header in (b"AMQP\x01\x01\x08\x00", b"AMQP\x01\x01\x00\x09"):
        talk = Talk().say(CLIENT, header).lose(CLIENT, 99)
        talk.say(CLIENT, b"\xce" + amqp_0_8_rabbitmq.encode_frame(1, unbind))
        assert len(talk.end().frames[CLIENT]) == 2


def test_what_the_server_says_waits_for_the_client():
    talk = Talk().say(CLIENT, b"AM").say(SERVER, b"AMQP")
    assert talk.protocol is None
    talk.say(CLIENT, b"QP\x01\x01\x08\x00")
    assert talk.protocol.name == "0-8"


def test_a_header_that_was_captured_late_counts_more_than_the_answer():
    talk = Talk().say(SERVER, start(product="RabbitMQ"))
    assert (talk.protocol.name, talk.protocol.by) == ("0-9-1", "start")
    talk.say(CLIENT, b"AMQP\x01\x01\x00\x09").end()
    assert (talk.protocol.name, talk.protocol.by) == ("0-9", "header")


def test_a_refusal():
    talk = Talk().say(CLIENT, b"AMQP\x01\x01\x00\x0a" + b"more").say(SERVER, b"AMQP\x00\x00\x09\x01").end()
    assert (talk.protocol.name, talk.conversation.answer) == ("0-10", b"AMQP\x00\x00\x09\x01")
    assert [len(frames) for frames in talk.frames] == [1, 1]
    assert talk.reasons == {"unsupported-version": 4}


@pytest.mark.parametrize(
    ("said", "reason"),
    [(hello(), "tls"), (b"GET / HTTP/1.1\r\n\r\n", "not-amqp"), (b"\x00" * 20, "not-amqp")],
)
def test_what_is_no_amqp_is_left_out_on_both_sides(said, reason):
    talk = (
        Talk().say(CLIENT, said, 4).say(SERVER, b"\x15\x03\x03" * 10).lose(CLIENT, 50).say(CLIENT, said).end()
    )
    assert talk.reasons == {reason: 2 * len(said) + 30}
    assert talk.frames == [[], []]


def test_tls_after_its_protocol_header():
    tls = amqp_1_0.PROTOCOL_HEADERS["tls"]
    talk = Talk().say(CLIENT, tls + hello(), 50).say(SERVER, tls + b"\x16\x03\x03" * 20).end()
    assert talk.protocol.name == "1.0"
    assert [[frame.payload for frame in frames] for frames in talk.frames] == [[tls], [tls]]
    assert talk.reasons == {"tls": len(hello()) + 60}


def test_a_connection_from_its_middle_is_assumed_to_be_0_9_1():
    messages = b"".join(frame for seed in range(5) for frame in message0(Random(seed)))
    talk = Talk(from_start=False).say(CLIENT, messages[9:], 300).end()
    assert talk.protocol == ASSUMED
    assert len(talk.frames[CLIENT]) == 14


def test_a_connection_from_its_middle_with_methods_of_0_8():
    request = amqp_0_8.encode_frame(1, amqp_0_8.methods.AccessRequest(realm="/data"))
    alert = amqp_0_8.encode_frame(1, amqp_0_8.methods.ChannelAlert(reply_code=313, reply_text="NO_CONSUMERS"))
    talk = Talk(from_start=False).say(CLIENT, request * 2).say(SERVER, alert * 2).end()
    assert (talk.protocol.name, talk.protocol.by) == ("0-8", "methods")


def test_1_0_from_its_middle():
    messages = b"".join(frame for seed in range(5) for frame in message1(Random(seed)))
    talk = Talk(from_start=False).say(SERVER, messages[5:], 300).end()
    assert (talk.protocol.name, talk.protocol.by) == ("1.0", "shape")
    assert len(talk.frames[SERVER]) == 9


def test_something_unknown_from_its_middle_is_no_amqp_at_the_end():
    talk = Talk(from_start=False).say(CLIENT, b"something else " * 10_000, 1000).end()
    assert talk.protocol.name == "other" and talk.protocol.reason is not None
    assert talk.reasons == {"mid-stream-head": 150_000}


def test_after_a_gap_only_what_that_side_sends_is_a_frame():
    deliver = amqp_0_9_1.encode_frame(1, amqp_0_9_1.methods.BasicDeliver("tag", 1, False, "", "key"))
    for certain, found in ((True, 0), (False, 1)):
        talk = Talk(roles_are_certain=certain).say(CLIENT, amqp_0_9_1.PROTOCOL_HEADER).lose(CLIENT, 99)
        assert len(talk.say(CLIENT, b"\xce" + deliver).end().frames[CLIENT]) == 1 + found


def test_after_a_gap_only_bodies_on_channels_in_use_are_frames():
    body, used = b"\xce\x03\x00\x07\x00\x00\x00\x01x", b"".join(message0(Random(1), channel=7))
    for before, found in ((used, 2), (b"".join(message0(Random(1))), 0)):
        talk = Talk().say(CLIENT, amqp_0_9_1.PROTOCOL_HEADER + before).lose(CLIENT, 99)
        assert len(talk.say(CLIENT, b"x" + body * 2 + b"\xce").end().frames[CLIENT]) == 4 + found


def test_what_waits_is_bounded():
    """Until it is known what is spoken, or assumed."""
    talk = Talk(from_start=False)
    for _ in range(100):
        talk.say(CLIENT, b"nothing " * 100, 400).lose(CLIENT, 10)
        if talk.protocol:
            break
    assert talk.protocol == ASSUMED and talk.lengths[0] < 100_000
    talk = Talk(from_start=False).say(SERVER, b"nothing " * 200, 1)
    assert talk.protocol == ASSUMED


def test_nothing_said():
    assert Talk().end().protocol is None


def test_the_size_of_frames_that_0_x_agrees_on():
    tune_ok = amqp_0_9_1.encode_frame(0, amqp_0_9_1.methods.ConnectionTuneOk(2047, 8192, 60))
    talk = Talk().say(CLIENT, amqp_0_9_1.PROTOCOL_HEADER + tune_ok)
    assert talk.conversation.frame_max == [8192, 8192]
    large = b"".join(message0(Random(1), bytes(9000)))
    talk.say(CLIENT, large).say(CLIENT, b"".join(message0(Random(2)))).end()
    assert talk.reasons == {"frame-max": 9008}
    assert len(talk.frames[CLIENT]) == 7


def test_the_size_of_frames_that_each_side_of_1_0_takes():
    talk = (
        Talk().say(CLIENT, amqp_1_0.PROTOCOL_HEADERS["amqp"]).say(SERVER, amqp_1_0.PROTOCOL_HEADERS["amqp"])
    )
    for direction, size in ((CLIENT, 600), (SERVER, 1000)):
        opening = amqp_1_0.performatives.Open(container_id="c", max_frame_size=size)
        talk.say(direction, amqp_1_0.encode_frame(0, opening))
    assert talk.conversation.frame_max == [1000, 600]
    talk.say(CLIENT, b"".join(message1(Random(1), bytes(800)))).say(
        SERVER, b"".join(message1(Random(2), bytes(800)))
    )
    assert [len(frames) for frames in talk.end().frames] == [4, 3]


def test_a_limit_that_is_no_limit():
    tune_ok = amqp_0_9_1.encode_frame(0, amqp_0_9_1.methods.ConnectionTuneOk(0, 0, 0))
    tiny = amqp_0_9_1.encode_frame(0, amqp_0_9_1.methods.ConnectionTuneOk(0, 9, 0))
    talk = Talk().say(
        CLIENT, amqp_0_9_1.PROTOCOL_HEADER + tune_ok + tiny + b"".join(message0(Random(1), bytes(4000)))
    )
    assert len(talk.end().frames[CLIENT]) == 6


def test_octets_that_got_lost_in_here_are_noticed():
    talk = Talk().say(CLIENT, amqp_0_9_1.PROTOCOL_HEADER)
    talk.lengths[0] += 1
    with pytest.raises(LedgerError):
        talk.end()
