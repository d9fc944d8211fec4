"""All cases of a 1.0 specification, the rules that they test, and the questions about names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from ...model.amqp1.spec import Spec, Wire
from ..case import Case, Neutral, with_unique_ids
from .case_factory import CaseFactory
from .composite_cases import composite_cases, descriptor_cases
from .field_cases import archetype_cases, choice_cases, field_cases
from .frame_cases import frame_cases, protocol_header_cases
from .malformed_cases import malformed_cases
from .message_cases import delivery_cases, message_cases
from .primitive_cases import encoding_cases, primitive_cases
from .reference_encoder import descriptor_value
from .values import declared_value, default_value, neutral


def name_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield every constant, choice, descriptor, default, mandatory field and archetype."""
    for definition in factory.spec.definitions:
        # Two sections may define the same name; their identifiers differ.
        name = definition.identifier.replace("_", "-")
        yield _question("constant", name, definition.value)
    for enumeration in factory.spec.enumerations:
        for choice in enumeration.choices:
            value = declared_value(enumeration.primitive, choice.value)
            yield _question("choice", f"{enumeration.name}.{choice.name}", neutral(factory.spec, value))
    for kind in factory.spec.described_types:
        for descriptor in kind.descriptors:
            form = {"symbol": descriptor.symbol, "value": neutral(factory.spec, descriptor_value(descriptor))}
            yield _question("descriptor", kind.name, form)
    for composite in factory.spec.composites:
        yield _question("fields", composite.name, [field.name for field in composite.fields])
        for field in composite.fields:
            default = default_value(field)
            if default is not None:
                yield _question("default", f"{composite.name}.{field.name}", neutral(factory.spec, default))
            form = {"mandatory": field.mandatory, "multiple": field.multiple}
            yield _question("field", f"{composite.name}.{field.name}", form)
    for archetype in factory.spec.archetypes:
        providers = sorted(provider.name for provider in archetype.providers if provider.described)
        if providers:
            yield _question("providers", archetype.name, providers)


def _question(kind: str, element: str, answer: Neutral) -> Case:
    return Case(f"{element}/{kind}", element, kind, answer, way="ask")


# The kinds of which every proper prefix must be refused as truncated. A message may end after any section.
TRUNCATABLE = ("value", "composite", "frame", "delivery", "protocol-header")


def amqp1_cases(spec: Spec, wire: Wire) -> list[Case]:
    """Return all cases of a specification, in a fixed order."""
    factory = CaseFactory(spec)
    cases = (
        *primitive_cases(factory),
        *encoding_cases(factory),
        *composite_cases(factory),
        *field_cases(factory),
        *choice_cases(factory),
        *archetype_cases(factory),
        *descriptor_cases(factory),
        *message_cases(factory),
        *frame_cases(factory, wire),
        *delivery_cases(factory, wire.frames["amqp"]),
        *protocol_header_cases(factory, wire),
        *malformed_cases(factory),
        *name_cases(factory),
    )
    return with_unique_ids(cases)


