"""What differs between two specifications of the 0-x family: all but their methods and properties."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from ...model.amqp0.spec import Class, Constant, Domain, Spec
from ..change import Change
from ..classify import change
from ..pairs import pair
from ..text_changes import attribute, doc_change, rule_changes
from .fields import property_changes, shown_asserts
from .methods import method_changes, shown_chassis

_PROTOCOL, _CONSTANTS, _DOMAINS = "protocol", "constants", "domains"


def amqp0_changes(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield every change, section by section; classes in the order of their indices."""
    yield from _protocol(old, new)
    yield from _constants(old, new)
    yield from _domains(old, new)
    yield from _classes(old, new)


def _protocol(old: Spec, new: Spec) -> Iterator[Change]:
    for rule, show in (
        ("protocol-header", lambda spec: f"AMQP {'-'.join(map(str, spec.wire.header[4:]))}"),
        ("protocol-port", lambda spec: str(spec.port)),
        ("protocol-dialect", lambda spec: spec.dialect.name),
    ):
        if show(old) != show(new):
            yield change(rule, rule.partition("-")[2], _PROTOCOL, show(old), show(new))


def _constants(old: Spec, new: Spec) -> Iterator[Change]:
    pairs = pair(
        old.constants, new.constants, lambda constant: constant.name, lambda constant: constant.value
    )
    for constant in pairs.removed:
        rule = "frame-type-removed" if _is_frame_type(constant) else "constant-removed"
        yield change(rule, constant.name, _CONSTANTS, _constant(constant), "", (constant.position, None))
    for constant in pairs.added:
        yield change(
            "constant-added", constant.name, _CONSTANTS, "", _constant(constant), (None, constant.position)
        )
    for both in pairs.both:
        before, after = both
        where = after.name, _CONSTANTS
        yield from attribute("constant-renamed", *where, both, lambda constant: constant.name)
        yield from attribute("constant-value", *where, both, lambda constant: str(constant.value))
        yield from attribute("constant-error", *where, both, lambda constant: constant.error or "none")
        yield from doc_change("constant-doc", *where, before, after)


def _is_frame_type(constant: Constant) -> bool:
    """Return whether a constant numbers a frame type; ``frame-end`` and ``frame-min-size`` do not."""
    limits = ("frame-end", "frame-min-size")
    return constant.name.startswith("frame-") and constant.name not in limits and not constant.is_reply_code


def _constant(constant: Constant) -> str:
    return f"{constant.value}, {constant.error} error" if constant.error else str(constant.value)


def _domains(old: Spec, new: Spec) -> Iterator[Change]:
    old_users, new_users = _users(old), _users(new)

    def by_use(users: Mapping[str, frozenset[str]], domain: Domain) -> Hashable | None:
        """Return the fields of a domain: a renamed domain is the same if the same fields have it."""
        return (domain.type, users[domain.name]) if domain.name in users else None

    pairs = pair(
        _named(old),
        _named(new),
        lambda domain: domain.name,
    )
    renamed = pair(
        [(domain, by_use(old_users, domain)) for domain in pairs.removed],
        [(domain, by_use(new_users, domain)) for domain in pairs.added],
        lambda used: used[1],
    )
    for domain, _ in renamed.removed:
        yield change("domain-removed", domain.name, _DOMAINS, domain.type.value, "", (domain.position, None))
    for domain, _ in renamed.added:
        yield change("domain-added", domain.name, _DOMAINS, "", domain.type.value, (None, domain.position))
    for both in (*pairs.both, *((before, after) for (before, _), (after, _) in renamed.both)):
        yield from _domain(both)


def _named(spec: Spec) -> list[Domain]:
    """Return the domains without the elementary types, which some files declare as domains and others do not."""
    return [domain for domain in spec.domains if domain.declared and domain.name != domain.type.value]


def _users(spec: Spec) -> Mapping[str, frozenset[str]]:
    """Return domain to the fields that have it."""
    found: dict[str, set[str]] = {}
    for method in spec.methods:
        for field in method.fields:
            found.setdefault(field.domain, set()).add(f"{method.full_name}.{field.name}")
    return {name: frozenset(fields) for name, fields in found.items()}


def _domain(both: tuple[Domain, Domain]) -> Iterator[Change]:
    before, after = both
    where = after.name, _DOMAINS
    yield from attribute("domain-renamed", *where, both, lambda domain: domain.name)
    yield from attribute("domain-type", *where, both, lambda domain: domain.type.value)
    yield from attribute("domain-asserts", *where, both, lambda domain: shown_asserts(domain.asserts))
    yield from rule_changes(after.name, _DOMAINS, before.rules, after.rules)
    yield from doc_change("domain-doc", *where, before, after)


def _classes(old: Spec, new: Spec) -> Iterator[Change]:
    pairs = pair(
        old.classes,
        new.classes,
        lambda class_: class_.name,
        lambda class_: tuple((method.name, method.index) for method in class_.methods) or None,
    )
    found: list[tuple[int, list[Change]]] = []
    for class_ in pairs.removed:
        gone = change(
            "class-removed", class_.name, _section(class_), _class(class_), "", (class_.position, None)
        )
        found.append((class_.index, [gone]))
    for class_ in pairs.added:
        come = change(
            "class-added", class_.name, _section(class_), "", _class(class_), (None, class_.position)
        )
        found.append((class_.index, [come]))
    for before, after in pairs.both:
        found.append((after.index, list(_class_changes(before, after, old, new))))
    for _, changes in sorted(found, key=lambda numbered: numbered[0]):
        yield from changes


def _section(class_: Class) -> str:
    return f"class {class_.name}"


def _class(class_: Class) -> str:
    return f"index {class_.index}, methods {', '.join(method.name for method in class_.methods) or 'none'}"


def _class_changes(before: Class, after: Class, old: Spec, new: Spec) -> Iterator[Change]:
    both, where = (before, after), (after.name, _section(after))
    yield from attribute("class-renamed", *where, both, lambda class_: class_.name)
    yield from attribute("class-index", *where, both, lambda class_: str(class_.index))
    yield from attribute("class-handler", *where, both, lambda class_: class_.handler)
    yield from attribute("class-chassis", *where, both, lambda class_: shown_chassis(class_.chassis))
    yield from attribute("class-grammar", *where, both, lambda class_: "\n".join(class_.grammars))
    yield from property_changes(before, after, where[1])
    yield from method_changes(before, after, old, new, where[1])
    yield from rule_changes(after.name, where[1], before.rules, after.rules)
    yield from doc_change("class-doc", *where, before, after)
