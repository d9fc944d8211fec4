"""A whole 0-x conversation: from the protocol header to the close or a sudden end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amqp_codegen.support.resources import load_package

from ..setting import ConversationSetting, broker_properties
from ..utterance import CLIENT, SERVER, HangUp, Said, Turn, broken_off, header
from .stories import ROLES, ChannelStories
from .vocabulary import Vocabulary

_SECOND = 1_000_000_000
_HEARTBEAT_SECONDS = 60
_CONNECTION_FORCED, _SUCCESS = 320, 200


@dataclass(frozen=True, slots=True)
class AnnouncedVersion:
    """A version as clients announce it.

    Attributes:
        package: The generated package.
        header: The protocol header.
        number: The version in connection.start, major and minor.
    """

    package: str
    header: bytes
    number: tuple[int, int]


VERSIONS = {
    "0-9-1-rabbitmq": AnnouncedVersion("amqp_0_9_1_rabbitmq", b"AMQP\x00\x00\x09\x01", (0, 9)),
    "0-9-1": AnnouncedVersion("amqp_0_9_1", b"AMQP\x00\x00\x09\x01", (0, 9)),
    "0-9": AnnouncedVersion("amqp_0_9", b"AMQP\x01\x01\x00\x09", (0, 9)),
    "0-8": AnnouncedVersion("amqp_0_8", b"AMQP\x01\x01\x08\x00", (8, 0)),
    # Old clients announce 9-1 in the old header layout, then speak 0-8.
    "0-8-as-9-1": AnnouncedVersion("amqp_0_8", b"AMQP\x01\x01\x09\x01", (8, 0)),
}


class SyntheticConversation:
    """A conversation between a client and a broker.

    Args:
        setting: The client, random choices, bodies and budget.
    """

    def __init__(self, version: AnnouncedVersion, setting: ConversationSetting) -> None:
        self._version = version
        self._setting = setting
        self._client = setting.client
        self._chance = setting.chance
        self._vocabulary = Vocabulary(load_package(version.package))
        self._frame_max = setting.chance.pick((131_072, 131_072, 65_536, 4_096))

    def turns(self) -> Iterator[Turn]:
        """Yield the turns of the conversation."""
        yield from self._begin()
        roles, first_role = list(ROLES), self._chance.below(len(ROLES))
        channels = [
            ChannelStories(number, self._vocabulary, self._frame_max, self._setting)
            for number in range(1, self._chance.pick((1, 1, 2, 5, 8)) + 1)
        ]
        stories = [
            channel.work(roles[role % len(roles)]) for role, channel in enumerate(channels, first_role)
        ]
        for said in self._setting.at_once(stories):
            yield said
            if self._chance.once_in(500):
                yield from self._silence()
        yield from self._end(channels)

    def _begin(self) -> Iterator[Said]:
        yield header(CLIENT, self._version.header)
        major, minor = self._version.number
        extended = self._vocabulary.extended
        yield self._server(
            "start",
            version_major=major,
            version_minor=minor,
            server_properties=broker_properties(extended),
            mechanisms=b"PLAIN AMQPLAIN",
            locales=b"en_US",
        )
        mechanism, response = self._login()
        properties = self._client.properties(extended)
        fields = {"client_properties": properties, "mechanism": mechanism, "response": response}
        yield self._say(CLIENT, "start-ok", **fields, locale="en_US")
        limits = {"channel_max": 2047, "heartbeat": _HEARTBEAT_SECONDS}
        yield self._server("tune", **limits, frame_max=131_072)
        yield self._say(CLIENT, "tune-ok", **limits, frame_max=self._frame_max)
        yield self._say(CLIENT, "open", virtual_host="/")
        yield self._server("open-ok")

    def _login(self) -> tuple[str, bytes]:
        """Return mechanism and response; the response of AMQPLAIN is a field table without its length."""
        user, password = self._client.user, self._client.password
        if self._chance.once_in(4):
            table: bytes = self._vocabulary.amqp.encode_table({"LOGIN": user, "PASSWORD": password})
            return "AMQPLAIN", table[4:]
        return "PLAIN", f"\0{user}\0{password}".encode()

    def _silence(self) -> Iterator[Said]:
        """Yield heartbeats of both sides after a silence."""
        pause = _HEARTBEAT_SECONDS // 2 * _SECOND
        yield self._vocabulary.heartbeat(CLIENT, pause)
        yield self._vocabulary.heartbeat(SERVER, self._chance.below(_SECOND))
        if self._vocabulary.has("connection.blocked"):
            yield self._server("blocked", reason="low on memory")
            yield self._server("unblocked")

    def _end(self, channels: list[ChannelStories]) -> Iterator[Turn]:
        """End the connection: most clients close it, some vanish, even within a frame, some outlive the capture."""
        way = self._chance.below(12)
        if way == 0:
            return
        if way == 1:
            yield HangUp(CLIENT, reset=True)
        elif way == 2:
            yield HangUp(CLIENT)
        elif way == 3:
            last = next(channels[0].publish())
            yield broken_off(last, self._chance.between(1, len(last.octets) - 1))
            yield HangUp(CLIENT, reset=True)
        elif way == 4:
            text = "CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'"
            yield self._server("close", reply_code=_CONNECTION_FORCED, reply_text=text)
            yield self._say(CLIENT, "close-ok")
            yield HangUp(SERVER)
        else:
            for channel in channels:
                yield from channel.close()
            yield self._say(CLIENT, "close", reply_code=_SUCCESS, reply_text="Normal shutdown")
            yield self._server("close-ok")
            yield HangUp(CLIENT)

    def _say(self, direction: Any, name: str, **fields: Any) -> Said:
        return self._vocabulary.say(direction, 0, f"connection.{name}", **fields)

    def _server(self, name: str, **fields: Any) -> Said:
        return self._say(SERVER, name, **fields)
