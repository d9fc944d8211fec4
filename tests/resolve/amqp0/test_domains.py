"""Domains resolved to elementary types."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.field_types import WireType
from amqp_codegen.model.amqp0.raw import RawSpec
from amqp_codegen.model.problem import Problems
from amqp_codegen.resolve.amqp0.domains import resolve_domains

from tests.growth import LARGEST_EXPONENT, line_exponent

from .small_specifications import (
    field,
    fields,
    in_class,
    in_method,
    marks,
    method,
    raw_spec,
    refusal,
    resolved,
    the_domain,
    the_method,
)


def domain(name: str, kind: str, content: str = "") -> str:
    return f'<domain name="{name}" type="{kind}">{content}</domain>\n'


def type_of(domains: str, used: str) -> WireType:
    [found] = the_method(resolved(domains + in_method(field("f", used)))).fields
    return found.type


@pytest.mark.parametrize("kind", WireType)
def test_elementary_types_need_no_declaration(kind: WireType) -> None:
    spec = resolved(in_method(field("f", kind.value)))
    [found] = spec.domains
    assert (found.name, found.type, found.declared, found.class_name) == (
        kind.value,
        kind,
        False,
        kind.value.capitalize(),
    )
    assert the_method(spec).fields[0].type is kind


@pytest.mark.parametrize("kind", WireType)
def test_elementary_types_may_be_declared_as_themselves(kind: WireType) -> None:
    spec = resolved(domain(kind.value, kind.value) + in_method(field("f", kind.value)))
    [found] = spec.domains
    assert (found.type, found.declared) == (kind, True)


def test_unused_elementary_types_are_not_added() -> None:
    spec = resolved(in_method(field("f", "table") + field("g", "bit") + field("h", "table")))
    assert [domain.name for domain in spec.domains] == ["bit", "table"]


def test_properties_use_domains_too() -> None:
    spec = resolved(in_class(field("f", "timestamp") + method()))
    assert [domain.name for domain in spec.domains] == ["timestamp"]


def test_a_type_attribute_does_as_well_as_a_domain() -> None:
    found = the_method(
        resolved(in_method('<field name="f" type="short"/><field name="g" domain="short"/>'))
    ).fields
    assert [(item.type, item.domain) for item in found] == [(WireType.SHORT, ""), (WireType.SHORT, "short")]


def test_a_chain_of_domains() -> None:
    chain = domain("a", "b") + domain("b", "c") + domain("c", "longstr")
    assert type_of(chain, "a") is WireType.LONGSTR
    assert type_of(chain + domain("longstr", "longstr"), "a") is WireType.LONGSTR


@pytest.mark.parametrize("used", ["queue name", "queue-name", "queue_name", "Queue Name", " queue  name"])
@pytest.mark.parametrize("declared", ["queue name", "queue-name", "QUEUE_NAME"])
def test_separators_and_case_do_not_matter(declared: str, used: str) -> None:
    """Qpid's files declare ``queue-name`` and use ``queue name``."""
    assert type_of(domain(declared, "SHORTSTR"), used) is WireType.SHORTSTR


def test_domains_keep_the_order_of_the_file_and_elementary_types_come_last() -> None:
    spec = resolved(
        domain("z", "bit") + domain("a", "octet") + in_method(field("f", "long") + field("g", "a"))
    )
    assert [(domain.name, domain.declared) for domain in spec.domains] == [
        ("z", True),
        ("a", True),
        ("long", False),
    ]


@pytest.mark.parametrize(
    ("domains", "expected"),
    [
        (domain("a", "a"), ["s.xml:2:1: error: domain 'a' never ends: a -> a [cyclic-domain]"]),
        (
            domain("a", "b") + domain("b", "a"),
            ["s.xml:2:1: error: domain 'a' never ends: a -> b -> a [cyclic-domain]"],
        ),
        (
            domain("x", "c") + domain("c", "b") + domain("b", "a") + domain("a", "c"),
            ["s.xml:3:1: error: domain 'c' never ends: c -> b -> a -> c [cyclic-domain]"],
        ),
    ],
)
def test_a_cycle_is_one_problem_at_the_first_of_its_domains(domains: str, expected: list[str]) -> None:
    assert refusal(domains + in_method(field("f", "a"))) == expected


def test_two_cycles_are_two_problems() -> None:
    domains = "".join([domain("a", "b"), domain("b", "a"), domain("c", "d"), domain("d", "c")])
    assert marks(refusal(domains + in_method(""))) == ["cyclic-domain 2:1", "cyclic-domain 4:1"]


@pytest.mark.parametrize("last", ["bit", "d0"])
def test_a_long_chain_takes_no_recursion_and_linear_time(last: str) -> None:
    def chain(count: int) -> RawSpec:
        domains = "".join(domain(f"d{number}", f"d{number + 1}") for number in range(count))
        return raw_spec(domains + domain(f"d{count}", last) + in_method(field("f", "d0")))

    problems = Problems()
    domains = resolve_domains(chain(1200), frozenset(), problems)
    assert domains["d0"].type is WireType.BIT or [problem.rule_id for problem in problems] == [
        "cyclic-domain"
    ]
    assert (
        line_exponent(chain, lambda raw: resolve_domains(raw, frozenset(), Problems()), 50)
        <= LARGEST_EXPONENT
    )


