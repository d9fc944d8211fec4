"""Messages split over transfers and put together again, in turn with those of other links, aborted, too large."""

from __future__ import annotations

import copy
import pickle
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .fields import filled
from .packages import BY_NAME, amqp

Transfer = BY_NAME["transfer"]
MESSAGE = bytes(range(256)) * 8
ACCEPTED, RELEASED = BY_NAME["accepted"](), BY_NAME["released"]()


def first(handle: int = 0, number: int = 0, **fields: Any) -> Any:
    return Transfer(handle, number, b"tag-%d" % number, 0, **fields)


def frames_of(octets: list[bytes]) -> list[tuple[int, Any, bytes]]:
    """What a decoder makes of frames; each piece must be a frame."""
    decoded = [amqp.decode_frames(item) for item in octets]
    assert all(len(frames) == 1 for frames, _ in decoded)
    assert [end for _, end in decoded] == [len(item) for item in octets]
    return [frames[0] for frames, _ in decoded]


def split(transfer: Any, message: bytes, size: int, channel: int = 0) -> list[tuple[int, Any, bytes]]:
    return frames_of(list(amqp.split_transfer(transfer, message, max_frame_size=size, channel=channel)))


def join(frames: list[tuple[int, Any, bytes]]) -> Any:
    return amqp.join_transfers([(transfer, payload) for _, transfer, payload in frames])


# --- splitting ---


@pytest.mark.parametrize("size", [512, 513, 600, 1000, 2048, 4096, 2**32 - 1])
def test_split(size: int) -> None:
    octets = list(amqp.split_transfer(first(handle=5, settled=True), MESSAGE, max_frame_size=size, channel=7))
    assert all(len(item) <= size for item in octets)
    # Every frame but the last is as large as may be.
    assert all(len(item) == size for item in octets[:-1])
    frames = frames_of(octets)
    assert {channel for channel, _, _ in frames} == {7}
    assert b"".join(payload for _, _, payload in frames) == MESSAGE
    assert [transfer.more for _, transfer, _ in frames] == [True] * (len(frames) - 1) + [False]
    assert frames[0][1] == first(handle=5, settled=True, more=len(frames) > 1)
    # What follows says no more than it must.
    assert all(transfer == Transfer(5, more=True) for _, transfer, _ in frames[1:-1])
    assert len(frames) == 1 or frames[-1][1] == Transfer(5)
    assert join(frames) == amqp.Delivery(first(handle=5, settled=True), MESSAGE)


def test_the_transfer_given_is_left_as_it_was() -> None:
    transfer = first()
    list(amqp.split_transfer(transfer, MESSAGE, max_frame_size=512))
    assert transfer == first()


@given(
    message=st.binary(max_size=3000),
    size=st.integers(30, 600),
    settled=st.sampled_from([None, True, False]),
    state=st.sampled_from([None, ACCEPTED]),
)
@examples(200)
def test_any_message_and_frame_size(message: bytes, size: int, settled: Any, state: Any) -> None:
    transfer = first(settled=settled, state=state)
    frames = split(transfer, message, size + len(transfer.encode()))
    assert all(len(payload) for _, _, payload in frames) or not message
    assert join(frames) == amqp.Delivery(transfer, message)


def test_the_smallest_frames_there_can_be() -> None:
    transfer = first()
    least = 8 + len(first(more=True).encode()) + 1
    frames = split(transfer, MESSAGE, least)
    assert [len(payload) for _, _, payload in frames][:1] == [1]
    assert join(frames).payload == MESSAGE
    with pytest.raises(amqp.EncodeError, match="no room"):
        list(amqp.split_transfer(transfer, MESSAGE, max_frame_size=least - 1))
    assert len(split(transfer, b"", 8 + len(transfer.encode()))) == 1
    with pytest.raises(amqp.EncodeError, match="exceeds"):
        list(amqp.split_transfer(transfer, b"", max_frame_size=7 + len(transfer.encode())))


