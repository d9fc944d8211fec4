"""Examines one specification: the problems that reading and resolving report, and the findings beyond them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model.amqp0 import raw, spec
from ..model.amqp0.spec import Class
from ..model.problem import Problem, SpecError
from ..reader.amqp0.schema import AMQP0_SCHEMA
from ..reader.amqp1.schema import AMQP1_SCHEMA
from ..reader.inputs import Inputs
from ..reader.load import Documents, load
from ..resolve.amqp0.grammar_irregularities import grammar_irregularities
from ..resolve.specification import resolve
from .amqp0.subject import LintedSpec as Subject0
from .amqp1.subject import LintedSpec as Subject1
from .catalogue import AMQP0_RULES, AMQP1_RULES, DEMAND_RULES, TEXT_RULES
from .repair import repaired
from .rule import LintFinding, check_all


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
    resolution = resolve(loaded)
    problems = [*loaded.problems, *resolution.problems]
    subject: Subject0 | Subject1
    if isinstance(loaded.raw, raw.RawSpec):
        is_complete = resolution.spec is not None
        if isinstance(resolution.spec, spec.Spec):
            problems += _irregularities(resolution.spec.classes)
        subject = Subject0(loaded.trees[0], loaded.raw, resolution.domains)
        checked = check_all(AMQP0_RULES, [subject])
    else:
        is_complete = True
        subject = Subject1(loaded.trees, loaded.raw, resolution.types)
        checked = check_all(AMQP1_RULES, [subject])
    return Examination(problems, [*findings, *check_all(DEMAND_RULES, subject.rules), *checked], is_complete)


def _irregularities(classes: Sequence[Class]) -> list[Problem]:
    """Return what is odd in the grammars.

    A class without a grammar is reported only if other classes have one. A grammar that cannot be read has its own problem.
    """
    told = [each for each in classes if each.productions or not each.grammars]
    return [
        problem
        for each in told
        for problem in grammar_irregularities(each)
        if any(one.grammars for one in classes)
    ]
