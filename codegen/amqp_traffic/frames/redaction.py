"""Secrets are taken out of frames before anybody gets them.

What is replaced by ``MARKER``, if it is not empty:

- 0-x: the response of connection.start-ok (PLAIN, AMQPLAIN and all others) and of connection.secure-ok, and the new
  secret of connection.update-secret; on any channel, in any version.
- 1.0: initial-response of sasl-init, response of sasl-response.
- In the client properties of connection.start-ok, and in the properties of ``open``, on any level: values whose keys
  are names of secrets, such as ``password`` or ``access_token``.

The frame is then encoded again, so what is decoded from it, or shown in hexadecimal, has the marker. If it cannot be
decoded, or the channel of SASL has an unknown frame, only what says which frame it is remains of it.

User names are no secrets; ``login`` has them. What is not looked at: bodies of messages, field tables of other
methods (think of the arguments of a queue), and challenges of the server, from which a password does not follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from amqp_codegen.support.packages import load_package

from ..text import decode_text, valid_text
from .method_keys import method_octets

MARKER = "[redacted]"
_MARKER = MARKER.encode()

_START_OK, _UPDATE_SECRET = map(method_octets, ("ConnectionStartOk", "ConnectionUpdateSecret"))
# Which field it is.
_SECRETS0 = {
    _START_OK: "response",
    method_octets("ConnectionSecureOk"): "response",
    _UPDATE_SECRET: "new_secret",
}
_DESCRIPTOR = 3  # octets that a descriptor begins with
_SECRETS1 = {"sasl-init": "initial_response", "sasl-response": "response"}

_SECRET_KEYS = frozenset(
    (
        "access_token",
        "api_key",
        "apikey",
        "auth_token",
        "authorization",
        "client_secret",
        "credentials",
        "passcode",
        "passphrase",
        "passwd",
        "password",
        "pwd",
        "refresh_token",
        "secret",
        "token",
    )
)


@dataclass(frozen=True, slots=True)
class Login:
    """Who logs in, without the password.

    Attributes:
        mechanism: The SASL mechanism.
        user: The user name; empty if the mechanism does not send one.
    """

    mechanism: str
    user: str = ""


def redact_method(payload: bytes, package: str) -> tuple[bytes, Login | None]:
    """Take the secrets out of a method of the connection class of 0-x.

    Args:
        payload: The payload of the frame.
        package: The generated package of the version.

    Returns:
        What is handed on, and who logs in if that is what the method is about.
    """
    key = payload[:4]
    field = _SECRETS0.get(key)
    if field is None:
        return payload, None
    # Only this package knows update-secret; broker and client of another version do not send it, but who knows.
    amqp = load_package("amqp_0_9_1_rabbitmq" if key == _UPDATE_SECRET else package)
    try:
        method: Any = amqp.decode_method(payload, lossless=True, lenient=True)
        login = None
        if key == _START_OK:
            mechanism = valid_text(method.mechanism)
            login = Login(mechanism, _user(amqp, mechanism, method.response))
            if _has_secret(method.client_properties):
                method.client_properties = _without_secrets(method.client_properties)
        if getattr(method, field):
            setattr(method, field, _MARKER)
        redacted: bytes = method.encode(dialect="rabbitmq")  # which has all types of values
    except amqp.errors.CodecError:
        return key, None
    return redacted, login


def redact_performative(payload: bytes, is_sasl: bool) -> tuple[bytes, Any, Login | None]:
    """Take the secrets out of the body of a frame of AMQP 1.0.

    Args:
        payload: The body of the frame.
        is_sasl: Whether it is a SASL frame; else it is one that may be ``open``.

    Returns:
        What is handed on; the performative, if it could be decoded; who logs in, if that is what it is about.
    """
    amqp = load_package("amqp_1_0")
    performative: Any
    try:
        performative, end = amqp.decode(payload)
        name = getattr(performative, "NAME", "")
        if is_sasl:
            return _redact_sasl(amqp, performative, name, payload[:end])
        if name == "open" and _has_secret(performative.properties or {}):
            performative.properties = _without_secrets(performative.properties)
            return performative.encode() + payload[end:], performative, None
    except amqp.errors.CodecError:
        return (b"" if is_sasl else payload[:_DESCRIPTOR]), None, None
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
    """The user name in a SASL response (RFC 4616 for PLAIN; AMQPLAIN sends a field table without its length)."""
    if mechanism == "PLAIN" and response.count(b"\0") == 2:
        return decode_text(response.split(b"\0")[1])
    if mechanism == "AMQPLAIN":
        try:
            table, _ = amqp.decode_table(len(response).to_bytes(4, "big") + response, lenient=True)
        except amqp.errors.CodecError:
            return ""
        return str(table.get("LOGIN", ""))
    return ""


def _has_secret(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_is_secret(key) or _has_secret(inner) for key, inner in value.items())
    return any(map(_has_secret, _parts(value)))


def _parts(value: Any) -> Iterable[Any]:
    """What a value holds that is no mapping: a list; or Map, Array, Described, Tagged of the generated packages."""
    if isinstance(value, (list, tuple)):
        return value
    pairs = getattr(value, "pairs", None)  # Map: keys that no dict has
    if pairs is not None:
        return [{key: inner} if isinstance(key, str) else inner for key, inner in pairs]
    return [getattr(value, name) for name in ("items", "value") if hasattr(value, name)]


def _without_secrets(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: MARKER if _is_secret(key) else _without_secrets(inner) for key, inner in value.items()}
    if not _has_secret(value):
        return value
    return [_without_secrets(inner) for inner in value] if isinstance(value, list) else MARKER


def _is_secret(key: Any) -> bool:
    return isinstance(key, str) and key.lower().replace("-", "_") in _SECRET_KEYS
