"""Names, types and descriptors of 1.0."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ...model.amqp1.raw import RawDescriptor, RawPart, RawSpec, RawType
from ...reader.element import Element
from ...reader.inputs import PARTS_1_0, resolve_input
from ...reader.load import load
from ...support.wording import did_you_mean, quote
from ..rule import LintSeverity, Remark, reported, rule
from .subject import LintedSpec

_NAMES, _TYPES, _DESCRIPTORS = "names-1.0", "types-1.0", "descriptors-1.0"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE
# The elements that an xref may lead to.
_TARGETS = frozenset({"amqp", "section", "type", "definition", "anchor", "doc", "picture", "field", "choice"})

REPORTED_NAMES = reported(
    _NAMES,
    ("duplicate-part", _ERROR, "Two files that are the same part",
     'two files with <amqp name="transport">', ""),
    ("duplicate-section", _ERROR, "Two sections of one name in a part",
     'two <section name="performatives">', ""),
    ("duplicate-type", _ERROR, "Two types of one name", 'two <type name="open" ...>', ""),
    ("duplicate-definition", _ERROR, "Two definitions of one name in a section",
     'two <definition name="PORT">', ""),
)  # fmt: skip


@rule(_NAMES, "dangling-link", _WARNING, '<xref name="sesion-end"/>')
def dangling_link(subject: LintedSpec) -> Iterator[Remark]:
    """A link in a text whose target does not exist."""
    elements = [element for root in subject.roots for element in root.walk()]
    names = {name for element in elements if element.tag in _TARGETS for name in _names(element)}
    choices = {
        element.attributes.get("name", ""): {
            choice.attributes.get("name", "") for choice in element.find_all("choice")
        }
        for element in elements
        if element.tag == "type"
    }
    for element in elements:
        if element.tag != "xref":
            continue
        name, choice = element.attributes.get("name", ""), element.attributes.get("choice", "")
        if name not in names:
            message = f"this link leads to {quote(name)}, which is nowhere"
            hint = did_you_mean(name, names) or "name a section, type, definition or anchor"
            yield Remark(message, element.position, hint)
        elif choice and choice not in choices.get(name, {choice}):
            message = f"this link leads to choice {quote(choice)}, which {quote(name)} does not have"
            hint = did_you_mean(choice, choices[name]) or "name one of its choices"
            yield Remark(message, element.position, hint)


def _names(element: Element) -> Iterator[str]:
    return (element.attributes[key] for key in ("name", "title") if key in element.attributes)


# --- types ---

REPORTED_REFERENCES = reported(
    _TYPES,
    ("undefined-type", _ERROR, "A type that nothing declares",
     'source="lst"', "declare it, or name one that is"),
    ("cyclic-type", _ERROR, "Restricted types that lead back to themselves and never to a primitive type",
     'types "a" with source="b" and "b" with source="a"', "let one of them have a primitive type as its source"),
    ("too-deep-type", _ERROR, "A restricted type whose sources lead on and on",
     "a hundred restricted types, each the source of the next", "name the primitive type as the source"),
)  # fmt: skip


@rule(_TYPES, "endless-type", _WARNING, 'type "t" with a mandatory field of the type "t"')
def endless_type(subject: LintedSpec) -> Iterator[Remark]:
    """A composite type that needs another value of itself to be complete."""
    for owner in subject.raw.types:
        for field in owner.fields:
            todo, seen = [field.type], set[str]()
            while todo and field.mandatory:
                name = todo.pop()
                if name == owner.name:
                    message = f"every {owner.name!r} needs another one in its mandatory field {field.name!r}"
                    yield Remark(message, field.position, "make one of the fields optional")
                    break
                if name not in seen and name in subject.types:
                    seen.add(name)
                    todo += [inner.type for inner in subject.types[name].raw.fields if inner.mandatory]


@rule(_TYPES, "unused-type", _NOTE, '<type name="t" class="restricted" source="uint"/>')
def unused_type(subject: LintedSpec) -> Iterator[Remark]:
    """A type that nothing refers to."""
    used = {owner.source for owner in subject.raw.types}
    used |= {field.type for owner in subject.raw.types for field in owner.fields if field.type != owner.name}
    for owner in subject.raw.types:
        if owner.type_class in ("composite", "restricted") and not owner.provides and owner.name not in used:
            message = f"no type, source or archetype leads to {owner.type_class} type {owner.name!r}"
            yield Remark(message, owner.position, "use it, let it provide an archetype, or remove it")


REPORTED_TYPES = reported(
    _TYPES,
    ("reserved-class", _WARNING, "A type of the class union, which the standard reserves",
     '<type name="t" class="union"/>', "use archetypes: provides= and requires="),
    ("unsupported-source", _ERROR, "A type made of what types cannot be made of",
     '<type name="t" class="composite" source="map">', "make it of a list, or restrict a primitive type"),
    ("unsupported-primitive", _ERROR, "A primitive type that the standard does not have",
     '<type name="int128" class="primitive">', "primitive types are fixed: restrict one of them"),
    ("unsupported-code", _ERROR, "A format code that needs a second octet",
     '<encoding code="0x4f" .../>', "take a code that does not end in f"),
    ("bad-encoding", _ERROR, "An encoding whose code says something else than its category and width",
     '<encoding code="0x52" category="fixed" width="2"/>', "the upper half of the code fixes category and width (section 1.2)"),
    ("duplicate-code", _ERROR, "Two encodings with one format code", 'two <encoding code="0x43" .../>', ""),
    ("duplicate-encoding", _ERROR, "Two encodings of one name in a type",
     'two <encoding name="smallint" .../>', ""),
    ("duplicate-choice", _ERROR, "Two choices of one name or value", 'two <choice name="first" .../>', ""),
    ("bad-choice", _ERROR, "A choice that is not a value of its type",
     '<choice name="on" value="300"/> of a ubyte', "correct the value, or the source of the type"),
)  # fmt: skip

# --- descriptors ---

REPORTED_DESCRIPTORS = reported(
    _DESCRIPTORS,
    ("duplicate-descriptor", _ERROR, "Two types with one descriptor: readers cannot distinguish them",
     'two <descriptor code="0x00000000:0x00000010"/>', ""),
)  # fmt: skip


def _descriptors(subject: LintedSpec) -> Iterator[tuple[RawPart, RawType, RawDescriptor]]:
    for part in subject.raw.parts:
        for section in part.sections:
            for owner in section.types:
                yield from ((part, owner, descriptor) for descriptor in owner.descriptors)


@cache
def _published() -> frozenset[tuple[str, int | None]]:
    """Return the descriptors of the standard and of the extensions of OASIS, Apache and RabbitMQ, which are as they are."""
    raw = load(resolve_input("1.0-rabbitmq")).raw
    owners = raw.types if isinstance(raw, RawSpec) else ()
    return frozenset(
        (descriptor.name, descriptor.code) for owner in owners for descriptor in owner.descriptors
    )


def _is_published(descriptor: RawDescriptor) -> bool:
    return (descriptor.name, descriptor.code) in _published()


@rule(_DESCRIPTORS, "half-descriptor", _WARNING, '<descriptor name="a:b:list"/>')
def half_descriptor(subject: LintedSpec) -> Iterator[Remark]:
    """A descriptor without its symbol or its code."""
    for _, owner, descriptor in _descriptors(subject):
        if (not descriptor.name or descriptor.code is None) and not _is_published(descriptor):
            lacking, present = ("name", "code") if not descriptor.name else ("code", "name")
            message = f"the descriptor of {owner.name!r} has a {present} but no {lacking}"
            yield Remark(message, descriptor.position, "peers may send either, so give both")


@rule(_DESCRIPTORS, "descriptor-suffix", _WARNING, 'name="amqp:footer:list" of a type over maps')
def descriptor_suffix(subject: LintedSpec) -> Iterator[Remark]:
    """A symbol whose suffix names another type than the value has."""
    for _, owner, descriptor in _descriptors(subject):
        suffix = descriptor.name.rpartition(":")[2]
        known = subject.types.get(owner.name)
        fitting = (
            {"list"} if owner.type_class == "composite" else {owner.source, *(known.chain if known else ())}
        )
        if suffix == owner.name:  # a symbol without a suffix, such as amqp:sql-filter
            continue
        if ":" in descriptor.name and suffix in {*subject.types, "*"} and suffix not in fitting:
            message = f"the symbol {quote(descriptor.name)} says {suffix!r}, but {owner.name!r} is a {owner.source!r}"
            yield Remark(message, descriptor.position, "end it with the type that carries the value")


@rule(_DESCRIPTORS, "foreign-descriptor", _NOTE, 'code="0x00000000:0x00000999" in <amqp name="mine">')
def foreign_descriptor(subject: LintedSpec) -> Iterator[Remark]:
    """A code in the domain of the standard, in a part that does not belong to the standard."""
    for part, owner, descriptor in _descriptors(subject):
        # Domain 0 is AMQP's own (section 1.5): the numbers of others begin with their enterprise number.
        is_foreign = descriptor.code is not None and descriptor.code >> 32 == 0 and part.name not in PARTS_1_0
        if is_foreign and not _is_published(descriptor):
            message = f"the code of {owner.name!r} is in domain 0, which is the standard's own"
            yield Remark(
                message,
                descriptor.position,
                "take the IANA enterprise number of the organisation that defines it",
            )


@rule(_DESCRIPTORS, "code-without-domain", _WARNING, '<descriptor name="a:b:list" code="0x10"/>')
def code_without_domain(subject: LintedSpec) -> Iterator[Remark]:
    """A code without the domain before it, which is then 0: that of the standard."""
    for root in subject.roots:
        for element in root.walk():
            code = element.attributes.get("code", "")
            if element.tag == "descriptor" and code and ":" not in code:
                message = f"the code {quote(code)} has no domain"
                yield Remark(
                    message, element.position, "write 0xDOMAIN:0xNUMBER, as in 0x00000000:0x00000010"
                )


# The bodies of frames (sections 2.7 and 5.3.3), by what they provide.
_BODIES = {
    "frame": ("open", "begin", "attach", "flow", "transfer", "disposition", "detach", "end", "close"),
    "sasl-frame": ("sasl-mechanisms", "sasl-init", "sasl-challenge", "sasl-response", "sasl-outcome"),
}


@rule(
    _DESCRIPTORS,
    "performative-without-frame",
    _WARNING,
    '<type name="open" class="composite"> without provides="frame"',
)
def performative_without_frame(subject: LintedSpec) -> Iterator[Remark]:
    """A type with the name of a performative that is not the body of a frame: nothing could send it."""
    for part in subject.raw.parts:
        for owner in (type_ for section in part.sections for type_ in section.types):
            for archetype, names in _BODIES.items():
                is_composite = owner.type_class == "composite" and owner.name in names
                if is_composite and archetype not in owner.provides and part.name in PARTS_1_0:
                    message = f"{owner.name!r} does not provide {archetype!r}, so that no frame can carry it"
                    yield Remark(message, owner.position, f'write provides="{archetype}"')
