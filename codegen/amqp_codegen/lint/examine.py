"""One specification, examined: all problems that reading and resolving report, and all findings beyond them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model.problem import Problem, SpecError
from ..model.spec0 import Class
from ..passes.amqp0.constants import resolve_constants
from ..passes.amqp0.domains import resolve_domains
from ..passes.amqp0.grammar_irregularities import grammar_irregularities
from ..passes.amqp0.resolve import resolve_amqp0
from ..passes.amqp1.resolve import resolve_amqp1
from ..passes.amqp1.types import know_types
from ..resources import wire_file
from ..spec.amqp0_grammar import AMQP0
from ..spec.amqp1_grammar import AMQP1
from ..spec.inputs import Inputs
from ..spec.load import load_tree, load_trees
from ..spec.read_amqp0 import read_amqp0
from ..spec.read_amqp1 import read_amqp1
from ..spec.versions import KnownVersion
from ..spec.wire import read_wire
from .amqp0.asserts import check_asserts
from .amqp0.bits import check_bits
from .amqp0.chassis import check_chassis
from .amqp0.content import check_content
from .amqp0.docs import check_docs
from .amqp0.domains import check_domains
from .amqp0.errors import check_errors
from .amqp0.indices import check_indices
from .amqp0.references import check_references
from .amqp0.regexps import check_regexps
from .amqp0.replies import check_replies
from .amqp0.reserved_fields import check_reserved_fields
from .amqp1.descriptors import check_descriptors
from .amqp1.fields import check_fields
from .amqp1.links import check_links
from .amqp1.types import check_types
from .demands import check_demands
from .finding import Finding
from .repair import repaired
from .subject import Subject0, Subject1
from .texts import check_texts

_CHECKS_0: Sequence[Callable[[Subject0], Iterator[Finding]]] = (
    check_asserts,
    check_bits,
    check_chassis,
    check_content,
    check_docs,
    check_domains,
    check_errors,
    check_indices,
    check_references,
    check_regexps,
    check_replies,
    check_reserved_fields,
)
_CHECKS_1: Sequence[Callable[[Subject1], Iterator[Finding]]] = (
    check_descriptors,
    check_fields,
    check_links,
    check_types,
)


@dataclass(frozen=True, slots=True)
class Examination:
    """What came of one specification.

    Attributes:
        problems: What reading and the passes report.
        findings: What the rules of lint find beyond them.
        is_complete: Whether the whole of it was looked at; not if its form is too wrong to go on.
    """

    problems: Sequence[Problem]
    findings: Sequence[Finding]
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
    root, sources, problems = load_tree(file, inputs.overlays, AMQP0)
    findings = list(check_texts([root]))
    raw, found = read_amqp0(root, sources)
    problems += found
    if raw is None:
        root = repaired(root, AMQP0)
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
    findings += check_demands(subject.rules)
    findings += [finding for check in _CHECKS_0 for finding in check(subject)]
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
    findings = list(check_texts(roots))
    raw, found = read_amqp1(roots, sources)
    problems += found
    if raw is None:
        roots = [repaired(root, AMQP1) for root in roots]
        raw, found = read_amqp1(roots, sources)
        problems += found
    if raw is None:
        return Examination(problems, findings, is_complete=False)
    _, found = resolve_amqp1(raw)
    problems += found
    types, _ = know_types(raw)
    subject = Subject1(roots, raw, types)
    findings += check_demands(subject.rules)
    findings += [finding for check in _CHECKS_1 for finding in check(subject)]
    return Examination(problems, findings, is_complete=True)


_FAMILIES: Mapping[str, Callable[[Inputs, KnownVersion], Examination]] = {
    "amqp0": _examine_amqp0,
    "amqp1": _examine_amqp1,
}
