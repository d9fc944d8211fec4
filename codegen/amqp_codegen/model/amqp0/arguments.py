"""The arguments that a broker knows in the tables of its methods (``specs/arguments.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# What arguments are about, and the methods whose ``arguments`` have them; those of messages are in the property headers.
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "queue": ("queue.declare",),
    "consumer": ("basic.consume",),
    "exchange": ("exchange.declare",),
    "binding": ("queue.bind", "exchange.bind"),
    "message": (),
}
QUEUE_TYPES = ("classic", "quorum", "stream")
# The types of values; ``texts`` is an array of them.
VALUE_TYPES = ("integer", "text", "boolean", "timestamp", "texts")


@dataclass(frozen=True, slots=True)
class KnownArgument:
    """An argument.

    Attributes:
        subject: What it is about, one of ``SUBJECTS``.
        name: For example ``x-max-length``.
        doc: What it means, units included.
        types: The types that it may have.
        values: The only values; empty for any.
        newest: Those of the values that the newest version takes.
        least: The least integer; ``most``: the greatest.
        pattern: The regular expression of its texts; empty for any.
        needs: The argument that must be there, too; empty for none.
        unchecked: What brokers take without looking: ``value``: anything; ``type``: other types; empty for nothing.
        queues: The type of queue to the first version that knows it, for queues and consumers.
        since: The first version that knows it, for any queue.
        elsewhere: The first version that refuses it for other types of queue.
        until: The last version that heeds it; empty for the newest.
        refused: What later versions do: end the ``channel`` or the ``connection``, ``elsewhere``: that of other types of queue;
            empty for nothing.
        source: Where something is from that no broker was asked for.
    """

    subject: str
    name: str
    doc: str
    types: tuple[str, ...]
    values: tuple[str | int, ...]
    newest: tuple[str | int, ...]
    least: int | None
    most: int | None
    pattern: str
    needs: str
    unchecked: str
    queues: Mapping[str, str]
    since: str
    elsewhere: str
    until: str
    refused: str
    source: str


@dataclass(frozen=True, slots=True)
class ArgumentTable:
    """The content of ``arguments.toml``.

    Attributes:
        version: The specification that has them, ``0-9-1-rabbitmq``.
        profile: The profile of ``validate`` that checks them.
        versions: The versions of the broker that were asked, the oldest first.
        arguments: In file order.
    """

    version: str
    profile: str
    versions: tuple[str, ...]
    arguments: tuple[KnownArgument, ...]

    def of(self, subject: str, queue_type: str = "") -> tuple[KnownArgument, ...]:
        """Return the arguments about something, for one type of queue or for any."""
        return tuple(
            argument
            for argument in self.arguments
            if argument.subject == subject and (not queue_type or queue_type in argument.queues)
        )
