"""The built-in 1.0 specification, resolved."""

from __future__ import annotations

import dataclasses
import keyword
from collections import Counter

import pytest
from amqp_codegen.model.amqp1.raw import RawSpec
from amqp_codegen.model.amqp1.spec import Composite, Field, Kind, Restricted, Spec
from amqp_codegen.reader.inputs import resolve_input

from tests.growth import LARGEST_EXPONENT, line_exponent
from tests.reader.raw_models import load_amqp1, resolved_amqp1


@pytest.fixture(scope="module")
def spec() -> Spec:
    raw, warnings = load_amqp1(resolve_input("1.0").files)
    assert warnings == []
    resolved, problems = resolved_amqp1(raw)
    assert [(problem.rule_id, problem.severity.value) for problem in problems] == [
        ("unprovided-archetype", "warning")
    ]
    assert "'global-id' of 'declare' requires 'global-tx-id', which no type provides" in problems[0].message
    assert resolved is not None
    return resolved


def composite(spec: Spec, name: str) -> Composite:
    found = spec.type(name)
    assert isinstance(found, Composite)
    return found


def restricted(spec: Spec, name: str) -> Restricted:
    found = spec.type(name)
    assert isinstance(found, Restricted)
    return found


def field(spec: Spec, path: str) -> Field:
    owner, _, name = path.partition(".")
    (found,) = (field for field in composite(spec, owner).fields if field.name == name)
    return found


def test_identity(spec: Spec) -> None:
    assert (spec.version, spec.title, spec.package) == ("1.0", "AMQP 1.0", "amqp_1_0")
    assert [source.name for source in spec.sources] == [
        "types.xml",
        "transport.xml",
        "messaging.xml",
        "transactions.xml",
        "security.xml",
    ]
    assert all(len(source.sha256) == 64 for source in spec.sources)


def test_counts(spec: Spec) -> None:
    assert len(spec.types) == 96
    assert (len(spec.primitives), len(spec.composites), len(spec.restricted_types)) == (24, 33, 39)
    assert (len(spec.encodings), len(spec.described_types), len(spec.definitions)) == (39, 40, 13)
    assert (len(spec.enumerations), sum(len(enumeration.choices) for enumeration in spec.enumerations)) == (
        13,
        54,
    )
    assert sum(len(composite.fields) for composite in spec.composites) == 125
    assert len(spec.archetypes) == 15
    assert spec.unions == ()


def test_modules(spec: Spec) -> None:
    assert [(part.name, part.module, len(part.types)) for part in spec.parts] == [
        ("types", "types", 24),
        ("transport", "performatives", 27),
        ("messaging", "messaging", 31),
        ("transactions", "transactions", 8),
        ("security", "sasl", 6),
    ]
    part = spec.part("transport")
    assert part is not None
    assert [definition.name for definition in part.definitions][:2] == ["PORT", "SECURE-PORT"]
    assert spec.part("none") is None


def test_performatives_and_sasl_frames(spec: Spec) -> None:
    assert [composite.class_name for composite in spec.composites if composite.is_performative] == [
        "Open",
        "Begin",
        "Attach",
        "Flow",
        "Transfer",
        "Disposition",
        "Detach",
        "End",
        "Close",
    ]
    assert [composite.name for composite in spec.composites if composite.is_sasl_frame] == [
        "sasl-mechanisms",
        "sasl-init",
        "sasl-challenge",
        "sasl-response",
        "sasl-outcome",
    ]
    open_type = composite(spec, "open")
    assert (open_type.descriptor.symbol, open_type.descriptor.code) == ("amqp:open:list", 0x10)


def test_sections_of_messages(spec: Spec) -> None:
    found = spec.archetype("section")
    assert found is not None
    codes = [
        spec_type.descriptor.code
        for provider in found.providers
        for spec_type in [_described(spec, provider.name)]
    ]
    assert codes == [0x70 + number for number in range(9)]


def _described(spec: Spec, name: str) -> Composite | Restricted:
    found = spec.type(name)
    assert isinstance(found, (Composite, Restricted))
    assert found.descriptor is not None
    return found


def test_chains(spec: Spec) -> None:
    assert restricted(spec, "transfer-number").chain == ("sequence-no", "uint")
    assert restricted(spec, "footer").chain == ("annotations", "map")
    assert restricted(spec, "node-properties").chain == ("fields", "map")
    assert restricted(spec, "amqp-value").chain == ("*",)
    assert (restricted(spec, "amqp-value").primitive, restricted(spec, "amqp-value").source.kind) == (
        "",
        Kind.ANY,
    )


def test_open_and_closed_enumerations(spec: Spec) -> None:
    assert {enumeration.name for enumeration in spec.enumerations if not enumeration.open} == {
        "role",
        "sender-settle-mode",
        "receiver-settle-mode",
        "terminus-durability",
        "terminus-expiry-policy",
        "sasl-code",
    }
    assert {enumeration.primitive for enumeration in spec.enumerations if enumeration.open} == {"symbol"}


