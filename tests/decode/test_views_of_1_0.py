"""The annotated view of 1.0 octets: as the generated codec decodes them, and whole whatever they are."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.api import load
from amqp_codegen.decode.annotation import ABSENT, Annotation
from amqp_codegen.decode.reading import read_as
from hypothesis import given
from hypothesis import strategies as st

from tests.decode.readings import check_cover, headers, read
from tests.fuzz.amqp1.inputs import draw_message, draw_stream, draw_value
from tests.fuzz.mutator import mutate
from tests.generated.amqp1.fields import filled, least, of_described
from tests.generated.amqp1.packages import BY_NAME, amqp
from tests.generated.amqp1.specification import FILES, FOLDER
from tests.sampling import examples


def described_classes() -> list[Any]:
    return list(BY_NAME.values())


def field_parts(part: Annotation) -> dict[str, Annotation]:
    return {child.name: child for child in part.children if not child.inline}


def check_scalars(part: Annotation, value: Any) -> None:
    """Every field with a scalar has the value that the codec decodes."""
    fields = field_parts(part)
    for field in value.FIELDS:
        decoded = getattr(value, field.attribute)
        shown = fields.get(field.name)
        if shown is None or shown.value is None:
            assert decoded in (None, [], field.default) or not decoded
        elif shown.value is not ABSENT and not field.multiple:
            decoded = getattr(decoded, "value", decoded) if not isinstance(decoded, (int, str)) else decoded
            assert shown.value == decoded or str(shown.value) == str(decoded), field.name


@pytest.mark.parametrize("make", [filled, least])
def test_every_composite(make: Any) -> None:
    for kind in (class_ for class_ in described_classes() if not class_.SOURCE):
        value = make(kind)
        octets = value.encode()
        reading = read(octets, "1.0", "value")
        assert not reading.errors, (kind, reading.errors)
        (part,) = reading.parts
        assert part.name == kind.NAME
        check_scalars(part, amqp.decode(octets)[0])


@given(data=st.data())
@examples(200)
def test_composites_of_any_values(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(described_classes()))
    octets = data.draw(of_described(kind)).encode()
    reading = read(octets, "1.0", "value")
    assert not reading.errors
    if not kind.SOURCE:
        check_scalars(reading.parts[0], amqp.decode(octets)[0])


@pytest.mark.parametrize("draw", [draw_value, draw_message, draw_stream])
@given(seed=st.integers(0, 2**32))
@examples(400)
def test_an_error_is_marked_where_the_codec_finds_one(draw: Any, seed: int) -> None:
    source = random.Random(seed)
    octets = draw("amqp_1_0", source)
    if seed % 2:
        octets = mutate(octets, source, [octets])
    if draw is draw_stream:
        reading = read(octets, "1.0")
        try:
            is_right = amqp.decode_frames(octets)[1] == len(octets)
        except amqp.DecodeError:
            is_right = False
    else:
        reading = read(octets, "1.0", "value")
        is_right = decodes(octets)
    if not is_right:
        assert reading.errors
    elif draw is not draw_stream:
        assert not reading.errors


def decodes(octets: bytes) -> bool:
    """Whether the codec reads values up to the end."""
    position = 0
    try:
        while position < len(octets):
            _, position = amqp.decode(octets, position)
    except amqp.DecodeError:
        return False
    return position == len(octets)


@given(octets=st.binary(max_size=80), kind=st.sampled_from(["frames", "message", "value"]))
@examples(400)
def test_any_octets(octets: bytes, kind: str) -> None:
    read(octets, "1.0", kind)


def test_types_of_a_file_of_ones_own(tmp_path: Path) -> None:
    """No folder has a package with these types."""
    own = Path(__file__).parent.parent / "generated/amqp1/extension.xml"
    for path in (*(FOLDER / f"{name}.xml" for name in FILES), own):
        shutil.copy(path, tmp_path)
    spec: Any = load(tmp_path).spec
    octets = bytes.fromhex("0080 0000ffff00000001 c00d02 830000000000000001 a1016c")
    (part,) = read_as(octets, spec, "value", headers()).parts
    check_cover((part,), 0, len(octets))
    fields = field_parts(part)
    assert (part.name, fields["until"].value, fields["urgency"].meaning) == ("parked", 1, "low")
    wrong = octets.replace(b"\xa1\x01l", b"\xa1\x01x")
    (part,) = read_as(wrong, spec, "value", headers()).parts
    assert [field.name for field in field_parts(part).values() if field.error] == ["urgency"]


def test_a_fault_is_marked_with_the_words_of_the_codec_and_the_rest_is_shown() -> None:
    octets = bytes.fromhex("c0 08 03 5602 a10180 5401".replace(" ", ""))
    reading = read(octets, "1.0", "value")
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode(octets)
    first, second = reading.errors
    assert first.error == caught.value.message == "a boolean is 0 or 1, not 2"
    assert (second.start, second.error) == (7, "the string is not UTF-8: invalid start byte")
    assert [item.value for item in field_parts(reading.parts[0]).values()][-1] == 1
