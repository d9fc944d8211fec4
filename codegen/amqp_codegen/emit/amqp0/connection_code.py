"""The variables of the templates of ``client/connection``: states, requests and what methods do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...model.amqp0.spec import Class, Spec
from ...resolve.amqp0.class_grammars import CHANNEL, CONNECTION
from ...resolve.amqp0.conduct import named_states
from ...resolve.amqp0.replies import replies_of

# What the connection needs of a specification: these methods, with at least these fields.
_NEEDED = {
    "connection.start": ("version_major", "version_minor", "server_properties", "mechanisms", "locales"),
    "connection.start-ok": ("client_properties", "mechanism", "response", "locale"),
    "connection.secure": ("challenge",),
    "connection.secure-ok": ("response",),
    "connection.tune": ("channel_max", "frame_max", "heartbeat"),
    "connection.tune-ok": ("channel_max", "frame_max", "heartbeat"),
    "connection.open": ("virtual_host",),
    "connection.open-ok": (),
    "connection.close": ("reply_code", "reply_text", "class_id", "method_id"),
    "connection.close-ok": (),
    "channel.open": (),
    "channel.open-ok": (),
    "channel.close": ("reply_code", "reply_text", "class_id", "method_id"),
    "channel.close-ok": (),
    "channel.flow": ("active",),
    "channel.flow-ok": ("active",),
}
# The events, in the order of the union; ``connection`` makes them.
EVENTS = (
    "Opened",
    "VersionRefused",
    "Challenged",
    "LoginRequested",
    "OpenRequested",
    "ChannelOpened",
    "Reply",
    "Requested",
    "Received",
    "Delivered",
    "Published",
    "Returned",
    "Confirmed",
    "Settled",
    "ConsumerCancelled",
    "FlowChanged",
    "Blocked",
    "Unblocked",
    "ChannelClosed",
    "Closed",
)
_OTHER_NAMES = (
    "AnonymousLogin",
    "Channel",
    "ChannelState",
    "ClientSettings",
    "Connection",
    "ConnectionFailed",
    "ConnectionState",
    "Event",
    "ExternalLogin",
    "LocalError",
    "Login",
    "OtherLogin",
    "PlainLogin",
    "Request",
    "ServerSettings",
    "Settings",
)
_MODULES = ("connection", "events", "requests", "settings", "states")
# The names that the top of the package has.
TOP_NAMES = (
    *(
        "AnonymousLogin",
        "ClientSettings",
        "Connection",
        "ExternalLogin",
        "LocalError",
        "OtherLogin",
        "PlainLogin",
    ),
    "ServerSettings",
)
FILES = (
    "__init__",
    "_buffers",
    "_channel",
    "_handshake",
    "connection",
    "events",
    "requests",
    "settings",
    "states",
)

_STATE_DOCS = {
    "IDLE": "not started",
    "HEADER": "the client's protocol header is due, or connection.start",
    "START": "start-ok is due",
    "SECURE": "the server checks the login: secure or tune is due",
    "CHALLENGED": "secure-ok is due",
    "TUNE": "tune-ok is due",
    "TUNED": "open is due",
    "OPENING": "open-ok is due",
    "OPEN": "everything else may be used",
    "CLOSING": "close-ok is due; what else comes is passed over",
    "CLOSED": "over",
}


@dataclass(frozen=True, slots=True)
class MachineState:
    """A state of a machine, and the moves from it: sender, class of the method, name of the state that follows."""

    name: str
    doc: str
    moves: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of states; ``table`` is the name of its table."""

    name: str
    table: str
    doc: str
    states: Sequence[MachineState]


@dataclass(frozen=True, slots=True)
class ConductClasses:
    """What methods do, by the classes of the methods that the specification has; as ``Conduct``."""

    modes: Mapping[str, str]
    needed_modes: Mapping[str, str]
    settles: Mapping[str, bool]
    consumes: Sequence[str]
    cancels: Sequence[str]
    delivers: Sequence[str]
    fetched: Sequence[str]
    returns: Sequence[str]
    voids: Sequence[str]
    undoes: Sequence[str]
    flows: Sequence[str]


@dataclass(frozen=True, slots=True)
class ConnectionContext:
    """The variables of the templates.

    Attributes:
        connection_machines: The states of connections and channels.
        connection_facts: What methods do.
        connection_events: The classes of events.
        connection_names: What the folder exports.
        connection_requests: Each request without content, and the classes of its replies.
        connection_settlements: Command, class and flags with defaults of what settles deliveries.
        connection_class: The methods on channel 0.
        own_commands: The methods that ``request`` and ``send`` refuse, as there is a command for them.
        steps: Those that open and close: the tables of states say where they belong.
        reply_classes: The methods that answer a request, and are no requests themselves.
        connection_capabilities: The extensions that a client of this specification knows, as RabbitMQ names them.
        start_version: Major and minor version in connection.start, as source.
    """

    connection_machines: Sequence[Machine]
    connection_facts: ConductClasses
    connection_events: Sequence[str]
    connection_names: Sequence[str]
    connection_requests: Sequence[tuple[str, Sequence[str]]]
    connection_settlements: Sequence[tuple[str, str, str, Sequence[tuple[str, str]]]]
    connection_class: Sequence[str]
    own_commands: Sequence[str]
    steps: Sequence[str]
    reply_classes: Sequence[str]
    connection_capabilities: Sequence[str]
    start_version: str


