"""The modules for authors of 1.0 clients against naive models. The octets of a case are the seed of a script.

The peer of a script may say anything that can be encoded: the error for that is the one documented, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from tests.fuzz.case import Options
from tests.fuzz.oracles import check_text, demand

LAST = 2**32 - 1
NUMBERS = (0, 1, 2, 5, 2**31 - 1, 2**31, 2**31 + 1, LAST - 1, LAST)


def check_client(amqp: Any, octets: bytes, options: Options) -> bool:
    """Run a script of one of the modules; True if no peer said what it must not."""
    random = Random(octets)
    return random.choice((serial_numbers, window, credit, unsettled, transfers, transfers))(amqp, random)


def serial_numbers(amqp: Any, random: Random) -> bool:
    """Numbers of a sequence that is counted without an end."""
    start, count = random.choice(NUMBERS), random.choice((0, 1, 7, 2**31 - 1, 2**31, -1, LAST))
    number = (start + count) & LAST
    serial = amqp.serial
    try:
        demand(serial.add(start, count) == number, "another sum", start, count)
    except ValueError:
        demand(not 0 <= count < 2**31, "refused without reason", start, count)
        return False
    demand(serial.difference(number, start) == count, "another difference", start, count)
    demand(serial.difference(start, number) == -count, "another difference back", start, count)
    demand(serial.compare(number, start) == min(count, 1), "another order", start, count)
    if count < 100:
        wanted = [(start + offset) & LAST for offset in range(count + 1)]
        demand(list(serial.span(start, number)) == wanted, "another span", start, count)
    return True


def any_flow(amqp: Any, random: Random, **fields: Any) -> Any:
    """A flow with states that fit or do not."""
    return amqp.performatives.Flow(
        next_incoming_id=random.choice((None, *NUMBERS)),
        incoming_window=random.choice(NUMBERS),
        next_outgoing_id=random.choice(NUMBERS),
        outgoing_window=random.choice(NUMBERS),
        **fields,
    )


def check_state(owner: Any, names: tuple[str, ...]) -> None:
    for name in names:
        value = getattr(owner, name)
        demand(value is None or 0 <= value <= LAST, "out of range", name, value)


WINDOWS = ("incoming_window", "next_incoming_id", "next_outgoing_id")
REMOTE_WINDOWS = ("remote_incoming_window", "remote_outgoing_window")


def window(amqp: Any, random: Random) -> bool:
    ours = amqp.SessionWindow(random.choice((0, 1, 3, LAST)), next_outgoing_id=random.choice(NUMBERS))
    accepted = True
    room = ours.incoming_window  # how many transfers the peer has been allowed so far
    for _ in range(random.randrange(15)):
        step = random.randrange(5)
        try:
            if step == 0:
                number = random.choice(NUMBERS)
                ours.received_begin(
                    amqp.performatives.Begin(
                        next_outgoing_id=number,
                        incoming_window=number,
                        outgoing_window=random.choice(NUMBERS),
                    )
                )
            elif step == 1:
                ours.received_flow(any_flow(amqp, random))
            elif step == 2:
                ours.received_transfer()
                room -= 1
                demand(room >= 0, "more transfers than were allowed")
            elif step == 3:
                before = ours.remote_incoming_window
                count = random.choice((0, 1, before, before + 1))
                ours.sent_transfer(count)
                demand(ours.remote_incoming_window == before - count, "another window", before, count)
            else:
                room = max(room, ours.incoming_size)
                ours.flow().encode()
        except amqp.FlowViolation as error:
            check_text(str(error))
            demand(step in (1, 2), "a violation of our own", error)
            demand(step != 2 or not room or ours.next_incoming_id is None, "refused without reason", error)
            accepted = False
        except ValueError:
            demand(step == 3 and count > before, "refused without reason", count, before)
        check_state(ours, (*WINDOWS, *REMOTE_WINDOWS))
        demand(ours.can_send == (ours.remote_incoming_window > 0), "may it send?")
    return accepted


def credit(amqp: Any, random: Random) -> bool:
    sender, receiver = amqp.SenderCredit(1, random.choice(NUMBERS)), amqp.ReceiverCredit(2)
    session = amqp.SessionWindow(1)
    accepted = True
    for _ in range(random.randrange(15)):
        flow = any_flow(
            amqp,
            random,
            handle=1,
            delivery_count=random.choice((None, *NUMBERS)),
            link_credit=random.choice((None, *NUMBERS)),
            available=random.choice((None, 0, LAST)),
            drain=random.random() < 0.3,
        )
        attach = amqp.performatives.Attach(
            "l", 0, amqp.performatives.Role.SENDER, initial_delivery_count=random.choice((None, *NUMBERS))
        )
        steps: tuple[Callable[[], Any], ...] = (
            partial(sender.received_flow, flow),
            partial(receiver.received_flow, flow),
            partial(receiver.received_attach, attach),
            receiver.received_delivery,
            partial(receiver.grant, random.choice(NUMBERS)),
            sender.drained if random.random() < 0.3 else sender.sent_delivery,
        )
        step = random.randrange(len(steps))
        before = sender.link_credit
        try:
            steps[step]()
        except amqp.FlowViolation as error:
            check_text(str(error))
            demand(step in (0, 1, 3), "a violation of our own", error)
            accepted = False
        except ValueError:
            demand(step == 5 and not before, "refused without reason", step)
        for end in (sender, receiver):
            check_state(end, ("delivery_count", "link_credit", "available"))
            end.flow(session).encode()
    return accepted


def unsettled(amqp: Any, random: Random) -> bool:
    known, model = amqp.UnsettledDeliveries(), dict[int, int]()
    accepted = True
    for number in random.sample(NUMBERS, random.randrange(len(NUMBERS))):
        known.add(number, -number)
        model[number] = -number
    for _ in range(random.randrange(6)):
        first, last = random.choice(NUMBERS), random.choice((None, *NUMBERS))
        told = amqp.performatives.Disposition(
            amqp.performatives.Role.RECEIVER, first, last=last, settled=random.random() < 0.5
        )
        width = 0 if last is None else (last - first) & LAST
        try:
            found = known.settle(told)
        except amqp.FlowViolation as error:
            check_text(str(error))
            demand(width >= 2**31, "refused without reason", told)
            accepted = False
            continue
        inside = [number for number in model if (number - first) & LAST <= width]
        inside.sort(key=lambda number, first=first: (number - first) & LAST)
        demand(found == [(number, model[number]) for number in inside], "other deliveries", told, found)
        if told.settled:
            model = {number: value for number, value in model.items() if number not in inside}
        demand(list(known) == list(model), "other deliveries are left", list(known), model)
    return accepted


def transfers(amqp: Any, random: Random) -> bool:
    """Transfers of two links in any order, against the list of those of each delivery."""
    most = random.choice((0, 0, 4))
    assembler = amqp.TransferAssembler(max_message_size=most)
    parts: dict[int, list[Any]] = {}
    dropped: set[int] = set()
    accepted = True
    for _ in range(random.randrange(12)):
        handle = random.randrange(2)
        transfer, payload = any_transfer(amqp, random, handle, parts.get(handle))
        before = parts.get(handle, [])
        try:
            found = assembler.add(transfer, payload)
        except amqp.FlowViolation as error:
            demand(
                isinstance(error, (amqp.errors.Malformed, amqp.errors.LimitExceeded)), "another error", error
            )
            accepted = False
            check_text(str(error))
            is_large = isinstance(error, amqp.errors.LimitExceeded)
            demand(is_large or faulty(before, transfer), "refused without reason", error, transfer)
            if assembler.is_first(handle):
                parts.pop(handle, None)
                dropped.discard(handle)
            elif is_large:
                dropped.add(handle)
                parts[handle] = [*before, (transfer, payload)]
            continue
        parts.pop(handle, None)
        if transfer.aborted or not transfer.more:
            was_dropped = handle in dropped
            dropped.discard(handle)
            demand((found is None) == (transfer.aborted or was_dropped), "no delivery", transfer, found)
            if found is not None:
                whole = b"".join(part for _, part in [*before, (transfer, payload)])
                demand(found.payload == whole, "another payload", found, whole)
                demand(not most or len(whole) <= most, "too large a message", whole)
                first = before[0][0] if before else transfer
                demand(found.delivery_id == first.delivery_id, "another delivery", found)
        else:
            demand(found is None, "a delivery too early", found)
            parts[handle] = [*before, (transfer, payload)]
        demand(assembler.is_first(handle) == (handle not in parts), "is it the first?", handle)
    return accepted


def faulty(before: list[Any], transfer: Any) -> bool:
    """Whether a transfer lacks what the first one has, or contradicts it."""
    names = ("delivery_id", "delivery_tag", "message_format")
    values = [getattr(transfer, name) for name in names]
    if not before:
        return None in (values if transfer.more else values[:2])
    first = [getattr(before[0][0], name) for name in names]
    return any(value not in (None, own) for value, own in zip(values, first, strict=True))


def any_transfer(amqp: Any, random: Random, handle: int, before: list[Any] | None) -> tuple[Any, bytes]:
    transfer = amqp.performatives.Transfer(
        handle,
        more=random.random() < 0.6,
        aborted=random.random() < 0.05,
        settled=random.choice((None, False, True)),
    )
    if not before or random.random() < 0.3:
        transfer.delivery_id = random.choice((None, 1, 1, 1, 1, 2))
        transfer.delivery_tag = random.choice((None, b"t", b"t", b"t", b"t", b"u"))
        transfer.message_format = random.choice((None, 0, 0, 0, 1))
    return transfer, random.randbytes(random.randrange(4))
