"""The edge: the only part of reading that opens files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..model.problem import Problem, Severity, SpecError
from ..model.raw0 import RawSource, RawSpec
from .amqp0_grammar import AMQP0
from .check_grammar import check_grammar
from .element import Element
from .grammar import Grammar, overlay_grammar
from .inputs import Inputs, resolve_input
from .overlay import merge_overlays
from .read_amqp0 import read_amqp0
from .versions import identify
from .wording import quote
from .xml_reader import MAX_BYTES, read_xml

__all__ = ["Inputs", "load_amqp0", "load_tree", "read_document", "resolve_input"]


def load_amqp0(spec: Path, overlays: Sequence[Path] = ()) -> tuple[RawSpec, list[Problem]]:
    """Read a 0-8, 0-9 or 0-9-1 specification and the overlays on it.

    Args:
        spec: The file of the specification.
        overlays: The files that change it.

    Returns:
        The specification and the warnings about it.

    Raises:
        SpecError: With every problem found, if any is an error.
    """
    root, sources, problems = load_tree(spec, overlays, AMQP0)
    raw, found = read_amqp0(root, sources)
    problems = distinct([*problems, *found])
    if raw is None or has_errors(problems):
        raise SpecError(problems)
    return raw, problems


def load_tree(
    spec: Path, overlays: Sequence[Path], grammar: Grammar
) -> tuple[Element, tuple[RawSource, ...], list[Problem]]:
    """Read a file and merge overlays into it.

    Args:
        spec: The file.
        overlays: The files that change it.
        grammar: What the file may contain; the overlays are checked against its overlay grammar.

    Returns:
        The merged tree, still to be checked itself; the files it is made of; and the problems of the
        overlays. An overlay that its grammar does not allow is not merged.

    Raises:
        SpecError: If a file cannot be read as XML, or the first is no specification we know; with one
            problem for each such file.
    """
    documents, problems = _read_documents([spec, *overlays])
    if documents and not problems:
        version = identify(documents[0][0])
        problems += [version] if isinstance(version, Problem) else []
    if problems:
        raise SpecError(problems)

    (base, _), *changes = documents
    fitting = []
    for overlay, _ in changes:
        wrong = check_grammar(overlay, overlay_grammar(grammar)) if "overlay" in overlay.attributes else []
        problems += wrong
        if not has_errors(wrong):
            fitting.append(overlay)
    root, conflicts = merge_overlays(base, fitting)
    return root, tuple(source for _, source in documents), problems + conflicts


def read_document(path: Path) -> tuple[Element, RawSource]:
    """Read one XML file.

    Returns:
        Its root element, whose positions name the file as the path does, and the record of the file.

    Raises:
        SpecError: With one problem.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise SpecError([Problem("no-such-file", f"there is no file {quote(str(path))}")]) from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise SpecError([Problem("unreadable-file", f"cannot read {quote(str(path))}: {reason}")]) from None
    return read_xml(data, str(path)), RawSource(path.name, hashlib.sha256(data).hexdigest())


def _read_documents(paths: Iterable[Path]) -> tuple[list[tuple[Element, RawSource]], list[Problem]]:
    """Read files, and go on after one that cannot be read."""
    documents = []
    problems: list[Problem] = []
    for path in paths:
        try:
            documents.append(read_document(path))
        except SpecError as error:
            problems += error.problems
    return documents, problems


def has_errors(problems: Iterable[Problem]) -> bool:
    """Tell whether any problem is more than a warning."""
    return any(problem.severity is Severity.ERROR for problem in problems)


def distinct(problems: Iterable[Problem]) -> list[Problem]:
    """Leave out what is reported twice: an overlay's element is checked before and after merging."""
    found: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        found.setdefault((problem.rule_id, problem.position, problem.message), problem)
    return list(found.values())
