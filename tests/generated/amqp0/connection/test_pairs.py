"""Every pair of a state and a method of the peer: the tables say what is allowed, and nothing raises."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from ...test_public_names import NAMES_0
from .ends import events, names


class OneEnd:
    """One side of a connection, to which a test says what the other sends."""

    def __init__(self, package: str, side: str) -> None:
        self.amqp: Any = import_module(package)
        self.engine: Any = import_module(f"{package}.client.connection")
        self.methods: Any = self.amqp.methods
        self.peer = "server" if side == "client" else "client"
        login = self.engine.OtherLogin("PLAIN", b"")  # which may be asked questions
        settings = (
            self.engine.ClientSettings(login=login) if side == "client" else self.engine.ServerSettings()
        )
        self.connection: Any = self.engine.Connection(settings)
        self.connection.start(0.0)

    def hear(self, method: Any, channel: int = 0) -> list[Any]:
        """Receive a method; return the events."""
        self.connection.receive_data(self.amqp.encode_frame(channel, method), 0.0)
        return list(events(self.connection))

    def go_to(self, state: str) -> None:
        """Go through the handshake up to a state; what was sent is forgotten."""
        steps = self._client_steps() if self.peer == "server" else self._server_steps()
        while self.connection.state.value != state:
            next(steps)
        self.connection.data_to_send()

    def _client_steps(self) -> Any:
        major, minor = import_module(f"{self.engine.__name__}._handshake")._VERSION
        yield self.hear(self.methods.ConnectionStart(major, minor, {}, b"PLAIN", b"en_US"))
        yield self.hear(self.methods.ConnectionSecure(b"?")) if self.stops_at_challenge else None
        yield self.hear(self.methods.ConnectionTune(9, 8192, 0))
        yield self.hear(self.methods.ConnectionOpenOk())
        yield self.connection.close()

    def _server_steps(self) -> Any:
        yield self.connection.receive_data(self.amqp.PROTOCOL_HEADER, 0.0) or list(events(self.connection))
        yield self.hear(self.methods.ConnectionStartOk({}, "PLAIN", b"", "en_US"))
        yield self.connection.challenge(b"?") if self.stops_at_challenge else None
        yield self.connection.accept_login()
        yield self.hear(self.methods.ConnectionTuneOk(9, 8192, 0))
        yield self.hear(self.methods.ConnectionOpen("/"))
        yield self.connection.accept_open() or list(events(self.connection))
        yield self.connection.close()

    stops_at_challenge = False


STATES = {
    "client": ("HEADER", "SECURE", "CHALLENGED", "OPENING", "OPEN", "CLOSING"),
    "server": ("START", "SECURE", "CHALLENGED", "TUNE", "TUNED", "OPENING", "OPEN", "CLOSING"),
}


def end_in(package: str, side: str, state: str) -> OneEnd:
    end = OneEnd(package, side)
    end.stops_at_challenge = state == "CHALLENGED"
    end.go_to(state)
    return end


@pytest.mark.parametrize("package", NAMES_0)
@pytest.mark.parametrize(("side", "state"), [(side, state) for side in STATES for state in STATES[side]])
def test_every_method_in_every_state(package: str, side: str, state: str) -> None:
    methods = import_module(f"{package}.methods")
    for kind in methods.METHODS.values():
        check(end_in(package, side, state), state, kind)


def check(end: OneEnd, state: str, kind: Any) -> None:
    """Send a method, on channel 1 but for those of the connection, and judge what becomes of it by the tables."""
    engine, methods, connection = end.engine, end.methods, end.connection
    method = kind(delivery_tag=1) if "delivery_tag" in kind.__match_args__ else kind()
    found = end.hear(method, int(not kind.NAME.startswith("connection.")))
    told = f"{kind.NAME} in {state}: {names(found)}, {connection.state}"
    sent = connection.data_to_send()
    moves = engine.states.CONNECTION_STATES[engine.ConnectionState[state]]
    if kind is methods.ConnectionClose:
        assert names(found) == ([] if state == "CLOSING" else ["Closed"]), told
        assert sent == end.amqp.encode_frame(0, methods.ConnectionCloseOk()), told
    elif state == "CLOSING":
        assert names(found) == (["Closed"] if kind is methods.ConnectionCloseOk else []), told
    elif (end.peer, kind) in moves and not (state == "OPEN" and issubclass(kind, engine.states.REPLIES)):
        # What the method says may be wrong: a version, a mechanism, limits. But it may come.
        assert connection.state is not engine.ConnectionState[state] or state in ("OPEN", "SECURE"), told
        assert methods.ConnectionClose.KEY.to_bytes(4, "big") not in sent, told
    elif state == "OPEN" and end.peer == "client" and kind is methods.ChannelOpen:
        assert names(found) == ["ChannelOpened"], told
    else:
        # Channel 1 is not open, so that everything else is refused; who has said nothing yet is not told why.
        assert connection.state.value in ("CLOSING", "CLOSED"), told
        assert (methods.ConnectionClose.KEY.to_bytes(4, "big") in sent) is (
            state not in ("HEADER", "START")
        ), told


@pytest.mark.parametrize("package", NAMES_0)
@pytest.mark.parametrize("side", ["client", "server"])
def test_every_method_on_an_open_channel(package: str, side: str) -> None:
    """Those that the peer may send, and that answer nothing, leave the connection open; all others close."""
    methods: Any = import_module(f"{package}.methods")
    states: Any = import_module(f"{package}.client.connection.states")
    for kind in methods.METHODS.values():
        if kind.HAS_CONTENT or kind.NAME.startswith("connection."):
            continue
        if (
            kind in states.SETTLES or kind in states.NEEDED_MODES
        ):  # by what is in them, not by where they stand
            continue
        end = end_in(package, side, "OPEN")
        if side == "client":
            end.connection.open_channel()
            end.hear(end.methods.ChannelOpenOk(), 1)
        else:
            end.hear(end.methods.ChannelOpen(), 1)
        method = kind(delivery_tag=1) if "delivery_tag" in kind.__match_args__ else kind()
        found = end.hear(method, 1)
        is_allowed = (
            end.peer in kind.SENT_BY
            and not issubclass(kind, states.REPLIES)
            and kind not in (methods.ChannelOpen, methods.ChannelOpenOk, methods.ChannelCloseOk)
        )
        told = f"{kind.NAME}: {names(found)}"
        assert (end.connection.state is end.engine.ConnectionState.OPEN) is is_allowed, told


def test_the_tables_are_those_of_the_class_grammars() -> None:
    states: Any = import_module("amqp_0_9_1_rabbitmq.client.connection.states")
    grammar: Any = import_module("amqp_0_9_1_rabbitmq._states").STATES
    for table, entry in ((states.CONNECTION_STATES, "connection"), (states.CHANNEL_STATES, "channel")):
        assert {move for moves in table.values() for move in moves} == {
            move for moves in grammar[entry].values() for move in moves
        }