def test_a_message_that_just_fits_is_not_split() -> None:
    transfer = first()
    size = 8 + len(transfer.encode()) + len(MESSAGE)
    assert len(split(transfer, MESSAGE, size)) == 1
    assert len(split(transfer, MESSAGE, size - 1)) == 2


@pytest.mark.parametrize("missing", ["delivery_id", "delivery_tag", "message_format"])
def test_what_the_first_of_several_must_have(missing: str) -> None:
    transfer = first()
    setattr(transfer, missing, None)
    assert split(transfer, b"small", 512) == [(0, transfer, b"small")]
    path = f"transfer.{missing.replace('_', '-')}"
    with pytest.raises(amqp.EncodeError, match="mandatory") as caught:
        list(amqp.split_transfer(transfer, MESSAGE, max_frame_size=512))
    assert caught.value.path == path
    transfer.more = True
    with pytest.raises(amqp.errors.Malformed, match="mandatory") as refused:
        amqp.TransferAssembler().add(transfer, b"x")
    assert refused.value.path == path


def test_more_is_to_come() -> None:
    """A message that is not known to its end yet: all its frames say that there will be more."""
    start = split(first(more=True), MESSAGE, 512)
    assert all(transfer.more for _, transfer, _ in start)
    end = [(0, Transfer(0), b"the end")]
    assert join(start + end).payload == MESSAGE + b"the end"


def test_all_that_a_transfer_says_is_said_once() -> None:
    transfer = filled(Transfer)
    transfer.aborted = transfer.more = False
    frames = split(transfer, MESSAGE, 512)
    assert len(frames) > 1
    assert join(frames).transfer == transfer


# --- putting together ---


def test_one_transfer() -> None:
    assembler = amqp.TransferAssembler()
    for payload in (b"", b"x", MESSAGE):
        assert assembler.add(first(), payload, 3) == amqp.Delivery(first(), payload, 3)
    # Alone it may leave out the message-format.
    assert assembler.add(Transfer(1, 5, b"t"), b"x") == amqp.Delivery(Transfer(1, 5, b"t"), b"x")


def test_every_delivery_has_an_id_and_a_tag() -> None:
    assembler = amqp.TransferAssembler()
    delivery = assembler.add(first(number=7), b"x")
    assert (delivery.delivery_id, delivery.delivery_tag) == (7, b"tag-7")
    assembler.add(first(number=8, more=True), b"x")
    delivery = assembler.add(Transfer(0), b"y")
    assert (delivery.delivery_id, delivery.delivery_tag) == (8, b"tag-8")
    assert repr(delivery) == f"Delivery(transfer={delivery.transfer!r}, payload=b'xy', channel=0)"
    assert amqp.Delivery(first(number=1), b"x") != amqp.Delivery(first(number=2), b"x")
    for transfer, path in (
        (Transfer(0, delivery_tag=b"t"), "transfer.delivery-id"),
        (Transfer(0, 1), "transfer.delivery-tag"),
    ):
        for refuse in (assembler.add, amqp.Delivery):
            with pytest.raises(amqp.errors.Malformed, match="mandatory") as caught:
                refuse(transfer, b"x")
            assert caught.value.path == path
    # Nothing is left of what was refused.
    assert assembler.add(first(number=9), b"next").payload == b"next"


def test_links_and_channels_in_turn() -> None:
    streams = {
        (channel, handle): split(first(handle, number), MESSAGE * (number + 1), 512, channel)
        for number, (channel, handle) in enumerate([(0, 0), (0, 1), (1, 0), (65535, 2**32 - 1)])
    }
    assembler = amqp.TransferAssembler()
    found = {}
    for row in zip_longest(*streams.values()):
        for frame in filter(None, row):
            channel, transfer, payload = frame
            delivery = assembler.add(transfer, payload, channel)
            if delivery is not None:
                found[delivery.channel, delivery.transfer.handle] = delivery
    assert found.keys() == streams.keys()
    for number, (channel, handle) in enumerate(streams):
        expected = amqp.Delivery(first(handle, number), MESSAGE * (number + 1), channel)
        assert found[channel, handle] == expected


