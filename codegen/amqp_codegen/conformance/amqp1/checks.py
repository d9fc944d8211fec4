"""What drivers expect, in words and deeds."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.described import DescribedType
from amqp_1_0.messaging import Data
from amqp_1_0.performatives import Close, Detach, End, Error

from ..outcome import Violation
from .connection import Connection, Frame, check_error
from .text import text_of


def want(fulfilled: bool, expected: str, got: object) -> None:
    """Checks something.

    Raises:
        Violation: It is not so: ``expected ..., got ...``.
    """
    if not fulfilled:
        shown = text_of(got) if isinstance(got, DescribedType) else got
        raise Violation(f"expected {expected}, got {shown}")


def expect_error(connection: Connection, *conditions: str) -> Error:
    """The error in the next detach, end or close, whichever the peer chooses; answering is left to others.

    Args:
        connection: Where.
        conditions: What it may be; none given: any.

    Raises:
        Violation: There is no error in it, or another one; or none comes.
    """

    def ends(frame: Frame) -> bool:
        return isinstance(frame.performative, (Detach, End, Close))

    performative = connection.wait(ends, "an error in detach, end or close").performative
    check_error(performative.error, performative.NAME, conditions)
    error: Error | None = performative.error
    if error is None:
        raise Violation(f"expected an error, got {performative.NAME} without one")
    return error


def message(octets: bytes) -> amqp.Message:
    """A message that is nothing but a body of one data section."""
    return amqp.Message(body=Data(octets))
