"""Requests and replies: synchronous methods have one, it goes the other way, and every reply is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model.raw0 import RawClass, RawMethod
from ...passes.names import normalise
from ..finding import Finding
from ..subject import Subject0


def check_replies(subject: Subject0) -> Iterator[Finding]:
    """What does not fit among ``synchronous``, ``<response>`` and the directions of methods."""
    for owner in subject.raw.classes:
        methods = {normalise(method.name): method for method in owner.methods}
        answering = {normalise(response.name) for method in owner.methods for response in method.responses}
        for method in owner.methods:
            yield from _synchronous(owner, method, answering)
            yield from _directions(owner, method, methods)
            yield from _unnamed(owner, method, answering, methods)


def _synchronous(owner: RawClass, method: RawMethod, answering: set[str]) -> Iterator[Finding]:
    path = f"{owner.name}.{method.name}"
    if method.responses and not method.synchronous:
        message = f"{path} has a response but is not synchronous"
        hint = 'write synchronous="1" if the sender waits for the response'
        yield Finding("response-not-synchronous", message, method.position, hint)
    # A reply is marked synchronous, too: it belongs to a synchronous exchange.
    answers = normalise(method.name) in answering or normalise(method.name).endswith("-ok")
    if method.synchronous and not method.responses and not answers:
        message = f"{path} is synchronous but neither has a response nor is one"
        yield Finding(
            "synchronous-alone", message, method.position, "name its <response>, or drop synchronous"
        )


def _directions(owner: RawClass, method: RawMethod, methods: Mapping[str, RawMethod]) -> Iterator[Finding]:
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
            yield Finding("reply-direction", message, response.position, "correct the chassis of one of them")


def _unnamed(
    owner: RawClass, method: RawMethod, answering: set[str], methods: Mapping[str, RawMethod]
) -> Iterator[Finding]:
    name = normalise(method.name)
    request = methods.get(name.removesuffix("-ok"))
    if name.endswith("-ok") and name not in answering and request is not None:
        message = f"{owner.name}.{method.name} is named like a reply, but no method has it as its response"
        hint = f'write <response name="{method.name}"/> in method {request.name!r}'
        yield Finding("reply-unnamed", message, method.position, hint)
