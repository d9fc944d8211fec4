"""Clients that are odd, and within the rules: queues, exchanges, deliveries, confirms."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp

from ..actor import Actor

methods = amqp.methods


def _consumes(client: Actor, messages: int) -> str:
    """Has so many deliveries of a queue of its own, not settled."""
    queue = client.ready().declare()
    for _ in range(messages):
        client.publish(queue, b"x")
    client.call(methods.BasicQos(prefetch_count=messages))
    client.call(methods.BasicConsume(queue, "tag"))
    for _ in range(messages):
        client.expect(methods.BasicDeliver)
    return queue


# --- Queues and exchanges ---


def never_waits(client: Actor) -> None:
    """Every method that has no-wait has it set."""
    queue, exchange = client.ready().name(), client.name()
    client.send(
        methods.ExchangeDeclare(exchange, "fanout", no_wait=True),
        methods.QueueDeclare(queue, exclusive=True, no_wait=True),
        methods.QueueBind(queue, exchange, "", no_wait=True),
        methods.ConfirmSelect(nowait=True),
        methods.BasicConsume(queue, "tag", no_ack=True, no_wait=True),
        methods.BasicCancel("tag", no_wait=True),
        methods.QueuePurge(queue, no_wait=True),
        methods.ExchangeBind(exchange, "amq.fanout", "", no_wait=True),
        methods.ExchangeUnbind(exchange, "amq.fanout", "", no_wait=True),
        methods.QueueDelete(queue, no_wait=True),
        methods.ExchangeDelete(exchange, no_wait=True),
    )
    client.declare()


def names_by_the_server(client: Actor) -> None:
    """Queues without a name, which the server names; an empty name then means the last of them."""
    client.ready()
    assert client.declare() != client.declare()
    client.call(methods.QueueBind("", "amq.direct", "key"))
    client.call(methods.QueuePurge(""))
    assert client.get("") is None
    client.call(methods.QueueDelete(""))


def declares_again(client: Actor) -> None:
    """Declares what is there, in the same way, twice; then passively."""
    queue, exchange = client.ready().name(), client.name()
    for passive in (False, False, True):
        client.call(methods.QueueDeclare(queue, exclusive=True, passive=passive))
        client.call(methods.ExchangeDeclare(exchange, "topic", durable=True, passive=passive))
    client.call(methods.ExchangeDelete(exchange))


def deletes_what_is_not_there(client: Actor) -> None:
    """Deletes a queue, an exchange and a binding that do not exist; cancels such a consumer."""
    queue = client.ready().declare()
    client.call(methods.QueueUnbind(queue, "amq.direct", "never bound"))
    client.call(methods.QueueDelete(client.name()))
    client.call(methods.ExchangeDelete(client.name()))
    client.call(methods.BasicCancel("nobody"))


def bindings_of_exchanges(client: Actor) -> None:
    """An exchange is bound to another, and a queue with arguments to both."""
    one, other = client.ready().name(), client.name()
    queue = client.declare()
    client.call(methods.ExchangeDeclare(one, "topic", durable=True))
    client.call(methods.ExchangeDeclare(other, "headers", durable=True, internal=True))
    client.call(methods.ExchangeBind(other, one, "#"))
    client.call(methods.QueueBind(queue, other, "", arguments={"x-match": "any", "n": 1}))
    client.publish("a.b", b"x", amqp.BasicProperties(headers={"n": 1}), exchange=one)
    client.call(methods.ExchangeDelete(one))
    client.call(methods.ExchangeDelete(other))


def queue_with_arguments(client: Actor) -> None:
    """A queue with most of the arguments there are."""
    arguments = {
        "x-message-ttl": 60_000,
        "x-expires": 60_000,
        "x-max-length": 10,
        "x-max-length-bytes": 1000,
        "x-overflow": "reject-publish",
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": "nowhere",
        "x-max-priority": 3,
        "x-single-active-consumer": True,
        "of my own": {"any": [1, 2.5]},
    }
    client.ready().declare(arguments=arguments)


def quorum_queue(client: Actor) -> None:
    """A queue of the type quorum, and consumers of it."""
    name = client.ready().name()
    client.call(methods.QueueDeclare(name, durable=True, arguments={"x-queue-type": "quorum"}))
    client.call(methods.QueueDelete(name))


def pseudo_queue_for_replies(client: Actor) -> None:
    """Asks itself with amq.rabbitmq.reply-to."""
    pseudo = "amq.rabbitmq.reply-to"
    queue = client.ready().declare()
    client.call(methods.BasicConsume(pseudo, no_ack=True))
    client.publish(queue, b"request", amqp.BasicProperties(reply_to=pseudo))
    client.publish(client.fetch(queue).properties.reply_to, b"reply")
    client.expect(methods.BasicDeliver)


def queue_deleted_while_consuming(client: Actor) -> None:
    """The server cancels a consumer whose queue is deleted."""
    queue = _consumes(client, 2)
    client.open_channel(2).call(methods.QueueDelete(queue), channel=2)
    client.expect(methods.BasicCancel)


# --- Deliveries ---


def acks_out_of_order(client: Actor) -> None:
    """Settles the last delivery first, each in another way."""
    _consumes(client, 5)
    client.send(
        methods.BasicAck(5), methods.BasicReject(3, requeue=False), methods.BasicNack(4, requeue=False)
    )
    client.send(methods.BasicAck(1), methods.BasicAck(2))
    client.declare()


def acks_all_with_tag_0(client: Actor) -> None:
    """Tag 0 with multiple acknowledges whatever there is."""
    _consumes(client, 5)
    client.send(methods.BasicAck(0, multiple=True))
    client.declare()


def acks_across_a_gap(client: Actor) -> None:
    """basic.ack with multiple, where some of those tags are settled already."""
    _consumes(client, 5)
    client.send(methods.BasicAck(2), methods.BasicAck(4), methods.BasicAck(5, multiple=True))
    client.declare()


def nacks_many_to_get_them_again(client: Actor) -> None:
    """basic.nack with multiple and requeue; they come again."""
    _consumes(client, 3)
    client.send(methods.BasicNack(3, multiple=True, requeue=True))
    for _ in range(3):
        assert client.expect(methods.BasicDeliver).method.redelivered
    client.send(methods.BasicAck(0, multiple=True))
    client.declare()


def recovers(client: Actor) -> None:
    """basic.recover with requeue; the deliveries come again."""
    _consumes(client, 3)
    client.send(methods.BasicRecover(requeue=True))
    kinds = [type(client.next()).__name__ for _ in range(4)]
    assert sorted(kinds) == ["BasicRecoverOk", "Message", "Message", "Message"]
    client.send(methods.BasicAck(0, multiple=True))
    client.declare()


def cancels_and_settles_later(client: Actor) -> None:
    """Settles deliveries of a consumer that is canceled."""
    _consumes(client, 3)
    client.call(methods.BasicCancel("tag"))
    client.send(methods.BasicAck(3, multiple=True))
    client.declare()


def consumers_side_by_side(client: Actor) -> None:
    """Two consumers of one queue with tags of their own, one of them without acknowledgements."""
    queue = client.ready().declare()
    client.call(methods.BasicQos(prefetch_count=1))
    tags = [client.call(methods.BasicConsume(queue, no_ack=no_ack)).consumer_tag for no_ack in (True, False)]
    assert len(set(tags)) == 2
    for _ in range(4):
        client.publish(queue, b"x")
    for _ in range(4):
        method = client.expect(methods.BasicDeliver).method
        if method.consumer_tag == tags[1]:
            client.send(methods.BasicAck(method.delivery_tag))
    client.declare()


def redelivered_to_the_same_channel(client: Actor) -> None:
    """basic.reject with requeue, again and again."""
    _consumes(client, 1)
    for tag in range(1, 6):
        client.send(methods.BasicReject(tag, requeue=True))
        assert client.expect(methods.BasicDeliver).method.delivery_tag == tag + 1
    client.send(methods.BasicAck(6))
    client.declare()


# --- Publishing ---


def publishes_a_thousand(client: Actor) -> None:
    """Does not wait for confirms; the last come for many."""
    client.ready().call(methods.ConfirmSelect())
    queue = client.declare()
    for _ in range(1000):
        client.publish(queue, b"x")
    confirmed = 0
    while confirmed < 1000:
        ack = client.expect(methods.BasicAck)
        confirmed = ack.delivery_tag if ack.multiple else max(confirmed, ack.delivery_tag)
    client.call(methods.QueuePurge(queue))


def selects_twice(client: Actor) -> None:
    """confirm.select, and the same again."""
    client.ready()
    for _ in range(2):
        client.call(methods.ConfirmSelect())