@given(data=st.data())
@examples(50)
def test_any_interleaving(data: st.DataObject) -> None:
    messages = data.draw(st.lists(st.binary(max_size=2000), min_size=1, max_size=4))
    streams = [split(first(handle, handle), message, 64) for handle, message in enumerate(messages)]
    order = data.draw(st.permutations([number for number, frames in enumerate(streams) for _ in frames]))
    left = [iter(frames) for frames in streams]
    assembler = amqp.TransferAssembler()
    found = {}
    for number in order:
        channel, transfer, payload = next(left[number])
        delivery = assembler.add(transfer, payload, channel)
        if delivery is not None:
            found[number] = delivery.payload
    assert found == dict(enumerate(messages))


def test_an_aborted_delivery_is_forgotten() -> None:
    assembler = amqp.TransferAssembler()
    for more in (False, True):  # aborted counts, whatever more says
        assert assembler.add(first(number=1, more=True), b"lost") is None
        assert assembler.add(Transfer(0, aborted=True, more=more), b"ignored") is None
        assert assembler.add(first(number=2), b"next") == amqp.Delivery(first(number=2), b"next")
    # One that nothing has come of.
    assert assembler.add(first(number=3, aborted=True), b"x") is None
    # Other links have nothing to do with it.
    assert assembler.add(first(1, 4, more=True), b"one ") is None
    assert assembler.add(Transfer(0, aborted=True), b"") is None
    assert assembler.add(Transfer(1), b"two").payload == b"one two"


@pytest.mark.parametrize(
    ("later", "path"),
    [
        (Transfer(0, 1), "transfer.delivery-id"),
        (Transfer(0, delivery_tag=b"other"), "transfer.delivery-tag"),
        (Transfer(0, message_format=1), "transfer.message-format"),
    ],
)
def test_later_transfers_must_not_contradict_the_first(later: Any, path: str) -> None:
    assembler = amqp.TransferAssembler()
    assembler.add(first(more=True), b"x")
    with pytest.raises(amqp.errors.Malformed, match="differs") as caught:
        assembler.add(later, b"y")
    assert caught.value.path == path


def test_later_transfers_may_repeat_the_first() -> None:
    assembler = amqp.TransferAssembler()
    assembler.add(first(more=True), b"x")
    assert assembler.add(first(), b"y") == amqp.Delivery(first(), b"xy")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((None, None), None),
        ((None, True), True),
        ((True, None), True),
        ((False, True, None), True),
        ((True, False), True),
        ((False, None), False),
    ],
)
def test_settled_by_any_of_them(flags: tuple[Any, ...], expected: Any) -> None:
    assembler = amqp.TransferAssembler()
    delivery = None
    for number, settled in enumerate(flags, 1):
        transfer = first(settled=settled, more=number < len(flags))
        delivery = assembler.add(transfer, b"x")
    assert delivery.transfer.settled is expected


def test_the_last_state_counts() -> None:
    assembler = amqp.TransferAssembler()
    assembler.add(first(state=ACCEPTED, more=True), b"")
    assembler.add(Transfer(0, state=RELEASED, more=True), b"")
    assert assembler.add(Transfer(0), b"").transfer.state == RELEASED


