"""Redaction of secrets in frames, before any other part of the program gets them.

These are replaced by ``MARKER``, unless they are empty:

- 0-x: the response of connection.start-ok (PLAIN, AMQPLAIN and all others) and of connection.secure-ok, and the new
  secret of connection.update-secret; on any channel, in any version.
- 1.0: initial-response of sasl-init, response of sasl-response.
- In the client properties of connection.start-ok, and in the properties of ``open``, on any level: values whose keys
  are names of secrets, such as ``password`` or ``access_token``, and texts that are tokens; see ``secret_names``.

The frame is then encoded again, so the marker is in whatever is decoded from it or shown in hexadecimal. If a frame
cannot be decoded, or is an unknown SASL frame, only the octets that identify it are kept; and where properties are nested
too deep for this program, properties without content that are so, too.

User names are not secrets; ``Login`` has them. What is secret in other frames and in messages is left out of their rows by
``variant_redaction``, and of what is shown by ``show.frame_secrets``. Not searched for secrets: bodies of messages of 0-x, and
challenges of the server, which do not reveal a password.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from operator import is_
from secrets import token_bytes
from types import ModuleType
from typing import Any

from amqp_codegen.support.resources import load_package

from ..rows import decode_text, valid_text
from ..schemas import PACKAGE1
from ..secret_names import MARKER, is_secret_name, is_secret_text
from .amqp0.frame_format import method_octets

_MARKER = MARKER.encode()

_START_OK, _UPDATE_SECRET = map(method_octets, ("ConnectionStartOk", "ConnectionUpdateSecret"))
# The field with the secret, by the first octets of the method.
_SECRETS0 = {
    _START_OK: "response",
    method_octets("ConnectionSecureOk"): "response",
    _UPDATE_SECRET: "new_secret",
}
# The methods with secrets, by class id << 16 | method id.
SECRET_METHODS = frozenset(int.from_bytes(key, "big") for key in _SECRETS0)
_MOST_KNOWN = 1024  # redacted methods that are remembered
_DIGEST_KEY = token_bytes(32)  # whoever gets a digest cannot try passwords against it
_PAIR = 2  # of a name and a value, where they stand in lists
_TOO_DEEP = 100  # levels; the generated packages decode 64
_DESCRIPTOR_OCTETS = 3  # what is kept of an ``open`` that cannot be decoded
_SECRETS1 = {"sasl-init": "initial_response", "sasl-response": "response"}


@dataclass(frozen=True, slots=True)
class Login:
    """A login without its password.

    Attributes:
        mechanism: The SASL mechanism.
        user: The user name; empty if the mechanism does not send one.
    """

    mechanism: str
    user: str = ""


def redact_method(payload: bytes, package: str) -> tuple[bytes, Login | None]:
    """Redact the secrets in a method of class connection of 0-x. Return the payload, and the login of a start-ok."""
    key = payload[:4]
    field = _SECRETS0.get(key)
    if field is None:
        return payload, None
    # Clients log in with the same octets again and again. No secret is kept for that.
    known = _redactions()
    name = blake2b(payload, digest_size=32, key=_DIGEST_KEY, person=package[-16:].encode()).digest()
    found = known.get(name)
    if found is None:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        found = known[name] = _redact_method(payload, package, key, field)
    return found


@cache
def _redactions() -> dict[bytes, tuple[bytes, Login | None]]:
    """Return redacted methods by the digests of what they were."""
    return {}


def _redact_method(payload: bytes, package: str, key: bytes, field: str) -> tuple[bytes, Login | None]:
    # Only this package has update-secret, which peers of another version should not send, but may.
    amqp = load_package("amqp_0_9_1_rabbitmq" if key == _UPDATE_SECRET else package)
    try:
        method: Any = amqp.decode_method(payload, lossless=True, lenient=True)
        login = None
        if key == _START_OK:
            mechanism = valid_text(method.mechanism)
            login = Login(mechanism, _user(amqp, mechanism, method.response))
            method.client_properties = without_secrets(method.client_properties)
        if getattr(method, field):
            setattr(method, field, _MARKER)
        redacted: bytes = method.encode(dialect="rabbitmq")  # this dialect has all types of values
    except amqp.errors.LimitExceeded:
        return key + _table(_TOO_DEEP), None
    except amqp.errors.CodecError:
        return key, None
    return redacted, login


def _table(levels: int) -> bytes:
    """Return a field table with that many tables in each other, and nothing else."""
    octets = bytes(4)
    for _ in range(levels):
        octets = (len(octets) + 3).to_bytes(4, "big") + b"\1_F" + octets
    return octets


def _deep_open(levels: int) -> bytes:
    """Return an open whose properties have that many lists in each other, and nothing else."""
    octets = b"\x45"
    for _ in range(levels):
        octets = _list(1, octets)
    properties = b"\xd1" + _list(2, b"\xa3\1_" + octets)[1:]  # a map differs from a list in its constructor
    before = b"\xa1\0" + b"\x40" * 8  # container-id, which is mandatory, and eight times null
    return b"\0\x53\x10" + _list(10, before + properties)


def _list(count: int, items: bytes) -> bytes:
    return b"\xd0" + (len(items) + 4).to_bytes(4, "big") + count.to_bytes(4, "big") + items


def redact_performative(payload: bytes, is_sasl: bool) -> tuple[bytes, Any, Login | None]:
    """Redact the secrets in the body of a frame of AMQP 1.0: a SASL frame, or one that may be ``open``.

    Returns:
        The redacted body; the performative, if it could be decoded; the login, if it is a sasl-init.
    """
    amqp = load_package(PACKAGE1)
    performative: Any
    try:
        performative, end = amqp.decode(payload)
        name = getattr(performative, "NAME", "")
        if is_sasl:
            return _redact_sasl(amqp, performative, name, payload[:end])
        redacted = without_secrets(performative)
        if redacted is not performative:
            return redacted.encode() + payload[end:], redacted, None
    except amqp.errors.LimitExceeded:
        return (b"" if is_sasl else _deep_open(_TOO_DEEP)), None, None
    except amqp.errors.CodecError:
        return (b"" if is_sasl else payload[:_DESCRIPTOR_OCTETS]), None, None
    return payload, performative, None


def _redact_sasl(
    amqp: ModuleType, performative: Any, name: str, payload: bytes
) -> tuple[bytes, Any, Login | None]:
    if not name:
        return b"", None, None
    login = None
    if name == "sasl-init":
        response = performative.initial_response or b""
        login = Login(str(performative.mechanism), _user(amqp, str(performative.mechanism), response))
    field = _SECRETS1.get(name)
    if field is not None and getattr(performative, field):
        setattr(performative, field, _MARKER)
        payload = performative.encode()
    return payload, performative, login


def _user(amqp: ModuleType, mechanism: str, response: bytes) -> str:
    """Return the user name in a SASL response (PLAIN: RFC 4616; AMQPLAIN: a field table without its length)."""
    if mechanism == "PLAIN" and response.count(b"\0") == 2:
        return decode_text(response.split(b"\0")[1])
    if mechanism == "AMQPLAIN":
        try:
            table, _ = amqp.decode_table(len(response).to_bytes(4, "big") + response, lenient=True)
        except amqp.errors.CodecError:
            return ""
        return str(table.get("LOGIN", ""))
    return ""


def without_secrets(value: Any) -> Any:
    """Return a decoded value or composite without secrets; the same object if it has none."""
    if isinstance(value, (str, bytes)):
        return _without_secret_text(value)
    if isinstance(value, Mapping):
        pairs = _redacted_pairs(value.items())
        return value if pairs is None else dict(pairs)
    if isinstance(value, (list, tuple)):
        items = [without_secrets(item) for item in value]
        if len(items) == _PAIR and _is_secret(items[0]):
            return [items[0], MARKER]
        return value if all(map(is_, items, value)) else items
    if hasattr(value, "pairs"):  # Map: keys that no dict has
        pairs = _redacted_pairs(value.pairs)
        return value if pairs is None else type(value)(pairs)
    if hasattr(value, "items"):  # Array: its elements have one type
        items = list(value.items)
        return value if without_secrets(items) is items else MARKER
    return _without_secrets_inside(value)


def _without_secret_text(value: str | bytes) -> Any:
    if not is_secret_text(value):
        return value
    return _MARKER if isinstance(value, bytes) else type(value)(MARKER)


def _redacted_pairs(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]] | None:
    """Return the pairs of a map without secrets; None if there are none."""
    before = list(pairs)
    after = [(key, MARKER if _is_secret(key) else without_secrets(inner)) for key, inner in before]
    return None if all(new[1] is old[1] for new, old in zip(after, before, strict=True)) else after


def _without_secrets_inside(value: Any) -> Any:
    """Return a composite, a section of a message, a Described or a Tagged without secrets; any other value as it is."""
    names = (getattr(field, "attribute", field.name) for field in getattr(value, "FIELDS", ()))
    before = {name: getattr(value, name) for name in (*names, "value") if hasattr(value, name)}
    after = {name: without_secrets(inner) for name, inner in before.items()}
    if not before or isinstance(value, Enum) or all(after[name] is inner for name, inner in before.items()):
        return value
    found = copy(value)
    for name, inner in after.items():
        setattr(found, name, inner)
    return found


def _is_secret(key: Any) -> bool:
    """Return whether a key is the name of a secret: a text, octets, or a value with a descriptor or a type that has one."""
    while not isinstance(key, (str, bytes)) and hasattr(key, "value"):
        key = key.value
    text = key.decode(errors="replace") if isinstance(key, bytes) else key
    return isinstance(text, str) and is_secret_name(text)
