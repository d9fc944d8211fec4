"""The modules for authors of 0-x clients against naive models. The octets of a case are the seed of a script.

Scripts may break the protocol at any step: that is a ProtocolError, of which the model says when, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz.case import Options
from tests.fuzz.oracles import check_text, demand

LAST_TAG = 2**64 - 1


def check_client(amqp: Any, octets: bytes, options: Options) -> bool:
    """Run a script of one of the modules; True if nothing in it broke the protocol."""
    random = Random(octets)
    scripts = [contents, contents, numbers, heartbeats, limits]
    if hasattr(amqp, "ConfirmTracker"):
        scripts.append(confirms)
    return random.choice(scripts)(amqp, random)


def outcome(amqp: Any, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a call gives, or its ProtocolError; anything else that is raised goes on."""
    try:
        return call(*arguments, **options)
    except amqp.ProtocolError as error:
        check_text(str(error))
        demand(error.reply_code in set(amqp.constants.ReplyCode), "not a reply code", error)
        return error


class Contents:
    """What an assembler should do: the frames of each channel since the last method with content."""

    def __init__(self, amqp: Any, max_body_size: int, max_channels: int) -> None:
        self.amqp = amqp
        self.max_body_size = max_body_size
        self.max_channels = max_channels
        self.frames: dict[int, list[Any]] = {}
        self.dropped: set[int] = set()

    def add(self, channel: int, frame: Any) -> Any:
        """What is to come of a frame: False for a ProtocolError."""
        amqp, before = self.amqp, self.frames.pop(channel, [])
        was_dropped = channel in self.dropped
        self.dropped.discard(channel)
        if isinstance(frame, amqp.Heartbeat):
            self.keep(channel, before, was_dropped)
            return frame
        if isinstance(frame, amqp.methods.MethodBase):
            closes = frame.NAME in ("channel.close", "channel.close-ok")
            if before and not closes:
                return False
            if not frame.HAS_CONTENT:
                return frame
            is_full = 0 < self.max_channels <= len(self.frames)
            self.keep(channel, [frame], is_full)
            return False if is_full else None
        found = [*before, frame]
        kinds = [type(item) for item in found[1:]]
        if not before or kinds[0] is amqp.ContentBody or amqp.ContentHeader in kinds[1:]:
            return False
        header = found[1]
        body = b"".join(item.payload for item in found[2:])
        if header.class_id != found[0].CLASS_ID or len(body) > header.body_size:
            return False
        if len(body) == header.body_size:
            return None if was_dropped else amqp.Message(channel, found[0], header, body)
        is_large = not was_dropped and len(found) == 2 and 0 < self.max_body_size < header.body_size
        self.keep(channel, found, was_dropped or is_large)
        return False if is_large else None

    def keep(self, channel: int, frames: list[Any], is_dropped: bool) -> None:
        if frames:
            self.frames[channel] = frames
            if is_dropped:
                self.dropped.add(channel)


def contents(amqp: Any, random: Random) -> bool:
    limits = {"max_body_size": random.choice((0, 4, 1000)), "max_channels": random.choice((0, 1, 2))}
    assembler, model = amqp.ContentAssembler(**limits), Contents(amqp, **limits)
    accepted = True
    for _ in range(random.randrange(12)):
        channel = random.randrange(3)
        frame = next_frame(amqp, random, model.frames.get(channel, []))
        found, wanted = outcome(amqp, assembler.add, channel, frame), model.add(channel, frame)
        if wanted is False:
            demand(isinstance(found, amqp.ProtocolError), "not refused", found, frame)
            demand(found.channel == channel, "another channel", found)
            accepted = False
        else:
            demand(found == wanted, "another message", found, wanted)
    return accepted


def next_frame(amqp: Any, random: Random, before: list[Any]) -> Any:
    """Mostly the frame that has to come next on a channel."""
    chosen = random.random()
    step = min(len(before), 2) if chosen < 0.85 else random.randrange(5)
    kinds = [kind for kind in amqp.METHODS.values() if kind.HAS_CONTENT and kind.NAME.startswith("basic.")]
    if step == 0:
        kind = random.choice(kinds)
        return kind(**{"delivery_tag": 1} if "delivery_tag" in [field.name for field in kind.FIELDS] else {})
    if step == 1:
        return amqp.ContentHeader(amqp.BasicProperties(), random.choice((0, 1, 3, 6, LAST_TAG)))
    if step == 2:
        return amqp.ContentBody(random.randbytes(random.choice((0, 1, 2, 3, 6))))
    close = amqp.methods.ChannelClose(reply_code=404)
    return close if step == 3 else random.choice((amqp.Heartbeat(), amqp.methods.ChannelCloseOk()))


