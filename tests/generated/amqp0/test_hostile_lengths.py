"""Every length field, at every level, with every lie about it."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from . import reference_codec
from .hostile import check_error, entry, survive
from .packages import RABBITMQ, dialect_of, each_package, each_property_set, methods_of
from .reference_codec import frame, longstr
from .values import typical_values

HUGE = (2**31 - 1, 2**31, 2**32 - 1)


def lies(size: int, width: int) -> list[int]:
    top = 256**width - 1
    around = {0, size - 1, size, size + 1, size + 2, top, *HUGE}
    return sorted(lie for lie in around if 0 <= lie <= top)


@each_package
def test_lengths_of_fields(amqp: Any) -> None:
    for cls in methods_of(amqp):
        check_lengths(amqp, cls)


def check_lengths(amqp: Any, cls: Any) -> None:
    payload, spans = reference_codec.method(cls, typical_values(amqp, cls), dialect_of(amqp))
    for number, span in enumerate(spans):
        if span.type not in ("shortstr", "longstr", "table", "content"):
            continue
        width = 1 if span.type == "shortstr" else 4
        start = span.start + (span.type == "content")
        size = span.stop - start - width
        later = [f"{cls.NAME}.{other.name}" for other in spans[number:]]
        for lie in lies(size, width):
            octets = payload[:start] + lie.to_bytes(width, "big") + payload[start + width :]
            result = survive(amqp, octets)
            if lie == size:
                assert not isinstance(result, Exception)
            elif isinstance(result, Exception):
                # It surfaces in this field or, when the lie fits, in a later one or at the end.
                assert result.path == cls.NAME or any(result.path.startswith(path) for path in later)
            if start + width + lie > len(payload):
                assert type(result) is amqp.errors.Truncated
                check_error(amqp, result, len(octets), later[0])


@each_property_set
def test_lengths_of_properties(amqp: Any, cls: Any) -> None:
    payload, spans = reference_codec.header(cls, typical_values(amqp, cls), dialect_of(amqp))
    for span in spans:
        if span.type not in ("shortstr", "table"):
            continue
        width = 1 if span.type == "shortstr" else 4
        size = span.stop - span.start - width
        for lie in lies(size, width):
            octets = payload[: span.start] + lie.to_bytes(width, "big") + payload[span.start + width :]
            stream = frame(2, 1, octets)
            for options in ({}, {"lossless": True}):
                try:
                    ((_, header),) = amqp.decode_frames(stream, strict=True, **options)[0]
                except amqp.CodecError as error:
                    assert lie != size
                    check_error(amqp, error, len(stream), cls.NAME)
                else:
                    assert amqp.encode_frame(1, header) == stream or not options
                if span.start + width + lie > len(payload):
                    with pytest.raises(amqp.errors.Truncated) as caught:
                        amqp.decode_frames(stream, strict=True, **options)
                    assert caught.value.path.startswith(f"{cls.NAME}.{span.name}")


# A table with a string, bytes, an array with a string and a table in it, and a table in a table.
STRING = longstr(b"abc")
ARRAY = longstr(b"S" + longstr(b"de") + b"F" + longstr(entry("k", "S", longstr(b"f"))))
TABLE = longstr(entry("in", "F", longstr(entry("deep", "x", longstr(b"gh")))))
CONTAINERS = longstr(
    entry("s", "S", STRING) + entry("a", "A", ARRAY) + entry("t", "F", TABLE) + entry("z", "V", b"")
)


def find_places() -> list[tuple[int, int, int]]:
    """Every length field of ``CONTAINERS``: its place, its width, and where what encloses it ends."""
    places = []

    def table(position: int, end: int) -> int:
        places.append((position, 4, end))
        stop = position + 4 + struct.unpack_from(">I", CONTAINERS, position)[0]
        position += 4
        while position < stop:
            places.append((position, 1, stop))
            position = value(position + 1 + CONTAINERS[position], stop)
        assert position == stop
        return position

    def value(position: int, end: int) -> int:
        letter = chr(CONTAINERS[position])
        position += 1
        if letter == "F":
            return table(position, end)
        if letter == "V":
            return position
        places.append((position, 4, end))
        stop = int(position + 4 + struct.unpack_from(">I", CONTAINERS, position)[0])
        if letter == "A":
            position += 4
            while position < stop:
                position = value(position, stop)
            assert position == stop
        return stop

    assert table(0, len(CONTAINERS)) == len(CONTAINERS)
    return places


PLACES = find_places()


def test_there_are_as_many_lengths_as_expected() -> None:
    # 5 tables, 8 keys, 4 strings, 1 array
    assert len(PLACES) == 16
    assert RABBITMQ.decode_table(CONTAINERS)[1] == len(CONTAINERS)


@pytest.mark.parametrize(("place", "width", "end"), PLACES)
@pytest.mark.parametrize("more", [b"", b"\0" * 40, b"\xff" * 40], ids=["alone", "zeros", "ones"])
def test_lengths_inside_containers(place: int, width: int, end: int, more: bytes) -> None:
    exact = int.from_bytes(CONTAINERS[place : place + width], "big")
    for lie in lies(exact, width):
        octets = CONTAINERS[:place] + lie.to_bytes(width, "big") + CONTAINERS[place + width :] + more
        for lossless in (False, True):
            try:
                table, position = RABBITMQ.decode_table(octets, 0, lossless=lossless)
            except RABBITMQ.CodecError as error:
                assert lie != exact
                check_error(RABBITMQ, error, len(octets))
                assert error.offset <= len(CONTAINERS) or place == 0
            else:
                # A lie may happen to fit; then it is what the octets say.
                assert position == len(CONTAINERS) or place == 0
                if lossless:
                    assert RABBITMQ.encode_table(table) == octets[:position]


@pytest.mark.parametrize(("place", "width", "end"), PLACES[1:])
def test_a_value_never_reaches_beyond_what_encloses_it(place: int, width: int, end: int) -> None:
    # Octets follow that would make a longer value whole; the length around it still forbids it.
    room = end - place - width
    for lie in [*range(room + 1, min(room + 40, 256**width)), 256**width - 1]:
        octets = CONTAINERS[:place] + lie.to_bytes(width, "big") + CONTAINERS[place + width :] + b"\0V" * 30
        for lossless in (False, True):
            with pytest.raises(RABBITMQ.errors.Truncated) as caught:
                RABBITMQ.decode_table(octets, 0, lossless=lossless)
            assert caught.value.offset == place


def test_the_error_names_the_innermost_value() -> None:
    place = CONTAINERS.index(longstr(b"gh"))
    octets = CONTAINERS[: place + 3] + b"\x09" + CONTAINERS[place + 4 :]
    with pytest.raises(RABBITMQ.errors.Truncated) as caught:
        RABBITMQ.decode_table(octets)
    assert (caught.value.path, caught.value.offset) == ("t.in.deep", place)
    place = CONTAINERS.index(longstr(b"f"))
    octets = CONTAINERS[: place + 3] + b"\x02" + CONTAINERS[place + 4 :]
    with pytest.raises(RABBITMQ.errors.Truncated) as caught:
        RABBITMQ.decode_table(octets)
    assert (caught.value.path, caught.value.offset) == ("a[1].k", place)
