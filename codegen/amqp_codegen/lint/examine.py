"""One specification, examined: all problems that reading and resolving report, and all findings beyond them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..model import raw0, spec0
from ..model.problem import Problem, SpecError
from ..model.spec0 import Class
from ..passes.amqp0.grammar_irregularities import grammar_irregularities
from ..passes.read_specification import resolve
from ..spec.amqp0_grammar import AMQP0
from ..spec.amqp1_grammar import AMQP1
from ..spec.inputs import Inputs
from ..spec.load import Documents, load
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


def examine(inputs: Inputs, documents: Documents) -> Examination:
    """Examines one specification.

    Args:
        inputs: Its files, of one family, and the overlays on them.
        documents: Where to read them.
    """
    try:
        return _examine(inputs, documents)
    except SpecError as error:
        return Examination(error.problems, (), is_complete=False)


def _examine(inputs: Inputs, documents: Documents) -> Examination:
    loaded = load(inputs, documents)
    findings = list(check_texts(loaded.trees))
    if loaded.raw is None:
        schema = AMQP0 if loaded.version.family == "amqp0" else AMQP1
        loaded = loaded.read_again([repaired(tree, schema) for tree in loaded.trees])
    if loaded.raw is None:
        return Examination(loaded.problems, findings, is_complete=False)
    resolution = resolve(loaded)
    problems = [*loaded.problems, *resolution.problems]
    subject: Subject0 | Subject1
    if isinstance(loaded.raw, raw0.RawSpec):
        is_complete = resolution.spec is not None
        if isinstance(resolution.spec, spec0.Spec):
            problems += _irregularities(resolution.spec.classes)
        subject = Subject0(loaded.trees[0], loaded.raw, resolution.domains)
        checked = [finding for check in _CHECKS_0 for finding in check(subject)]
    else:
        is_complete = True
        subject = Subject1(loaded.trees, loaded.raw, resolution.types)
        checked = [finding for check in _CHECKS_1 for finding in check(subject)]
    return Examination(problems, [*findings, *check_demands(subject.rules), *checked], is_complete)


def _irregularities(classes: Sequence[Class]) -> list[Problem]:
    """What is odd in the grammars; that there is none is worth telling if others are there and it is not just useless."""
    told = [each for each in classes if each.productions or not each.grammars]
    return [
        problem
        for each in told
        for problem in grammar_irregularities(each)
        if any(one.grammars for one in classes)
    ]
