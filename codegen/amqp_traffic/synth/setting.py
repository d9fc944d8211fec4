"""What every conversation uses: a client, random choices, bodies, a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .bodies import BodyMaker
from .chance import Chance
from .utterance import Said

# product, version, platform, as clients send them to RabbitMQ
_PRODUCTS = (
    ("Pika Python Client Library", "1.3.2", "Python 3.11.7"),
    ("RabbitMQ", "5.20.0", "Java"),
    ("RabbitMQ", "6.8.1", ".NET"),
    ("Bunny", "2.22.0", "ruby 3.2.2"),
    ("amqplib", "0.10.3", "Node.JS v20.10.0"),
    ("AMQPLib", "3.6.0", "PHP"),
    ("AMQP 0.9.1 Client", "1.9.0", "golang"),
    ("py-amqp", "5.2.0", "Python 3.10.13"),
)
_CAPABILITIES = {
    "publisher_confirms": True,
    "exchange_exchange_bindings": True,
    "basic.nack": True,
    "consumer_cancel_notify": True,
    "connection.blocked": True,
    "authentication_failure_close": True,
}
_SERVICES = ("billing", "orders", "mailer", "search", "reports", "gateway", "audit", "stock")


@dataclass(frozen=True, slots=True)
class SyntheticClient:
    """A client.

    Attributes:
        product: The product in its properties, beside ``version`` and ``platform``.
        name: The name of the connection.
        user: The user that logs in.
    """

    product: str
    version: str
    platform: str
    name: str
    user: str

    @property
    def password(self) -> str:
        """The password; it is in the capture, and must appear nowhere else."""
        return password_of(self.user)

    def properties(self, extended: bool) -> Mapping[str, Any]:
        """Return the properties in connection.start-ok or open; ``extended`` adds capabilities."""
        properties = {"product": self.product, "version": self.version, "platform": self.platform}
        if extended:
            return properties | {"connection_name": self.name, "capabilities": _CAPABILITIES}
        return properties


def password_of(user: str) -> str:
    """Return the password of a synthetic user."""
    return f"s3cret of {user}"


def make_client(chance: Chance, number: int) -> SyntheticClient:
    """Return the client of the connection with that number."""
    service = chance.pick(_SERVICES)
    name = f"{service}-{number}"
    return SyntheticClient(*chance.pick(_PRODUCTS), name, f"{service}-user-{number}")


def broker_properties(extended: bool) -> Mapping[str, Any]:
    """Return the properties of the broker in connection.start."""
    properties: dict[str, Any] = {"product": "RabbitMQ", "version": "3.13.1", "platform": "Erlang/OTP 26.2.3"}
    if extended:
        properties |= {
            "cluster_name": "rabbit@synthetic",
            "capabilities": _CAPABILITIES | {"per_consumer_qos": True},
        }
    return properties


@dataclass(slots=True)
class Budget:
    """The octets of the capture file that a connection may take. Its packets spend them; then its conversation ends.

    Attributes:
        left: The octets that are left; negative if the connection took more.
    """

    left: int

    def spend(self, octets: int) -> None:
        """Spend octets."""
        self.left -= octets

    @property
    def is_spent(self) -> bool:
        """Whether the conversation should end."""
        return self.left <= 0


@dataclass(frozen=True, slots=True)
class ConversationSetting:
    """What every conversation uses.

    Attributes:
        chance: Decides what happens.
        budget: When it is spent, no other story begins, and the connection is closed.
    """

    client: SyntheticClient
    chance: Chance
    bodies: BodyMaker
    budget: Budget

    def at_once(self, stories: Iterable[Iterator[Said]]) -> Iterator[Said]:
        """Yield from several stories in random order until all are finished."""
        running = list(stories)
        while running:
            story = self.chance.pick(running)
            said = next(story, None)
            if said is None:
                running.remove(story)
            else:
                yield said
