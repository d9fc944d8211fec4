"""What connection.start and connection.tune say is judged: version, mechanisms, limits."""

from __future__ import annotations

from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest

from tests.cli.command_calls import Result, call

from .fake_broker import Answer, Conversation, close_connection, fake_broker, hang_up, keep_silent, say
from .patience import patiently

methods = amqp.methods
HANDSHAKE = "framing.handshake/*-of-*"


def start(major: int = 0, minor: int = 9, mechanisms: bytes = b"PLAIN") -> dict[str, Answer]:
    return {
        "protocol header": say(
            methods.ConnectionStart(major, minor, {"product": "Fake"}, mechanisms, b"en_US")
        )
    }


def tune(channel_max: int = 100, frame_max: int = 1 << 17, heartbeat: int = 0) -> dict[str, Answer]:
    return {"connection.start-ok": say(methods.ConnectionTune(channel_max, frame_max, heartbeat))}


def run(answers: dict[str, Answer], rules: str = HANDSHAKE, *options: str) -> Result:
    with fake_broker(answers) as fake:
        return call("conformance", fake.url, "--spec", "0-9-1", "--rules", rules, *options)


def unexpected(result: Result) -> list[str]:
    return [line.strip() for line in result.out[1:] if "]: failed: " in line]


@pytest.mark.parametrize(
    "answers",
    [
        {},
        start(mechanisms=b"AMQPLAIN PLAIN EXTERNAL"),
        tune(frame_max=0),
        tune(frame_max=4096),
        tune(channel_max=0),
    ],
)
def test_what_is_right(answers: dict[str, Answer]) -> None:
    result = run(answers)
    assert (result.code, unexpected(result)) == (0, [])
    assert "4 passed" in result.out


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (start(8, 0),
         "framing.handshake/version-of-start [MUST]: failed: expected the version of the header, got version 8-0"),
        (start(0, 10),
         "framing.handshake/version-of-start [MUST]: failed: expected the version of the header, got version 0-10"),
        (start(mechanisms=b"AMQPLAIN plain"),
         "framing.handshake/mechanisms-of-start [MUST]: failed: expected names of mechanisms, got b'plain'"),
        (start(mechanisms=b"PLAIN,EXTERNAL AMQPLAIN"),
         "framing.handshake/mechanisms-of-start [MUST]: failed: expected names of mechanisms, got b'PLAIN,EXTERNAL'"),
        (start(mechanisms=b"PLAIN  AMQPLAIN"),
         "framing.handshake/mechanisms-of-start [MUST]: failed: expected names of mechanisms, got b''"),
        (tune(frame_max=4095),
         "framing.handshake/frame-max-of-tune [MUST]: failed: expected 4096 or more or 0 for no limit, got 4095"),
        (tune(frame_max=1),
         "framing.handshake/frame-max-of-tune [MUST]: failed: expected 4096 or more or 0 for no limit, got 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_fails_just_its_rule(answers: dict[str, Answer], says: str) -> None:
    result = run(answers)
    assert (result.code, unexpected(result)) == (1, [says])


def test_the_highest_channel_can_be_opened() -> None:
    def open_low_ones(conversation: Conversation, channel: int, method: Any) -> None:
        answer = say(methods.ChannelOpenOk()) if channel < 50 else close_connection(504, "no such channel")
        answer(conversation, channel, method)

    result = run({"channel.open": open_low_ones})
    (line,) = unexpected(result)
    assert line == (
        "framing.handshake/channel-max-of-tune [MUST]: failed: "
        "expected normal answer: channel.open-ok, got connection.close 504"
    )


# --- the login ---


def logins(answers: dict[str, Answer]) -> tuple[Result, list[str]]:
    with fake_broker(answers) as fake:
        result = call("conformance", fake.url, "--spec", "0-9-1", "--rules", "channel.open/state")
    return result, [frame.mechanism for frame in fake.came if isinstance(frame, methods.ConnectionStartOk)]


def test_we_log_in_with_a_mechanism_that_is_offered() -> None:
    result, mechanisms = logins(start(mechanisms=b"XLAIN AMQPLAIN"))
    assert (result.code, set(mechanisms)) == (0, {"AMQPLAIN"})
    result, mechanisms = logins(start(mechanisms=b"EXTERNAL PLAIN AMQPLAIN"))
    assert (result.code, set(mechanisms)) == (0, {"PLAIN"})


def test_a_login_by_amqplain() -> None:
    with fake_broker(start(mechanisms=b"AMQPLAIN")) as fake:
        assert call("conformance", fake.url, "--spec", "0-9-1", "--rules", "channel.open/state").code == 0
        response, *_ = (frame.response for frame in fake.came if isinstance(frame, methods.ConnectionStartOk))
    assert response == b"\x05LOGINS\0\0\0\x05guest\x08PASSWORDS\0\0\0\x06secret"


@pytest.mark.parametrize("mechanisms", [b"XLAIN", b"", b"EXTERNAL plain"])
def test_a_server_that_offers_nothing_that_we_have(mechanisms: bytes) -> None:
    result, sent = logins(start(mechanisms=mechanisms))
    assert (result.code, sent) == (2, [])
    assert (
        f"expected PLAIN or AMQPLAIN among the mechanisms of connection.start, got {mechanisms!r}"
        in result.err[0]
    )


def test_a_mechanism_that_is_known_and_not_offered_is_to_be_refused() -> None:
    """The server takes PLAIN although it offers AMQPLAIN alone; made-up ones it refuses."""

    def take_plain(conversation: Conversation, channel: int, method: Any) -> None:
        known = method.mechanism in ("PLAIN", "AMQPLAIN")
        (tune()["connection.start-ok"] if known else hang_up)(conversation, channel, method)

    def take_offered(conversation: Conversation, channel: int, method: Any) -> None:
        (tune()["connection.start-ok"] if method.mechanism == "AMQPLAIN" else hang_up)(
            conversation, channel, method
        )

    rule = "connection.start-ok.mechanism/validity"
    only = start(mechanisms=b"AMQPLAIN")
    result = run({**only, "connection.start-ok": take_plain}, rule)
    (line,) = unexpected(result)
    assert (result.code, line.partition("]: ")[2]) == (
        1,
        "failed: expected that PLAIN, which is not offered, ends the socket, got connection.tune",
    )
    assert run({**only, "connection.start-ok": take_offered}, rule).code == 0


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (hang_up, "expected connection.open-ok, but the broker closed the socket"),
        (keep_silent, "expected connection.open-ok, got no answer"),
        (close_connection(501, "no"), "expected connection.open-ok, got connection.close 501 (no)"),
    ],
)
@patiently
def test_a_frame_max_below_the_smallest_is_named_when_the_login_fails(
    answer: Answer, says: str, timeout: float
) -> None:
    result = run(
        {**tune(frame_max=4095), "connection.open": answer}, "channel.open/state", "--timeout", str(timeout)
    )
    assert result.code == 2
    assert (
        f"{says}; connection.tune proposes a frame-max of 4095, and frame-min-size is 4096" in result.err[0]
    )


def test_we_do_not_agree_to_a_frame_max_below_the_smallest() -> None:
    with fake_broker(tune(frame_max=4095)) as fake:
        assert call("conformance", fake.url, "--rules", "channel.open/state").code == 0
    assert {frame.frame_max for frame in fake.came if isinstance(frame, methods.ConnectionTuneOk)} == {4096}
