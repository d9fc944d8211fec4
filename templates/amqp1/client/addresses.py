"""Addresses of queues and exchanges of RabbitMQ 4, which calls this form version 2.

    >>> print(QueueAddress("orders/2026"))
    /queues/orders%2F2026
    >>> print(ExchangeAddress("amq.topic", "orders.eu"))
    /exchanges/amq.topic/orders.eu
    >>> parse_address("/queues/orders%2F2026")
    QueueAddress(queue='orders/2026')

Names are percent-encoded, each octet of their UTF-8 but letters, digits and ``-._~`` (RFC 3986). A source has the
address of a queue; a target that of a queue or an exchange. A target without an address takes messages whose field
``to`` has one of these addresses.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import quote, unquote_to_bytes

from ..errors import DecodeError, EncodeError

__all__ = ["ExchangeAddress", "QueueAddress", "parse_address", "quote_segment"]

_QUEUES: Final = "/queues/"
_EXCHANGES: Final = "/exchanges/"
_HEXADECIMAL: Final = frozenset("0123456789abcdefABCDEF")


class QueueAddress(NamedTuple):
    """The address of a queue; ``str`` gives the text.

    Attributes:
        queue: The name of the queue.
    """

    queue: str

    def __str__(self) -> str:
        return _QUEUES + quote_segment(self.queue, "queue")


class ExchangeAddress(NamedTuple):
    """The address of an exchange, as a target; ``str`` gives the text.

    Attributes:
        exchange: The name of the exchange; the default exchange has no address, its queues do.
        routing_key: The routing key of the messages; empty for none.
    """

    exchange: str
    routing_key: str = ""

    def __str__(self) -> str:
        address = _EXCHANGES + quote_segment(self.exchange, "exchange")
        return f"{address}/{quote_segment(self.routing_key, 'routing key')}" if self.routing_key else address


def parse_address(address: str) -> QueueAddress | ExchangeAddress:
    """Read an address of version 2.

    Raises:
        DecodeError: It is not one, for example one of version 1 (``/queue/orders``, ``/exchange/amq.topic/key``), or a
            name in it is empty, is not percent-encoded or is not UTF-8.
    """
    if address.startswith(_QUEUES):
        return QueueAddress(_segment(address, len(_QUEUES), len(address), "queue"))
    if not address.startswith(_EXCHANGES):
        raise DecodeError("does not begin with /queues/ or /exchanges/", path="address", code="invalid-value")
    begin = len(_EXCHANGES)
    slash = address.find("/", begin)
    if slash < 0:
        return ExchangeAddress(_segment(address, begin, len(address), "exchange"))
    exchange = _segment(address, begin, slash, "exchange")
    if slash + 1 == len(address):
        return ExchangeAddress(exchange)
    return ExchangeAddress(exchange, _segment(address, slash + 1, len(address), "routing key"))


def quote_segment(name: str, what: str) -> str:
    """Return a name as it stands between two slashes.

    Raises:
        EncodeError: The name is empty, or is not valid Unicode.
    """
    if not name:
        raise EncodeError("is empty, and no address can have it", what)
    try:
        return quote(name, safe="")
    except UnicodeEncodeError:
        raise EncodeError("is not valid Unicode", what, code="not-unicode") from None


def _segment(address: str, begin: int, end: int, what: str) -> str:
    text = address[begin:end]
    if not text:
        raise DecodeError(f"has an empty {what}", begin, "address", code="invalid-value")
    if "/" in text:
        message = f"has a slash in its {what}, which is written %2F"
        raise DecodeError(message, begin + text.index("/"), "address", code="invalid-value")
    for at, letter in enumerate(text):
        if letter == "%" and not (_HEXADECIMAL.issuperset(text[at + 1 : at + 3]) and len(text) > at + 2):
            raise DecodeError(
                "has a % without two hexadecimal digits", begin + at, "address", code="malformed"
            )
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        raise DecodeError(f"has a {what} that is not UTF-8", begin, "address", code="not-unicode") from None
    except UnicodeEncodeError:
        raise DecodeError(f"has a {what} that is not Unicode", begin, "address", code="not-unicode") from None
