"""Oracles of the decoders of 1.0. Each check returns whether the octets were accepted."""

from __future__ import annotations

import struct
from typing import Any

from tests.fuzz.case import Options
from tests.fuzz.oracles import attempt, buffer_of, check_stream, demand, facts, is_error
from tests.fuzz.variants import variant_function
from tests.generated.amqp0.variants import read_variant
from tests.generated.amqp1.variants import expected, without_counts

# Deeper values, and longer ones, are read if that is asked for, but need not be written.
WRITTEN_DEPTH = 64
WRITTEN_ELEMENTS = 65536
# Their keys are checked when a message is written, not when it is read.
KEYED = ("delivery-annotations", "message-annotations", "application-properties", "footer")


def check_value(amqp: Any, octets: bytes, options: Options) -> bool:
    limits = {key: options[key] for key in ("max_depth", "max_elements") if key in options}
    position = options["position"]
    data = bytes(position) + octets
    buffer, size = buffer_of(data, options["buffer"]), len(data)
    plain = attempt(amqp, size, amqp.decode, buffer, position, **limits)
    variant = attempt(amqp, size, variant_function(amqp, "value_variant"), buffer, position, **limits)
    demand(is_error(plain) == is_error(variant), "VARIANT and decoding disagree", plain, variant)
    check_lossless_value(amqp, data, position, plain, limits)
    if is_error(plain):
        return False
    found, end = plain
    demand(position < end <= size, "the position lies outside", end)
    check_encoded(amqp, found, end - position, options)
    demand(variant[1] == end, "VARIANT ends elsewhere", variant[1], end)
    if not too_long(options):
        check_variant(found, variant[0])
    return True


def check_variant(value: Any, variant: Any) -> None:
    found = without_counts(read_variant(variant))
    try:
        wanted = expected(value)
    except AssertionError:  # there is an array of composites, for which nothing is written down
        return
    demand(quiet(found) == quiet(wanted), "another VARIANT", found, wanted)


def quiet(variant: Any) -> Any:
    """The same with all NaN alike: Python sets a bit of a signalling one, VARIANT has its octets."""
    kind, value = variant
    if kind in ("float", "double"):
        number = struct.unpack(">f" if kind == "float" else ">d", value)[0]
        return (kind, "NaN") if number != number else variant  # noqa: PLR0124
    if kind == "array":
        return kind, [quiet(item) for item in value]
    if kind == "object":
        return kind, {key: quiet(item) for key, item in value.items()}
    return variant


def check_lossless_value(amqp: Any, data: bytes, position: int, plain: Any, limits: Options) -> None:
    """Lossless decoding accepts the same, and encoding gives the same octets."""
    lossless = attempt(amqp, len(data), amqp.decode, data, position, lossless=True, **limits)
    demand(is_error(lossless) == is_error(plain), "lossless and plain decoding disagree", lossless, plain)
    if is_error(lossless):
        demand(facts(lossless) == facts(plain), "another error", lossless, plain)
    else:
        found, end = lossless
        demand(end == plain[1], "lossless ends elsewhere", end, plain[1])
        octets = amqp.encode(found)
        demand(octets == data[position:end], "other octets", octets, data[position:end])


def check_encoded(amqp: Any, found: Any, size: int, options: Options) -> None:
    """What was decoded can be encoded, in no more octets than it had, and always in the same."""
    try:
        octets: bytes = amqp.encode(found)
    except amqp.EncodeError as error:
        demand(cannot_be_written(options), "what was decoded cannot be encoded", error, found)
        return
    demand(len(octets) <= size, "encoding is longer", octets, size)
    again, end = amqp.decode(octets, max_depth=128, max_elements=2**32 - 1)
    demand(end == len(octets), "octets are left over", octets)
    demand(repr(again) == repr(found), "another value", again, found)
    demand(amqp.encode(again) == octets, "encoded twice, different", again)


def cannot_be_written(options: Options) -> bool:
    return options.get("max_depth", 0) > WRITTEN_DEPTH or too_long(options)


def too_long(options: Options) -> bool:
    return bool(options.get("max_elements", 0) > WRITTEN_ELEMENTS)


def check_frames(amqp: Any, octets: bytes, options: Options) -> bool:
    settings = {key: value for key, value in options.items() if key != "pieces"}
    frames, refused = check_stream(amqp, octets, options["pieces"], settings, amqp.FrameDecoder(**settings))
    if settings.get("lossless"):
        again = b"".join(amqp.encode_frame(*item) for item in frames)
        demand(octets.startswith(again), "other octets", again)
        plain = attempt(amqp, len(octets), amqp.decode_frames, octets, **{**settings, "lossless": False})
        demand(
            is_error(plain) == (refused is not None), "lossless and plain decoding disagree", plain, refused
        )
    else:
        for item in frames:
            check_frame_round_trip(amqp, item, options)
    return refused is None


def check_frame_round_trip(amqp: Any, item: Any, options: Options) -> None:
    channel, performative, payload = item
    if isinstance(performative, amqp.ProtocolHeader):
        return
    try:
        octets = amqp.encode_frame(channel, performative, payload)
    except amqp.EncodeError as error:
        demand(cannot_be_written(options), "what was decoded cannot be encoded", error, item)
        return
    (again,), end = amqp.decode_frames(octets, max_depth=128, max_elements=2**32 - 1)
    demand(end == len(octets), "octets are left over", octets)
    demand(repr(again) == repr(item), "another frame", again, item)
    demand(amqp.encode_frame(*again) == octets, "encoded twice, different", again)


def check_message(amqp: Any, octets: bytes, options: Options) -> bool:
    found = attempt(amqp, len(octets), amqp.decode_message, octets, **options)
    lossless = attempt(amqp, len(octets), amqp.decode_message, octets, lossless=True, **options)
    demand(is_error(lossless) == is_error(found), "lossless and plain decoding disagree", lossless, found)
    demand(is_error(lossless) or lossless.encode() == octets, "other octets", lossless)
    if is_error(found):
        return False
    try:
        encoded = found.encode()
    except amqp.EncodeError as error:
        by_keys = error.path.startswith(KEYED)
        demand(by_keys or cannot_be_written(options), "what was decoded cannot be encoded", error, found)
        return True
    demand(len(encoded) <= len(octets), "encoding is longer", encoded)
    again = amqp.decode_message(encoded, max_depth=128, max_elements=2**32 - 1)
    for name in ("header", "properties", "application_properties", "body"):  # annotations get symbols as keys
        demand(repr(getattr(again, name)) == repr(getattr(found, name)), f"other {name}", again, found)
    demand(again.encode() == encoded, "encoded twice, different", again)
    return True
