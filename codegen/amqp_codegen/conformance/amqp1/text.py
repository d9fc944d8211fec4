"""Frames in a line of text, for people who read a transcript."""

from __future__ import annotations

import reprlib
from enum import Enum
from typing import Any

from amqp_1_0.containers import Described
from amqp_1_0.described import DescribedType
from amqp_1_0.performatives import Error
from amqp_1_0.sasl import SaslInit, SaslResponse

# What these hold lets a reader of the transcript log in.
_SECRETS = {SaslInit: "initial_response", SaslResponse: "response"}

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 300
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 30


def name_of(performative: object) -> str:
    """``attach``, ``sasl-init``; ``empty frame`` for none."""
    if performative is None:
        return "empty frame"
    if isinstance(performative, DescribedType):
        return performative.NAME
    return "unknown performative" if isinstance(performative, Described) else type(performative).__name__


def text_of(performative: object, payload: bytes = b"") -> str:
    """A performative with the fields that are set, as ``end(error=amqp:decode-error "no list")``."""
    text = _value(performative) if performative is not None else "empty frame"
    return f"{text} and {len(payload)} octets of payload" if payload else text


def secret_in(performative: object) -> bytes:
    """The octets of a performative that no transcript may show; empty if there are none."""
    attribute = _SECRETS.get(type(performative))
    return (getattr(performative, attribute) or b"") if attribute else b""


def error_text(error: Error | None) -> str:
    """``amqp:not-found "no such queue"``; ``no error`` for None."""
    if error is None:
        return "no error"
    return (
        f"{_value(error.condition)} {error.description!r}" if error.description else _value(error.condition)
    )


def _value(value: Any) -> str:
    if isinstance(value, Error):
        return error_text(value)
    if isinstance(value, Enum):
        return str(value.value)
    if not isinstance(value, DescribedType):
        return _SHORT.repr(value)
    if value.SOURCE:
        return f"{value.NAME}({_value(getattr(value, 'value', None))})"
    secret = _SECRETS.get(type(value))
    fields = []
    for field in value.FIELDS:
        content = getattr(value, field.attribute)
        if content is None or content in (field.default, []):
            continue
        fields.append(f"{field.name}={'***' if field.attribute == secret else _value(content)}")
    return f"{value.NAME}({', '.join(fields)})"
