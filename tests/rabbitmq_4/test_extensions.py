"""What the package of RabbitMQ's extensions makes, and RabbitMQ 4 understands."""

from __future__ import annotations

from typing import Any

import amqp_1_0_rabbitmq as amqp
import pytest
from amqp_1_0_rabbitmq.client import claims, direct_reply, management
from amqp_1_0_rabbitmq.filter_expressions import (
    ApplicationPropertiesFilter,
    FilterExpressionCapability,
    PropertiesFilter,
    SqlFilter,
)
from amqp_1_0_rabbitmq.messaging import AmqpValue, Data, Header, Properties, Rejected, Source, Target
from amqp_1_0_rabbitmq.performatives import Attach, Disposition, Role
from amqp_1_0_rabbitmq.rabbitmq import (
    MessageAnnotation,
    RejectedInfoKey,
    RejectionReason,
    StreamFilter,
    StreamMatchUnfiltered,
    StreamOffsetSpec,
)

from .conftest import Managed
from .example import RECEIVER, SENDER, Failure

pytestmark = pytest.mark.broker
OFFSET = "rabbitmq:stream-offset-spec"


def attach_sender(broker: Managed, address: object) -> None:
    target = Target(None if address is None else str(address))
    broker.attach(Attach("to", SENDER, Role.SENDER, source=Source(), target=target, initial_delivery_count=0))


def read(broker: Managed, queue: str, count: int, **filters: Any) -> list[amqp.Message]:
    """Read messages of a queue; all are accepted."""
    source = Source(str(amqp.QueueAddress(queue)), filter=filters or None)
    broker.attach(Attach("from", RECEIVER, Role.RECEIVER, source=source, target=Target()))
    messages = []
    for _ in range(count):
        broker.grant(RECEIVER)
        number, message = broker.next_message(RECEIVER)
        broker.send(Disposition(Role.RECEIVER, number, settled=True, state=amqp.messaging.Accepted()))
        messages.append(message)
    broker.detach(RECEIVER)
    return messages


def test_a_queue_by_management(broker: Managed, name: str) -> None:
    declared = broker.ask(management.declare_queue(name, arguments={"x-queue-type": "quorum"}))
    assert (declared.name, declared.type, declared.durable, declared.message_count) == (
        name,
        "quorum",
        True,
        0,
    )
    assert declared.arguments["x-queue-type"] == "quorum" and declared.leader in declared.replicas
    again = broker.ask(management.declare_queue(name, arguments={"x-queue-type": "quorum"}))
    assert again.name == name
    with pytest.raises(management.ManagementError, match="inequivalent arg 'x-queue-type'") as caught:
        broker.ask(management.declare_queue(name, arguments={"x-queue-type": "classic"}))
    assert caught.value.status == "409"
    attach_sender(broker, amqp.QueueAddress(name))
    broker.publish(amqp.Message(body=Data(b"1")))
    assert broker.ask(management.get_queue(name)).message_count == 1
    assert broker.ask(management.purge_queue(name)) == 1
    broker.detach(SENDER)
    assert broker.ask(management.delete_queue(name)) == 0
    with pytest.raises(management.ManagementError) as caught:
        broker.ask(management.get_queue(name))
    assert caught.value.status == "404"
    assert broker.ask(management.delete_queue(name)) == 0  # as if it had been there


def test_exchanges_and_bindings_by_management(broker: Managed, name: str) -> None:
    broker.ask(management.declare_queue(name))
    broker.ask(management.declare_exchange(name, "topic"))
    broker.ask(management.bind_queue(name, name, "a.#"))
    broker.ask(management.bind_queue(name, name, "a.#", {"x": "y"}))
    broker.ask(management.bind_queue(name, name, "b"))
    broker.ask(management.bind_exchange("amq.fanout", name, "c"))
    bindings = broker.ask(management.list_bindings(name, queue=name, key="a.#"))
    assert sorted(len(binding.arguments) for binding in bindings) == [0, 1]
    assert {(binding.source, binding.queue, binding.key) for binding in bindings} == {(name, name, "a.#")}
    [to_exchange] = broker.ask(management.list_bindings(name, exchange="amq.fanout", key="c"))
    assert (to_exchange.queue, to_exchange.exchange) == ("", "amq.fanout")
    for binding in bindings:
        broker.ask(management.unbind(binding))
    assert broker.ask(management.list_bindings(name, queue=name, key="a.#")) == []

    attach_sender(broker, None)  # which takes messages with an address of their own
    broker.publish(
        amqp.Message(properties=Properties(to=str(amqp.ExchangeAddress(name, "b"))), body=Data(b"1"))
    )
    [message] = read(broker, name, 1)
    assert message.message_annotations is not None
    assert message.message_annotations[MessageAnnotation.EXCHANGE] == name
    assert message.message_annotations[MessageAnnotation.ROUTING_KEY] == "b"
    broker.ask(management.unbind_queue(name, name, "b"))
    assert broker.ask(management.list_bindings(name, queue=name, key="b")) == []


