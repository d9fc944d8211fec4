"""One specification, examined: all problems that reading and resolving report, and all findings beyond them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..model.amqp0.spec import Class
from ..model.problem import Problem, SpecError
from ..reader.amqp0.raw_model import read_amqp0
from ..reader.amqp0.schema import AMQP0_SCHEMA
from ..reader.amqp1.raw_model import read_amqp1
from ..reader.amqp1.schema import AMQP1_SCHEMA
from ..reader.inputs import Inputs
from ..reader.load import load_tree, load_trees
from ..reader.versions import KnownVersion
from ..resolve.amqp0.constants import resolve_constants
from ..resolve.amqp0.domains import resolve_domains
from ..resolve.amqp0.grammar_irregularities import grammar_irregularities
from ..resolve.amqp0.passes import resolve_amqp0
from ..resolve.amqp0.wire import read_wire
from ..resolve.amqp1.passes import resolve_amqp1
from ..resolve.amqp1.types import know_types
from ..support.resources import wire_file
from .amqp0.subject import Subject as Subject0
from .amqp1.subject import Subject as Subject1
from .catalogue import AMQP0_RULES, AMQP1_RULES, DEMAND_RULES, TEXT_RULES
from .repair import repaired
from .rule import LintFinding, check_all


@dataclass(frozen=True, slots=True)
class Examination:
    """What came of one specification.

    Attributes:
        problems: What reading and the passes report.
        findings: What the rules of lint find beyond them.
        is_complete: Whether the whole of it was looked at; not if its form is too wrong to go on.
    """

    problems: Sequence[Problem]
    findings: Sequence[LintFinding]
    is_complete: bool


def examine(inputs: Inputs, version: KnownVersion) -> Examination:
    """Examines one specification.

    Args:
        inputs: Its files, of one family, and the overlays on them.
        version: What its first file says that it is.
    """
    try:
        return _FAMILIES[version.family](inputs, version)
    except SpecError as error:
        return Examination(error.problems, (), is_complete=False)


def _examine_amqp0(inputs: Inputs, version: KnownVersion) -> Examination:
    [file] = inputs.files
    root, sources, problems = load_tree(file, inputs.overlays, AMQP0_SCHEMA)
    findings = check_all(TEXT_RULES, [root])
    raw, found = read_amqp0(root, sources)
    problems += found
    if raw is None:
        root = repaired(root, AMQP0_SCHEMA)
        raw, found = read_amqp0(root, sources)
        problems += found
    if raw is None:
        return Examination(problems, findings, is_complete=False)
    spec, found = resolve_amqp0(raw, version.name, read_wire(*wire_file()))
    problems += found
    problems += _irregularities(spec.classes if spec else ())
    constants, _ = resolve_constants(raw.constants)
    domains, _ = resolve_domains(raw, frozenset(each.name for each in constants))
    subject = Subject0(root, raw, domains)
    findings += check_all(DEMAND_RULES, subject.rules)
    findings += check_all(AMQP0_RULES, [subject])
    return Examination(problems, findings, is_complete=spec is not None)


def _irregularities(classes: Sequence[Class]) -> list[Problem]:
    """What is odd in the grammars; that there is none is worth telling if others are there and it is not just useless."""
    told = [each for each in classes if each.productions or not each.grammars]
    return [
        problem
        for each in told
        for problem in grammar_irregularities(each)
        if any(one.grammars for one in classes)
    ]


def _examine_amqp1(inputs: Inputs, _version: KnownVersion) -> Examination:
    roots, sources, problems = load_trees(inputs.files, inputs.overlays)
    findings = check_all(TEXT_RULES, roots)
    raw, found = read_amqp1(roots, sources)
    problems += found
    if raw is None:
        roots = [repaired(root, AMQP1_SCHEMA) for root in roots]
        raw, found = read_amqp1(roots, sources)
        problems += found
    if raw is None:
        return Examination(problems, findings, is_complete=False)
    _, found = resolve_amqp1(raw)
    problems += found
    types, _ = know_types(raw)
    subject = Subject1(roots, raw, types)
    findings += check_all(DEMAND_RULES, subject.rules)
    findings += check_all(AMQP1_RULES, [subject])
    return Examination(problems, findings, is_complete=True)


_FAMILIES: Mapping[str, Callable[[Inputs, KnownVersion], Examination]] = {
    "amqp0": _examine_amqp0,
    "amqp1": _examine_amqp1,
}
