"""Methods of 0-x: requests and replies, who accepts them, and the content that they carry."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.raw import RawClass, RawMethod
from ...model.problem import Position
from ...resolve.names import normalise
from ..rule import LintSeverity, Remark, reported, rule
from .subject import LintedSpec

_METHODS = "methods-0-x"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE

REPORTED_METHODS = reported(
    _METHODS,
    ("no-methods", _ERROR, "A specification without any method",
     '<amqp major="0" minor="9"/>', "add a class with methods"),
    ("duplicate-field", _ERROR, "Two fields of one name in a method or type",
     'two <field name="queue" .../>', ""),
    ("dangling-response", _ERROR, "A response that is not a method of the class",
     '<response name="opn-ok"/>', "name a method of the class"),
)  # fmt: skip


@rule(_METHODS, "response-not-synchronous", _WARNING, "0-9: channel.ping")
def response_not_synchronous(subject: LintedSpec) -> Iterator[Remark]:
    """A method with a response that is not synchronous."""
    for owner, method in subject.methods:
        if method.responses and not method.synchronous:
            message = f"{owner.name}.{method.name} has a response but is not synchronous"
            yield Remark(
                message, method.position, 'write synchronous="1" if the sender waits for the response'
            )


@rule(_METHODS, "synchronous-alone", _WARNING, '<method name="ask" index="10" synchronous="1"/>')
def synchronous_alone(subject: LintedSpec) -> Iterator[Remark]:
    """A synchronous method that neither has a response nor is one."""
    for owner, method in subject.methods:
        # A reply is marked synchronous, too: it belongs to a synchronous exchange.
        name = normalise(method.name)
        is_reply = name in _answering(owner) or name.endswith("-ok")
        if method.synchronous and not method.responses and not is_reply:
            message = f"{owner.name}.{method.name} is synchronous but neither has a response nor is one"
            yield Remark(message, method.position, "name its <response>, or drop synchronous")


@rule(_METHODS, "response-repeated", _WARNING, 'two <response name="open-ok"/> in one method')
def response_repeated(subject: LintedSpec) -> Iterator[Remark]:
    """A response that is given twice: a copy, or another one was meant."""
    for owner, method in subject.methods:
        first: dict[str, Position] = {}
        for response in method.responses:
            name = normalise(response.name)
            if name in first:
                message = (
                    f"{owner.name}.{method.name} has the response {response.name!r} already at {first[name]}"
                )
                yield Remark(message, response.position, "remove it, or name the one that is meant")
            first.setdefault(name, response.position)


@rule(_METHODS, "reply-direction", _WARNING, 'chassis "server" at both open and open-ok')
def reply_direction(subject: LintedSpec) -> Iterator[Remark]:
    """A method and its response that go the same way."""
    for owner, method in subject.methods:
        methods = {normalise(sibling.name): sibling for sibling in owner.methods}
        accepting = {chassis.name for chassis in method.chassis}
        for response in method.responses:
            reply = methods.get(normalise(response.name))
            back = {chassis.name for chassis in reply.chassis} if reply else set()
            if len(accepting) == 1 and back == accepting:
                [peer] = accepting
                message = (
                    f"the {peer} accepts both {owner.name}.{method.name} and its response {response.name!r}: "
                    "one peer would send both"
                )
                yield Remark(message, response.position, "correct the chassis of one of them")


@rule(_METHODS, "reply-unnamed", _WARNING, "0-9-1: recover-ok, which recover does not name")
def reply_unnamed(subject: LintedSpec) -> Iterator[Remark]:
    """A method named NAME-ok that NAME does not have as its response."""
    for owner, method in subject.methods:
        name = normalise(method.name)
        methods = {normalise(sibling.name): sibling for sibling in owner.methods}
        request = methods.get(name.removesuffix("-ok"))
        if name.endswith("-ok") and name not in _answering(owner) and request is not None:
            message = (
                f"{owner.name}.{method.name} is named like a reply, but no method has it as its response"
            )
            hint = f'write <response name="{method.name}"/> in method {request.name!r}'
            yield Remark(message, method.position, hint)


def _answering(owner: RawClass) -> set[str]:
    """Return the names of the methods of a class that are responses."""
    return {normalise(response.name) for method in owner.methods for response in method.responses}


@rule(_METHODS, "chassis-missing", _WARNING, '<method name="get" ...>')
def chassis_missing(subject: LintedSpec) -> Iterator[Remark]:
    """A method that does not say who must accept it."""
    for owner, method in subject.methods:
        if not method.chassis:
            message = f"method {owner.name}.{method.name} has no chassis, so nobody knows who sends it"
            hint = 'write <chassis name="server" implement="MUST"/> if the server must accept it'
            yield Remark(message, method.position, hint)


@rule(_METHODS, "chassis-repeated", _WARNING, "MUST here, MAY there")
def chassis_repeated(subject: LintedSpec) -> Iterator[Remark]:
    """Two chassis for the same peer."""
    for owner in subject.raw.classes:
        yield from _repeated(owner, f"class {owner.name!r}")
    for owner, method in subject.methods:
        yield from _repeated(method, f"method {owner.name}.{method.name}")


def _repeated(owner: RawClass | RawMethod, what: str) -> Iterator[Remark]:
    seen: set[str] = set()
    for chassis in owner.chassis:
        if chassis.name in seen:
            message = f"{what} has two chassis for the {chassis.name}"
            yield Remark(message, chassis.position, "keep the one that is right")
        seen.add(chassis.name)


@rule(
    _METHODS, "chassis-uncovered", _WARNING, 'class with chassis "server" only, method with chassis "client"'
)
def chassis_uncovered(subject: LintedSpec) -> Iterator[Remark]:
    """A method that a peer must accept, of a class that says nothing of that peer."""
    for owner, method in subject.methods:
        mentioned = {chassis.name for chassis in owner.chassis}
        for chassis in method.chassis:
            if mentioned and chassis.name not in mentioned:
                message = (
                    f"the {chassis.name} is to accept {owner.name}.{method.name}, "
                    f"but class {owner.name!r} says nothing of the {chassis.name}"
                )
                hint = f'give the class a <chassis name="{chassis.name}" .../>'
                yield Remark(message, chassis.position, hint)


# --- content ---


@rule(_METHODS, "content-without-properties", _NOTE, "0-8: test.content")
def content_without_properties(subject: LintedSpec) -> Iterator[Remark]:
    """A method with content in a class without properties."""
    for owner in subject.raw.classes:
        carrying = [method for method in owner.methods if method.content]
        if carrying and not owner.fields:
            message = (
                f"{owner.name}.{carrying[0].name} carries content, but class {owner.name!r} has no properties"
            )
            hint = "its content headers have a size and nothing else; is that meant?"
            yield Remark(message, carrying[0].position, hint)


@rule(_METHODS, "properties-without-content", _WARNING, '<class name="c" ...><field name="priority" .../>')
def properties_without_content(subject: LintedSpec) -> Iterator[Remark]:
    """A class with properties though no method of it carries content."""
    for owner in subject.raw.classes:
        if owner.fields and not any(method.content for method in owner.methods):
            message = f"class {owner.name!r} has properties, but none of its methods carries content"
            yield Remark(message, owner.fields[0].position, 'write content="1" at the methods that do')


REPORTED_PROPERTIES = reported(
    _METHODS,
    ("property-type", _ERROR, "A content property of a type that it cannot have",
     '<field name="p" type="content"/> in a class', "give it another type"),
)  # fmt: skip
