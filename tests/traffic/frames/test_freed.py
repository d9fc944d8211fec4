"""Ended conversations: their memory is free at once, for a collection of millions of objects comes too late."""

from __future__ import annotations

import gc
from weakref import ref

from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.frames.conversation import FramedConversation
from amqp_traffic.frames.native_conversation import NativeConversation

HEADER = b"AMQP\0\0\x09\x01"


def feed_header(conversation: FramedConversation) -> None:
    conversation.feed(Direction.client_to_server, StreamPiece(HEADER, 0, 0, 1, 24, 0))
    assert conversation.framers is not None


def test_an_ended_conversation_is_in_no_circle() -> None:
    gc.disable()
    try:
        conversation = FramedConversation(1, lambda *_: None, Quarantine(), from_start=True)
        feed_header(conversation)
        conversation.finish((len(HEADER), 0))
        gone = ref(conversation)
        del conversation
        assert gone() is None
    finally:
        gc.enable()


def test_an_ended_conversation_of_c_is_in_no_circle() -> None:
    gc.disable()
    try:
        native = NativeConversation(
            1, b"", Quarantine(), lambda *_: 0, from_start=True, roles_are_certain=True
        )
        feed_header(native.conversation)
        native.finish(0, len(HEADER), 0, 1, 24, 0)
        gone = ref(native.conversation)
        del native
        assert gone() is None
    finally:
        gc.enable()
