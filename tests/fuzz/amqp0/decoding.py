"""Oracles of the decoders of the 0-x packages. Each check returns whether the octets were accepted."""

from __future__ import annotations

from typing import Any

from tests.fuzz.case import Options
from tests.fuzz.oracles import attempt, buffer_of, check_stream, demand, facts, is_error
from tests.fuzz.variants import variant_function
from tests.generated.amqp0.variants import expected_table, read_variant

# Deeper values are read if that is asked for, but never written.
WRITTEN_DEPTH = 64


def check_frames(amqp: Any, octets: bytes, options: Options) -> bool:
    settings = {key: value for key, value in options.items() if key != "pieces"}
    check_tolerant(amqp, octets, {**options, "strict": False})
    settings["strict"] = True
    lossless, lazy = settings["lossless"], settings["lazy_properties"]
    decoder = amqp.FrameDecoder(**settings)
    frames, refused = check_stream(amqp, octets, options["pieces"], settings, decoder)
    if lossless:
        again = b"".join(amqp.encode_frame(*item, **dialect_of(options)) for item in frames)
        demand(octets.startswith(again), "other octets", again)
    plain_settings = {**settings, "lossless": False, "lazy_properties": False}
    plain = attempt(amqp, len(octets), amqp.decode_frames, octets, **plain_settings)
    if lossless:
        demand(is_error(plain) or refused is None, "accepted, but not if lossless", refused)
    elif lazy:
        check_lazy(amqp, frames, refused, plain, len(octets))
    elif refused is None:
        for channel, frame in frames:
            check_round_trip(amqp, channel, frame, options)
    return refused is None


def check_tolerant(amqp: Any, octets: bytes, options: Options) -> None:
    """What strict decoding accepts is the same; of the rest, only what no frame can hold is refused."""
    settings = {key: value for key, value in options.items() if key != "pieces"}
    settings["max_header_size"] = settings["max_frame_size"]
    frames, refused = check_stream(amqp, octets, options["pieces"], settings, amqp.FrameDecoder(**settings))
    strict = attempt(amqp, len(octets), amqp.decode_frames, octets, **{**settings, "strict": True})
    if is_error(strict):
        demand(len(strict.frames) <= len(frames), "fewer frames than strictly", strict, frames)
    else:
        demand(
            refused is None and len(frames) == len(strict[0]), "other frames than strictly", frames, strict
        )
        if not settings["lazy_properties"]:  # those that are strictly broken may be read
            demand(repr(frames) == repr(strict[0]), "other values than strictly", frames, strict)
    if settings["lossless"]:
        again = b"".join(amqp.encode_frame(*item, **dialect_of(options)) for item in frames)
        demand(octets.startswith(again), "other octets", again)
    for _, frame in frames:
        attempt(amqp, len(octets), getattr, frame, "properties", None)


def check_lazy(amqp: Any, frames: list[Any], refused: Any, plain: Any, size: int) -> None:
    """Lazy headers fail at the first access, with the error that plain decoding gives."""
    found: list[Any] = []
    for channel, frame in frames:
        properties = attempt(amqp, size, getattr, frame, "properties", None)
        if is_error(properties):
            demand(is_error(plain) and facts(plain) == facts(properties), "another error", properties, plain)
            demand(repr(found) == repr(list(plain.frames)), "other frames before it", found)
            return
        found.append((channel, frame))
    if refused is not None:
        demand(is_error(plain) and facts(plain) == facts(refused), "another error", refused, plain)
        return
    demand(not is_error(plain), "accepted only if lazy", plain)
    demand(repr(found) == repr(plain[0]), "other frames", found)


def check_round_trip(amqp: Any, channel: int, frame: Any, options: Options) -> None:
    """What was decoded can be encoded, and is the same when it is decoded again."""
    dialect = dialect_of(options)
    try:
        octets = amqp.encode_frame(channel, frame, **dialect)
    except amqp.EncodeError as error:
        demand(cannot_be_written(options), "what was decoded cannot be encoded", error, frame)
        return
    if options.get("lenient"):  # octets of a letter that the dialect does not write come back as text
        return
    ((channel_again, again),), position = amqp.decode_frames(octets, max_depth=200, **dialect)
    demand(position == len(octets), "octets are left over", octets)
    demand((channel_again, repr(again)) == (channel, repr(frame)), "another frame", again, frame)


def cannot_be_written(options: Options) -> bool:
    """Whether values may have been read that the dialect has no letter for, or that are too deep."""
    return bool(options.get("lenient")) or options.get("max_depth", 0) > WRITTEN_DEPTH


def dialect_of(options: Options) -> dict[str, Any]:
    return {"dialect": options["dialect"]} if "dialect" in options else {}


def check_method(amqp: Any, octets: bytes, options: Options) -> bool:
    options = {**options, "strict": True}
    plain = attempt(amqp, len(octets), amqp.decode_method, octets, **options)
    lossless = attempt(amqp, len(octets), amqp.decode_method, octets, lossless=True, **options)
    if not is_error(lossless):
        demand(amqp.encode_frame(0, lossless)[7:-1] == octets, "other octets", lossless)
    if is_error(plain):
        return False
    demand(not is_error(lossless), "accepted, but not if lossless", lossless)
    check_round_trip(amqp, 1, plain, options)
    return True


def check_table(amqp: Any, octets: bytes, options: Options) -> bool:
    settings = {key: value for key, value in options.items() if key not in ("position", "buffer")}
    strict = {**settings, "strict": True}
    position = options["position"]
    data = bytes(position) + octets
    buffer, size = buffer_of(data, options["buffer"]), len(data)
    plain = attempt(amqp, size, amqp.decode_table, buffer, position, **strict)
    lossless = attempt(amqp, size, amqp.decode_table, buffer, position, lossless=True, **strict)
    variant = attempt(amqp, size, variant_function(amqp, "table_variant"), buffer, position, **settings)
    demand(is_error(lossless) == is_error(variant), "VARIANT and lossless disagree", lossless, variant)
    if not is_error(lossless):
        table, end = lossless
        demand(variant[1] == end, "VARIANT ends elsewhere", variant[1], end)
        demand(amqp.encode_table(table, **dialect_of(options)) == data[position:end], "other octets", table)
        if not options.get("lenient"):
            check_variant(amqp, data[position:end], variant[0], options)
    if is_error(plain):
        return False
    demand(not is_error(lossless), "accepted, but not if lossless", lossless)
    table, end = plain
    demand(lossless[1] == end, "lossless ends elsewhere", lossless[1], end)
    demand(repr(lossless[0].to_dict()) == repr(table), "lossless gives other values", lossless[0], table)
    check_table_round_trip(amqp, table, options)
    return True


def check_variant(amqp: Any, table: bytes, variant: Any, options: Options) -> None:
    dialects = amqp.dialects
    dialect = dialects.DIALECTS[options["dialect"]] if "dialect" in options else dialects.DEFAULT_DIALECT
    found, wanted = read_variant(variant), expected_table(table, dict(dialect.read))
    demand(found == wanted, "another VARIANT", found, wanted)


def check_table_round_trip(amqp: Any, table: Any, options: Options) -> None:
    dialect = dialect_of(options)
    try:
        octets = amqp.encode_table(table, **dialect)
    except amqp.EncodeError as error:
        demand(cannot_be_written(options), "what was decoded cannot be encoded", error, table)
        return
    if options.get("lenient"):
        return
    again, end = amqp.decode_table(octets, max_depth=200, **dialect)
    demand(end == len(octets), "octets are left over", octets)
    demand(repr(again) == repr(table), "another table", again, table)
