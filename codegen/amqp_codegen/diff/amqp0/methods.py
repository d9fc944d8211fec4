"""What differs in the methods of a class of the 0-x family."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterator, Mapping
from functools import partial

from ...model.amqp0.spec import Chassis, Class, Method, Spec
from ..change import Change
from ..classify import change
from ..pairs import Pairs, pair, places
from ..text_changes import attribute, doc_change, rule_changes
from .fields import field_changes, signature

# Share of the letters that two names must have in common, if nothing else says that the methods are the same.
_LEAST_LETTERS_SHARED = 0.6


def method_changes(before: Class, after: Class, old: Spec, new: Spec, section: str) -> Iterator[Change]:
    """Yield every change of a method, in the order of the new file; what was removed comes first."""
    pairs = _pairs(before, after)
    for method in pairs.removed:
        path = f"{before.name}.{method.name}"
        yield change("method-removed", path, section, _method(method), "", (method.position, None))
    for method in pairs.added:
        path = f"{after.name}.{method.name}"
        yield change("method-added", path, section, "", _method(method), (None, method.position))
    old_names, new_names = _names(old), _names(new)
    place = places(after.methods)
    for method, now in sorted(pairs.both, key=lambda both: place[id(both[1])]):
        yield from _method_changes(method, now, section, old_names, new_names)


def _pairs(before: Class, after: Class) -> Pairs[Method]:
    """Pair methods by name and index; else by what peers send; else by name.

    So 0-8's basic.recover (index 100) is paired with 0-9-1's recover-async, not with its new recover.
    """
    found = pair(before.methods, after.methods, lambda method: (method.name, method.index))
    by_wire = pair(found.removed, found.added, _on_the_wire)
    alike = [(one, other) for one, other in by_wire.both if one.fields or _are_alike(one.name, other.name)]
    known = {id(method) for both in alike for method in both}
    removed = [method for method in found.removed if id(method) not in known]
    added = [method for method in found.added if id(method) not in known]
    by_name = pair(removed, added, lambda method: method.name)
    return Pairs((*found.both, *alike, *by_name.both), by_name.removed, by_name.added)


def _on_the_wire(method: Method) -> Hashable:
    return method.index, method.has_content, tuple(field.type for field in method.fields)


def _are_alike(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, one, other).ratio() >= _LEAST_LETTERS_SHARED


def _names(spec: Spec) -> Mapping[str, str]:
    return {method.class_name: method.name for method in spec.methods}


def _method_changes(
    before: Method, after: Method, section: str, old_names: Mapping[str, str], new_names: Mapping[str, str]
) -> Iterator[Change]:
    both, path = (before, after), after.full_name
    compare = partial(attribute, path=path, section=section, pair_=both)
    yield from compare("method-renamed", show=lambda method: method.name)
    yield from compare("method-index", show=lambda method: str(method.index))
    yield from compare("method-content", show=lambda method: _yes(method.has_content))
    yield from field_changes(before, after, section)
    yield from compare("method-synchronous", show=lambda method: _yes(method.synchronous))
    replies = _replies(before, old_names), _replies(after, new_names)
    if replies[0] != replies[1]:
        yield change("method-replies", path, section, *replies, (before.position, after.position))
    yield from compare("method-chassis", show=lambda method: shown_chassis(method.chassis))
    yield from compare("method-deprecated", show=lambda method: _yes(method.deprecated))
    yield from rule_changes(path, section, before.rules, after.rules)
    yield from doc_change("method-doc", path, section, before, after)


def _replies(method: Method, names: Mapping[str, str]) -> str:
    return ", ".join(sorted(names[reply] for reply in method.responses)) or "none"


def _method(method: Method) -> str:
    content = ", with content" if method.has_content else ""
    return f"index {method.index}{content}: {signature(method.fields)}"


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def shown_chassis(chassis: tuple[Chassis, ...]) -> str:
    """Return ``client MUST, server SHOULD``."""
    return ", ".join(sorted(f"{peer.actor} {peer.level}" for peer in chassis)) or "nobody"
