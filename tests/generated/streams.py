"""Streams of frames of any package, which are read in both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def decode_both_ways(
    amqp: Any, check_error: Callable[[Any, Any, int], None], stream: bytes, size: int, **options: Any
) -> Any:
    """Decode a stream at once and in pieces of a size: the same frames and error; return the error, or None."""
    refused = None
    try:
        whole: Any = amqp.decode_frames(stream, **options)[0]
    except amqp.CodecError as error:
        check_error(amqp, error, len(stream))
        whole, refused = list(error.frames), error
    decoder = amqp.FrameDecoder(**{"max_frame_size": 0, **options})
    pieces: list[Any] = []
    try:
        for start in range(0, len(stream), size):
            pieces += decoder.feed(stream[start : start + size])
    except amqp.CodecError as error:
        check_error(amqp, error, len(stream))
        pieces += error.frames
        assert refused is not None
        assert (type(error), str(error)) == (type(refused), str(refused))
    else:
        assert refused is None, refused
    assert repr(pieces) == repr(whole)
    return refused
