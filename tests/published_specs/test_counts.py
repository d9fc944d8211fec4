"""How much of everything there is: in ours always, in the published files where they are at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from amqp_codegen.model.amqp0.spec import Assert, Rule, Spec

from .published_files import published_file
from .spec_sources import FULL, OURS, needs_official, official, our_files, ours, raw_of


def each_spec(names: Iterable[str]) -> pytest.MarkDecorator:
    """Run a test on our files of these names and on the published ones."""
    cases = [pytest.param(name, False, id=f"{name}-ours") for name in names]
    cases += [pytest.param(name, True, id=f"{name}-official", marks=needs_official) for name in names]
    return pytest.mark.parametrize(("name", "published"), cases)


# domains, constants, classes, methods, synchronous, with content, fields, properties, asserts, chassis, responses
ELEMENTS = {
    "0-8": (15, 26, 12, 89, 71, 12, 208, 33, 30, 130, 38),
    "0-9": (32, 29, 12, 101, 65, 10, 248, 33, 26, 147, 51),
    "0-9-1": (24, 24, 6, 53, 45, 4, 122, 14, 19, 71, 23),
    "extended": (24, 25, 7, 64, 53, 4, 141, 14, 19, 90, 27),
}
# Rules, and how many of them start with MUST (NOT), SHOULD (NOT), MAY (NOT) or have none of these.
LEVELS = {
    "0-8": (159, 100, 37, 19, 3),
    "0-9": (199, 133, 36, 27, 3),
    "0-9-1": (115, 77, 20, 16, 2),
    "extended": (139, 96, 25, 16, 2),
}
# MUST, SHOULD and MAY by whose duty it is; 0-8 is told apart by nobody.
ACTORS = {
    "0-9": {"server": (81, 27, 12), "client": (35, 3, 7), "peer": (2, 3, 2), "other": (15, 3, 6)},
    "0-9-1": {"server": (46, 14, 6), "client": (23, 1, 6), "peer": (2, 3, 2), "other": (6, 2, 2)},
    "extended": {"server": (58, 17, 6), "client": (28, 2, 6), "peer": (2, 3, 2), "other": (8, 3, 2)},
}
# Rules with a scenario, with on-failure, and with a test.
MARKS = {"0-8": (0, 0, 73), "0-9": (96, 28, 0), "0-9-1": (82, 30, 0), "extended": (98, 35, 0)}


def spec_of(name: str, published: bool) -> Spec:
    return official(name) if published else ours(name)


def own_asserts(spec: Spec) -> list[Assert]:
    """The asserts as written: those of domains, and of fields what their domains do not say."""
    found = [check for domain in spec.domains for check in domain.asserts]
    fields = [field for method in spec.methods for field in method.fields]
    fields += [entry.field for class_ in spec.classes for entry in class_.properties]
    return found + [check for field in fields for check in field.asserts if check.origin == "field"]


def first_levels(rules: Iterable[Rule]) -> Counter[str]:
    return Counter(rule.levels[0].split()[0] if rule.levels else "none" for rule in rules)


@each_spec(OURS)
def test_elements(name: str, published: bool) -> None:
    spec = spec_of(name, published)
    methods = list(spec.methods)
    chassis = [class_.chassis for class_ in spec.classes] + [method.chassis for method in methods]
    assert ELEMENTS[name] == (
        sum(domain.declared for domain in spec.domains),
        len(spec.constants),
        len(spec.classes),
        len(methods),
        sum(method.synchronous for method in methods),
        sum(method.has_content for method in methods),
        sum(len(method.fields) for method in methods),
        sum(len(class_.properties) for class_ in spec.classes),
        len(own_asserts(spec)),
        sum(map(len, chassis)),
        sum(len(method.responses) for method in methods),
    )


@each_spec(OURS)
def test_rules_by_level(name: str, published: bool) -> None:
    rules = list(spec_of(name, published).rules)
    levels = first_levels(rules)
    assert LEVELS[name] == (len(rules), *(levels[word] for word in ("MUST", "SHOULD", "MAY", "none")))


@each_spec(ACTORS)
def test_rules_by_actor(name: str, published: bool) -> None:
    found = {}
    rules = list(spec_of(name, published).rules)
    for actor in ("server", "client", "peer", "other"):
        levels = first_levels(rule for rule in rules if rule.actor == actor)
        found[actor] = tuple(levels[word] for word in ("MUST", "SHOULD", "MAY"))
    assert found == ACTORS[name]


@each_spec(OURS)
def test_rules_by_what_they_have(name: str, published: bool) -> None:
    rules = list(spec_of(name, published).rules)
    assert MARKS[name] == (
        sum(rule.scenario is not None for rule in rules),
        sum(bool(rule.on_failure) for rule in rules),
        sum(rule.test is not None for rule in rules),
    )


@each_spec(OURS)
def test_paths_of_rules_are_unique(name: str, published: bool) -> None:
    paths = [rule.path for rule in spec_of(name, published).rules]
    assert len(set(paths)) == len(paths)


@each_spec(["0-8"])
def test_rule_elements_of_0_8_say_their_level(name: str, published: bool) -> None:
    raw = raw_of(published_file(FULL[name])) if published else raw_of(*our_files(name))
    owners = [*raw.domains, *raw.classes]
    owners += [field for one in raw.classes for field in (*one.fields, *one.methods)]
    owners += [field for one in raw.classes for method in one.methods for field in method.fields]
    found = Counter(rule.level for owner in owners for rule in owner.rules)
    assert found == {"MUST": 52, "SHOULD": 20, "MAY": 11, "": 76}


@each_spec(["0-9-1"])
def test_rules_of_0_9_1_by_place(name: str, published: bool) -> None:
    spec = spec_of(name, published)
    assert (
        sum(len(field.rules) for method in spec.methods for field in method.fields),
        sum(len(method.rules) for method in spec.methods),
        sum(len(class_.rules) for class_ in spec.classes),
        sum(len(domain.rules) for domain in spec.domains),
    ) == (58, 34, 19, 4)
