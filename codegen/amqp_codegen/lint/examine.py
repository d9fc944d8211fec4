"""Examines one specification: corrects its misspellings first, then gathers the problems that reading and resolving report, and the findings beyond them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..model.amqp0.spec import Class, Spec
from ..model.problem import Problem, SpecError
from ..reader.amqp0.schema import AMQP0_SCHEMA
from ..reader.amqp1.schema import AMQP1_SCHEMA
from ..reader.element import Element
from ..reader.inputs import Inputs
from ..reader.load import Documents, load
from ..reader.overlay_causes import with_causes
from ..reader.schema import ElementSchema, Schema
from ..resolve.amqp0.arguments import arguments_of
from ..resolve.amqp0.grammar_irregularities import grammar_irregularities
from ..resolve.amqp0.passes import Resolution as Resolution0
from ..resolve.specification import resolve
from ..support.wording import closest
from .amqp0.subject import LintedSpec as Subject0
from .amqp1.subject import LintedSpec as Subject1
from .catalogue import AMQP0_RULES, AMQP1_RULES, DEMAND_RULES, TEXT_RULES
from .rule import LintFinding, check_all


def repaired(root: Element, schema: Schema) -> Element:
    """Correct a tree as far as that is safe.

    An unknown element or attribute takes the known name most like its own that is not used yet; else it is removed, and
    so is text where none belongs. Wrong values stay: their meaning cannot be guessed.
    """
    return _repaired(root, schema.rules[schema.root], schema)


def _repaired(element: Element, rule: ElementSchema, schema: Schema) -> Element:
    content: list[Element | str] = []
    for piece in element.content:
        if isinstance(piece, str):
            content.append(piece if rule.text else "\n")
            continue
        tag = piece.tag if piece.tag in rule.children else closest(piece.tag, rule.children)
        if tag and piece.namespace == element.namespace:
            inner = replace(piece, tag=tag)
            content.append(_repaired(inner, schema.rules[rule.children[tag]], schema))
    return replace(element, attributes=_attributes(element, rule), content=tuple(content))


def _attributes(element: Element, rule: ElementSchema) -> dict[str, str]:
    attributes = {name: text for name, text in element.attributes.items() if name in rule.attributes}
    for name, text in element.attributes.items():
        likely = closest(name, rule.attributes)
        if name not in rule.attributes and likely:
            attributes.setdefault(likely, text)
    return attributes


@dataclass(frozen=True, slots=True)
class Examination:
    """The result for one specification.

    Attributes:
        problems: What reading and resolving report.
        findings: What the rules of lint find beyond them.
        is_complete: False if the form of the file is too wrong to examine all of it.
    """

    problems: Sequence[Problem]
    findings: Sequence[LintFinding]
    is_complete: bool


def examine(inputs: Inputs, documents: Documents) -> Examination:
    """Examine one specification: files of one family, and their overlays."""
    try:
        return _examine(inputs, documents)
    except SpecError as error:
        return Examination(error.problems, (), is_complete=False)


def _examine(inputs: Inputs, documents: Documents) -> Examination:
    loaded = load(inputs, documents)
    findings = check_all(TEXT_RULES, loaded.trees)
    if loaded.raw is None:
        schema = AMQP0_SCHEMA if loaded.version.family == "amqp0" else AMQP1_SCHEMA
        loaded = loaded.read_again([repaired(tree, schema) for tree in loaded.trees])
    if loaded.raw is None:
        return Examination(loaded.problems, findings, is_complete=False)
    resolution = resolve(loaded.raw)
    problems = with_causes([*loaded.problems, *resolution.problems], loaded.removals)
    subject: Subject0 | Subject1
    if isinstance(resolution, Resolution0):
        is_complete = resolution.spec is not None
        if resolution.spec is not None:
            problems += _irregularities(resolution.spec.classes)
            problems += _faults_of_arguments(resolution.spec)
        subject = Subject0(loaded.trees[0], resolution.raw, resolution.domains)
        checked = check_all(AMQP0_RULES, [subject])
    else:
        is_complete = True
        subject = Subject1(loaded.trees, resolution.raw, resolution.types)
        checked = check_all(AMQP1_RULES, [subject])
    return Examination(problems, [*findings, *check_all(DEMAND_RULES, subject.rules), *checked], is_complete)


def _faults_of_arguments(spec: Spec) -> Sequence[Problem]:
    """Return what is wrong with the table of arguments, from which packages of 0-x take theirs."""
    try:
        arguments_of(spec)
    except SpecError as error:
        return error.problems
    return ()


def _irregularities(classes: Sequence[Class]) -> list[Problem]:
    """Return what is odd in the grammars.

    A class without a grammar is reported only if other classes have one. A grammar that cannot be read has its own problem.
    """
    told = [entry for entry in classes if entry.productions or not entry.grammars]
    return [
        problem
        for entry in told
        for problem in grammar_irregularities(entry)
        if any(one.grammars for one in classes)
    ]
