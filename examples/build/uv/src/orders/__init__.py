"""Orders as AMQP messages. The package ``orders.wire`` is generated when this one is built."""

from __future__ import annotations

from .wire import BasicProperties, ContentBody, FrameDecoder, encode_message, methods


def encode_order(number: int) -> bytes:
    """Return the frames that publish an order."""
    publish = methods.BasicPublish(routing_key="orders")
    properties = BasicProperties(content_type="text/plain")
    return encode_message(1, publish, properties, str(number).encode(), max_frame_size=4096)


def decode_orders(octets: bytes) -> list[int]:
    """Return the numbers of all orders in frames."""
    frames = FrameDecoder(max_frame_size=4096).feed(octets)
    return [int(frame.payload) for _, frame in frames if isinstance(frame, ContentBody)]
