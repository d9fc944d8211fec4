"""The modules for authors of clients: which of them a specification has, and their variables.

They are assembly, channels, confirms, heartbeats, replies and tuning of a package. A specification without content,
without class confirm or without a negotiation of limits lacks the module for it.
"""

from __future__ import annotations

from typing import Any

from ...model.amqp0.spec import Spec
from .state_code import closing_methods

# The names that the top of a package has from each module.
_NAMES = {
    "assembly": ("ContentAssembler", "Message"),
    "channels": ("ChannelNumbers",),
    "confirms": ("ConfirmTracker",),
    "heartbeats": ("HeartbeatTimer",),
    "replies": ("is_reply",),
    "tuning": ("negotiate",),
}

# What the docstring of a package says of each module.
_SUMMARIES = {
    "assembly": "``ContentAssembler`` joins method, content header and body frames to a ``Message``.",
    "channels": "``ChannelNumbers`` says which channel to open next.",
    "confirms": "``ConfirmTracker`` says which published messages are confirmed.",
    "heartbeats": "``HeartbeatTimer`` says when to send a heartbeat, and when the peer is dead.",
    "replies": "``is_reply``, and ``RESPONSES`` and ``expects_reply`` of methods, say what answers a request.",
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
}
_LIMITS = ("channel_max", "frame_max", "heartbeat")


def client_modules(spec: Spec) -> list[str]:
    """Return the file names of the modules."""
    return [f"{name}.py" for name in _modules(spec)]


def client_exports(spec: Spec) -> list[str]:
    """Return the names that the top of the package has from them."""
    return [name for module in _modules(spec) for name in _NAMES[module]]


def client_context(spec: Spec) -> dict[str, Any]:
    """Return their variables."""
    closes = {method.full_name: (method.class_name, reply) for method, reply in closing_methods(spec)}
    channel, connection = closes.get("channel.close", ()), closes.get("connection.close", ())
    contents = [method for method in spec.methods if method.has_content]
    content_methods = [method.class_name for method in contents]
    modules = _modules(spec)
    return {
        "client_imports": [(f".{name}", list(_NAMES[name])) for name in modules],
        "client_summary": [_SUMMARIES[name] for name in modules],
        "content_methods": content_methods,
        "example_content_name": contents[0].full_name if contents else "",
        "properties_classes": [f"{entry.class_name}Properties" for entry in spec.content_classes],
        "assembly_method_imports": sorted({"Method", *channel, *content_methods}),
        "closes_of_channels": channel,
        "channel_close": channel[:1],
        "connection_close": connection[:1],
        "close_methods": sorted((*channel[:1], *connection[:1])),
        "reply_codes": {reason: _reply_code(spec, names) for reason, names in _REPLY_CODES.items()},
    }


def _modules(spec: Spec) -> list[str]:
    classes = {entry.name for entry in spec.classes if entry.methods}
    has = {
        "assembly": any(method.has_content for method in spec.methods),
        "confirms": "confirm" in classes,
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
