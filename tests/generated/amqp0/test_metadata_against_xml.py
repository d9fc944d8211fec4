"""Indices, layouts, replies and directions of every method against the XML, read here a second time."""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.published_specs.published_files import needs_published, published_file

from .packages import PACKAGES, RABBITMQ

SPECS = Path(__file__).resolve().parents[3] / "specs"
# The merged file for RabbitMQ is not in the repository, the overlay is; so it is compared with the published one.
MERGED = "0-9-1/amqp0-9-1.stripped.extended.xml"
CASES = [
    pytest.param(PACKAGES["amqp_0_8"], SPECS / "amqp0-8.xml", id="amqp_0_8"),
    pytest.param(PACKAGES["amqp_0_9"], SPECS / "amqp0-9.xml", id="amqp_0_9"),
    pytest.param(PACKAGES["amqp_0_9_1"], SPECS / "amqp0-9-1.xml", id="amqp_0_9_1"),
    pytest.param(RABBITMQ, published_file(MERGED), id="amqp_0_9_1_rabbitmq", marks=needs_published(MERGED)),
]
each_file = pytest.mark.parametrize(("amqp", "path"), CASES)

# RabbitMQ's file has the chassis of two methods the wrong way round; see wire.toml. Methods without <response>, and what the grammar of their class lets the other side answer.
REVERSED = {"connection.update-secret", "connection.update-secret-ok"}
REPLIES_BY_GRAMMAR = {
    "connection.start-ok": ["connection.secure", "connection.tune"],
    "connection.secure-ok": ["connection.secure", "connection.tune"],
    "basic.recover": ["basic.recover-ok"],
}


def identifier(name: str) -> str:
    name = name.replace(" ", "_").replace("-", "_")
    # A field named bytes would hide the type that others are annotated with.
    return f"{name}_" if keyword.iskeyword(name) or name == "bytes" else name


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.replace(" ", "-").split("-"))


class Facts:
    """What a specification file says, by plain ElementTree."""

    def __init__(self, path: Path) -> None:
        self.root = ElementTree.parse(path).getroot()
        self.domains = {domain.get("name", ""): domain.get("type", "") for domain in self.root.iter("domain")}
        self.classes = {cls.get("name", ""): cls for cls in self.root.iter("class")}

    def type_of(self, field: ElementTree.Element) -> str:
        name = field.get("domain") or field.get("type") or ""
        return self.domains.get(name, name)

    def methods(self) -> list[tuple[ElementTree.Element, ElementTree.Element]]:
        return [(cls, method) for cls in self.root.iter("class") for method in cls.iter("method")]


@each_file
def test_methods(amqp: Any, path: Path) -> None:
    facts = Facts(path)
    expected = []
    names = {cls.NAME for cls in amqp.METHODS.values()}
    by_grammar = {name: replies for name, replies in REPLIES_BY_GRAMMAR.items() if names.issuperset(replies)}
    for cls, method in facts.methods():
        key = int(cls.get("index", "")) << 16 | int(method.get("index", ""))
        expected.append(key)
        name = f"{cls.get('name')}.{method.get('name')}"
        ours = amqp.METHODS[key]
        assert name == ours.NAME
        assert key == (ours.CLASS_ID << 16 | ours.METHOD_ID)
        assert ours.__name__ == camel(cls.get("name", "")) + camel(method.get("name", ""))
        assert getattr(amqp.methods, ours.__name__) is ours
        layout = [
            (identifier(field.get("name", "")), facts.type_of(field), field.get("reserved") == "1")
            for field in method.findall("field")
        ]
        assert [(field.name, field.type, field.reserved) for field in ours.FIELDS] == layout
        assert (method.get("synchronous") == "1") is ours.SYNCHRONOUS
        assert (method.get("content") == "1") is ours.HAS_CONTENT
        # Whom the chassis names accepts the method, so the other one sends it.
        accepted = {chassis.get("name") for chassis in method.findall("chassis")}
        sent = {{"server": "client", "client": "server"}[str(name)] for name in accepted}
        assert (sent == ours.SENT_BY) is (name not in REVERSED), name
        replies = [f"{cls.get('name')}.{reply.get('name')}" for reply in method.findall("response")]
        assert [reply.NAME for reply in ours.RESPONSES] == (replies or by_grammar.get(name, []))
        if amqp is not RABBITMQ:
            assert (method.get("deprecated") == "1") is ours.DEPRECATED
    # RabbitMQ's codec has the class access; no published file does.
    access = {cls.KEY for cls in amqp.METHODS.values() if amqp is RABBITMQ and cls.NAME.startswith("access.")}
    assert set(amqp.METHODS) - access == set(expected)


@each_file
def test_properties(amqp: Any, path: Path) -> None:
    facts = Facts(path)
    with_content = {
        int(cls.get("index", ""))
        for cls in facts.root.iter("class")
        if any(method.get("content") == "1" for method in cls.iter("method")) or cls.findall("field")
    }
    assert set(amqp.content.PROPERTIES) == with_content
    for cls in facts.root.iter("class"):
        layout = [(identifier(field.get("name", "")), facts.type_of(field)) for field in cls.findall("field")]
        if layout:
            ours = amqp.content.PROPERTIES[int(cls.get("index", ""))]
            assert [(field.name, field.type) for field in ours.FIELDS] == layout
            assert ours.__name__ == camel(cls.get("name", "")) + "Properties"
            assert f"{cls.get('name')}.properties" == ours.NAME


@each_file
def test_constants(amqp: Any, path: Path) -> None:
    soft, hard = set(), set()
    codes = {}
    for constant in Facts(path).root.iter("constant"):
        name = identifier(constant.get("name", "")).upper()
        value = int(constant.get("value", ""))
        assert getattr(amqp.constants, name) == value
        kind = constant.get("class", "").replace(" ", "-")
        if kind == "soft-error":
            soft.add(value)
        elif kind == "hard-error":
            hard.add(value)
        if kind or name == "REPLY_SUCCESS":
            codes[name] = value
    assert {code.name: code.value for code in amqp.ReplyCode} == codes
    assert set(amqp.constants.SOFT_ERRORS) == soft
    assert set(amqp.constants.HARD_ERRORS) == hard
    assert set(amqp.CLOSE_ERRORS) == soft | hard
    for code, error in amqp.CLOSE_ERRORS.items():
        base = amqp.errors.ChannelCloseError if code in soft else amqp.errors.ConnectionCloseError
        assert issubclass(error, base)
        assert issubclass(error, amqp.errors.CloseError)
        assert code == error.REPLY_CODE


@each_file
def test_counts(amqp: Any, path: Path) -> None:
    counts = {"amqp_0_8": 89, "amqp_0_9": 101, "amqp_0_9_1": 53, "amqp_0_9_1_rabbitmq": 64}
    access = 2 if amqp is RABBITMQ else 0
    assert len(amqp.METHODS) - access == counts[amqp.__name__] == len(Facts(path).methods())
