"""The management of RabbitMQ 4: requests and answers over a pair of links."""

from __future__ import annotations

from typing import TypeVar

from amqp_1_0.messaging import Source, Target
from amqp_1_0.performatives import Open, SenderSettleMode
from amqp_1_0.types import Symbol
from amqp_1_0_rabbitmq import DecodeError, decode_message
from amqp_1_0_rabbitmq.client import management
from amqp_1_0_rabbitmq.http_over_amqp import LinkPairCapability, LinkPairProperty

from ..engine.run_result import Violation
from .links import LiveSession

_Result = TypeVar("_Result")


def offers_management(remote: Open | None) -> bool:
    """Return whether a peer says in its open that it takes requests over a pair of links."""
    capabilities = (remote and remote.offered_capabilities) or ()
    return LinkPairCapability.LINK_PAIR.value in capabilities


class Management:
    """A pair of links to the management, on a session of ours."""

    def __init__(self, session: LiveSession) -> None:
        fields = {
            "name": "management",
            "source": Source(management.ADDRESS),
            "target": Target(management.ADDRESS),
            "snd_settle_mode": SenderSettleMode.SETTLED,
            "properties": {Symbol(LinkPairProperty.PAIRED.value): True},
        }
        self._requests = session.sender(None, **fields)
        self._answers = session.receiver(None, **fields)
        self._count = 0

    def ask(self, request: management.ManagementRequest[_Result]) -> _Result:
        """Send a request and return what its answer says.

        Raises:
            ManagementError: The peer refuses.
            Violation: It does not answer, or not in the form of an answer.
        """
        self._count += 1
        self._answers.give_credit(1)  # it ends the session if it has no credit for its answer
        self._requests.send(request.message(self._count).encode(), settled=True)
        octets = self._answers.receive().payload
        try:
            return request.result(management.read_answer(decode_message(octets)))
        except DecodeError as error:
            raise Violation(f"expected an answer of the management, got {error}") from None
