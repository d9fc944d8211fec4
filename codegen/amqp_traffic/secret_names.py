"""What tells a secret: names of values, texts, and messages whose bodies are secret (``specs/secrets.toml``).

``variant_redaction`` replaces such values in rows, ``frames.redaction`` in frames.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from amqp_codegen.support import toml
from amqp_codegen.support.resources import specs_dir

MARKER = "[redacted]"

_FILE = "secrets.toml"
_SEPARATORS = str.maketrans("", "", "-_. ")
_LONGEST_BEGINNING = 64  # octets of a body in which the beginning of a token is searched


@dataclass(frozen=True, slots=True)
class SecretNames:
    """The content of ``secrets.toml``; names are in the form of ``plain_name``, texts in lower case.

    Attributes:
        endings: How names of secrets end.
        whole: Other names of secrets.
        public: How names end that are of no secret after all.
        beginnings: How texts begin that are secret.
        parts: What stands in texts that are secret.
        nodes: Nodes to and from which the bodies of all messages are secret.
        operations: The operations, and the types, of requests whose bodies are secret.
        types: See ``operations``.
        requests: Subjects and addresses of such requests.
    """

    endings: tuple[str, ...]
    whole: tuple[str, ...]
    public: tuple[str, ...]
    beginnings: tuple[str, ...]
    parts: tuple[str, ...]
    nodes: frozenset[str]
    operations: frozenset[str]
    types: frozenset[str]
    requests: frozenset[tuple[str, str]]


@cache
def secret_names() -> SecretNames:
    """Return the names."""
    document = toml.loads((specs_dir() / _FILE).read_text(encoding="utf-8"))
    keys, values, messages = document["keys"], document["values"], document["messages"]
    return SecretNames(
        tuple(map(plain_name, keys["endings"])),
        tuple(map(plain_name, keys["whole"])),
        tuple(map(plain_name, keys["public"])),
        tuple(map(str.lower, values["beginnings"])),
        tuple(map(str.lower, values["parts"])),
        frozenset(map(str.lower, messages["nodes"])),
        frozenset(map(str.lower, messages["operations"])),
        frozenset(map(str.lower, messages["types"])),
        frozenset((subject.lower(), to.lower()) for subject, to in messages["requests"]),
    )


def plain_name(name: str) -> str:
    """Return a name in lower case and without separators."""
    return name.lower().translate(_SEPARATORS)


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Return whether values of this name are secret."""
    known, plain = secret_names(), plain_name(name)
    if plain in known.whole or plain.removeprefix("x") in known.whole:
        return True
    return plain.endswith(known.endings) and not plain.endswith(known.public)


def is_secret_text(text: str | bytes) -> bool:
    """Return whether a text shows itself as a secret."""
    octets = text if isinstance(text, bytes) else text.encode(errors="replace")
    return _secret_text().search(octets) is not None


def may_have_secret(octets: bytes) -> bool:
    """Return whether there may be a name of a secret, or a secret text, in encoded octets."""
    return _any_secret().search(octets) is not None


def any_secret_text(octets: bytes) -> bool:
    """Return whether a secret text may stand anywhere in encoded octets."""
    return _begun_secret().search(octets) is not None


def is_secret_body(octets: bytes) -> bool:
    """Return whether the octets of a body begin with a secret text, perhaps after the head of an encoded value."""
    return any_secret_text(octets[:_LONGEST_BEGINNING])


def is_secret_node(address: object) -> bool:
    """Return whether the bodies of all messages to and from a node are secret."""
    return isinstance(address, str) and _is_secret_address(address)


@lru_cache(maxsize=1024)
def _is_secret_address(address: str) -> bool:
    path = address.partition("?")[0].rstrip("/")
    return path.rpartition("/")[2].lower() in secret_names().nodes


def is_secret_request(to: object, subject: object, operation: object, kind: object) -> bool:
    """Return whether the body of a message is secret by its properties, and its application properties."""
    known = secret_names()
    address, verb, action, type_name = (
        str(value).lower() if isinstance(value, str) else "" for value in (to, subject, operation, kind)
    )
    is_token = action in known.operations or verb in known.operations or type_name in known.types
    return (
        is_token or is_secret_node(address) or (verb, address.partition("?")[0].rstrip("/")) in known.requests
    )


@cache
def _secret_text() -> re.Pattern[bytes]:
    known = secret_names()
    beginnings = rb"\A\s*(?:%b)" % _either(known.beginnings)
    return re.compile(b"|".join((beginnings, _either(known.parts))), re.IGNORECASE)


@cache
def _begun_secret() -> re.Pattern[bytes]:
    known = secret_names()
    return re.compile(_either((*known.beginnings, *known.parts)), re.IGNORECASE)


@cache
def _any_secret() -> re.Pattern[bytes]:
    known = secret_names()
    names = [
        rb"[-_. ]?".join(re.escape(word.encode()) for word in name) for name in (*known.endings, *known.whole)
    ]
    others = (*known.beginnings, *known.parts, *known.operations, *known.nodes, *known.types)
    requests = (to for _, to in known.requests)
    return re.compile(b"|".join((*names, _either((*others, *requests)))), re.IGNORECASE)


def _either(texts: Iterable[str]) -> bytes:
    return b"|".join(re.escape(text.encode()) for text in texts)
