"""A broker for tests of clients, on the engine: it takes every login, and delivers what is published to a queue at once.

PYTHONPATH=generated python examples/fake_broker.py [PORT]
"""

from __future__ import annotations

import socketserver
import sys
import time
from contextlib import suppress
from itertools import count

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.client import connection as engine
from amqp_0_9_1_rabbitmq.methods import (
    BasicCancel,
    BasicCancelOk,
    BasicConsume,
    BasicConsumeOk,
    BasicDeliver,
    BasicPublish,
    QueueDeclare,
    QueueDeclareOk,
)


class Session(socketserver.BaseRequestHandler):
    """One connection; its consumers get what it publishes."""

    def handle(self) -> None:
        broker = amqp.Connection(
            amqp.ServerSettings(properties={"product": "fake", "version": "1"}, heartbeat=0)
        )
        consumers: dict[str, tuple[int, str]] = {}
        tags = count(1)
        broker.start(time.monotonic())
        while not broker.is_closed:
            broker.receive_data(self.request.recv(65536), time.monotonic())
            while (event := broker.next_event()) is not None:
                match event:
                    case engine.LoginRequested():
                        broker.accept_login()
                    case engine.OpenRequested():
                        broker.accept_open()
                    case engine.Requested(channel, method):
                        answer = method.RESPONSES[-1]()  # to basic.get, that there is nothing
                        match method:
                            case QueueDeclare(queue):
                                answer = QueueDeclareOk(queue or f"queue-{next(tags)}")
                            case BasicConsume(queue, tag):
                                consumers[queue] = channel, tag or f"consumer-{next(tags)}"
                                answer = BasicConsumeOk(consumers[queue][1])
                            case BasicCancel(tag):
                                answer = BasicCancelOk(tag)
                            case _:
                                pass
                        if method.expects_reply:
                            broker.reply(channel, answer)
                    case engine.Published(channel, message, number):
                        if isinstance(message.method, BasicPublish) and (
                            found := consumers.get(message.method.routing_key)
                        ):
                            deliver = BasicDeliver(
                                found[1], next(tags), False, "", message.method.routing_key
                            )
                            with suppress(engine.LocalError):  # the consumer is gone
                                broker.publish(found[0], deliver, message.properties, message.body)
                        if number is not None:
                            broker.ack(channel, number)
                    case _:
                        pass
            self.request.sendall(broker.data_to_send())


def main(port: str = "5672") -> None:
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    socketserver.ThreadingTCPServer.daemon_threads = True  # Ctrl-C does not wait for clients
    with socketserver.ThreadingTCPServer(("127.0.0.1", int(port)), Session) as server:
        print(f"listens at amqp://127.0.0.1:{server.server_address[1]}", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