def test_messages_that_are_too_large() -> None:
    assembler = amqp.TransferAssembler(max_message_size=10)
    assert assembler.add(first(), b"x" * 10).payload == b"x" * 10
    with pytest.raises(amqp.errors.LimitExceeded):
        assembler.add(first(number=1), b"x" * 11)
    assembler.add(first(number=2, more=True), b"x" * 6)
    with pytest.raises(amqp.errors.LimitExceeded):
        assembler.add(Transfer(0, more=True), b"x" * 5)
    # The rest of it is no message of its own.
    assert assembler.add(Transfer(0, more=True), b"x" * 3) is None
    assert assembler.add(Transfer(0), b"x") is None
    assert assembler.add(first(number=3), b"next").payload == b"next"
    # Nor is it when it is aborted or the link is gone.
    for end in (lambda: assembler.add(Transfer(0, aborted=True), b""), lambda: assembler.forget(0, 0)):
        assembler.add(first(number=4, more=True), b"x" * 6)
        with pytest.raises(amqp.errors.LimitExceeded):
            assembler.add(Transfer(0, more=True), b"x" * 5)
        end()
        assert assembler.add(first(number=5), b"next").payload == b"next"


def test_which_transfer_is_the_first_of_a_delivery() -> None:
    assembler = amqp.TransferAssembler(max_message_size=10)
    assembler.add(first(number=1, more=True), b"x", 3)
    assert [assembler.is_first(0, 3), assembler.is_first(0), assembler.is_first(1, 3)] == [False, True, True]
    assembler.add(Transfer(0, aborted=True), b"", 3)
    assert assembler.is_first(0, 3)
    with pytest.raises(amqp.errors.LimitExceeded):
        assembler.add(first(more=True), b"x" * 11)
    assert not assembler.is_first(0)  # the rest of it still comes
    assembler.add(Transfer(0), b"")
    assert assembler.is_first(0)


def test_forget() -> None:
    assembler = amqp.TransferAssembler()
    for channel in (0, 1):
        for handle in (0, 1):
            assembler.add(first(handle, more=True), b"old", channel)
    assembler.forget(0, 1)
    assembler.forget(1)
    found = [assembler.add(first(handle), b"new", channel).payload for channel in (0, 1) for handle in (0, 1)]
    assert found == [b"oldnew", b"new", b"new", b"new"]
    assembler.forget(9)
    assembler.forget(0, 9)


def test_the_transfers_given_are_left_as_they_were() -> None:
    assembler = amqp.TransferAssembler()
    one, two = first(more=True), Transfer(0, settled=True, state=ACCEPTED)
    assembler.add(one, b"")
    delivery = assembler.add(two, b"")
    assert (one, two) == (first(more=True), Transfer(0, settled=True, state=ACCEPTED))
    assert delivery.transfer is not one


def test_join_refuses_what_is_not_one_delivery() -> None:
    for transfers in (
        [],
        [(first(more=True), b"")],
        [(first(), b""), (first(number=1), b"")],
        [(first(more=True), b""), (Transfer(0, aborted=True), b"")],
    ):
        with pytest.raises(amqp.errors.Malformed):
            amqp.join_transfers(transfers)


def test_what_contradicts_the_first_costs_its_own_delivery_only() -> None:
    assembler = amqp.TransferAssembler()
    assembler.add(first(number=1, more=True), b"lost")
    with pytest.raises(amqp.errors.Malformed, match="differs"):
        assembler.add(first(number=2, more=True), b"x")
    assert assembler.is_first(0)
    assert assembler.add(first(number=3), b"next") == amqp.Delivery(first(number=3), b"next")


def test_what_a_message_holds_is_not_looked_into() -> None:
    """An error of a message is raised where it is decoded; the stream and the deliveries after it go on."""
    good = amqp.Message(body=BY_NAME["data"](b"good")).encode()
    decoder, assembler = amqp.FrameDecoder(), amqp.TransferAssembler()
    deliveries = []
    for number, payload in enumerate([*UNREADABLE, good]):
        for frame in amqp.split_transfer(first(number=number), payload, max_frame_size=512):
            for channel, transfer, piece in decoder.feed(frame):
                deliveries.append(assembler.add(transfer, piece, channel))
    whole = [delivery for delivery in deliveries if delivery is not None]
    assert [delivery.payload for delivery in whole] == [*UNREADABLE, good]
    for delivery in whole[:-1]:
        with pytest.raises(amqp.DecodeError):
            amqp.decode_message(delivery.payload)
    assert amqp.decode_message(whole[-1].payload).body.value == b"good"