def test_defaults(spec: Spec) -> None:
    found = {
        f"{composite.name}.{inner.name}": inner.default.expression
        for composite in spec.composites
        for inner in composite.fields
        if inner.default is not None
    }
    assert len(found) == 27
    chosen = {path: text for path, text in found.items() if "." in text}
    assert chosen == {
        "attach.snd-settle-mode": "SenderSettleMode.MIXED",
        "attach.rcv-settle-mode": "ReceiverSettleMode.FIRST",
        "source.durable": "TerminusDurability.NONE",
        "source.expiry-policy": "TerminusExpiryPolicy.SESSION_END",
        "target.durable": "TerminusDurability.NONE",
        "target.expiry-policy": "TerminusExpiryPolicy.SESSION_END",
    }
    assert (found["begin.handle-max"], found["header.priority"], found["header.durable"]) == (
        "4294967295",
        "4",
        "False",
    )


def test_archetypes(spec: Spec) -> None:
    names = {archetype.name: archetype.class_name for archetype in spec.archetypes}
    assert names["delivery-state"] == "DeliveryState"
    assert (names["source"], names["target"], names["txn-capability"]) == (
        "AnySource",
        "AnyTarget",
        "AnyTxnCapability",
    )
    assert {archetype.name for archetype in spec.archetypes if not archetype.providers} == {"global-tx-id"}
    assert {archetype.name for archetype in spec.archetypes if not archetype.required_by} == {
        "frame",
        "section",
        "sasl-frame",
        "lifetime-policy",
    }
    assert [provider.name for provider in field(spec, "attach.target").providers] == ["target", "coordinator"]
    condition = field(spec, "error.condition")
    assert (condition.type.primitive, condition.requires, len(condition.providers)) == (
        "symbol",
        ("error-condition",),
        5,
    )
    assert all(provider.open and provider.enumeration for provider in condition.providers)


def test_mandatory_and_multiple(spec: Spec) -> None:
    found = [inner for composite in spec.composites for inner in composite.fields]
    assert Counter((inner.mandatory, inner.multiple) for inner in found) == {
        (False, False): 88,
        (True, False): 24,
        (False, True): 12,
        (True, True): 1,
    }


def test_python_names_are_safe_and_unique(spec: Spec) -> None:
    classes = [type_.class_name for type_ in (*spec.types, *spec.archetypes)]
    assert len(set(classes)) == len(classes)
    names = [*classes, *(type_.identifier for type_ in spec.types)]
    for item in spec.composites:
        identifiers = [inner.identifier for inner in item.fields]
        assert len(set(identifiers)) == len(identifiers)
        names += identifiers
    assert [name for name in names if not name.isidentifier() or keyword.iskeyword(name)] == []
    assert all(
        choice.identifier.isupper() for enumeration in spec.enumerations for choice in enumeration.choices
    )
    assert restricted(spec, "terminus-durability").choices[0].identifier == "NONE"


def test_rules(spec: Spec) -> None:
    rules = list(spec.rules)
    assert len(rules) >= 150
    assert len({rule.path for rule in rules}) == len(rules)
    assert all(rule.section and rule.text and rule.scenario for rule in rules)
    by_path = {rule.path: rule for rule in rules}
    found = by_path["open.channel-max/outside-range"]
    assert (found.levels, found.actor, found.on_failure) == (
        ("MUST",),
        "peer",
        "amqp:connection:framing-error",
    )
    assert {"transport/header-layout", "performatives/channel-octets", "open/first-frame"} <= by_path.keys()


def test_everything_is_immutable_and_comparable(spec: Spec) -> None:
    again, _ = resolved_amqp1(load_amqp1(resolve_input("1.0").files)[0])
    assert again == spec
    with pytest.raises(dataclasses.FrozenInstanceError):
        spec.version = "2.0"  # type: ignore[misc]


def test_a_large_specification_is_resolved_in_linear_time() -> None:
    raw, _ = load_amqp1(resolve_input("1.0").files)
    (small,) = (type_ for type_ in raw.types if type_.name == "released")
    types, *_ = raw.parts

    def large(count: int) -> RawSpec:
        many = tuple(
            dataclasses.replace(small, name=f"t{number}", descriptors=(), rules=()) for number in range(count)
        )
        section = dataclasses.replace(raw.parts[1].sections[0], types=many, rules=())
        extended = dataclasses.replace(raw.parts[1], name="x", sections=(section,), rules=())
        return dataclasses.replace(raw, parts=(types, extended))

    assert line_exponent(large, resolved_amqp1, 50) <= LARGEST_EXPONENT


def test_a_part_needs_a_name_that_makes_a_module() -> None:
    raw, _ = load_amqp1(resolve_input("1.0").files)
    spec, problems = resolved_amqp1(
        dataclasses.replace(raw, parts=(*raw.parts, dataclasses.replace(raw.parts[4], name="7", sections=())))
    )
    assert spec is None
    assert [problem.message for problem in problems if problem.rule_id == "bad-name"] == [
        "the name '7' of this part does not make a Python identifier"
    ]
