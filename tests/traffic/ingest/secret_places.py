"""Captures with a secret in each place where a peer may put one; each place has its own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1

from ..capture_builder import Conversation, captured, pcap

CLIENT, SERVER = 0, 1
messaging, performatives = amqp1.messaging, amqp1.performatives
SENDER, RECEIVER = performatives.Role.SENDER, performatives.Role.RECEIVER
NAMES = (
    *("password", "token", "Authorization", "x-opt-sas-token", "com.microsoft:api-key", "clientSecret"),
    *("SharedAccessKey", "db_password", "PWD", "access.token", "x-jwt"),
)
# What tells a request whose body is a token: application properties, subject, to.
TOKEN_REQUESTS: tuple[tuple[dict[str, Any], str | None, str | None], ...] = (
    ({"operation": "put-token", "type": "amqp:jwt", "name": "a"}, None, None),
    ({"operation": "set-token"}, None, None),
    ({"type": "servicebus.windows.net:sastoken"}, None, None),
    ({}, "set-token", None),
    ({}, "PUT", "/auth/tokens"),
    ({}, None, "amqps://host/$cbs"),
)


class Places:
    """Hands out secrets, and keeps them with the names of their places."""

    def __init__(self) -> None:
        self.secrets: dict[str, str] = {}

    def new(self, place: str) -> str:
        secret = f"sw0rdfish{len(self.secrets):03}QzX"
        self.secrets[f"{len(self.secrets)}: {place}"] = secret
        return secret

    def maps(self, place: str) -> dict[str, Any]:
        """Keys in use, on several levels, and texts that are secrets themselves."""
        new = self.new
        return {
            **{name: new(f"{place} {name}") for name in NAMES},
            "octets token": new(f"{place} octets").encode(),
            "nested": {"list": [{"password": new(f"{place} nested")}]},
            "token": {"deep": [new(f"{place} value of a secret")]},
            "any": f"Bearer {new(f'{place} bearer')}",
            "sas": f"SharedAccessSignature sr=a&sig={new(f'{place} sas')}",
            "connect": f"Endpoint=sb://a/;SharedAccessKeyName=k;SharedAccessKey={new(f'{place} key')}",
            "open": "shown",
        }


def symbols(values: dict[str, Any]) -> dict[Any, Any]:
    return {amqp1.Symbol(key): value for key, value in values.items()}


def frame1(performative: Any, payload: bytes = b"", channel: int = 0) -> bytes:
    octets = performative.encode() + payload
    return (8 + len(octets)).to_bytes(4, "big") + b"\x02\0" + channel.to_bytes(2, "big") + octets


def body_of(kind: str, secret: str) -> bytes:
    bodies: dict[str, Callable[[], Any]] = {
        "value": lambda: messaging.AmqpValue(secret),
        "binary": lambda: messaging.AmqpValue(secret.encode()),
        "data": lambda: messaging.Data(secret.encode()),
        "sequence": lambda: messaging.AmqpSequence([secret, 1]),
        "map": lambda: messaging.AmqpValue({"a": secret}),
    }
    octets: bytes = bodies[kind]().encode()
    return octets


class Talk1:
    """A connection of 1.0; ``begin`` leaves out what comes before the links, as in a capture that begins later."""

    def __init__(self) -> None:
        self.spoken = Conversation().open()
        self._number = 0

    def say(self, direction: int, octets: bytes) -> None:
        self.spoken.send(direction, octets, 10_000)

    def begin(self, properties: dict[Any, Any] | None = None) -> None:
        for direction in (CLIENT, SERVER):
            self.say(direction, amqp1.PROTOCOL_HEADERS["amqp"])
        for direction in (CLIENT, SERVER):
            self.say(direction, frame1(performatives.Open("c", properties=properties or {})))
        windows: Any = {"next_outgoing_id": 0, "incoming_window": 99, "outgoing_window": 99}
        for direction, remote in ((CLIENT, None), (SERVER, 0)):
            begin = performatives.Begin(remote_channel=remote, properties=properties or {}, **windows)
            self.say(direction, frame1(begin))

    def attach(self, name: str, handle: int, source: str, target: str, role: Any = SENDER) -> None:
        other = RECEIVER if role is SENDER else SENDER
        for direction, mine in ((CLIENT, role), (SERVER, other)):
            ends: Any = {
                "source": messaging.Source(address=source),
                "target": messaging.Target(address=target),
            }
            count: Any = {"initial_delivery_count": 0} if mine is SENDER else {}
            self.say(direction, frame1(performatives.Attach(name, handle + direction, mine, **ends, **count)))

    def message(self, direction: int, handle: int, octets: bytes, cuts: tuple[int, ...] = ()) -> None:
        """A message, cut at these places into transfers."""
        bounds = (0, *cuts, len(octets))
        for index, (start, end) in enumerate(itertools.pairwise(bounds)):
            first: Any = (
                {"delivery_id": self._number, "delivery_tag": b"t", "message_format": 0} if not index else {}
            )
            transfer = performatives.Transfer(handle, more=end < len(octets), settled=True, **first)
            self.say(direction, frame1(transfer, octets[start:end]))
        self._number += 1

    def capture(self) -> bytes:
        return pcap(captured(self.spoken.close().packets))


def captures() -> Iterator[tuple[str, bytes, dict[str, str]]]:
    """All captures: names, octets, and secrets by place."""
    for name, make in (
        *(("fields", _fields), ("messages", _messages), ("nodes", _nodes), ("mid-stream", _mid_stream)),
        *(("split", _split), ("amqp0", _amqp0), ("undecodable", _undecodable)),
    ):
        places = Places()
        yield name, make(places), places.secrets


def _fields(places: Places) -> bytes:
    """Maps in fields of performatives."""

    def secrets(place: str) -> dict[Any, Any]:
        return symbols(places.maps(place))

    def error(place: str) -> Any:
        return performatives.Error(amqp1.Symbol("amqp:not-found"), "gone", secrets(place))

    talk = Talk1()
    talk.begin(secrets("open and begin"))
    filters = {"f": amqp1.Described(amqp1.Symbol("x:y"), {"password": places.new("filter")})}
    source = messaging.Source(
        address="q", dynamic_node_properties=secrets("node properties"), filter=symbols(filters)
    )
    target = messaging.Target(dynamic=True, dynamic_node_properties=secrets("target"))
    unsettled = {b"tag": messaging.Rejected(error("unsettled"))}
    talk.say(
        CLIENT,
        frame1(
            performatives.Attach(
                "n", 0, SENDER, source=source, target=target, unsettled=unsettled,
                initial_delivery_count=0, properties=secrets("attach"),
            )
        ),
    )  # fmt: skip
    flow: Any = {"incoming_window": 9, "next_outgoing_id": 1, "outgoing_window": 9}
    talk.say(SERVER, frame1(performatives.Flow(**flow, properties=secrets("flow"))))
    state = messaging.Rejected(error("rejected"))
    talk.say(CLIENT, frame1(performatives.Transfer(0, 0, b"t", 0, state=state), body_of("value", "shown")))
    talk.say(SERVER, frame1(performatives.Disposition(RECEIVER, 0, state=messaging.Rejected(error("state")))))
    annotations = messaging.Modified(message_annotations=secrets("modified"))
    talk.say(SERVER, frame1(performatives.Disposition(RECEIVER, 0, settled=True, state=annotations)))
    talk.say(CLIENT, frame1(performatives.Detach(0, closed=True, error=error("detach"))))
    talk.say(CLIENT, frame1(performatives.End(error("end"))))
    talk.say(SERVER, frame1(performatives.Close(error("close"))))
    return talk.capture()


def _sections(places: Places, place: str) -> bytes:
    parts = (
        messaging.DeliveryAnnotations(symbols(places.maps(f"{place} delivery annotations"))),
        messaging.MessageAnnotations(symbols(places.maps(f"{place} message annotations"))),
        messaging.Properties(to="q", subject="s"),
        messaging.ApplicationProperties(
            {
                key: value
                for key, value in places.maps(f"{place} properties").items()
                if isinstance(value, (str, bytes))
            }
        ),
        messaging.Data(b"shown"),
        messaging.Footer(symbols(places.maps(f"{place} footer"))),
    )
    return b"".join(part.encode() for part in parts)


def _messages(places: Places) -> bytes:
    talk = Talk1()
    talk.begin()
    talk.attach("out", 0, "here", "q")
    talk.message(CLIENT, 0, _sections(places, "whole"))
    return talk.capture()


def _split(places: Places) -> bytes:
    """Messages whose sections, and bodies, are cut anywhere."""
    talk = Talk1()
    talk.begin()
    talk.attach("out", 0, "here", "q")
    octets = _sections(places, "cut")
    talk.message(CLIENT, 0, octets, tuple(range(40, len(octets), 40)))
    for index, (said, subject, to) in enumerate(TOKEN_REQUESTS):
        head = (
            messaging.Properties(to=to, subject=subject).encode()
            + messaging.ApplicationProperties(said).encode()
        )
        for step in (7, 33, len(head), len(head) + 8):
            whole = head + body_of("value", places.new(f"request {index} by {step}"))
            talk.message(CLIENT, 0, whole, tuple(range(step, len(whole), step)))
    return talk.capture()


def _nodes(places: Places) -> bytes:
    """Links to and from nodes, in both directions, under handles that are used again."""
    talk = Talk1()
    talk.begin()
    for turn, node in enumerate(("$cbs", "amqp://host/$cbs", "/tenant/$cbs", "$CBS/")):
        talk.attach(f"to {turn}", 0, "here", node)
        talk.attach(f"from {turn}", 4, node, "here", RECEIVER)
        for kind in ("value", "binary", "data", "sequence", "map"):
            for cuts in ((), (3,), (9, 12)):
                talk.message(CLIENT, 0, body_of(kind, places.new(f"to {node} {kind} {cuts}")), cuts)
                talk.message(SERVER, 5, body_of(kind, places.new(f"from {node} {kind} {cuts}")), cuts)
        for direction in (CLIENT, SERVER):
            for handle in (0, 4):
                talk.say(direction, frame1(performatives.Detach(handle + direction, closed=True)))
    return talk.capture()


def _mid_stream(places: Places) -> bytes:
    """No attach was captured."""
    talk = Talk1()
    talk.begin()
    for index, (said, subject, to) in enumerate(TOKEN_REQUESTS):
        for kind in ("value", "data", "sequence"):
            head = (
                messaging.Properties(to=to, subject=subject).encode()
                + messaging.ApplicationProperties(said).encode()
            )
            talk.message(CLIENT, 0, head + body_of(kind, places.new(f"request {index} {kind}")))
    for kind in ("value", "data"):
        token = f"SharedAccessSignature sr=a&sig={places.new(f'alone {kind}')}&se=1"
        talk.message(CLIENT, 3, body_of(kind, token))
    return talk.capture()


def _undecodable(places: Places) -> bytes:
    """Performatives that cannot be decoded, and octets that are no frames."""
    talk = Talk1()
    talk.begin()
    talk.attach("out", 0, "here", "$cbs")
    attach = performatives.Attach("n", 7, SENDER, properties=symbols({"token": places.new("attach")}))
    talk.say(CLIENT, frame1(attach).replace(b"\xa1\x01n", b"\xa1\x01\xff"))
    transfer = frame1(performatives.Transfer(0, 1, b"t", 0), body_of("data", places.new("transfer")))
    talk.say(CLIENT, transfer.replace(b"\xa0\x01t", b"\xa2\x01t"))
    return talk.capture()


def _amqp0(places: Places) -> bytes:
    talk = Conversation().open()

    def tables(place: str) -> dict[str, Any]:
        return places.maps(place)

    def say(direction: int, frame: Any, channel: int = 1) -> None:
        talk.send(direction, amqp0.encode_frame(channel, frame), 10_000)

    methods = amqp0.methods
    talk.send(CLIENT, amqp0.PROTOCOL_HEADER)
    product = {"product": "RabbitMQ", "version": "4.0.0"}
    say(SERVER, methods.ConnectionStart(server_properties=product | tables("start")), 0)
    start_ok = methods.ConnectionStartOk(
        client_properties=tables("start-ok"), mechanism="PLAIN", response=b"\0u\0p"
    )
    say(CLIENT, start_ok, 0)
    say(CLIENT, methods.ChannelOpen())
    say(CLIENT, methods.QueueDeclare(queue="q", arguments=tables("queue.declare")))
    say(CLIENT, methods.ExchangeDeclare(exchange="e", arguments=tables("exchange.declare")))
    say(CLIENT, methods.QueueBind(queue="q", exchange="e", arguments=tables("queue.bind")))
    say(CLIENT, methods.BasicConsume(queue="q", arguments=tables("basic.consume")))
    say(CLIENT, methods.BasicPublish(routing_key="q"))
    say(CLIENT, amqp0.ContentHeader(amqp0.content.BasicProperties(headers=tables("header")), 5))
    say(CLIENT, amqp0.content.ContentBody(b"hello"))
    broken = methods.QueueDeclare(queue="q", arguments={"token": places.new("undecodable")})
    talk.send(CLIENT, amqp0.encode_frame(1, broken).replace(b"\x05tokenS", b"\x05token\xfe"))
    return pcap(captured(talk.close().packets))


CAPTURES = {name: (octets, secrets) for name, octets, secrets in captures()}
# Parts that each secret has: where a frame ends within one, the whole does not stand anywhere.
PARTS = (b"sw0rd", b"0rdfi", b"rdfish", b"QzX")


def file_of(name: str, folder: Path) -> Path:
    path = folder / f"{name}.pcap"
    path.write_bytes(CAPTURES[name][0])
    return path


def leaked(name: str, octets: bytes) -> list[str]:
    """The places whose secrets are in some octets, as they are or in hexadecimal."""
    spaced = octets.lower().replace(b" ", b"").replace(b"\n", b"")
    found = [
        place
        for place, secret in CAPTURES[name][1].items()
        if secret.encode() in octets or secret.encode().hex().encode() in spaced
    ]
    parts = [part for part in PARTS if part in octets or part.hex().encode() in spaced]
    return found or [f"part {part!r}: {octets[octets.find(part) - 300:][:400]!r}" for part in parts]