def test_an_undefined_type_is_reported_where_it_is_named() -> None:
    domains = domain("a", "b") + domain("b", "longstring")
    assert refusal(domains + in_method(field("f", "a"))) == [
        "s.xml:3:1: error: domain 'b' has the type 'longstring', which is not defined (did you mean 'longstr'?) [undefined-domain]"
    ]


def test_an_undefined_domain_of_a_field() -> None:
    body = domain("queue-name", "shortstr") + in_class(method("\n" + field("f", "queue-nmae")))
    assert refusal(body) == [
        "s.xml:4:1: error: field 'f' has the type 'queue-nmae', which is not defined (did you mean 'queue-name'?) [undefined-domain]"
    ]


def test_an_undefined_domain_of_a_property() -> None:
    body = in_class("\n" + field("f", "xyzzy") + method())
    assert marks(refusal(body)) == ["undefined-domain 3:1"]


def test_every_undefined_domain_is_reported() -> None:
    body = in_class(method("\n" + field("f", "nope") + "\n" + field("g", "neither") + field("h", "nope")))
    assert marks(refusal(body)) == ["undefined-domain 3:1", "undefined-domain 4:1", "undefined-domain 4:43"]


def test_a_domain_declared_twice() -> None:
    assert refusal(domain("a b", "bit") + domain("a-b", "octet") + in_method("")) == [
        "s.xml:3:1: error: domain 'a-b' repeats the name of domain 'a b' at s.xml:2:1 (give each its own) [duplicate-domain]"
    ]


def test_domains_with_one_python_name() -> None:
    assert marks(refusal(domain("a-1", "bit") + domain("a1", "octet") + in_method(""))) == [
        "name-collision 3:1"
    ]


@pytest.mark.parametrize("name", ["none", "true", "false", "any", "mapping", "type-alias", "dataclass"])
def test_a_domain_hides_nothing_that_its_module_needs(name: str) -> None:
    found = the_domain(resolved(domain(name, "bit") + in_method("")), name)
    assert found.class_name not in {"None", "True", "False", "Any", "Mapping", "TypeAlias"}
    assert found.class_name.rstrip("_").isidentifier()


def test_a_domain_that_is_called_content_and_is_none() -> None:
    """0-9 uses the elementary type ``content`` without declaring it."""
    spec = resolved(domain("content", "longstr") + in_method(field("f", "content")))
    assert the_method(spec).fields[0].type is WireType.LONGSTR
    assert the_domain(spec, "content").type is WireType.LONGSTR


def test_names_with_line_breaks_stay_on_one_line_of_a_message() -> None:
    cycle = domain("a&#10;b", "a&#10;b")
    [first, second] = refusal(cycle + in_method(""))
    assert "'a\\nb' -> 'a\\nb'" in first
    assert second.endswith("[bad-name]")


def test_fields_take_what_their_domain_says() -> None:
    check = '<assert check="notnull"/>'
    spec = resolved(
        f'<domain name="d" type="shortstr" label="a label"><doc>A doc.</doc>{check}</domain>'
        + in_method(
            field("f", "d", '<assert check="length" value="7"/>') + field("g", "d", "<doc>Own.</doc>")
        )
    )
    first, second = the_method(spec).fields
    assert [(item.check, item.number, item.origin) for item in first.asserts] == [
        ("notnull", 0, "domain d"),
        ("length", 7, "field"),
    ]
    assert (first.label, first.doc, second.doc) == ("a label", "A doc.", "Own.")


@pytest.mark.parametrize(
    ("kind", "check", "expected"),
    [
        ("bit", '<assert check="notnull"/>', ("notnull", 0, "", ())),
        ("table", '<assert check="null"/>', ("null", 0, "", ())),
        ("shortstr", '<assert check="length" value="127"/>', ("length", 127, "", ())),
        ("longstr", '<assert check="regexp" value="^[a-z]*$"/>', ("regexp", 0, "^[a-z]*$", ())),
        ("shortstr", '<assert check="syntax" rule="a syntax"/>', ("syntax", 0, "a syntax", ())),
        ("octet", '<assert check="ne" value="3"/>', ("ne", 3, "", ())),
        (
            "short",
            '<assert check="enum"><value name="one"/><value name="two"/></assert>',
            ("enum", 0, "", ("one", "two")),
        ),
    ],
)
def test_an_assert_of_each_kind(kind: str, check: str, expected: tuple[object, ...]) -> None:
    [found] = the_domain(resolved(domain("d", kind, check) + in_method("")), "d").asserts
    assert (found.check, found.number, found.text, found.values) == expected


def test_a_length_may_be_hexadecimal_like_other_numbers() -> None:
    found = the_domain(
        resolved(domain("d", "shortstr", '<assert check="length" value="0x7f"/>') + in_method("")), "d"
    )
    assert found.asserts[0].number == 127


def test_all_kinds_of_fields_together() -> None:
    kinds = [kind.value for kind in WireType]
    found = the_method(resolved(in_method(fields(*kinds)))).fields
    assert [item.type.value for item in found] == kinds
