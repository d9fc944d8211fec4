"""The whole way: identity, dialects, overlays of ours."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.spec import Spec
from amqp_codegen.model.problem import Problem

from tests.reader.raw_models import resolved_amqp0

from .small_specifications import field, in_method, outcome, raw_spec, resolved, wire

BODY = in_method(field("f"))


@pytest.mark.parametrize(
    ("version", "package", "dialect", "header"),
    [
        ("0-8", "amqp_0_8", "spec-0-8", b"AMQP\1\1\x08\0"),
        ("0-9", "amqp_0_9", "spec-0-9", b"AMQP\1\1\0\x09"),
        ("0-9-1", "amqp_0_9_1", "spec-0-9-1", b"AMQP\0\0\x09\1"),
    ],
)
def test_identity(version: str, package: str, dialect: str, header: bytes) -> None:
    spec = resolved(BODY, version)
    assert (spec.version, spec.title, spec.package) == (version, f"AMQP {version}", package)
    assert (spec.dialect.name, spec.wire.header, spec.port) == (dialect, header, 5672)
    assert [source.name for source in spec.sources] == ["s.xml"]


@pytest.mark.parametrize("dialect", ["spec-0-8", "spec-0-9", "spec-0-9-1", "rabbitmq", "qpid"])
def test_any_dialect_may_be_the_default(dialect: str) -> None:
    spec = resolved(BODY, dialect=dialect)
    assert spec.dialect.name == dialect
    assert spec.dialect in spec.dialects
    assert [dialect.name for dialect in spec.dialects] == list(wire().dialects)


def test_an_unknown_dialect() -> None:
    spec, problems = outcome(BODY, dialect="rabitmq")
    assert spec is None
    assert problems == [
        Problem("unknown-dialect", "there is no dialect 'rabitmq'", None, "did you mean 'rabbitmq'?"),
    ]


def test_an_unknown_dialect_does_not_hide_other_problems() -> None:
    spec, problems = outcome(in_method(field("f", "nosuch")), dialect="rabitmq")
    assert spec is None
    assert [problem.rule_id for problem in problems] == ["unknown-dialect", "undefined-domain"]


def with_sources(version: str, *sources: str) -> Spec:
    spec, problems = resolved_amqp0(raw_spec(BODY, version, sources=sources), wire())
    assert problems == []
    assert spec is not None
    return spec


def test_our_overlay_changes_the_identity() -> None:
    spec = with_sources("0-9-1", "amqp0-9-1.xml", "rabbitmq.xml")
    assert (spec.version, spec.package, spec.dialect.name) == (
        "0-9-1-rabbitmq",
        "amqp_0_9_1_rabbitmq",
        "rabbitmq",
    )
    assert spec.wire.name == "0-9-1"
    early = with_sources("0-8", "amqp0-8.xml", "rabbitmq-0-8.xml")
    assert (early.version, early.package, early.dialect.name) == (
        "0-8-rabbitmq",
        "amqp_0_8_rabbitmq",
        "rabbitmq",
    )
    assert early.wire.name == "0-8"


@pytest.mark.parametrize(
    ("version", "sources"),
    [
        ("0-8", ("amqp0-8.xml", "rabbitmq.xml")),  # an overlay of the user's that happens to be called so
        ("0-9-1", ("rabbitmq.xml",)),  # no overlay but the specification itself
        ("0-9-1", ("amqp0-9-1.xml", "mine.xml")),
    ],
)
def test_other_files_do_not(version: str, sources: tuple[str, ...]) -> None:
    spec = with_sources(version, *sources)
    assert (spec.version, spec.package) == (version, f"amqp_{version.replace('-', '_')}")


def test_frame_constants_need_not_be_stated() -> None:
    """wire.toml has them too."""
    spec, problems = outcome(BODY, needed="")
    assert problems == []
    assert spec is not None
    assert (spec.constants, spec.wire.frame_end, spec.wire.min_frame_size) == ((), 206, 4096)


def test_rules_come_in_the_order_of_the_file() -> None:
    rule = '<rule name="r"/>'
    spec = resolved(
        f'<domain name="z" type="bit">{rule}</domain><domain name="a" type="bit">{rule}</domain>'
        f'<class name="y" index="2">{rule}<method name="m" index="1">{rule}</method></class>'
        f'<class name="b" index="1">{rule}<method name="m" index="1">{rule}</method></class>'
    )
    assert [rule.path for rule in spec.rules] == ["z/r", "a/r", "y/r", "y.m/r", "b/r", "b.m/r"]
