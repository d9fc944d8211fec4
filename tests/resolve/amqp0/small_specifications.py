"""Small 0-9-1 specifications for tests: the elements of the root, which begin on line 2 of ``s.xml``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from amqp_codegen.model.amqp0.raw import RawSource, RawSpec
from amqp_codegen.model.amqp0.spec import Class, Constant, Domain, Field, Method, Spec
from amqp_codegen.model.amqp0.wire import Wire
from amqp_codegen.model.problem import Problem
from amqp_codegen.reader.xml_tree import read_xml
from amqp_codegen.resolve.amqp0.wire import read_wire
from amqp_codegen.support.resources import specs_dir

from tests.reader.raw_models import read_tree, resolved_amqp0

ROOTS = {
    "0-8": 'major="8" minor="0"',
    "0-9": 'major="0" minor="9"',
    "0-9-1": 'major="0" minor="9" revision="1"',
}
# What a package cannot do without, on one line.
NEEDED = '<constant name="frame-min-size" value="4096"/><constant name="frame-end" value="206"/>'


@cache
def wire() -> Wire:
    path = specs_dir() / "wire.toml"
    return read_wire(path.read_bytes(), path.name)


def raw_spec(
    body: str, version: str = "0-9-1", needed: str = NEEDED, sources: tuple[str, ...] = ("s.xml",)
) -> RawSpec:
    root = read_xml(f'<amqp {ROOTS[version]} port="5672">\n{body}\n{needed}</amqp>'.encode(), "s.xml")
    raw, problems = read_tree(root, tuple(RawSource(source, "00") for source in sources))
    assert raw is not None, problems
    return raw


def outcome(
    body: str, version: str = "0-9-1", dialect: str = "", needed: str = NEEDED
) -> tuple[Spec | None, list[Problem]]:
    return resolved_amqp0(raw_spec(body, version, needed), wire(), dialect)


def resolved(body: str, version: str = "0-9-1", dialect: str = "") -> Spec:
    """Resolve what must have no problems."""
    spec, problems = outcome(body, version, dialect)
    assert problems == []
    assert spec is not None
    return spec


def refusal(body: str, version: str = "0-9-1", dialect: str = "", needed: str = NEEDED) -> list[str]:
    """Return the problems of what must be refused, each of them one line."""
    spec, problems = outcome(body, version, dialect, needed)
    assert spec is None
    messages = [str(problem) for problem in problems]
    assert all(message.isprintable() for message in messages), messages
    return messages


def marks(messages: Iterable[str]) -> list[str]:
    """Return of each problem the rule and the line and column."""
    return [
        f"{text.rpartition('[')[2][:-1]} {text.removeprefix('s.xml:').partition(': ')[0]}"
        for text in messages
    ]


def in_class(content: str, name: str = "c", index: int = 1) -> str:
    return f'<class name="{name}" index="{index}">{content}</class>'


def method(content: str = "", name: str = "m", index: int = 1, attributes: str = "") -> str:
    return f'<method name="{name}" index="{index}" {attributes}>{content}</method>'


def in_method(content: str) -> str:
    return in_class(method(content))


def field(name: str, kind: str = "octet", content: str = "", attributes: str = "") -> str:
    return f'<field name="{name}" domain="{kind}" {attributes}>{content}</field>'


def fields(*kinds: str) -> str:
    """Return fields ``f0``, ``f1`` ... of these types; ``-bit`` is a reserved bit."""
    return "".join(
        field(f"f{number}", kind.lstrip("-"), attributes='reserved="1"' if kind.startswith("-") else "")
        for number, kind in enumerate(kinds)
    )


def resolved_fields(*kinds: str) -> tuple[Field, ...]:
    return the_method(resolved(in_method(fields(*kinds)))).fields


def the_class(spec: Spec) -> Class:
    [found] = spec.classes
    return found


def the_method(spec: Spec, name: str = "m") -> Method:
    [found] = [method for method in spec.methods if method.name == name]
    return found


def the_domain(spec: Spec, name: str) -> Domain:
    [found] = [domain for domain in spec.domains if domain.name == name]
    return found


def the_constant(spec: Spec, name: str) -> Constant:
    found = spec.constant(name)
    assert found is not None
    return found
