"""What a package makes of an input, in a form that does not depend on which twin made it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz.amqp0.encoding import ENCODERS as ENCODERS_0
from tests.fuzz.amqp1.encoding import ENCODERS as ENCODERS_1
from tests.fuzz.case import Case, Options
from tests.fuzz.oracles import buffer_of, pieces

Outcome = tuple[Any, ...]
# Not arguments of decoders.
_OTHER_OPTIONS = ("pieces", "position", "buffer")


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
        return (
            type(error).__name__,
            str(error),
            error.path,
            type(cause).__name__,
            str(cause),
        )
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
    return (*found, decoder.offset)


def _method(amqp: Any, octets: bytes, options: Options) -> Outcome:
    return _of_call(amqp, lambda: amqp.decode_method(octets, **_decoder_options(options)))


def _table(amqp: Any, octets: bytes, options: Options) -> Outcome:
    buffer = buffer_of(bytes(options["position"]) + octets, options["buffer"])
    return _of_call(amqp, lambda: amqp.decode_table(buffer, options["position"], **_decoder_options(options)))


def _message(amqp: Any, octets: bytes, options: Options) -> Outcome:
    return _of_call(amqp, lambda: amqp.decode_message(octets, **_decoder_options(options)))


def _value(amqp: Any, octets: bytes, options: Options) -> Outcome:
    buffer = buffer_of(bytes(options["position"]) + octets, options["buffer"])
    return _of_call(amqp, lambda: amqp.decode(buffer, options["position"], **_decoder_options(options)))


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
