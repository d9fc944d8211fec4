"""The modules for authors of clients: which of them a specification has, and their variables.

They are arguments, assembly, confirms, heartbeats, numbers, replies, sasl_responses and tuning of a package. A specification
without known arguments, content, class confirm or a negotiation of limits lacks the module for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...model.amqp0.spec import Spec
from ...resolve.amqp0.arguments import arguments_of
from .argument_code import TYPE_NAMES
from .connection_code import FILES, TOP_NAMES, has_connection
from .state_code import closing_methods

# The names that the top of a package has from each module.
_NAMES = {
    "arguments": TYPE_NAMES,
    "assembly": ("ContentAssembler", "Message"),
    "confirms": ("ConfirmTracker",),
    "connection": TOP_NAMES,
    "heartbeats": ("HeartbeatTimer",),
    "numbers": ("NoFreeNumber", "NumberAllocator"),
    "replies": ("is_reply",),
    "sasl_responses": ("anonymous_response", "choose_mechanism", "external_response", "plain_response"),
    "tuning": ("negotiate",),
}

# A folder, not a module.
_ENGINE = "connection"

# Both families have the same.
_COMMON = ("__init__", "numbers", "sasl_responses")

# What the docstring of a package says of each module.
_SUMMARIES = {
    "arguments": "``QuorumQueueArguments`` and its neighbours are the types of arguments of methods.",
    "assembly": "``ContentAssembler`` joins method, content header and body frames to a ``Message``.",
    "confirms": "``ConfirmTracker`` says which published messages are confirmed.",
    "connection": "``Connection`` is a whole connection, of a client or a server: octets and commands in, events and octets out.",
    "heartbeats": "``HeartbeatTimer`` says when to send a heartbeat, and when the peer is dead.",
    "numbers": "``NumberAllocator`` says which channel to open next.",
    "replies": "``is_reply``, and ``RESPONSES`` and ``expects_reply`` of methods, say what answers a request.",
    "sasl_responses": "``plain_response`` and its neighbours answer connection.start.",
    "tuning": "``negotiate`` answers connection.tune.",
}

# What a client reports of its peer, each with the constants that name it, the best first: before 0-9-1 there was no
# unexpected-frame, and 0-8 has no precondition-failed.
_REPLY_CODES = {
    "too_large": ("content-too-large",),
    "unexpected_frame": ("unexpected-frame", "command-invalid"),
    "unknown_tag": ("precondition-failed", "not-allowed"),
    "too_many": ("resource-error",),
    "bad_value": ("syntax-error",),
    "bad_frame": ("frame-error", "syntax-error"),
    "bad_command": ("command-invalid",),
    "bad_channel": ("channel-error",),
}
_LIMITS = ("channel_max", "frame_max", "heartbeat")


def client_files(spec: Spec) -> list[tuple[str, str]]:
    """Return the files of the folder with their templates."""
    modules = _modules(spec)
    files = [
        (f"{name}.py", f"{'common' if name in _COMMON else 'amqp0'}/client/{name}.py.jinja")
        for name in ("__init__", *modules)
        if name != _ENGINE
    ]
    if _ENGINE in modules:
        files += [(f"{_ENGINE}/{name}.py", f"amqp0/client/{_ENGINE}/{name}.py.jinja") for name in FILES]
    return files


def client_names(spec: Spec) -> list[str]:
    """Return the names that the folder and the top of the package have from them."""
    return [name for module in _modules(spec) for name in _NAMES[module]]


@dataclass(frozen=True, slots=True)
class ClientContext:
    """The variables of the templates of these modules.

    Attributes:
        client_summary: What the docstring of the package says of each module.
        client_imports: The modules with the names that ``client`` has from each.
        client_names: All of these names.
        content_methods: The classes of the methods that have content.
        closes_of_channels: The classes of channel.close and its reply.
        channel_close: The class of channel.close alone.
        reply_codes: The constant for what a client reports of its peer, by the reason.
    """

    client_summary: Sequence[str]
    client_modules: Sequence[str]
    client_imports: Sequence[tuple[str, Sequence[str]]]
    client_names: Sequence[str]
    content_methods: Sequence[str]
    example_content_name: str
    closes_of_channels: Sequence[str]
    channel_close: Sequence[str]
    connection_close: Sequence[str]
    reply_codes: Mapping[str, str]


def client_context(spec: Spec) -> ClientContext:
    """Return the variables of the templates of these modules."""
    closes = {method.full_name: (method.class_name, reply) for method, reply in closing_methods(spec)}
    channel, connection = closes.get("channel.close", ()), closes.get("connection.close", ())
    modules = _modules(spec)
    contents = [method for method in spec.methods if method.has_content]
    return ClientContext(
        client_summary=[_SUMMARIES[name] for name in modules],
        client_modules=modules,
        client_imports=[(name, _NAMES[name]) for name in modules],
        client_names=sorted([*modules, *client_names(spec)]),
        content_methods=[method.class_name for method in contents],
        example_content_name=contents[0].full_name if contents else "",
        closes_of_channels=channel,
        channel_close=channel[:1],
        connection_close=connection[:1],
        reply_codes={reason: _reply_code(spec, names) for reason, names in _REPLY_CODES.items()},
    )


def _modules(spec: Spec) -> list[str]:
    classes = {entry.name for entry in spec.classes if entry.methods}
    has = {
        "arguments": arguments_of(spec) is not None,
        "assembly": any(method.has_content for method in spec.methods),
        "confirms": "confirm" in classes,
        _ENGINE: has_connection(spec) and _negotiates(spec),
        "tuning": _negotiates(spec),
    }
    return [name for name in _NAMES if has.get(name, True)]


def _negotiates(spec: Spec) -> bool:
    """Return whether connection.tune and tune-ok have the limits of the published versions, and nothing else."""
    limits = {
        method.name: tuple(field.identifier for field in method.arguments)
        for method in spec.methods
        if method.full_name in ("connection.tune", "connection.tune-ok")
    }
    return limits == {"tune": _LIMITS, "tune-ok": _LIMITS}


def _reply_code(spec: Spec, names: tuple[str, ...]) -> str:
    """Return the identifier of the first constant that the specification has; ``0`` if it has none of them."""
    identifiers = {constant.name: constant.identifier for constant in spec.constants}
    return next((identifiers[name] for name in names if name in identifiers), "0")
