"""What a package makes of an input, in a form that does not depend on which twin made it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

from tests.fuzz.amqp0.encoding import ENCODERS as ENCODERS_0
from tests.fuzz.amqp1.encoding import ENCODERS as ENCODERS_1
from tests.fuzz.case import Case, Options
from tests.fuzz.oracles import buffer_of, pieces

Outcome = tuple[Any, ...]
# Not arguments of decoders.
_OTHER_OPTIONS = ("pieces", "position", "buffer")
# Arguments of columns and variants, too.
_COLUMN_OPTIONS = ("dialect", "lenient", "max_depth", "max_elements")


def outcome(amqp: Any, case: Case) -> Outcome:
    """Return what was decoded or encoded, or all that an error says."""
    outcomes = _OUTCOMES_1 if case.package == "amqp_1_0" else _OUTCOMES_0
    return outcomes[case.entry](amqp, case.octets, case.options) if case.entry in outcomes else ()


def _of_call(amqp: Any, call: Callable[[], Any]) -> Outcome:
    try:
        return ("gave", repr(call()))
    except amqp.DecodeError as error:
        return (type(error).__name__, error.message, error.offset, error.path, repr(error.frames))
    except amqp.EncodeError as error:
        cause = error.__cause__
        return (type(error).__name__, str(error), error.path, type(cause).__name__, str(cause))
    except (TypeError, ValueError) as error:
        return (type(error).__name__, str(error))


def _decoder_options(options: Options) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in _OTHER_OPTIONS}


def _frames(amqp: Any, octets: bytes, options: Options) -> Outcome:
    settings = _decoder_options(options)
    found = [_of_call(amqp, lambda: amqp.decode_frames(octets, **settings))]
    decoder = amqp.FrameDecoder(**settings)
    found += [
        _of_call(amqp, lambda piece=piece: decoder.feed(piece)) for piece in pieces(octets, options["pieces"])
    ]
    rows = _rows1 if hasattr(amqp, "performatives") else _rows0
    return (*found, decoder.offset, *rows(amqp, octets, _column_options(settings)))


def _column_options(settings: Options) -> Options:
    return {name: value for name, value in settings.items() if name in _COLUMN_OPTIONS}


def _payloads(octets: bytes) -> Iterator[tuple[int, bytes]]:
    """The types and payloads of 0-x frames, as far as the sizes can be believed."""
    position = 0
    while position + 7 <= len(octets):
        size = int.from_bytes(octets[position + 3 : position + 7], "big")
        yield octets[position], octets[position + 7 : position + 7 + size]
        position += 8 + size


def _bodies(octets: bytes) -> Iterator[tuple[bool, bytes]]:
    """Whether a 1.0 frame is SASL's, and its body."""
    position = 0
    while position + 8 <= len(octets):
        size = max(int.from_bytes(octets[position : position + 4], "big"), 8)
        yield octets[position + 5] == 1, octets[position + 8 : position + size]
        position += size


def _rows0(amqp: Any, octets: bytes, settings: Options) -> Outcome:
    methods, headers = _columns(amqp).MethodColumns(**settings), _columns(amqp).HeaderColumns(**settings)
    found = [
        (
            _of_call(amqp, partial(methods.append, int.from_bytes(payload[:4], "big"), payload))
            if kind == 1
            else _of_call(amqp, partial(headers.append, payload))
        )
        for kind, payload in _payloads(octets)
    ]
    return (*found, repr(methods.take()), repr(headers.take()))


def _rows1(amqp: Any, octets: bytes, settings: Options) -> Outcome:
    performatives = _columns(amqp).PerformativeColumns(**settings)
    found = [_of_call(amqp, partial(performatives.append, body, sasl=sasl)) for sasl, body in _bodies(octets)]
    return (*found, repr(performatives.take()))


def _columns(amqp: Any) -> Any:
    return import_module(f"{amqp.__name__}.columns")


def _variants(amqp: Any) -> Any:
    return import_module(f"{amqp.__name__}.columns.variant")


def _method(amqp: Any, octets: bytes, options: Options) -> Outcome:
    return _of_call(amqp, lambda: amqp.decode_method(octets, **_decoder_options(options)))


def _table(amqp: Any, octets: bytes, options: Options) -> Outcome:
    settings = _decoder_options(options)
    buffer = buffer_of(bytes(options["position"]) + octets, options["buffer"])
    return (
        _of_call(amqp, lambda: amqp.decode_table(buffer, options["position"], **settings)),
        _of_call(
            amqp,
            lambda: _variants(amqp).table_variant(buffer, options["position"], **_column_options(settings)),
        ),
    )


def _message(amqp: Any, octets: bytes, options: Options) -> Outcome:
    settings = _decoder_options(options)
    messages = _columns(amqp).MessageColumns(**_column_options(settings))
    return (
        _of_call(amqp, lambda: amqp.decode_message(octets, **settings)),
        _of_call(amqp, lambda: messages.append(octets)),
        _of_call(amqp, lambda: messages.append_head(octets)),
        repr(messages.take()),
    )


def _value(amqp: Any, octets: bytes, options: Options) -> Outcome:
    settings = _decoder_options(options)
    buffer = buffer_of(bytes(options["position"]) + octets, options["buffer"])
    return (
        _of_call(amqp, lambda: amqp.decode(buffer, options["position"], **settings)),
        _of_call(
            amqp,
            lambda: _variants(amqp).value_variant(buffer, options["position"], **_column_options(settings)),
        ),
    )


def _encode(amqp: Any, octets: bytes, options: Options) -> Outcome:
    random = Random(octets)
    encoders = ENCODERS_0 if hasattr(amqp, "METHODS") else ENCODERS_1
    try:
        encode, _ = random.choice(encoders)(amqp, random)
    except (TypeError, amqp.EncodeError) as error:
        return (type(error).__name__, str(error))
    return _of_call(amqp, encode)


_OUTCOMES_0 = {"frames": _frames, "method": _method, "table": _table, "encode": _encode}
_OUTCOMES_1 = {"frames": _frames, "message": _message, "value": _value, "encode": _encode}
