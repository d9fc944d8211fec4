"""The arguments of a broker in its package: what ``validate`` refuses of them, and their types for authors of clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.amqp0.arguments import SUBJECTS, KnownArgument
from ...model.amqp0.spec import Spec
from ...resolve.amqp0.arguments import arguments_of
from ..python_text import docstring_text, literal, tuple_literal, wrap

# The name of each type, what its arguments are about, the type of queue, and what takes it.
_TYPES = (
    ("ClassicQueueArguments", "queue", "classic", "queue.declare, of a classic queue"),
    ("QuorumQueueArguments", "queue", "quorum", "queue.declare, of a quorum queue"),
    ("StreamArguments", "queue", "stream", "queue.declare, of a stream"),
    ("ClassicConsumerArguments", "consumer", "classic", "basic.consume, from a classic queue"),
    ("QuorumConsumerArguments", "consumer", "quorum", "basic.consume, from a quorum queue"),
    ("StreamConsumerArguments", "consumer", "stream", "basic.consume, from a stream"),
    ("ExchangeArguments", "exchange", "", "exchange.declare"),
    ("BindingArguments", "binding", "", "queue.bind and exchange.bind, to an exchange of the type headers"),
    ("MessageHeaders", "message", "", "the property headers of a message"),
)
TYPE_NAMES = tuple(name for name, *_ in _TYPES)
_PYTHON_TYPES = {
    "integer": "int",
    "text": "str",
    "boolean": "bool",
    "timestamp": "datetime",
    "texts": "list[str]",
}
# The type of an argument by the kind of value of a letter; integers have several.
_TYPES_OF_KINDS = {"longstr": "text", "boolean": "boolean", "timestamp": "timestamp", "array": "texts"}
_DOCSTRING_WIDTH = 100


@dataclass(frozen=True, slots=True)
class ArgumentType:
    """A ``TypedDict`` of arguments: its name, its keys with their types, and the lines of a docstring about it."""

    name: str
    keys: Sequence[tuple[str, str]]
    doc: Sequence[str]


@dataclass(frozen=True, slots=True)
class ArgumentContext:
    """The variables of the templates that are about arguments.

    Attributes:
        argument_profile: The profile that checks them; empty for a specification without them.
        argument_forms: What they are about, with the expression of the form of each by its name.
        argument_methods: The methods that have them, with what they are about.
        argument_letters: The letters of field tables with the type of an argument that each stands for.
        argument_types: The types for authors of clients.
    """

    argument_profile: str
    argument_forms: Mapping[str, Sequence[tuple[str, str]]]
    argument_methods: Sequence[tuple[str, str]]
    argument_letters: Sequence[tuple[str, str]]
    argument_types: Sequence[ArgumentType]


def argument_context(spec: Spec) -> ArgumentContext:
    """Return the variables of the templates that are about arguments."""
    table = arguments_of(spec)
    if table is None:
        return ArgumentContext("", {}, (), (), ())
    methods = [(method, subject) for subject, names in SUBJECTS.items() for method in names]
    return ArgumentContext(
        argument_profile=table.profile,
        argument_forms={
            subject: [(argument.name, _form(argument)) for argument in table.of(subject)]
            for subject, names in SUBJECTS.items()
            if names
        },
        argument_methods=methods,
        argument_letters=_letters(spec, table.profile),
        argument_types=[
            ArgumentType(
                name,
                [(argument.name, _annotation(argument, queue)) for argument in table.of(subject, queue)],
                [f"``{name}``, for {use}:", "", *_described(table.of(subject, queue), queue)],
            )
            for name, subject, queue, use in _TYPES
        ],
    )


def _letters(spec: Spec, profile: str) -> list[tuple[str, str]]:
    dialect = next(entry.dialect for entry in spec.profiles if entry.name == profile)
    read = next(entry.read for entry in spec.dialects if entry.name == dialect)
    types = (
        (letter, "integer" if "int" in kind else _TYPES_OF_KINDS.get(kind)) for letter, kind in read.items()
    )
    return [(letter, name) for letter, name in types if name]


def _form(argument: KnownArgument) -> str:
    """Return the expression of what the newest version takes; where it does not look, anything."""
    is_forgotten = argument.until and not argument.refused
    parts = (
        {"queues": tuple_literal(argument.queues)} if argument.subject == "queue" and not is_forgotten else {}
    )
    if argument.refused in ("channel", "connection"):
        parts["until"] = literal(argument.until)
    elif argument.unchecked != "value" and not argument.until:
        parts["types"] = tuple_literal(argument.types)
        parts |= {"values": tuple_literal(argument.newest)} if argument.newest else {}
        parts |= {"least": literal(argument.least)} if argument.least is not None else {}
        parts |= {"most": literal(argument.most)} if argument.most is not None else {}
        parts |= {"pattern": literal(argument.pattern)} if argument.pattern else {}
        parts |= {"needs": literal(argument.needs)} if argument.needs else {}
        parts |= {"takes_others": "True"} if argument.unchecked else {}
    return f"_Form({', '.join(f'{name}={value}' for name, value in parts.items())})"


def _annotation(argument: KnownArgument, queue_type: str) -> str:
    values = (queue_type,) if argument.name == "x-queue-type" else argument.values
    if values:
        return f"Literal[{', '.join(map(literal, values))}]"
    return " | ".join(_PYTHON_TYPES[name] for name in argument.types)


def _described(arguments: Sequence[KnownArgument], queue_type: str) -> Iterator[str]:
    for argument in arguments:
        text = f"- ``{argument.name}``: {argument.doc} {_range(argument)}{_versions(argument, queue_type)}"
        yield from map(docstring_text, wrap(text, _DOCSTRING_WIDTH, "  ", ""))


def _range(argument: KnownArgument) -> str:
    if argument.most is not None:
        return f"{argument.least or 0} to {argument.most}. "
    return "" if argument.least is None else f"{argument.least} or more. "


def _versions(argument: KnownArgument, queue_type: str) -> str:
    since = argument.queues[queue_type] if queue_type else argument.since
    if argument.until:
        return f"Since {since}, until {argument.until}."
    return f"Since {since}."
