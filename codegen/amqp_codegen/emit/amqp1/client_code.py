"""The modules for authors of clients: which of them a specification has, and their variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...model.amqp1.spec import Composite, Part


class _Modules(NamedTuple):
    """Modules of ``client`` that belong together.

    Attributes:
        names: The modules, with the names that the package has from each.
        summary: What the docstring of ``client`` says of them.
        parts: The parts that a specification must have for them.
    """

    names: Mapping[str, Sequence[str]]
    summary: str
    parts: frozenset[str] = frozenset()


# What keeps count of windows, credit and deliveries, if the specification has the frames that carry them.
_FLOW = _Modules(
    {
        "deliveries": ("DeliveryIds", "UnsettledDeliveries"),
        "link_credit": ("ReceiverCredit", "SenderCredit"),
        "session_window": ("SessionWindow",),
    },
    "``session_window``, ``link_credit``, ``deliveries``: windows, credit and unsettled deliveries, counted.",
)
_BASICS = _Modules(
    {
        "numbers": ("NoFreeNumber", "NumberAllocator"),
        "sasl_responses": ("anonymous_response", "choose_mechanism", "external_response", "plain_response"),
        "serial": (),
    },
    "``serial``, ``numbers``, ``sasl_responses``: serial numbers, free channels and handles, SASL responses.",
)
_EXTENSIONS = (
    _Modules(
        {"addresses": ("ExchangeAddress", "QueueAddress", "parse_address"), "direct_reply": ()},
        "``addresses``, ``direct_reply``: addresses of RabbitMQ 4, and answers without a queue of one's own.",
        frozenset(("rabbitmq",)),
    ),
    _Modules(
        {"management": ()},
        "``management``: requests to RabbitMQ 4 about queues, exchanges, bindings and tokens; and its answers.",
        frozenset(("rabbitmq", "http-over-amqp")),
    ),
    _Modules(
        {"claims": ()}, "``claims``: tokens for the node ``$cbs``.", frozenset(("claims-based-security",))
    ),
)
# Both families have the same.
_COMMON = ("__init__", "numbers", "sasl_responses")

# The fields with which windows and credit are kept, by the frames that carry them.
_FLOW_FIELDS = {
    "begin": ("remote-channel", "next-outgoing-id", "incoming-window", "outgoing-window"),
    "attach": ("initial-delivery-count",),
    "flow": (
        "next-incoming-id",
        "incoming-window",
        "next-outgoing-id",
        "outgoing-window",
        "handle",
        "delivery-count",
        "link-credit",
        "available",
        "drain",
        "echo",
    ),
    "disposition": ("first", "last", "settled"),
}


@dataclass(frozen=True, slots=True)
class ClientContext:
    """The variables of the templates of these modules.

    Attributes:
        client_imports: The modules with the names that ``client`` has from each; ``client_names`` are all names.
    """

    client_summary: Sequence[str]
    client_modules: Sequence[str]
    client_imports: Sequence[tuple[str, Sequence[str]]]
    client_names: Sequence[str]


def client_context(parts: Iterable[Part], has_flow_state: bool) -> ClientContext:
    """Return the variables of the templates of these modules."""
    present = {part.name for part in parts}
    extensions = [modules for modules in _EXTENSIONS if modules.parts <= present]
    chosen = [*([_FLOW] if has_flow_state else []), _BASICS, *extensions]
    names = {module: own for modules in chosen for module, own in modules.names.items()}
    return ClientContext(
        client_summary=[modules.summary for modules in chosen],
        client_modules=sorted(names),
        client_imports=[(module, own) for module, own in sorted(names.items()) if own],
        client_names=sorted([*names, *(name for own in names.values() for name in own)]),
    )


def client_files(modules: Iterable[str]) -> list[tuple[str, str]]:
    """Return the files of the folder with their templates."""
    return [
        (f"{name}.py", f"{'common' if name in _COMMON else 'amqp1'}/client/{name}.py.jinja")
        for name in ("__init__", *modules)
    ]


def is_typed(transfer: Composite) -> bool:
    """Return whether a transfer has the fields by which deliveries are told apart, of the types of the standard."""
    primitives = {field.name: field.type.primitive for field in transfer.fields}
    return primitives.items() >= {"handle": "uint", "delivery-id": "uint", "delivery-tag": "binary"}.items()


def keeps_flow_state(transfer: Composite | None, parts: Iterable[Part]) -> bool:
    """Return whether the part of transfers also has the frames and fields that windows and credit are kept with."""
    part = next((part for part in parts if transfer in part.types), None)
    if part is None:
        return False
    fields = {
        own_type.name: {field.name for field in own_type.fields if field.type.primitive}
        for own_type in part.types
        if isinstance(own_type, Composite)
    }
    return all(fields.get(name, set()).issuperset(needed) for name, needed in _FLOW_FIELDS.items())
