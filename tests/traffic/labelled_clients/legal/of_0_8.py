"""Clients of 0-8 and 0-9 that are odd, and within the rules."""

from __future__ import annotations

from ..actor import Actor


def publishes_and_consumes_in_0_8(client: Actor) -> None:
    """Without any ticket; the broker does not ask for one."""
    methods, queue = client.ready().amqp.methods, client.declare()
    client.publish(queue, b"x")
    client.call(methods.BasicQos(prefetch_count=1))
    client.call(methods.BasicConsume(queue=queue, consumer_tag="tag"))
    client.send(methods.BasicAck(client.expect(methods.BasicDeliver).method.delivery_tag))
    client.call(methods.BasicCancel("tag"))


def other_header_of_0_8(client: Actor) -> None:
    """The protocol header that the text of 0-8 has, other than its grammar."""
    client.handshake(header=b"AMQP\x01\x01\x09\x01").open_channel()
    queue = client.declare()
    client.publish(queue, b"x")
    assert client.get(queue) is not None


def closes_as_0_9(client: Actor) -> None:
    """Speaks 0-9, which the broker takes for 0-9-1."""
    client.ready().publish(client.declare(), b"x")
