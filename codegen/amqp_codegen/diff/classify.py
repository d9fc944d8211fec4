"""The catalogue of changes: the name of each kind of change, whom it breaks, and why.

A change is ``WIRE`` if octets that were valid before are now read differently, or not at all. An addition, such as a
method or a class, is ``BEHAVIOUR``: old peers do not know it, but nothing that they send changes. A field that becomes
reserved is ``SOURCE``: its octets stay where they are, and a peer must not heed what they hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..model.problem import Position
from .change import Action, Change, Level

_WIRE, _SOURCE, _BEHAVIOUR, _DOC = Level.WIRE, Level.SOURCE, Level.BEHAVIOUR, Level.DOC
_ADDED, _REMOVED, _RENAMED, _CHANGED = Action.ADDED, Action.REMOVED, Action.RENAMED, Action.CHANGED


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One kind of change; the attributes are those of ``Change``."""

    id: str
    action: Action
    kind: str
    aspect: str
    level: Level
    reason: str


_RENAME_REASON = "the octets are the same; the generated name is another one"
_UNKNOWN_REASON = "old peers do not know it: use it only with a peer that says it does"
_TEXT_REASON = "the text for people"

_ENTRIES = (
    CatalogueEntry("protocol-header", _CHANGED, "protocol", "octets", _WIRE, "a peer answers an unknown header by closing"),
    CatalogueEntry("protocol-port", _CHANGED, "protocol", "number", _BEHAVIOUR, "peers listen and connect elsewhere"),
    CatalogueEntry("protocol-dialect", _CHANGED, "protocol", "of field tables", _WIRE, "letters in field tables mean other types"),
    # Constants
    CatalogueEntry("constant-added", _ADDED, "constant", "", _BEHAVIOUR, "a peer may meet a number that it does not know"),
    CatalogueEntry("constant-removed", _REMOVED, "constant", "", _SOURCE, "the generated name is gone"),
    CatalogueEntry("frame-type-removed", _REMOVED, "constant", "", _WIRE, "frames of this type are no longer read"),
    CatalogueEntry("constant-renamed", _RENAMED, "constant", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("constant-value", _CHANGED, "constant", "value", _WIRE, "old and new peers mean different numbers"),
    CatalogueEntry("constant-error", _CHANGED, "constant", "error class", _BEHAVIOUR, "it decides whether a channel or a connection is closed"),
    CatalogueEntry("constant-doc", _CHANGED, "constant", "text", _DOC, _TEXT_REASON),
    # Domains
    CatalogueEntry("domain-added", _ADDED, "domain", "", _DOC, "fields that have it now are listed themselves"),
    CatalogueEntry("domain-removed", _REMOVED, "domain", "", _SOURCE, "the generated name is gone; fields that had it are listed themselves"),
    CatalogueEntry("domain-renamed", _RENAMED, "domain", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("domain-type", _CHANGED, "domain", "type", _WIRE, "every field of this domain has other octets"),
    CatalogueEntry("domain-asserts", _CHANGED, "domain", "asserts", _BEHAVIOUR, "values are refused that were accepted, or the other way round"),
    CatalogueEntry("domain-doc", _CHANGED, "domain", "text", _DOC, _TEXT_REASON),
    # Classes
    CatalogueEntry("class-added", _ADDED, "class", "", _BEHAVIOUR, _UNKNOWN_REASON),
    CatalogueEntry("class-removed", _REMOVED, "class", "", _WIRE, "its methods are no longer understood"),
    CatalogueEntry("class-renamed", _RENAMED, "class", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("class-index", _CHANGED, "class", "index", _WIRE, "its methods and content headers begin with another number"),
    CatalogueEntry("class-handler", _CHANGED, "class", "handler", _BEHAVIOUR, "it belongs to another channel"),
    CatalogueEntry("class-chassis", _CHANGED, "class", "supported by", _BEHAVIOUR, "another peer has to support it, or more or less strictly"),
    CatalogueEntry("class-grammar", _CHANGED, "class", "grammar", _BEHAVIOUR, "methods may come in another order"),
    CatalogueEntry("class-doc", _CHANGED, "class", "text", _DOC, _TEXT_REASON),
    # Methods
    CatalogueEntry("method-added", _ADDED, "method", "", _BEHAVIOUR, _UNKNOWN_REASON),
    CatalogueEntry("method-removed", _REMOVED, "method", "", _WIRE, "a peer that gets it closes the connection"),
    CatalogueEntry("method-renamed", _RENAMED, "method", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("method-index", _CHANGED, "method", "index", _WIRE, "its payload begins with another number"),
    CatalogueEntry("method-content", _CHANGED, "method", "content", _WIRE, "a header and a body follow, or no longer do"),
    CatalogueEntry("method-synchronous", _CHANGED, "method", "synchronous", _BEHAVIOUR, "its sender waits for a reply, or no longer does"),
    CatalogueEntry("method-replies", _CHANGED, "method", "replies", _BEHAVIOUR, "another method may answer it"),
    CatalogueEntry("method-chassis", _CHANGED, "method", "accepted by", _BEHAVIOUR, "another peer may send it, or it has to be accepted more or less strictly"),
    CatalogueEntry("method-deprecated", _CHANGED, "method", "deprecated", _DOC, "it still works"),
    CatalogueEntry("method-doc", _CHANGED, "method", "text", _DOC, _TEXT_REASON),
    # Fields of methods
    CatalogueEntry("field-added", _ADDED, "field", "", _WIRE, "the method has other octets"),
    CatalogueEntry("field-removed", _REMOVED, "field", "", _WIRE, "the method has other octets"),
    CatalogueEntry("bit-added", _ADDED, "field", "", _SOURCE, "it takes a bit that was unused; old peers send it as false and ignore it"),
    CatalogueEntry("bit-removed", _REMOVED, "field", "", _SOURCE, "its bit is unused now, the octets around it are the same"),
    CatalogueEntry("field-renamed", _RENAMED, "field", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("field-retired", _RENAMED, "field", "reserved now", _SOURCE, "its octets stay, but are always zero now; it is no longer an argument"),
    CatalogueEntry("field-revived", _RENAMED, "field", "no longer reserved", _SOURCE, "its octets were reserved, and always zero; it is an argument now"),
    CatalogueEntry("field-moved", _CHANGED, "field", "position", _WIRE, "the method has the same fields in another order"),
    CatalogueEntry("field-type", _CHANGED, "field", "type", _WIRE, "it has other octets"),
    CatalogueEntry("field-domain", _CHANGED, "field", "domain", _DOC, "another name for the same elementary type"),
    CatalogueEntry("field-reserved", _CHANGED, "field", "reserved", _SOURCE, "whether it is an argument; on the wire a reserved field is zero"),
    CatalogueEntry("field-asserts", _CHANGED, "field", "asserts", _BEHAVIOUR, "values are refused that were accepted, or the other way round"),
    CatalogueEntry("field-doc", _CHANGED, "field", "text", _DOC, _TEXT_REASON),
    # Content properties
    CatalogueEntry("property-added", _ADDED, "property", "", _WIRE, "old peers cannot read a header that has it"),
    CatalogueEntry("property-removed", _REMOVED, "property", "", _WIRE, "a header that has it cannot be read any more"),
    CatalogueEntry("property-renamed", _RENAMED, "property", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("property-retired", _RENAMED, "property", "reserved now", _SOURCE, "its flag stays, but must not be set any more"),
    CatalogueEntry("property-revived", _RENAMED, "property", "no longer reserved", _SOURCE, "its flag was reserved; it may be set now"),
    CatalogueEntry("property-flag", _CHANGED, "property", "flag", _WIRE, "another bit says whether it is there"),
    CatalogueEntry("property-type", _CHANGED, "property", "type", _WIRE, "it has other octets"),
    CatalogueEntry("property-domain", _CHANGED, "property", "domain", _DOC, "another name for the same elementary type"),
    CatalogueEntry("property-reserved", _CHANGED, "property", "reserved", _SOURCE, "whether it may be set"),
    CatalogueEntry("property-asserts", _CHANGED, "property", "asserts", _BEHAVIOUR, "values are refused that were accepted, or the other way round"),
    CatalogueEntry("property-doc", _CHANGED, "property", "text", _DOC, _TEXT_REASON),
    # Rules
    CatalogueEntry("rule-added", _ADDED, "rule", "", _BEHAVIOUR, "peers have one more duty or freedom"),
    CatalogueEntry("rule-removed", _REMOVED, "rule", "", _BEHAVIOUR, "peers cannot rely on it any more"),
    CatalogueEntry("rule-renamed", _RENAMED, "rule", "", _DOC, "it demands the same"),
    CatalogueEntry("rule-levels", _CHANGED, "rule", "level", _BEHAVIOUR, "it demands more, or less"),
    CatalogueEntry("rule-on-failure", _CHANGED, "rule", "on failure", _BEHAVIOUR, "a violation is reported by another code"),
    CatalogueEntry("rule-text", _CHANGED, "rule", "demand", _BEHAVIOUR, "it demands something else, or says so in other words"),
    CatalogueEntry("rule-doc", _CHANGED, "rule", "text", _DOC, "its label, or how to test it"),
    # AMQP 1.0: parts, sections, constants
    CatalogueEntry("part-added", _ADDED, "part", "", _BEHAVIOUR, "its types are listed themselves"),
    CatalogueEntry("part-removed", _REMOVED, "part", "", _SOURCE, "the generated module is gone; its types are listed themselves"),
    CatalogueEntry("part-doc", _CHANGED, "part", "text", _DOC, _TEXT_REASON),
    CatalogueEntry("section-added", _ADDED, "section", "", _DOC, "what is in it is listed itself"),
    CatalogueEntry("section-removed", _REMOVED, "section", "", _DOC, "what was in it is listed itself"),
    CatalogueEntry("section-doc", _CHANGED, "section", "text", _DOC, _TEXT_REASON),
    # Types
    CatalogueEntry("type-added", _ADDED, "type", "", _BEHAVIOUR, _UNKNOWN_REASON),
    CatalogueEntry("type-removed", _REMOVED, "type", "", _WIRE, "its values are no longer understood"),
    CatalogueEntry("alias-removed", _REMOVED, "type", "", _SOURCE, "the generated name is gone; fields that had it are listed themselves"),
    CatalogueEntry("type-renamed", _RENAMED, "type", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("type-class", _CHANGED, "type", "class", _WIRE, "its values have another form"),
    CatalogueEntry("type-source", _CHANGED, "type", "source", _WIRE, "its values have another primitive type"),
    CatalogueEntry("type-alias", _CHANGED, "type", "source", _SOURCE, "another name for the same primitive type"),
    CatalogueEntry("type-provides", _CHANGED, "type", "provides", _SOURCE, "it may stand where it might not, or the other way round"),
    CatalogueEntry("type-part", _CHANGED, "type", "part", _SOURCE, "it is imported from another module"),
    CatalogueEntry("type-doc", _CHANGED, "type", "text", _DOC, _TEXT_REASON),
    CatalogueEntry("encoding-added", _ADDED, "encoding", "", _WIRE, "old peers cannot read values written with it"),
    CatalogueEntry("encoding-removed", _REMOVED, "encoding", "", _WIRE, "values written with it can no longer be read"),
    CatalogueEntry("encoding-renamed", _RENAMED, "encoding", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("encoding-code", _CHANGED, "encoding", "code", _WIRE, "another octet announces it"),
    CatalogueEntry("encoding-layout", _CHANGED, "encoding", "layout", _WIRE, "its data have another form"),
    CatalogueEntry("encoding-doc", _CHANGED, "encoding", "text", _DOC, _TEXT_REASON),
    CatalogueEntry("descriptor-changed", _CHANGED, "descriptor", "descriptor", _WIRE, "values are announced by another descriptor"),
    CatalogueEntry("choice-added", _ADDED, "choice", "", _WIRE, "old peers refuse the value"),
    CatalogueEntry("open-choice-added", _ADDED, "choice", "", _BEHAVIOUR, "values beyond the choices were valid before"),
    CatalogueEntry("choice-removed", _REMOVED, "choice", "", _WIRE, "the value is no longer valid"),
    CatalogueEntry("open-choice-removed", _REMOVED, "choice", "", _SOURCE, "the generated name is gone; the value is still valid"),
    CatalogueEntry("choice-renamed", _RENAMED, "choice", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("choice-value", _CHANGED, "choice", "value", _WIRE, "old and new peers mean different values"),
    CatalogueEntry("choice-doc", _CHANGED, "choice", "text", _DOC, _TEXT_REASON),
    # Fields of composite types
    CatalogueEntry("item-added", _ADDED, "field", "", _WIRE, "the list of the type has another field"),
    CatalogueEntry("item-removed", _REMOVED, "field", "", _WIRE, "the list of the type lacks the field"),
    CatalogueEntry("item-renamed", _RENAMED, "field", "", _SOURCE, _RENAME_REASON),
    CatalogueEntry("item-moved", _CHANGED, "field", "position", _WIRE, "the type has the same fields in another order"),
    CatalogueEntry("item-type", _CHANGED, "field", "type", _WIRE, "its values have another form"),
    CatalogueEntry("item-alias", _CHANGED, "field", "type", _SOURCE, "another name for the same primitive type"),
    CatalogueEntry("item-mandatory", _CHANGED, "field", "mandatory", _WIRE, "one side may leave out what the other demands"),
    CatalogueEntry("item-multiple", _CHANGED, "field", "multiple", _WIRE, "one side may send an array that the other does not expect"),
    CatalogueEntry("item-default", _CHANGED, "field", "default", _BEHAVIOUR, "what is left out means something else"),
    CatalogueEntry("item-requires", _CHANGED, "field", "requires", _SOURCE, "other types may stand here"),
    CatalogueEntry("item-doc", _CHANGED, "field", "text", _DOC, _TEXT_REASON),
)  # fmt: skip

CATALOGUE: Mapping[str, CatalogueEntry] = {entry.id: entry for entry in _ENTRIES}


def change(
    rule: str,
    path: str,
    section: str,
    old: str = "",
    new: str = "",
    positions: tuple[Position | None, Position | None] = (None, None),
) -> Change:
    """Return a change of the kind with the id ``rule``.

    ``positions`` are those in the old and in the new specification; the other arguments are as in ``Change``.
    """
    entry = CATALOGUE[rule]
    of_kind = (entry.id, entry.level, entry.action, entry.kind)
    return Change(*of_kind, path, section, entry.aspect, old, new, entry.reason, *positions)
