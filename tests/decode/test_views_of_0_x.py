"""The annotated view of 0-x octets: as the generated codecs decode them, and whole whatever they are."""

from __future__ import annotations

import math
import random
from decimal import Decimal
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decode.readings import VERSIONS, fields_of, part_named, plain, read
from tests.fuzz.mutator import mutate
from tests.generated.amqp0.packages import PACKAGES, methods_of, properties_of
from tests.generated.amqp0.values import (
    any_stream,
    greatest_values,
    methods,
    plain_tables,
    properties,
    typical_values,
)
from tests.sampling import examples

PACKAGE_NAMES = list(VERSIONS)


def same(annotated: Any, decoded: Any) -> bool:
    """Whether a value of the view is the decoded one: decimals are texts in the view, NaN equals itself."""
    if isinstance(decoded, dict):
        items = cast("dict[str, Any]", decoded)
        return list(annotated) == list(items) and all(same(annotated[key], items[key]) for key in items)
    if isinstance(decoded, list):
        values = cast("list[Any]", decoded)  # type: ignore[redundant-cast]
        return len(annotated) == len(values) and all(map(same, annotated, values))
    if type(decoded).__name__ == "Content":
        return bool(annotated == decoded.data)
    if isinstance(decoded, Decimal):
        return str(annotated) == str(decoded) or Decimal(annotated) == decoded
    return bool(annotated == decoded) or (is_nan(annotated) and is_nan(decoded))


def is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def values_of(owner: Any) -> dict[str, Any]:
    return {field.name: getattr(owner, field.name) for field in owner.FIELDS if not field.reserved}


def check_fields(part: Any, owner: Any) -> None:
    shown = {name.replace("-", "_").replace(" ", "_"): value for name, value in fields_of(part).items()}
    for name, value in values_of(owner).items():
        if value is None:
            assert name not in shown
        elif name.rstrip("_") in shown:
            assert same(shown[name.rstrip("_")], value), name


@pytest.mark.parametrize("package", PACKAGE_NAMES)
@pytest.mark.parametrize("values", [typical_values, greatest_values])
def test_every_method(package: str, values: Any) -> None:
    amqp = PACKAGES[package]
    for kind in methods_of(amqp):
        method = kind(**values(amqp, kind))
        reading = read(method.encode(), VERSIONS[package], "method")
        assert not reading.errors
        (part,) = reading.parts
        assert part.name == kind.NAME
        assert len(fields_of(part)) == len(kind.FIELDS)
        check_fields(part, method)


@pytest.mark.parametrize("package", PACKAGE_NAMES)
@given(data=st.data())
@examples(60)
def test_methods_of_any_values(package: str, data: st.DataObject) -> None:
    amqp = PACKAGES[package]
    method = data.draw(st.sampled_from(methods_of(amqp)).flatmap(lambda kind: methods(amqp, kind)))
    octets = method.encode()
    reading = read(octets, VERSIONS[package], "method")
    assert not reading.errors
    check_fields(reading.parts[0], amqp.decode_method(octets))


@pytest.mark.parametrize("package", PACKAGE_NAMES)
@given(data=st.data())
@examples(60)
def test_content_headers_of_any_values(package: str, data: st.DataObject) -> None:
    amqp = PACKAGES[package]
    kind = data.draw(st.sampled_from(properties_of(amqp)))
    header = amqp.ContentHeader(data.draw(properties(amqp, kind)), data.draw(st.integers(0, 2**64 - 1)))
    octets = amqp.encode_frame(1, header)
    reading = read(octets, VERSIONS[package])
    assert not reading.errors
    assert part_named(reading, "body size").value == header.body_size
    [(_, decoded)], _ = amqp.decode_frames(octets)
    check_fields(reading.parts[0].children[3], decoded.properties)


@pytest.mark.parametrize("package", PACKAGE_NAMES)
@given(data=st.data())
@examples(60)
def test_tables_of_any_values(package: str, data: st.DataObject) -> None:
    amqp = PACKAGES[package]
    octets = amqp.encode_table(data.draw(plain_tables(amqp, amqp.dialects.DEFAULT_DIALECT.name)))
    reading = read(octets, VERSIONS[package], "table")
    assert not reading.errors
    assert same(plain(reading.parts[0]), amqp.decode_table(octets)[0])


@pytest.mark.parametrize("package", PACKAGE_NAMES)
@given(data=st.data())
@examples(200)
def test_an_error_is_marked_where_the_codec_finds_one(package: str, data: st.DataObject) -> None:
    """For mutated and truncated streams, too: each octet is in the view, and errors are marked if there are any."""
    amqp = PACKAGES[package]
    stream = b"".join(amqp.encode_frame(*frame) for frame in data.draw(any_stream(amqp)))
    seed = data.draw(st.integers(0, 2**32))
    octets = mutate(stream, random.Random(seed), [stream]) if seed % 3 else stream[: seed % (len(stream) + 1)]
    reading = read(octets, VERSIONS[package])
    try:
        _, end = amqp.decode_frames(octets, strict=True)
        is_right = end == len(octets)
    except amqp.DecodeError:
        is_right = False
    assert bool(reading.errors) != is_right or octets.find(b"AMQP") >= 0


@given(octets=st.binary(max_size=80), kind=st.sampled_from(["frames", "method", "header", "table", "value"]))
@examples(400)
def test_any_octets(octets: bytes, kind: str) -> None:
    for version in VERSIONS.values():
        read(octets, version, kind)


def test_what_cannot_be_read_is_left_out_up_to_the_next_entry_around_it() -> None:
    """With the words of the codec; the walk goes on after the inner table."""
    inner = b"\x01aI\0\0"
    octets = b"\x01tF" + len(inner).to_bytes(4, "big") + inner + b"\x01bt\x01"
    octets = len(octets).to_bytes(4, "big") + octets
    reading = read(octets, "0-9-1", "table")
    with pytest.raises(PACKAGES["amqp_0_9_1"].DecodeError) as caught:
        PACKAGES["amqp_0_9_1"].decode_table(octets)
    assert [part.error for part in reading.errors] == [caught.value.message]
    assert part_named(reading, "b").value is True
