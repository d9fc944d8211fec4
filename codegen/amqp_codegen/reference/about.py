"""What a specification is, in a sentence or two, for the first page of a site of several guides."""

from __future__ import annotations

from ..model.amqp0.spec import Spec as Spec0
from ..resolve.specification import Specification

# The built-in versions. A user's own specification has its numbers alone.
_VERSIONS = {
    "0-8": "The first published version, of 2006, which early brokers and clients speak.",
    "0-8-rabbitmq": "0-8 as RabbitMQ speaks it: with queue.unbind, a recover with a reply, and reply codes of later versions.",
    "0-9": "The second version, of December 2006. It adds class message; few programs speak it.",
    "0-9-1": "The version of November 2008, which RabbitMQ and its clients speak. It drops the classes that were not in use.",
    "0-9-1-rabbitmq": "0-9-1 with RabbitMQ's additions: publisher confirms, basic.nack, bindings between exchanges, "
    "connection.blocked and more.",
    "1.0": "The standard of OASIS (2012) and ISO/IEC 19464: another protocol, with links, sessions and its own type system.",
    "1.0-rabbitmq": "1.0 with what RabbitMQ 4 and OASIS add: filters of streams, management, tokens, scheduling, names of annotations.",
}


def about(specification: Specification) -> str:
    """Return what the version is, if it is a known one, and how much is in it."""
    known = _VERSIONS.get(specification.spec.version, "")
    return f"{known} {contents(specification)}".lstrip()


def contents(specification: Specification) -> str:
    """Return the numbers of what is in a specification, as a sentence."""
    spec = specification.spec
    rules = f"{len(list(spec.rules))} rules"
    if isinstance(spec, Spec0):
        methods = len(list(spec.methods))
        return f"{len(spec.classes)} classes, {methods} methods, {len(spec.constants)} constants, {rules}."
    composites, primitives = len(list(spec.composites)), len(list(spec.primitives))
    return f"{len(spec.parts)} parts, {primitives} primitive types, {composites} composite types, {rules}."
