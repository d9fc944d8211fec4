"""The edge: the only part of reading that opens files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..model.amqp0.raw import RawSource, RawSpec
from ..model.amqp1.raw import RawSpec as RawSpec1
from ..model.problem import Problem, Severity, SpecError
from ..support.wording import did_you_mean, quote
from .amqp0.raw_model import read_amqp0
from .amqp0.schema import AMQP0_SCHEMA
from .amqp1.raw_model import read_amqp1
from .amqp1.schema import AMQP1_SCHEMA
from .check_schema import check_schema
from .element import Element
from .inputs import PARTS_1_0, Inputs, resolve_input
from .overlay import merge_overlays
from .schema import FileSchema, overlay_schema
from .versions import identify
from .xml_tree import MAX_BYTES, read_xml

__all__ = ["Inputs", "load_amqp0", "load_amqp1", "load_tree", "load_trees", "read_document", "resolve_input"]


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
    root, sources, problems = load_tree(spec, overlays, AMQP0_SCHEMA)
    raw, found = read_amqp0(root, sources)
    problems = distinct([*problems, *found])
    if raw is None or has_errors(problems):
        raise SpecError(problems)
    return raw, problems


def load_amqp1(files: Sequence[Path], overlays: Sequence[Path] = ()) -> tuple[RawSpec1, list[Problem]]:
    """Read a 1.0 specification, which is one or more files, and the overlays on them.

    Args:
        files: The parts of the specification: the five of the standard and any that extend them.
        overlays: The files that change a part: the one whose root element has the same name.

    Returns:
        The specification and the warnings about it.

    Raises:
        SpecError: With every problem found, if any is an error.
    """
    merged, sources, problems = load_trees(files, overlays)
    raw, found = read_amqp1(merged, sources)
    problems = distinct([*problems, *found])
    if raw is None or has_errors(problems):
        raise SpecError(problems)
    return raw, problems


def load_trees(
    files: Sequence[Path], overlays: Sequence[Path]
) -> tuple[list[Element], tuple[RawSource, ...], list[Problem]]:
    """Read the files of a 1.0 specification and merge overlays into them.

    Args:
        files: The parts of the specification.
        overlays: The files that change a part.

    Returns:
        The merged trees, still to be checked themselves; the files they are made of; and the problems of the
        overlays, which are not merged as far as they are wrong.

    Raises:
        SpecError: If a file cannot be read as XML; with one problem for each such file.
    """
    documents, problems = _read_documents([*files, *overlays])
    if problems:
        raise SpecError(problems)
    given, overlaid = sorted(documents[: len(files)], key=_reading_order), documents[len(files) :]
    parts = [root for root, _ in given]
    changes, found = _overlays_by_part(parts, [root for root, _ in overlaid])
    problems = [*_same_parts(parts), *found]
    merged = []
    for part in parts:
        root, conflicts = merge_overlays(part, changes.pop(part.attributes.get("name", ""), ()))
        merged.append(root)
        problems += conflicts
    return merged, tuple(source for _, source in (*given, *overlaid)), problems


def _reading_order(document: tuple[Element, RawSource]) -> tuple[int, str]:
    """The parts of the standard in their order, then others by name: what comes out does not depend on how they are given."""
    name = document[0].attributes.get("name", "")
    return (PARTS_1_0.index(name) if name in PARTS_1_0 else len(PARTS_1_0)), name


def _same_parts(parts: Sequence[Element]) -> list[Problem]:
    """Complain of files that are the same part; a copy would define everything twice."""
    first: dict[str, Element] = {}
    problems = []
    for part in parts:
        name = part.attributes.get("name", "")
        earlier = first.setdefault(name, part)
        if earlier is not part and name:
            message = f"part {quote(name)} is given already at {earlier.position}"
            hint = "give each file its own name, or make this one an overlay"
            problems.append(Problem("duplicate-part", message, part.position, hint))
    return problems


def _overlays_by_part(
    parts: Sequence[Element], overlays: Sequence[Element]
) -> tuple[dict[str, list[Element]], list[Problem]]:
    """Return the overlays on each part by its name, without those that their grammar does not allow."""
    changes: dict[str, list[Element]] = {part.attributes.get("name", ""): [] for part in parts}
    problems = []
    for overlay in overlays:
        wrong = check_schema(overlay, overlay_schema(AMQP1_SCHEMA)) if "overlay" in overlay.attributes else []
        problems += wrong
        name = overlay.attributes.get("name", "")
        if has_errors(wrong):
            continue
        if name in changes:
            changes[name].append(overlay)
        else:
            message = f"there is no part {quote(name)} for this overlay to change"
            hint = did_you_mean(name, changes) or "its name is that of the part it changes"
            problems.append(Problem("overlay-target", message, overlay.position, hint))
    return changes, problems


def load_tree(
    spec: Path, overlays: Sequence[Path], grammar: FileSchema
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
        wrong = check_schema(overlay, overlay_schema(grammar)) if "overlay" in overlay.attributes else []
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
