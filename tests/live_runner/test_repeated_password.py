"""A broker that repeats the password, in whatever form: nothing that we print or write has it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_1_0.performatives import AmqpError, Close, Detach, Error, Open
from amqp_1_0.sasl import SaslCode, SaslMechanisms, SaslOutcome
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.redaction import Redactor
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.transcript import Transcript
from amqp_conformance.reports.forms import REPORTS

from tests.cli.command_calls import call

from .amqp1 import fake_peer
from .fake_broker import Answer, FakeBroker, close_channel, close_connection, fake_broker, say
from .patience import patiently

methods = amqp.methods
RULE = "channel.open/state"
SECRET = "S3CRET'pw\\é&"
LOGIN = f"\0bob\0{SECRET}"

# How a text can have the password in it.
FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in capitals": str.upper,
    "percent-encoded": lambda secret: quote(secret, safe=""),
    "as a literal": lambda secret: repr(secret)[1:-1],
    "as a literal of octets": lambda secret: repr(secret.encode())[2:-1],
    "as JSON": lambda secret: json.dumps(secret)[1:-1],
    "as JSON in JSON": lambda secret: json.dumps(json.dumps(secret))[3:-3],
    "for HTML": lambda secret: secret.replace("&", "&amp;").replace("'", "&#39;").replace("é", "&eacute;"),
    "for HTML, in hexadecimal": lambda secret: "".join(f"&#x{ord(item):X};" for item in secret),
    "in hexadecimal": lambda secret: secret.encode().hex(),
    "in hexadecimal with blanks": lambda secret: secret.encode().hex(" ").upper(),
    "as numbers": lambda secret: str(list(secret.encode())),
    "read as Latin-1": lambda secret: secret.encode().decode("latin-1"),
    "cut at its end": lambda secret: f"{secret[:9]}...",
    "cut at its beginning": lambda secret: f"...{secret[3:]}",
    "in base64": lambda secret: base64.b64encode(secret.encode()).decode(),
    "a login in base64": lambda secret: base64.b64encode(f"\0bob\0{secret}".encode()).decode(),
    "a longer login in base64": lambda secret: base64.b64encode(f"me\0bob\0{secret}".encode()).decode(),
    "the longest login in base64": lambda secret: base64.b64encode(f"bob\0bob\0{secret}!".encode()).decode(),
    "in base64 for URLs": lambda secret: base64.urlsafe_b64encode(f"bob:{secret}".encode()).decode(),
    "a login": lambda secret: f"\0bob\0{secret}",
    "a table": lambda secret: f"\x05LOGINS\0\0\0\x03bob\x08PASSWORDS\0\0\0{chr(len(secret))}{secret}",
}


def shows(text: str, secret: str) -> list[str]:
    """The forms in which a text has it."""
    return [name for name, form in FORMS.items() if "cut" not in name and form(secret) in text]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_replaced(form: str) -> None:
    said = f"REFUSED <{FORMS[form](SECRET)}> is wrong"
    assert (shown := Redactor("bob", SECRET).text(said)).startswith("REFUSED <")
    assert shown.endswith("> is wrong")
    assert "***" in shown
    assert shows(shown, SECRET) == []
    assert "S3CRET" not in shown.upper()


@pytest.mark.parametrize("form", FORMS)
def test_octets_keep_their_length(form: str) -> None:
    said = b"\x01<" + FORMS[form](SECRET).encode() + b">\xce"
    shown = Redactor("bob", SECRET).octets(said)
    assert len(shown) == len(said)
    assert (shown[:2], shown[-2:]) == (b"\x01<", b">\xce")
    assert shows(shown.decode("latin-1"), SECRET) == []
    assert b"**" in shown


def test_a_text_without_it_stays() -> None:
    text = "expected queue.declare-ok, got channel.close 404 (NOT_FOUND - no queue 'x' in vhost '/')"
    assert Redactor("bob", SECRET).text(text) == text
    assert Redactor("bob", "").text(text) == text
    assert Redactor("bob", "").octets(b"\0bob\0") == b"\0bob\0"


# --- a password that could be anything ---

WEAK = {
    "one letter": ("bob", "a"),
    "three": ("bob", "get"),
    "the user": ("bobby", "bobby"),
    "ours": ("guest", "guest"),
}


@pytest.mark.parametrize("name", WEAK)
def test_one_that_is_a_common_text_is_replaced_where_it_is_said_to_be_one(name: str) -> None:
    user, secret = WEAK[name]
    redactor = Redactor(user, secret)
    for said in (
        f"REFUSED login \0{user}\0{secret}",
        f"REFUSED login \\x00{user}\\x00{secret}!",
        f"REFUSED {user}:{secret}",
        f"wrong password {secret}",
        f"wrong password '{secret}'",
        f"the password was: {secret}.",
        f"password={secret}&x",
    ):
        shown = redactor.text(said)
        assert "***" in shown, said
        assert user == secret or user not in said or user in shown
    for said in (f"\0{user}\0{secret}", f"{user}:{secret}", secret):
        assert "***" in redactor.text(f"REFUSED {base64.b64encode(said.encode()).decode()}")
    assert redactor.octets(f"\0{user}\0{secret}".encode()) == f"\0{user}\0{'*' * len(secret)}".encode()


@pytest.mark.parametrize("name", WEAK)
def test_one_that_is_a_common_text_leaves_other_texts_alone(name: str) -> None:
    user, secret = WEAK[name]
    redactor = Redactor(user, secret)
    for text in (
        "expected basic.get-ok, got a frame",
        f"user '{user}' may not get a queue from bobby",
        f"amqp://{user}@localhost/ does not let us in",
        "password authentication failed",
    ):
        assert redactor.text(text) == text


def test_time_grows_with_the_text() -> None:
    """A broker can say much: no form is looked for anew from each place of a long run of its octets."""
    redactor = Redactor("bob", SECRET)
    for run in (
        "S3CRET" * 20_000,
        "\\" * 100_000,
        "0" * 100_000,
        "&#000" * 20_000,
        "83, " * 30_000,
        "AAAA" * 30_000,
    ):
        assert redactor.text(run) == run


# --- where it leaves ---


def target_of(fake: FakeBroker) -> str:
    return f"amqp://bob:{quote(SECRET, safe='')}@127.0.0.1:{fake.port}/"


@pytest.mark.parametrize("form", FORMS)
def test_not_in_the_refusal_of_a_login(form: str) -> None:
    refusal = close_connection(403, f"REFUSED login <{FORMS[form](SECRET)}>")
    with fake_broker({"connection.start-ok": refusal}) as fake:
        result = call("conformance", target_of(fake), "--rules", RULE)
    assert result.code == 2
    assert "REFUSED login <" in result.err[0]
    assert shows("\n".join(result.err), SECRET) == []
    assert "***" in result.err[0]


def repeat(form: str) -> dict[str, Answer]:
    """A broker that has the password in its name, in what it says of itself, and in each refusal."""
    said = FORMS[form](SECRET)
    properties: dict[str, amqp.FieldValue] = {
        "product": f"Fake {said}",
        "version": "1",
        "hint": said.encode(),
    }
    start = methods.ConnectionStart(0, 9, properties, b"PLAIN", b"en_US")
    return {"protocol header": say(start), "channel.open": close_channel(404, f"no <{said}>")}


@pytest.mark.parametrize("form", FORMS)
@patiently
def test_not_in_a_report_and_not_in_a_file_of_expectations(form: str, tmp_path: Path, timeout: float) -> None:
    with fake_broker(repeat(form)) as fake:
        run = carry_out(prepare(RunRequest(read_target(target_of(fake)), "0-9-1", RULE, timeout=timeout)))
        for report in REPORTS.values():
            assert shows(report(run, True), SECRET) == []
            assert "***" in report(run, True)
        written = tmp_path / "known.toml"
        result = call("conformance", target_of(fake), "--rules", RULE, "--write-expectations", written, "-v")
        assert shows("\n".join([*result.out, *result.err]), SECRET) == []
        assert shows(written.read_text(encoding="utf-8"), SECRET) == []
        again = call("conformance", target_of(fake), "--rules", RULE, "--expectations", written)
    assert again.code == 0, again


def test_not_beyond_the_octets_that_are_kept() -> None:
    """The transcript keeps the first 1024 octets of a frame: half of the password is not shown either."""
    start = methods.ConnectionStart(0, 9, {"filling": "x" * 950, "said": SECRET * 9}, b"PLAIN", b"en_US")
    with fake_broker({"protocol header": say(start)}) as fake:
        run = carry_out(prepare(RunRequest(read_target(target_of(fake)), "0-9-1", RULE)))
    octets = b"".join(item.octets for result in run.results for item in result.evidence)
    assert b"S3C" not in octets


def test_not_in_what_a_restart_command_says() -> None:
    rule = "queue.declare.durable/persistence"
    with fake_broker() as fake:
        target = read_target(target_of(fake))
        command = f"printf '%s' \"no restart: {base64.b64encode(LOGIN.encode()).decode()}\"; exit 3"
        run = carry_out(prepare(RunRequest(target, "0-9-1", rule, restart_command=command)))
    assert run.results[0].detail.endswith("***")


@pytest.mark.parametrize("form", FORMS)
@patiently
def test_not_in_a_run_of_1_0(form: str, timeout: float) -> None:
    said = FORMS[form](SECRET)
    refusal = SaslOutcome(SaslCode.AUTH, said.encode())
    offer = SaslMechanisms(["PLAIN"])

    def header(conversation: fake_peer.Conversation, channel: int, octets: bytes, payload: bytes) -> None:
        conversation.socket.sendall(octets)
        if octets == fake_peer.amqp.PROTOCOL_HEADERS["sasl"]:
            conversation.say(offer)

    def detach(conversation: fake_peer.Conversation, channel: int, attach: object, payload: bytes) -> None:
        conversation.say(Detach(0, True, Error(AmqpError.NOT_FOUND, f"no <{said}>")), channel)
        conversation.say(Close(Error(AmqpError.INTERNAL_ERROR, f"no <{said}>")))

    opening = fake_peer.say(Open("fake", properties={"product": f"Fake {said}"}))
    with fake_peer.running(header=header, sasl_init=fake_peer.say(refusal)) as peer:
        url = peer.url.replace("//", f"//bob:{quote(SECRET, safe='')}@")
        result = call("conformance", url, "--spec", "1.0", "--rules", "attach.handle/handle-in-use")
    assert result.code == 2
    assert shows("\n".join(result.err), SECRET) == []
    with fake_peer.running(header=header, attach=detach, open=opening) as peer:
        target = read_target(peer.url.replace("//", f"//bob:{quote(SECRET, safe='')}@"))
        run = carry_out(prepare(RunRequest(target, "1.0", "attach.handle/handle-in-use", timeout=timeout)))
    assert "no <" in run.results[0].detail
    for report in REPORTS.values():
        assert shows(report(run, True), SECRET) == []


@pytest.mark.parametrize(
    "words", [["amqp://bob:S3", "CRETPW@localhost/"], ["amqp://a/", "amqp://bob:S3CRETPW@b/"]]
)
def test_not_when_the_shell_makes_two_words_of_the_url(words: list[str]) -> None:
    result = call("conformance", *words)
    assert result.code == 2
    assert "CRET" not in "\n".join(result.err)
    assert "%20" in result.err[-1]


def test_a_long_frame_is_looked_through_as_far_as_it_is_kept() -> None:
    """A frame may have 16 MB, and there are many: what is not kept costs nothing."""

    class Counting(Redactor):
        seen = 0

        def octets(self, octets: bytes) -> bytes:
            self.seen += len(octets)
            return super().octets(octets)

    redactor = Counting("bob", SECRET)
    transcript = Transcript(redactor)
    transcript.add(
        "received", 1, 1, "content body", "ContentBody", b"x" * 1020 + SECRET.encode() + bytes(1 << 20)
    )
    (exchange,) = transcript.evidence()
    assert (exchange.octets, exchange.size) == (
        b"x" * 1020 + b"*" * 4,
        1020 + len(SECRET.encode()) + (1 << 20),
    )
    assert redactor.seen < 4096