@pytest.mark.parametrize(
    ("since", "filters", "expected"),
    [
        ((4, 2), {"sql-filter": SqlFilter("properties.subject = 'odd' AND number > 4")}, [5, 7, 9]),
        ((4, 1), {"p": PropertiesFilter({amqp.Symbol("subject"): "&p:ev"})}, [0, 2, 4, 6, 8]),
        ((4, 1), {"a": ApplicationPropertiesFilter({"number": 7})}, [7]),
        ((4, 0), {OFFSET: StreamOffsetSpec(amqp.types.ULong(8))}, [8, 9]),
        ((4, 0), {"rabbitmq:stream-filter": StreamFilter(["3"])}, [3]),
    ],
)
def test_filters_of_streams(
    broker: Managed, name: str, since: tuple[int, int], filters: dict[str, Any], expected: list[int]
) -> None:
    if broker.version < since:
        pytest.skip(f"RabbitMQ has it since {since[0]}.{since[1]}")
    assert broker.ask(management.declare_queue(name, arguments={"x-queue-type": "stream"})).type == "stream"
    attach_sender(broker, amqp.QueueAddress(name))
    for number in range(10):
        message = amqp.Message(
            message_annotations={MessageAnnotation.STREAM_FILTER_VALUE: str(number)},
            properties=Properties(subject="odd" if number % 2 else "even"),
            application_properties={"number": number},
            body=AmqpValue(number),
        )
        broker.publish(message)
    filters = {OFFSET: StreamOffsetSpec("first"), **filters}
    found = read(broker, name, len(expected), **filters)
    assert [message.body.value for message in found] == expected
    assert [message.message_annotations[MessageAnnotation.STREAM_OFFSET] for message in found] == expected


def test_what_a_source_says_of_its_filters(broker: Managed, name: str) -> None:
    broker.ask(management.declare_queue(name, arguments={"x-queue-type": "stream"}))
    wanted = {
        OFFSET: StreamOffsetSpec("first"),
        "rabbitmq:stream-filter": StreamFilter("a"),
        "rabbitmq:stream-match-unfiltered": StreamMatchUnfiltered(True),
    }
    source = Source(str(amqp.QueueAddress(name)), filter=wanted)
    broker.send(Attach("from", RECEIVER, Role.RECEIVER, source=source, target=Target()))
    answer = broker.expect(Attach)
    assert isinstance(answer.source, Source) and answer.source.filter == wanted
    if broker.version >= (4, 2):
        assert set(answer.offered_capabilities) == set(FilterExpressionCapability)


def test_why_a_message_is_rejected(broker: Managed, name: str) -> None:
    arguments: dict[str, Any] = {"x-max-length": 1, "x-overflow": "reject-publish"}
    broker.ask(management.declare_queue(name, arguments=arguments))
    attach_sender(broker, amqp.QueueAddress(name))
    states = []
    for _ in range(3):
        broker.transfer(SENDER, amqp.Message(header=Header(durable=True), body=Data(b"1")))
        states.append(broker.expect(Disposition).state)
    rejected = states[-1]
    assert isinstance(rejected, Rejected)
    if broker.version >= (4, 3):
        assert rejected.error is not None and rejected.error.info is not None
        assert rejected.error.info[RejectedInfoKey.QUEUE] == name
        assert rejected.error.info[RejectedInfoKey.REASON] == RejectionReason.MAXLEN


def test_a_new_token(broker: Managed, name: str) -> None:
    """A broker that does not log in by tokens takes it, and the login stays as it was."""
    if broker.version < (4, 1):
        pytest.skip("RabbitMQ has it since 4.1")
    assert broker.ask(management.put_token(b"no token")) is None
    assert broker.ask(management.declare_queue(name)).name == name


def test_there_is_no_node_for_claims(broker: Managed) -> None:
    if broker.version < (4, 3):
        pytest.skip("before 4.3, a name alone is the address of a queue")
    with pytest.raises(Failure, match="amqp:"):
        attach_sender(broker, claims.ADDRESS)
        broker.next_frame()


def test_direct_replies(broker: Managed) -> None:
    if broker.version < (4, 2):
        pytest.skip("RabbitMQ has it since 4.2")
    broker.send(direct_reply.attach_for_replies("replies", RECEIVER))
    answer = broker.expect(Attach)
    broker.receivers[RECEIVER].received_attach(answer)
    address = direct_reply.reply_address(answer)
    broker.grant(RECEIVER)
    attach_sender(broker, None)
    broker.publish(amqp.Message(properties=Properties(to=address, correlation_id="7"), body=Data(b"answer")))
    _, reply = broker.next_message(RECEIVER)
    assert reply.properties is not None and reply.properties.correlation_id == "7"
    assert reply.body == Data(b"answer")
