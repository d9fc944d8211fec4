"""A whole AMQP 1.0 conversation: from the first protocol header to the close or a sudden end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..setting import ConversationSetting, broker_properties
from ..utterance import CLIENT, SERVER, HangUp, Said, Turn, broken_off, header
from .stories import SessionStories, Vocabulary

_SECOND = 1_000_000_000
_IDLE_SECONDS = 30


class SyntheticConversation:
    """A conversation between a client and a broker.

    Args:
        with_login: Whether SASL comes first.
        setting: The client, random choices, bodies and budget.
    """

    def __init__(self, with_login: bool, setting: ConversationSetting) -> None:
        self._with_login = with_login
        self._setting = setting
        self._client = setting.client
        self._chance = setting.chance
        self._vocabulary = Vocabulary()
        self._frame_max = setting.chance.pick((131_072, 65_536, 4_096, 512))

    def turns(self) -> Iterator[Turn]:
        """Yield the turns of the conversation."""
        if self._with_login:
            yield from self._login()
        yield from self._open()
        sessions = [
            SessionStories(channel, self._vocabulary, self._frame_max, self._setting)
            for channel in range(self._chance.pick((1, 1, 2, 3)))
        ]
        for said in self._setting.at_once(session.work() for session in sessions):
            yield said
            if self._chance.once_in(500):
                yield self._say(CLIENT, None)._replace(pause=_IDLE_SECONDS // 2 * _SECOND)
                yield self._say(SERVER, None)
        yield from self._end(sessions)

    def _login(self) -> Iterator[Said]:
        sasl, octets = self._vocabulary.amqp.sasl, self._vocabulary.amqp.PROTOCOL_HEADERS["sasl"]
        yield header(CLIENT, octets)
        yield header(SERVER, octets)
        yield self._say(SERVER, sasl.SaslMechanisms(["PLAIN", "ANONYMOUS", "EXTERNAL"]))
        if self._chance.once_in(4):
            yield self._say(CLIENT, sasl.SaslInit("ANONYMOUS", b"nobody"))
        else:
            response = f"\0{self._client.user}\0{self._client.password}".encode()
            yield self._say(CLIENT, sasl.SaslInit("PLAIN", response, "broker.example"))
        yield self._say(SERVER, sasl.SaslOutcome(sasl.SaslCode.OK))

    def _open(self) -> Iterator[Said]:
        octets, performatives = (
            self._vocabulary.amqp.PROTOCOL_HEADERS["amqp"],
            self._vocabulary.amqp.performatives,
        )
        yield header(CLIENT, octets)
        yield header(SERVER, octets)
        common = {
            "max_frame_size": self._frame_max,
            "channel_max": 255,
            "idle_time_out": _IDLE_SECONDS * 1000,
        }
        properties = self._client.properties(extended=False)
        name = self._client.name
        yield self._say(
            CLIENT, performatives.Open(name, hostname="broker.example", properties=properties, **common)
        )
        server_properties = broker_properties(extended=False)
        yield self._say(
            SERVER, performatives.Open("rabbit@synthetic", properties=server_properties, **common)
        )

    def _end(self, sessions: list[SessionStories]) -> Iterator[Turn]:
        """End the connection: most clients close it, some vanish, even within a frame, some outlive the capture."""
        performatives = self._vocabulary.amqp.performatives
        way = self._chance.below(10)
        if way == 0:
            return
        if way == 1:
            yield HangUp(CLIENT, reset=True)
        elif way == 2:
            yield broken_off(next(sessions[0].end()), 9)
            yield HangUp(CLIENT)
        elif way == 3:
            error = performatives.Error("amqp:connection:forced", "the broker is going down")
            yield self._say(SERVER, performatives.Close(error=error))
            yield self._say(CLIENT, performatives.Close())
            yield HangUp(SERVER)
        else:
            for session in sessions:
                yield from session.end()
            yield self._say(CLIENT, performatives.Close())
            yield self._say(SERVER, performatives.Close())
            yield HangUp(CLIENT)

    def _say(self, direction: Any, performative: Any) -> Said:
        return self._vocabulary.say(direction, 0, performative)