def has_connection(spec: Spec) -> bool:
    """Return whether a specification has what a connection needs."""
    fields = {method.full_name: {field.identifier for field in method.arguments} for method in spec.methods}
    return all(
        fields.get(name, set()) >= set(needed) and name in fields for name, needed in _NEEDED.items()
    ) and any(method.has_content for method in spec.methods)


def connection_context(spec: Spec) -> ConnectionContext:
    """Return the variables of the templates."""
    classes = {method.full_name: method.class_name for method in spec.methods}
    own_commands = [*_STEPS, "connection.update-secret", *spec.conduct.settles]
    replies = replies_of(spec)
    requests = [method for method in spec.methods if replies[method.class_name]]
    return ConnectionContext(
        connection_machines=_machines(spec),
        connection_facts=_conduct(spec, classes),
        connection_events=list(EVENTS),
        connection_names=sorted([*EVENTS, *_OTHER_NAMES, *_MODULES]),
        connection_requests=[
            (method.class_name, replies[method.class_name])
            for method in requests
            if not method.has_content and method.full_name not in own_commands
        ],
        connection_settlements=_settlements(spec, classes),
        connection_class=[name for path, name in classes.items() if path.startswith("connection.")],
        own_commands=[classes[name] for name in own_commands if name in classes],
        steps=[classes[name] for name in _STEPS if name in classes],
        reply_classes=_replies(spec),
        connection_capabilities=_capabilities(spec),
        start_version=f"{spec.major}, {spec.minor}",
    )


_STEPS = (
    "connection.start",
    "connection.start-ok",
    "connection.secure",
    "connection.secure-ok",
    "connection.tune",
    "connection.tune-ok",
    "connection.open",
    "connection.open-ok",
    "connection.close",
    "connection.close-ok",
    "channel.open",
    "channel.open-ok",
    "channel.close",
    "channel.close-ok",
)


def _replies(spec: Spec) -> list[str]:
    replies = {name for method in spec.methods for name in method.responses}
    return [
        method.class_name for method in spec.methods if method.class_name in replies and not method.responses
    ]


def _capabilities(spec: Spec) -> list[str]:
    """Return the extensions; none where the dialect cannot write a boolean: they are keys of a table with true."""
    if "boolean" not in spec.dialect.write:
        return []
    senders = {method.full_name: method.sent_by for method in spec.methods}
    known = {
        "authentication_failure_close": True,
        "basic.nack": "basic.nack" in senders,
        "connection.blocked": "connection.blocked" in senders,
        "consumer_cancel_notify": "server" in senders.get("basic.cancel", ()),
        "exchange_exchange_bindings": "exchange.bind" in senders,
        "publisher_confirms": "confirm.select" in senders,
    }
    return [name for name, is_known in known.items() if is_known]


def _conduct(spec: Spec, classes: Mapping[str, str]) -> ConductClasses:
    conduct = spec.conduct

    def known(names: Iterable[str]) -> list[str]:
        return [classes[name] for name in names if name in classes]

    return ConductClasses(
        modes={classes[name]: mode for name, mode in conduct.modes.items() if name in classes},
        needed_modes={classes[name]: mode for name, mode in conduct.needed_modes.items() if name in classes},
        settles={classes[name]: good for name, good in conduct.settles.items() if name in classes},
        consumes=known(conduct.consumes),
        cancels=known(conduct.cancels),
        delivers=known(conduct.delivers),
        fetched=known(conduct.fetched),
        returns=known(conduct.returns),
        voids=known(conduct.voids),
        undoes=known(conduct.undoes),
        flows=known(conduct.flows),
    )


def _settlements(spec: Spec, classes: Mapping[str, str]) -> list[tuple[str, str, str, list[tuple[str, str]]]]:
    """Return a command for each method that settles deliveries of the class basic: its flags are those of the method."""
    found = []
    for method in spec.methods:
        if method.full_name in spec.conduct.settles and method.full_name.startswith("basic."):
            flags = [
                (field.identifier, str(bool(field.default)))
                for field in method.arguments
                if field.identifier != "delivery_tag"
            ]
            found.append((method.name, method.full_name, method.class_name, flags))
    return found


def _machines(spec: Spec) -> list[Machine]:
    entries = {entry.name: entry for entry in spec.classes}
    return [
        _machine(spec, entries[CONNECTION], "Connection", ["IDLE"]),
        _machine(spec, entries[CHANNEL], "Channel", []),
    ]


def _machine(spec: Spec, entry: Class, name: str, first: Sequence[str]) -> Machine:
    """Return the machine of a class: its automaton, whose states of one name are one."""
    methods = {method.name: method.class_name for method in entry.methods}
    names = named_states(spec, entry)
    order = list(dict.fromkeys([*first, *spec.conduct.states[entry.name].values()]))
    moves: dict[str, dict[tuple[str, str], str]] = {state: {} for state in order}
    for number, state in enumerate(entry.automaton.states):
        for move in state.transitions:
            moves[names[number]][move.sender, methods[move.method]] = names[move.target]
    return Machine(
        f"{name}State",
        f"{name.upper()}_STATES",
        f"Where a {name.lower()} is: what has passed, and what is due.",
        [
            MachineState(state, _STATE_DOCS[state], [(*key, target) for key, target in moves[state].items()])
            for state in order
        ],
    )