# Octets that are not a message, or not all of one.
UNREADABLE = [
    bytes.fromhex("005375a1"),  # cut off
    bytes.fromhex("005375a005ff"),
    bytes.fromhex("005373c00802b100000002fffe"),
    bytes.fromhex("005373c0070140a105ff61626364"),  # a subject that is not UTF-8
    bytes.fromhex("005399a00178"),  # no section
    bytes.fromhex("00a306782e793a7a00a00178"),
    bytes.fromhex("005377") + bytes.fromhex("c00301") * 70 + b"\x40",  # too deep
    bytes.fromhex("005374c105020501a10161"),
    b"no message",
    b"\xff" * 2000,
    b"\x00",
]


# --- what the peer does wrong ---


def test_a_violation_says_with_which_condition_to_detach() -> None:
    assembler = amqp.TransferAssembler(max_message_size=1)
    with pytest.raises(amqp.FlowViolation) as caught:
        assembler.add(Transfer(0, 1), b"x")
    assert caught.value.condition == "amqp:invalid-field"
    assert (
        str(caught.value)
        == "transfer.delivery-tag: is mandatory in the first transfer of a delivery (at octet 0)"
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.condition) == (
        type(caught.value),
        str(caught.value),
        "amqp:invalid-field",
    )
    with pytest.raises(amqp.FlowViolation) as caught:
        assembler.add(first(), b"xy")
    assert caught.value.condition == "amqp:link:message-size-exceeded"


# --- lenient ---


def test_a_transfer_without_delivery_tag_is_taken_leniently() -> None:
    assembler = amqp.TransferAssembler(lenient=True)
    delivery = assembler.add(Transfer(0, 7), b"x", 3)
    assert (delivery.delivery_id, delivery.delivery_tag, delivery.payload) == (7, b"", b"x")
    assert delivery.transfer == Transfer(0, 7)
    assert assembler.add(first(number=8), b"y") == amqp.Delivery(first(number=8), b"y")
    assert copy.copy(delivery) == delivery


def test_the_first_of_several_may_lack_tag_and_format_leniently() -> None:
    transfers = [
        (Transfer(0, 7, more=True), b"one "),
        (Transfer(0, more=True), b"two "),
        (Transfer(0), b"three"),
    ]
    delivery = amqp.join_transfers(transfers, lenient=True)
    assert (delivery.payload, delivery.transfer) == (b"one two three", Transfer(0, 7, more=False))
    with pytest.raises(amqp.errors.Malformed, match="delivery-tag: is mandatory"):
        amqp.join_transfers(transfers)
    # A later transfer may have what the first one lacks; after that it must not change.
    late = [(Transfer(0, 7, more=True), b"x"), (Transfer(0, 7, b"t", 0), b"y")]
    assert amqp.join_transfers(late, lenient=True).delivery_tag == b"t"
    with pytest.raises(amqp.errors.Malformed, match="differs"):
        amqp.join_transfers(
            [late[0], (Transfer(0, 7, b"t", more=True), b""), (Transfer(0, 7, b"u"), b"")], lenient=True
        )


def test_an_id_is_due_leniently_too() -> None:
    """Without one nobody could settle the delivery."""
    assembler = amqp.TransferAssembler(lenient=True)
    for transfer in (Transfer(0, delivery_tag=b"t"), Transfer(0, delivery_tag=b"t", more=True)):
        with pytest.raises(amqp.errors.Malformed, match=r"transfer\.delivery-id: is mandatory"):
            assembler.add(transfer, b"x")
    assert assembler.add(Transfer(0, 1), b"next").payload == b"next"
