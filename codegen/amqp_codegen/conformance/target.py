"""Where the broker is and who we are there."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from ..model.problem import Problem, SpecError
from ..spec.wording import quote as quote_text

DEFAULT_PORT = 5672
_EXAMPLE = "it looks like amqp://guest:guest@localhost:5672/"


@dataclass(frozen=True, slots=True)
class Target:
    """The parts of ``amqp://user:password@host:port/vhost``; the text form leaves the password out."""

    host: str
    port: int
    user: str
    password: str
    virtual_host: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        virtual_host = "" if self.virtual_host == "/" else quote(self.virtual_host, safe="")
        return f"amqp://{quote(self.user, safe='')}@{host}:{self.port}/{virtual_host}"


def read_target(url: str) -> Target:
    """The parts of a URL; what is not given is as RabbitMQ is set up by default: guest, guest, 5672, ``/``.

    Raises:
        SpecError: It is no such URL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORT
    except ValueError as error:
        raise _no_url(url, f" ({error})") from None
    if parts.scheme != "amqp" or not parts.hostname:
        raise _no_url(url)
    return Target(
        host=parts.hostname,
        port=port,
        user=unquote(parts.username or "guest"),
        password=unquote(parts.password or "guest"),
        virtual_host=unquote(parts.path[1:]) or "/",
    )


def _no_url(url: str, why: str = "") -> SpecError:
    return SpecError([Problem("no-url", f"{quote_text(url)} is no URL of a broker{why}", None, _EXAMPLE)])
