"""What ``encode`` makes of a statement is what the generated package makes of its values, and ``decode`` shows it."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_codegen.encode.amqp0.frames import FrameEncoder as FrameEncoder0
from amqp_codegen.encode.amqp1.frames import FrameEncoder as FrameEncoder1
from amqp_codegen.encode.statement import Argument
from hypothesis import given
from hypothesis import strategies as st
from pamqp import frame as pamqp_frame

from tests.decode.readings import VERSIONS, part_named, read
from tests.decode.test_views_of_0_x import check_fields
from tests.decode.test_views_of_1_0 import check_scalars
from tests.encode.writing import described_text, method_text
from tests.generated.amqp0.packages import PACKAGES, methods_of, properties_of
from tests.generated.amqp0.values import methods, properties, typical_values
from tests.generated.amqp1.fields import filled, least, of_composite
from tests.generated.amqp1.packages import BY_NAME
from tests.generated.amqp1.packages import amqp as amqp1
from tests.sampling import examples


def encoded(package: str, *texts: str, kind: str = "frames", channel: int = 3) -> list[bytes]:
    arguments = [Argument(text, number) for number, text in enumerate(texts, 1)]
    encoder = FrameEncoder1 if package == "amqp_1_0" else FrameEncoder0
    return list(encoder(package, channel).encode(arguments, kind))


def check_method(package: str, method: Any) -> None:
    amqp = PACKAGES[package]
    [octets] = encoded(package, method_text(method))
    assert octets == amqp.encode_frame(3, method)
    reading = read(octets, VERSIONS[package])
    assert not reading.errors
    check_fields(part_named(reading, method.NAME), method)
    assert encoded(package, method_text(method), kind="method") == [method.encode()]


def is_writable(value: Any) -> bool:
    """Content that is a reference cannot be written, nor the bits of a NaN."""
    is_plain = all(field.type != "content" or not getattr(value, field.name).kind for field in value.FIELDS)
    return is_plain and "nan" not in repr(value)


@pytest.mark.parametrize("package", list(VERSIONS))
def test_every_method(package: str) -> None:
    amqp = PACKAGES[package]
    for kind in methods_of(amqp):
        values = typical_values(amqp, kind)
        contents = {field.name: amqp.Content(0, b"data") for field in kind.FIELDS if field.type == "content"}
        check_method(package, kind(**{**values, **contents}))


@pytest.mark.parametrize("package", list(VERSIONS))
def test_the_defaults_of_every_method(package: str) -> None:
    for kind in methods_of(PACKAGES[package]):
        try:
            method = kind()
        except TypeError:  # acknowledgements have no default
            continue
        [octets] = encoded(package, kind.NAME)
        assert octets == PACKAGES[package].encode_frame(3, method)


@pytest.mark.parametrize("package", list(VERSIONS))
@given(data=st.data())
@examples(60)
def test_methods_of_any_values(package: str, data: st.DataObject) -> None:
    amqp = PACKAGES[package]
    strategy = st.sampled_from(methods_of(amqp)).flatmap(lambda kind: methods(amqp, kind))
    check_method(package, data.draw(strategy.filter(is_writable)))


@pytest.mark.parametrize("package", list(VERSIONS))
@given(data=st.data())
@examples(40)
def test_content_headers_of_any_values(package: str, data: st.DataObject) -> None:
    amqp = PACKAGES[package]
    kind = data.draw(st.sampled_from(properties_of(amqp)))
    header = data.draw(properties(amqp, kind).filter(is_writable))
    name = kind.NAME.partition(".")[0]
    text = method_text(header).replace(kind.NAME, f"{name}.header", 1)
    first, second, *rest = encoded(package, text, "body hello", "body hex:00ff")
    assert first == amqp.encode_frame(3, amqp.ContentHeader(header, 7))
    assert second == amqp.encode_frame(3, amqp.ContentBody(b"hello"))
    assert rest == [amqp.encode_frame(3, amqp.ContentBody(b"\x00\xff"))]


def test_the_nan_of_python() -> None:
    """It has the bits that are written for ``nan``; others have no text."""
    header = PACKAGES["amqp_0_9_1"].BasicProperties(headers={"x": float("nan")})
    text = method_text(header).replace(header.NAME, "basic.header", 1)
    [octets, _] = encoded("amqp_0_9_1", text, "body hello")
    assert octets == PACKAGES["amqp_0_9_1"].encode_frame(3, PACKAGES["amqp_0_9_1"].ContentHeader(header, 5))


@pytest.mark.parametrize("make", [filled, least])
def test_every_performative_and_composite(make: Any) -> None:
    for kind in BY_NAME.values():
        if not kind.SOURCE:
            check_composite(make(kind))


def check_composite(value: Any) -> None:
    text = described_text(value)
    assert encoded("amqp_1_0", text, kind="value") == [value.encode()]
    if value.PROVIDES & {"frame", "sasl-frame"}:
        channel = 0 if "sasl-frame" in value.PROVIDES else 3
        [octets] = encoded("amqp_1_0", text)
        assert octets == amqp1.encode_frame(channel, value)
        reading = read(octets, "1.0")
        assert not reading.errors
        check_scalars(part_named(reading, value.NAME), amqp1.decode(value.encode())[0])


@given(data=st.data())
@examples(120)
def test_performatives_of_any_values(data: st.DataObject) -> None:
    frames = [kind for kind in BY_NAME.values() if kind.PROVIDES & {"frame", "sasl-frame"}]
    strategy = st.sampled_from(frames).flatmap(of_composite)
    check_composite(data.draw(strategy.filter(lambda value: "nan" not in repr(value))))


def test_a_message() -> None:
    [octets] = encoded(
        "amqp_1_0", "transfer handle=0 delivery-id=0 delivery-tag=x", "properties to=q", "data hello"
    )
    [(_, transfer, payload)], _ = amqp1.decode_frames(octets)
    message = amqp1.decode_message(payload)
    assert (transfer.delivery_tag, message.properties.to, message.body.value) == (b"x", "q", b"hello")
    assert encoded("amqp_1_0", "properties to=q", "data hello", kind="message") == [payload]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of methods that 0-9-1 has dropped
def test_pamqp_reads_what_is_encoded_for_0_9_1() -> None:
    for kind in methods_of(PACKAGES["amqp_0_9_1"]):
        method = kind(**typical_values(PACKAGES["amqp_0_9_1"], kind))
        [octets] = encoded("amqp_0_9_1", method_text(method))
        unmarshal: Any = pamqp_frame.unmarshal
        size, channel, unmarshalled = unmarshal(octets)
        assert (size, channel) == (len(octets), 3)
        assert unmarshalled.frame_id == kind.METHOD_ID
