"""What is in deliveries of AMQP 1.0: sections, however they are cut into transfers."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import amqp_1_0 as amqp
import pytest
from amqp_1_0.columns import MessageColumns
from amqp_1_0.types import Symbol, ULong
from amqp_traffic.decode.body_retention import NO_BODIES, BodyRetention
from amqp_traffic.messages.amqp1 import content, sections
from amqp_traffic.variant_values import variant_value
from hypothesis import given
from hypothesis import strategies as st

from ..performative_script import Result, Talk, message

M = amqp.messaging
ALL = {
    "header": M.Header(durable=True, priority=7, ttl=1000, first_acquirer=True, delivery_count=2),
    "delivery_annotations": {Symbol("d"): 1},
    "message_annotations": {Symbol("m"): "x"},
    "properties": M.Properties(
        message_id="id",
        user_id=b"me\xff",
        to="there",
        subject="re",
        reply_to="here",
        correlation_id=ULong(5),
        content_type="text/plain",
        content_encoding="gzip",
        absolute_expiry_time=amqp.types.Timestamp(2000),
        creation_time=amqp.types.Timestamp(1000),
        group_id="g",
        group_sequence=3,
        reply_to_group_id="rg",
    ),
    "application_properties": {"a": 1, "long": "x" * 300},
}
FOOTER = {Symbol("checksum"): b"\x01\x02"}
BODIES: list[tuple[Any, str | None, bytes]] = [
    (M.Data(b"x" * 70), "data", b"x" * 70),
    (M.Data(b"y" * 300), "data", b"y" * 300),
    (M.Data(b""), "data", b""),
    ([M.Data(b"one"), M.Data(b"two" * 100)], "data", b"one" + b"two" * 100),
    (M.AmqpValue("text"), "amqp-value", b"\xa1\x04text"),
    (M.AmqpValue(None), "amqp-value", b"\x40"),
    (M.AmqpValue([1, "a", {"k": 2}]), "amqp-value", amqp.encode([1, "a", {"k": 2}])),
    (M.AmqpValue(amqp.types.Described(ULong(77), [1])), "amqp-value", b"\x00\x53\x4d\xc0\x03\x01\x55\x01"),
    (M.AmqpSequence([1, 2]), "amqp-sequence", amqp.encode([1, 2])),
    ([M.AmqpSequence([1]), M.AmqpSequence(["a"])], "amqp-sequence", amqp.encode([1]) + amqp.encode(["a"])),
    (None, None, b""),
]


def deliver(
    octets: bytes, cuts: list[int] | None = None, bodies: BodyRetention = NO_BODIES, **fields: Any
) -> Any:
    """A message as the only delivery of a conversation, cut into transfers there."""
    said = Talk()
    places = [0, *sorted(min(cut, len(octets)) for cut in cuts or []), len(octets)]
    count = len(places) - 1
    for number in range(count):
        part = octets[places[number] : places[number + 1]]
        first = {} if number else fields
        said.transfer(None if number else 1, part, more=number < count - 1, **first)
    return Result(said, bodies).message


def test_all_columns() -> None:
    row = deliver(message(b"12345", footer=FOOTER, **ALL))
    assert (row["durable"], row["priority"], row["ttl"]) == (True, 7, 1000)
    assert (row["first_acquirer"], row["delivery_count"]) == (True, 2)
    assert (row["message_id"], row["correlation_id"], row["user_id"]) == ("id", "5", "me\\xff")
    assert (row["to"], row["subject"], row["reply_to"]) == ("there", "re", "here")
    assert (row["content_type"], row["content_encoding"]) == ("text/plain", "gzip")
    assert (row["absolute_expiry_time"], row["timestamp"]) == (2_000_000, 1_000_000)
    assert (row["group_id"], row["group_sequence"], row["reply_to_group_id"]) == ("g", 3, "rg")
    variants = ("message_id_value", "correlation_id_value", "delivery_annotations", "message_annotations")
    assert [variant_value(row[name]) for name in variants] == ["id", 5, {"d": 1}, {"m": "x"}]
    assert variant_value(row["headers"]) == ALL["application_properties"]
    assert variant_value(row["footer"]) == {"checksum": b"\x01\x02"}
    empty = ("delivery_mode", "expiration", "type", "app_id", "cluster_id", "other_properties", "misfits")
    assert [row[name] for name in empty] == [None] * len(empty)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("text", "text"),
        ("x" * 100, "x" * 100),
        (ULong(1 << 63), str(1 << 63)),
        (b"octets", None),
    ],
)
def test_message_ids(value: Any, text: str | None) -> None:
    row = deliver(message(properties=M.Properties(message_id=value)))
    assert row["message_id"] == text
    assert row["message_id_value"] is not None


def test_a_uuid() -> None:
    text = message(properties=M.Properties(message_id="x"))
    octets = bytearray(text.replace(b"\xa1\x01x", b"\x98" + bytes(range(16)), 1))
    octets[4] += 14  # the list that it is in
    assert deliver(bytes(octets))["message_id"] == "00010203-0405-0607-0809-0a0b0c0d0e0f"


@pytest.mark.parametrize("footer", [None, FOOTER], ids=["no footer", "footer"])
@pytest.mark.parametrize(("body", "kind", "octets"), BODIES, ids=str)
def test_bodies(body: Any, kind: str | None, octets: bytes, footer: Any) -> None:
    row = deliver(message(body, footer=footer))
    assert (row["body_kind"], row["body_size"], row["complete"]) == (kind, len(octets), True)
    assert (row["body_sha256"], row["body_head"]) == (None, None)
    assert (row["footer"] is None) == (footer is None)
    row = deliver(message(body, footer=footer), bodies=BodyRetention(True, 4))
    assert (row["body_kind"], row["body_size"], row["complete"]) == (kind, len(octets), True)
    assert (row["body_sha256"], row["body_head"]) == (sha256(octets).digest(), octets[:4])


@given(st.sampled_from(BODIES), st.booleans(), st.lists(st.integers(0, 1000), max_size=5), st.booleans())
def test_wherever_it_is_cut(
    case: tuple[Any, str | None, bytes], whole: bool, cuts: list[int], footer: bool
) -> None:
    octets = message(case[0], footer=FOOTER if footer else None, **(ALL if whole else {}))
    bodies = BodyRetention(True, 1000)
    row, wanted = deliver(octets, cuts, bodies), deliver(octets, [], bodies)
    assert row["body_frames"] == len(cuts) + 1
    assert wanted["body_head"] == case[2]
    changed = {name for name, value in row.items() if value != wanted[name]}
    assert changed <= {"body_frames", "last_ns"}


@pytest.mark.parametrize(("body", "kind", "octets"), BODIES, ids=str)
def test_octet_by_octet(body: Any, kind: str | None, octets: bytes) -> None:
    everything = message(body, footer=FOOTER)
    row = deliver(everything, list(range(1, len(everything))), BodyRetention(True, 1000))
    assert (row["body_kind"], row["body_head"], row["complete"]) == (kind, octets, True)
    assert row["footer"] is not None


@given(st.data())
def test_whatever_is_missing_is_noticed(data: st.DataObject) -> None:
    body, _, _ = data.draw(st.sampled_from([case for case in BODIES if not isinstance(case[0], list)]))
    octets = message(body, **ALL)
    end = data.draw(st.integers(1, len(octets) - 1))
    row = deliver(octets[:end])
    # What ends between sections looks whole.
    between = {len(message(None, **dict(list(ALL.items())[:count]))) for count in range(len(ALL) + 1)}
    assert row["complete"] == (end in between)
    assert row["complete"] or row["body_size"] is None


@pytest.mark.parametrize(
    "octets",
    [
        b"no sections",
        message()[3:],
        message(M.AmqpValue("x")) * 2,
        message(b"x") + message(M.AmqpValue("x")),
        message(b"x") + b"\x00\x53\x70\x45",  # a header after the body
        message(footer=FOOTER) + b"more",
        b"\x00\x53\x75\xa1\x01x",  # data is no text
        b"\x00\x53\x77\x3f",  # no such constructor
        b"\x00\x53\x77" + b"\x00" * 1000,
        b"\x00\x53\x79\x45",
        b"\x00\xa1\x01x",
    ],
)
def test_octets_that_are_no_message(octets: bytes) -> None:
    for bodies in (NO_BODIES, BodyRetention(True, 9)):
        row = deliver(octets, bodies=bodies)
        assert (row["complete"], row["body_size"], row["body_sha256"]) == (False, None, None)
        assert deliver(octets, [4, 9], bodies)["complete"] is False


def test_descriptors_in_other_forms() -> None:
    for descriptor in (
        b"\x80" + (0x75).to_bytes(8, "big"),
        b"\xa3\x10amqp:data:binary",
        b"\xb3\0\0\0\x10amqp:data:binary",
    ):
        octets = b"\x00" + descriptor + b"\xa0\x02xy"
        for cuts in ([], list(range(1, len(octets)))):
            row = deliver(octets, cuts)
            assert (row["body_kind"], row["body_size"], row["complete"]) == ("data", 2, True)


def test_a_message_of_another_format() -> None:
    row = deliver(b"whatever", [3], BodyRetention(True, 4), message_format=77)
    assert (row["message_format"], row["body_kind"], row["body_size"]) == (77, None, 8)
    assert (row["body_head"], row["complete"]) == (b"what", True)


def test_too_much_before_the_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "_MOST_BEFORE_BODY", 100)
    octets = message(b"x", **ALL)
    assert deliver(octets, [150])["complete"] is False
    assert deliver(octets)["complete"] is True


def test_a_footer_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "_MOST_HELD_OCTETS", 100)
    octets = message(b"x", footer={Symbol("x"): b"y" * 200})
    row = deliver(octets, [20])
    assert (row["footer"], row["complete"]) == (None, False)


def test_a_footer_that_cannot_be_read() -> None:
    row = deliver(message(b"x") + b"\x00\x53\x78\x40")
    assert (row["footer"], row["complete"], row["body_seen"]) == (None, False, 1)


def test_sections_have_the_columns_of_the_generated_package() -> None:
    columns = MessageColumns().gathered["message"].kind.columns
    assert content.MessageSections._fields == tuple(name for name, _ in columns)