# By path of the rule: globs of the ids of the cases that pass if and only if the rule is kept.
CODEC_RULES: Mapping[str, tuple[str, ...]] = {
    "types/composite-is-described-list": ("*/minimum", "*/maximum", "*/map-for-list"),
    "types/omit-trailing-nulls": ("*/nulls-at-the-end",),
    "types/mandatory-field-not-null": ("*/absent", "*/missing", "*.*/null"),
    "types/multiple-single-value": ("*/one",),
    "types/multiple-as-array": ("*/array-of-two", "*/array-of-another-type"),
    "types/null-equals-empty-array": ("*capabilities/null", "*capabilities/empty-array"),
    "types/mandatory-multiple-not-empty": ("sasl-mechanisms.sasl-server-mechanisms/*",),
    "types/single-value-field": ("*.*/array",),
    "types/reserved-descriptor-types": ("described/by-string", "described/by-uint", "described/by-list"),
    "encodings/format-code-range": ("encodings/0x*",),
    "encodings/described-constructor": ("described/symbol", "described/number", "value/descriptor-alone"),
    "encodings/descriptor-any-value": ("described/by-*",),
    "encodings/fixed-width": ("u*.u*/value", "byte.*/value", "short.*/value", "int.*/value", "long.*/value"),
    "encodings/variable-width": ("binary.*/value", "string.*/value", "symbol.*/value"),
    "encodings/compound-width": ("list.*/value", "map.*/value"),
    "encodings/compound-size-spans-count": ("list/size-*", "map/size-*"),
    "encodings/array-width": ("array.*/value", "*.*/elements"),
    "encodings/network-byte-order": ("ushort/*", "uint/*", "ulong/*", "short/*", "int/*", "long/[-0-9]*"),
    "boolean/octet-values": ("boolean.boolean/*", "boolean/octet-*", "array/of-boolean"),
    "int/small-int-sign": ("int/-*", "int.int-smallint/*"),
    "long/small-long-sign": ("long/-*", "long.long-smalllong/*"),
    "decimal32/binary-integer-decimal": ("decimal32/*",),
    "decimal64/binary-integer-decimal": ("decimal64/*",),
    "decimal128/binary-integer-decimal": ("decimal128/*",),
    "char/utf-32-big-endian": ("char/*",),
    "string/utf-8-without-mark": ("string/*",),
    "symbol/seven-bit-ascii": ("symbol/*",),
    "list/empty-list-forms": ("list.*/empty",),
    "map/even-count": ("map/odd-count", "map/one-item"),
    "map/alternating-pairs": ("map/typical", "map/nested"),
    "map/distinct-keys": ("map/*key-twice*", "map/keys-of-all-types"),
    "map/order-counts": ("map/high", "map/keys-of-all-types"),
    "array/one-element-type": ("array/of-*",),
    "transport/header-layout": ("protocol-header/*",),
    "transport/frame-size-field": ("frame/open", "frame/payload-of-*", "frame/performative-cut-off-*"),
    "transport/frame-size-minimum": ("frame/size-*",),
    "transport/frame-data-offset": ("frame/extended-header-*", "frame/data-offset-beyond-the-end"),
    "transport/frame-data-offset-minimum": ("frame/data-offset-0", "frame/data-offset-1"),
    "transport/frame-type-octet": ("frame/type-*", "frame/open", "frame/sasl-init"),
    "performatives/empty-frame-as-traffic": ("frame/empty-channel-0",),
    "performatives/empty-frame-accepted": ("frame/empty-channel-*",),
    "transfer/one-frame-message": ("delivery/one-transfer",),
    "transfer/large-message-frames": ("delivery/two-transfers", "delivery/an-octet-each"),
    "message-format/section-counts": ("message/*-twice",),
    "message-format/section-order": ("message/*-before-*", "message/all-around-*"),
    "message-format/one-kind-of-body": (
        "message/only-*",
        "message/several-*",
        "message/two-values",
        "message/data-and-*",
        "message/value-and-data",
        "message/sequence-and-value",
    ),
    "tls/header-layout": ("protocol-header/tls",),
    "sasl/header-layout": ("protocol-header/sasl",),
    "sasl/frame-type": ("frame/sasl-*",),
    "sasl/ignored-octets": ("frame/sasl-*-octets-6-and-7",),
    "sasl/ignored-octets-zero": ("frame/sasl-init",),
    "sasl/extended-header-ignored": ("frame/sasl-extended-header",),
    "sasl/data-offset-two": ("frame/sasl-init",),
    "sasl/single-value": ("frame/sasl-with-payload", "frame/empty-sasl"),
    "sasl/sasl-types-only": ("frame/*-in-sasl-frame",),
    "sasl-mechanisms.sasl-server-mechanisms/not-empty": ("sasl-mechanisms.sasl-server-mechanisms/*",),
}


def codec_rules(spec: Spec, cases: Iterable[Case]) -> dict[str, tuple[str, ...]]:
    """Return the globs of case ids by path of the rule, for the rules that cases test."""
    ids = [case.id for case in cases if case.way != "ask"]
    paths = {rule.path for rule in spec.rules}
    globs_by_path = {
        path: tuple(glob for glob in globs if any(fnmatchcase(name, glob) for name in ids))
        for path, globs in CODEC_RULES.items()
        if path in paths
    }
    return {path: globs for path, globs in globs_by_path.items() if globs}
