"""The modules for authors of clients: which of them a specification has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...model.amqp1.spec import Spec


class ClientModule(NamedTuple):
    """A module of ``client``.

    Attributes:
        names: What the package has from it by name.
        summary: What the docstring of ``client`` says of it; empty if that of the module before says it.
    """

    names: Sequence[str] = ()
    summary: str = ""


# What keeps count of windows, credit and deliveries, if the specification has the frames that carry them.
_FLOW: Mapping[str, ClientModule] = {
    "session_window": ClientModule(
        ("SessionWindow",),
        "``session_window``, ``link_credit``, ``deliveries``: windows, credit and unsettled deliveries, counted.",
    ),
    "link_credit": ClientModule(("ReceiverCredit", "SenderCredit")),
    "deliveries": ClientModule(("DeliveryIds", "UnsettledDeliveries")),
}
_ALWAYS: Mapping[str, ClientModule] = {
    "serial": ClientModule(
        (), "``serial``, ``numbers``, ``sasl_responses``: serial numbers, free channels and handles, SASL responses."
    ),
    "numbers": ClientModule(("NoFreeNumber", "NumberAllocator")),
    "sasl_responses": ClientModule(
        ("anonymous_response", "choose_mechanism", "external_response", "plain_response")
    ),
}
# What speaks to a broker by an extension: the parts that it needs, and the module.
_EXTENSIONS: Mapping[str, tuple[frozenset[str], ClientModule]] = {
    "addresses": (
        frozenset(("rabbitmq",)),
        ClientModule(
            ("ExchangeAddress", "QueueAddress", "parse_address"),
            "``addresses``: addresses of queues and exchanges of RabbitMQ 4.",
        ),
    ),
    "management": (
        frozenset(("rabbitmq", "http-over-amqp")),
        ClientModule(
            (), "``management``: requests to RabbitMQ 4: queues, exchanges, bindings, a new token; and its answers."
        ),
    ),
    "direct_reply": (
        frozenset(("rabbitmq",)),
        ClientModule((), "``direct_reply``: answers to requests without a queue of one's own."),
    ),
    "claims": (
        frozenset(("claims-based-security",)),
        ClientModule((), "``claims``: tokens for the node ``$cbs``."),
    ),
}
# Both families have the same.
_COMMON = ("__init__", "numbers", "sasl_responses")


def client_modules(spec: Spec, has_flow_state: bool) -> dict[str, ClientModule]:
    """Return the modules of ``client``, in the order in which its docstring names them."""
    parts = {part.name for part in spec.parts}
    extensions = {name: module for name, (needed, module) in _EXTENSIONS.items() if needed <= parts}
    return {**(_FLOW if has_flow_state else {}), **_ALWAYS, **extensions}


def client_templates(modules: Iterable[str]) -> list[tuple[str, str]]:
    """Return the files of ``client`` with their templates."""
    return [
        (f"{name}.py", f"{'common' if name in _COMMON else 'amqp1'}/client/{name}.py.jinja")
        for name in ("__init__", *modules)
    ]