def confirms(amqp: Any, random: Random) -> bool:
    first = random.choice((0, 0, 2, LAST_TAG - 3))
    tracker = amqp.ConfirmTracker(1, last=first)
    published: list[int] = []
    outstanding: list[int] = []
    accepted = True
    for _ in range(random.randrange(20)):
        if random.random() < 0.5:
            number = first + len(published) + 1
            published.append(number if number <= LAST_TAG else number - LAST_TAG)
            outstanding.append(published[-1])
            demand(tracker.publish() == published[-1], "another number", published)
            continue
        tag = random.choice([*outstanding, *published, 0, 1, first, first + 30, -1, LAST_TAG + 1])
        multiple = random.random() < 0.4
        found = outcome(amqp, tracker.settle, tag, multiple=multiple)
        wanted = answered(tag, multiple, first, published, outstanding)
        if wanted is None:
            demand(isinstance(found, amqp.ProtocolError), "not refused", found, tag)
            accepted = False
        else:
            demand(found == tuple(wanted), "another answer", found, wanted)
            outstanding = [number for number in outstanding if number not in wanted]
        demand(tracker.outstanding == tuple(outstanding), "other numbers wait", tracker.outstanding)
        demand(len(tracker) == len(outstanding), "another length")
    return accepted


def answered(
    tag: int, multiple: bool, first: int, published: list[int], outstanding: list[int]
) -> list[int] | None:
    """The numbers that an ack answers; None if it is an error."""
    if not multiple:
        return [tag] if tag in outstanding else None
    if tag == 0:
        return outstanding
    if tag in published:
        until = published[: published.index(tag) + 1]
        return [number for number in outstanding if number in until]
    return [] if 0 < tag <= min(first, LAST_TAG) else None


def numbers(amqp: Any, random: Random) -> bool:
    low = random.randrange(3)
    high = low + random.randrange(5)
    allocator, used = amqp.NumberAllocator(low, high), set[int]()
    accepted = True
    for _ in range(random.randrange(20)):
        step, number = random.randrange(3), random.randrange(-1, 9)
        free = sorted(set(range(low, high + 1)) - used)
        try:
            if step == 0:
                demand(allocator.allocate() == free[0], "not the lowest", free)
                used.add(free[0])
            elif step == 1:
                allocator.reserve(number)
                demand(number in free, "it was not free", number)
                used.add(number)
            else:
                allocator.release(number)
                demand(number in used, "it was not in use", number)
                used.remove(number)
        except (ValueError, amqp.NoFreeNumber):
            refused = (not free, number not in free, number not in used)[step]
            demand(refused, "refused without reason", step, number)
            accepted = False
        demand(list(allocator) == sorted(used) and len(allocator) == len(used), "other numbers", used)
    return accepted


def heartbeats(amqp: Any, random: Random) -> bool:
    interval = random.choice((0, 1, 10, 0.5))
    times = [random.uniform(0, 100)]
    timer, sent, received = amqp.HeartbeatTimer(interval, times[0]), [times[0]], [times[0]]
    for _ in range(random.randrange(10)):
        now = random.uniform(0, 200)
        if random.random() < 0.5:
            timer.sent(now)
            sent.append(now)
        else:
            timer.received(now)
            received.append(now)
        later = random.uniform(0, 300)
        must_send = bool(interval) and later >= max(sent) + interval / 2
        is_dead = bool(interval) and later >= max(received) + 2 * interval
        demand(timer.must_send(later) == must_send, "a heartbeat at another time", sent, later)
        demand(timer.is_peer_dead(later) == is_dead, "dead at another time", received, later)
        demand(timer.next_event == min(timer.next_send, timer.peer_deadline), "another event")
    return True


def limits(amqp: Any, random: Random) -> bool:
    """The answer to connection.tune keeps to the limits of both."""
    tune = amqp.methods.ConnectionTune(
        random.choice((0, 1, 100, 65535)),
        random.choice((0, 8, 4095, 4096, 131072)),
        random.choice((0, 10, 65535)),
    )
    ours: dict[str, Any] = {
        "channel_max": random.choice((0, 5, 65535, 65536)),
        "max_frame_size": random.choice((0, 4096, 2**32, 100)),
        "heartbeat": random.choice((None, 0, 5, -1)),
    }
    try:
        answer = outcome(amqp, amqp.negotiate, tune, **ours)
    except ValueError:
        demand(
            ours["channel_max"] > 65535 or ours["max_frame_size"] in (2**32, 100) or ours["heartbeat"] == -1,
            ours,
        )
        return False
    if isinstance(answer, amqp.ProtocolError):
        demand(0 < tune.frame_max < 4096, "refused without reason", tune)
        return False
    answer.encode()
    for name, limit in (("channel_max", "channel_max"), ("frame_max", "max_frame_size")):
        both = [item for item in (getattr(tune, name), ours[limit]) if item]
        demand(getattr(answer, name) == min(both, default=0), "another limit", name, answer)
    return True
