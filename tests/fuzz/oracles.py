"""What is true of both families, whatever comes in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

Encode = Callable[[], bytes]
# By a package and what chance says: how something is encoded, and what decodes it.
Encoder = Callable[[Any, Random], tuple[Encode, Any]]


class OracleError(AssertionError):
    """A package did what no package may do; the text says what."""


def demand(truth: object, *details: object) -> None:
    """Fail with the details unless something is true."""
    if not truth:
        raise OracleError("; ".join(shown(detail) for detail in details))


def shown(detail: object) -> str:
    return detail if isinstance(detail, str) else repr(detail)[:500]


def attempt(amqp: Any, size: int, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return what a decoder gives, or its DecodeError; anything else that is raised goes on."""
    try:
        return call(*arguments, **options)
    except amqp.DecodeError as error:
        check_error(amqp, error, size)
        return error


def check_error(amqp: Any, error: Any, size: int) -> None:
    """Check that an error says where and what, and that it can be printed."""
    demand(type(error) is not amqp.DecodeError, "an error without a kind", error)
    demand(isinstance(error.message, str) and error.message, "no message", error)
    demand(isinstance(error.path, str), "the path is not a str", error)
    demand(0 <= error.offset <= size, "the offset lies outside", error.offset, size)
    check_text(str(error))
    check_text(error.path)


def check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise OracleError(f"cannot be printed: {text!a}") from None
    demand(len(text) < 100_000, "a text without end")


def is_error(outcome: object) -> bool:
    return isinstance(outcome, Exception)


def facts(error: Any) -> tuple[Any, ...]:
    """What two errors have in common if they are the same."""
    return type(error), error.message, error.offset, error.path


def pieces(octets: bytes, seed: int) -> Iterator[bytes]:
    """Cut octets into pieces, some of them empty; seed 0: one octet each."""
    random = Random(seed)
    position = 0
    while position < len(octets):
        size = random.choice((0, 1, 2, 3, 7, 8, 20, 100)) if seed else 1
        yield octets[position : position + size]
        position += size


def check_stream(amqp: Any, octets: bytes, seed: int, options: dict[str, Any], decoder: Any) -> Any:
    """Decode at once and in pieces; both give the same frames and the same error, again and again.

    Returns:
        The frames and the error, None for none.
    """
    outcome = attempt(amqp, len(octets), amqp.decode_frames, octets, **options)
    refused = outcome if is_error(outcome) else None
    whole = list(refused.frames) if refused else outcome[0]
    if refused is None:
        demand(0 <= outcome[1] <= len(octets), "the position lies outside", outcome[1])
    found: list[Any] = []
    for piece in pieces(octets, seed):
        fed = attempt(amqp, len(octets), decoder.feed, piece)
        if not is_error(fed):
            found += fed
            continue
        demand(refused, "only the pieces are refused", fed)
        demand(facts(fed) == facts(refused), "other errors", facts(fed), facts(refused))
        found += fed.frames
        for data in (b"", octets):
            again = attempt(amqp, len(octets), decoder.feed, data)
            demand(is_error(again) and facts(again) == facts(fed), "the error is not repeated", again)
            demand(not again.frames, "the frames are repeated", again.frames)
        break
    else:
        demand(refused is None, "only the whole is refused", refused)
        if refused is None:
            demand(decoder.offset == outcome[1], "other positions", decoder.offset, outcome[1])
    demand(repr(found) == repr(whole), "other frames", found, whole)
    return whole, refused


def buffer_of(octets: bytes, kind: str) -> Any:
    """The octets as ``bytes``, ``bytearray`` or ``memoryview``."""
    return {"bytes": bytes, "bytearray": bytearray, "memoryview": memoryview}[kind](octets)


def check_encoding(amqp: Any, call: Callable[[], Any]) -> Any:
    """Return what an encoder gives, or its EncodeError, which can be printed; anything else goes on."""
    try:
        octets = call()
    except amqp.EncodeError as error:
        demand(isinstance(error.message, str) and error.message, "no message", error)
        demand("(error)" not in error.message, "words of the struct module", error)
        check_text(str(error))
        return error
    demand(type(octets) is bytes, "not bytes", octets)
    return octets


def check_encoder(amqp: Any, octets: bytes, encoders: Sequence[Encoder]) -> bool:
    """Encode what the seed says: EncodeError, or octets that our own decoder takes with its default limits."""
    random = Random(octets)
    try:
        encode, decode = random.choice(encoders)(amqp, random)
    except (TypeError, amqp.EncodeError):  # a wrong call of a constructor
        return False
    encoded = check_encoding(amqp, encode)
    if is_error(encoded):
        return False
    try:
        value = decode(encoded)
    except amqp.DecodeError as error:
        demand(False, "our own decoder refuses what was encoded", error, encoded)
    demand(repr(decode(encoded)) == repr(value), "decoded twice, different", value)
    return True
