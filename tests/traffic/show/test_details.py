"""The octets of frames beside their meaning."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pytest
from amqp_1_0.types import Symbol
from amqp_codegen.api import decode, load, view
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.frames.formats import PROTOCOL_HEADER, FrameSpan
from amqp_traffic.schemas import PACKAGE1
from amqp_traffic.show.frame_lines import FrameLines, frame_line
from amqp_traffic.show.octets import WIDTH
from amqp_traffic.synth.setting import password_of
from hypothesis import given
from hypothesis import strategies as st

from .lines import RABBITMQ, shown, synthetic

P, M = amqp1.performatives, amqp1.messaging
_ROW = re.compile(r"^ {6}([0-9a-f]{4,}) +((?:[0-9a-f]{2} ?)*)", re.MULTILINE)


def details(frame: FrameSpan, package: str, bodies: bool = False, width: int = WIDTH) -> str:
    lines = FrameLines(bodies, width)
    description = lines.describe(frame, package, "")
    found = [*lines.details(frame, package, "", description)]
    assert frame_line(1, Direction.client_to_server, 0, frame, description)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in found[1:])


def frame0(octets: bytes) -> FrameSpan:
    channel = int.from_bytes(octets[1:3], "big")
    return FrameSpan(0, len(octets), octets[0], channel, octets[7:-1], 1, 24, 0)


def frame1(octets: bytes) -> FrameSpan:
    return FrameSpan(0, len(octets), octets[5], 0, octets[8:], 1, 24, 0)


def octets_of(text: str) -> bytes:
    return b"".join(bytes.fromhex(row) for _, row in _ROW.findall(text))


def test_a_method_is_shown_as_decode_shows_it() -> None:
    octets = amqp0.encode_frame(1, amqp0.methods.QueueDeclare(queue="q", durable=True, arguments={"n": 5}))
    text = details(frame0(octets), RABBITMQ)
    lines = list(view(decode(octets, load("0-9-1-rabbitmq")), width=WIDTH - 6))[1:]
    assert text.splitlines() == [("      " + "".join(piece for piece, _ in line)).rstrip() for line in lines]
    assert octets_of(text) == octets


@pytest.mark.parametrize(("width", "longest"), [(40, 96), (100, 100), (200, 200)])
def test_columns_fit_the_width(width: int, longest: int) -> None:
    """The columns before the values take what they need."""
    frame = frame0(amqp0.encode_frame(1, amqp0.methods.QueueDeclare(queue="q" * 255)))
    assert max(map(len, details(frame, RABBITMQ, width=width).splitlines())) <= longest


def test_letters_of_another_dialect_are_marked() -> None:
    frame = frame0(amqp0.encode_frame(1, amqp0.methods.QueueDeclare(arguments={"k": b"v"})))
    text = details(frame, "amqp_0_9_1")
    assert "error: dialect spec-0-9-1 has no letter 'x'; read as bytes" in text


def test_a_protocol_header_of_any_version() -> None:
    for header in (amqp0.PROTOCOL_HEADER, *amqp1.PROTOCOL_HEADERS.values()):
        frame = FrameSpan(0, 8, PROTOCOL_HEADER, 0, header, 1, 24, 0)
        text = details(frame, "")
        assert octets_of(text) == header
        assert "error" not in text


def test_a_performative() -> None:
    source = M.Source(address="a", filter={Symbol("f"): "x"})
    octets = amqp1.encode_frame(0, P.Attach("l", 0, P.Role.SENDER, source=source))
    text = details(frame1(octets), PACKAGE1)
    assert octets_of(text) == octets
    names = [re.split(r" {2,}", line[38:].strip())[0] for line in text.splitlines()]
    assert [name for name in names if name][:8] == [
        *("AMQP frame", "attach", "name", "handle", "role", "snd-settle-mode", "rcv-settle-mode", "source")
    ]
    assert re.search(r'f +string str8-utf8 +"x"', text)


MESSAGE = amqp1.Message(
    header=M.Header(durable=True),
    properties=M.Properties(message_id="id"),
    application_properties={"k": 1},
    body=M.Data(b"the body"),
    footer={Symbol("f"): 1},
).encode()


def transfer(octets: bytes, tag: bytes | None = b"t") -> FrameSpan:
    return frame1(amqp1.encode_frame(0, P.Transfer(0, 0 if tag else None, tag), octets))


def test_bodies_are_left_out_unless_they_are_wanted() -> None:
    frame = transfer(MESSAGE)
    text = details(frame, PACKAGE1)
    assert re.search(r"data +binary vbin8 +13 octets, not shown", text)
    assert "the body" not in text and b"the body" not in octets_of(text)
    assert "message-id" in text and "footer" in text
    whole = details(frame, PACKAGE1, bodies=True)
    assert '"the body"' in whole and frame.payload in octets_of(whole)
    body = frame0(amqp0.encode_frame(1, amqp0.ContentBody(b"the body")))
    assert "the body" not in details(body, RABBITMQ) and "8 octets, not shown" in details(body, RABBITMQ)
    assert '"the body"' in details(body, RABBITMQ, bodies=True)


def test_what_goes_on_in_another_transfer_is_no_section() -> None:
    """It may look like one."""
    text = details(transfer(MESSAGE, tag=None), PACKAGE1)
    assert re.search(r"payload +\d+ octets, not shown", text)
    assert "message-id" not in text


def test_a_section_that_is_cut_off() -> None:
    text = details(transfer(MESSAGE[:12]), PACKAGE1)
    assert re.search(r"properties .*octets, not shown", text)


@given(st.binary(max_size=60))
def test_payloads_of_any_octets(octets: bytes) -> None:
    frame = transfer(octets)
    assert octets_of(details(frame, PACKAGE1, bodies=True)) == amqp1.encode_frame(
        0, P.Transfer(0, 0, b"t"), octets
    )
    assert details(frame, PACKAGE1)


def test_a_login_that_cannot_be_decoded_is_hidden() -> None:
    """The secret in it was not found, because it cannot be decoded."""
    login = amqp0.methods.ConnectionStartOk({}, "PLAIN", b"\0guest\0secret", "en_US")
    octets = bytearray(amqp0.encode_frame(0, login))
    octets[14] = 0xFF  # the size of its table
    sasl = amqp1.encode_frame(0, amqp1.sasl.SaslInit("PLAIN", b"\0guest\0secret"), sasl=True)
    for frame, package in ((frame0(bytes(octets)), RABBITMQ), (frame1(sasl[:-1]), PACKAGE1)):
        text = details(frame, package, bodies=True)
        assert "octets, not shown" in text
        assert "secret" not in text and b"secret" not in octets_of(text)


def test_deep_values() -> None:
    value: Any = 1
    for _ in range(30):
        value = [value]
    frame = transfer(amqp1.Message(body=M.AmqpValue(value)).encode())
    assert frame.payload in octets_of(details(frame, PACKAGE1, bodies=True))


@pytest.mark.parametrize("bodies", [False, True])
def test_no_password_in_any_form(tmp_path: Path, bodies: bool) -> None:
    path = synthetic(tmp_path / "a", size=400_000, connections=30)
    lines, whole = shown(path, details=True, bodies=bodies)
    assert whole
    text = "\n".join(lines)
    users = set(re.findall(rb'"user": ?"([^"]+)"', Path(f"{path}.labels.jsonl").read_bytes()))
    octets = path.read_bytes()
    passwords = {password_of(user.decode()) for user in users}
    assert passwords
    assert any(password.encode() in octets for password in passwords)
    hexadecimal = "".join(re.findall(r"^ {6}[0-9a-f]{4,} +((?:[0-9a-f]{2} ?)+)", text, re.MULTILINE))
    digits = hexadecimal.replace(" ", "")
    for password in passwords:
        assert password not in text
        assert password.encode().hex() not in digits
    assert "[redacted]" in text
