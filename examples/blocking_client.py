"""A blocking client of AMQP 0-9-1 on the engine: a socket, a clock, and what to do with events.

PYTHONPATH=generated python examples/blocking_client.py [URL [MESSAGES]]
"""

import socket
import sys
import time
from urllib.parse import unquote, urlsplit

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.client.connection import (
    ChannelOpened,
    Closed,
    Confirmed,
    Delivered,
    Event,
    Opened,
    Reply,
)
from amqp_0_9_1_rabbitmq.methods import BasicConsume, BasicPublish, ConfirmSelect, QueueDeclare


def next_event(connection: amqp.Connection, stream: socket.socket) -> Event:
    """Return the next event; send, receive and look at the clock until there is one."""
    while (event := connection.next_event()) is None:
        try:
            stream.settimeout(None)  # or less than all may be sent, and the rest is lost
            stream.sendall(connection.data_to_send())
            due = connection.next_timer()
            stream.settimeout(None if due is None else max(0.001, due - time.monotonic()))
            connection.receive_data(stream.recv(65536), time.monotonic())
        except TimeoutError:
            pass
        except OSError:
            connection.receive_eof(time.monotonic())
        connection.timer(time.monotonic())  # after octets, too: a busy peer wants heartbeats
    return event


def main(url: str = "amqp://guest:guest@localhost:5672", messages: str = "3") -> None:
    count, seen, confirmed, queue, place = int(messages), 0, 0, "", urlsplit(url)
    login = amqp.PlainLogin(unquote(place.username or "guest"), unquote(place.password or "guest"))
    virtual_host = unquote(place.path[1:]) or "/"
    connection = amqp.Connection(amqp.ClientSettings(login=login, virtual_host=virtual_host))
    with socket.create_connection((place.hostname, place.port or 5672)) as stream:
        connection.start(time.monotonic())
        while True:
            match next_event(connection, stream):
                case Opened(server):
                    print(f"connected to {server['product']} {server['version']}")
                    connection.open_channel()
                case ChannelOpened(channel):
                    connection.request(channel, QueueDeclare("", exclusive=True))
                case Reply(channel, method=amqp.methods.QueueDeclareOk(queue)):
                    connection.request(channel, ConfirmSelect())
                    connection.request(channel, BasicConsume(queue))
                    for number in range(count):
                        connection.publish(channel, BasicPublish("", queue), None, b"message %d" % number)
                case Delivered(channel, delivery_tag=tag):
                    connection.ack(channel, tag)
                    seen += 1
                case Confirmed(numbers=numbers):
                    confirmed += len(numbers)
                case Closed(None):
                    print(f"{count} messages published, {confirmed} confirmed, {seen} received")
                    return
                case Closed(error):
                    sys.exit(f"error: {error}")
            if seen == confirmed == count:
                connection.close()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit(f"error: {error}")
