"""Loading a specification: the only module of the reader that reads files, and each of them once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..model.amqp0 import raw as raw0
from ..model.amqp0.raw import RawSource
from ..model.amqp1 import raw as raw1
from ..model.problem import Problem, Problems, Severity, SpecError
from ..support.wording import did_you_mean, quote
from .amqp0.raw_model import read_amqp0
from .amqp0.schema import AMQP0_SCHEMA
from .amqp1.raw_model import read_amqp1
from .amqp1.schema import AMQP1_SCHEMA
from .check_schema import check_schema
from .element import Element
from .inputs import PARTS_1_0, Inputs
from .overlay import merge_overlays
from .overlay_causes import Removal, removals_in
from .schema import Schema, overlay_schema
from .source_file import read_source, source_name
from .versions import Family, KnownVersion, identify, overlay_family
from .xml_tree import MAX_BYTES, read_xml


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read.

    Attributes:
        root: Its root element; positions name the file as its path does.
        version: The version it describes, or why it is not a specification; overlays are not.
    """

    root: Element
    source: RawSource
    version: KnownVersion | Problem


class Documents:
    """The files of one run, each read only once."""

    def __init__(self) -> None:
        self._known: dict[Path, Document | SpecError] = {}

    def read(self, path: Path) -> Document:
        """Return a file.

        Raises:
            SpecError: With one problem: it cannot be read as XML.
        """
        if path not in self._known:
            try:
                self._known[path] = _read_document(path)
            except SpecError as error:
                self._known[path] = error
        known = self._known[path]
        if isinstance(known, SpecError):
            raise SpecError(known.problems)
        return known

    def read_all(self, paths: Iterable[Path], problems: Problems) -> list[Document]:
        """Return the files that can be read; add the problems of the others."""
        documents = []
        for path in paths:
            try:
                documents.append(self.read(path))
            except SpecError as error:
                problems.extend(error.problems)
        return documents


@dataclass(frozen=True, slots=True)
class Loaded:
    """A specification as written, overlays merged.

    Attributes:
        trees: The root elements: for 1.0 one for each part, in the order of the standard; else one.
        sources: The files of the trees, overlays last.
        raw: The raw model of the trees; None if a problem is an error.
        problems: All problems found so far.
        removals: What the overlays remove or rename.
    """

    version: KnownVersion
    trees: tuple[Element, ...]
    sources: tuple[RawSource, ...]
    raw: raw0.RawSpec | raw1.RawSpec | None
    problems: tuple[Problem, ...]
    removals: tuple[Removal, ...] = ()

    def read_again(self, trees: Sequence[Element]) -> Loaded:
        """Read corrected trees; keep the problems of both readings."""
        problems = Problems(self.problems)
        raw = _read(self.version, trees, self.sources, problems)
        return replace(self, trees=tuple(trees), raw=raw, problems=_distinct(problems))


def load(inputs: Inputs, documents: Documents | None = None) -> Loaded:
    """Load a specification and its overlays.

    Args:
        inputs: Its files, several for 1.0 only, and its overlays. In 1.0, an overlay changes the part whose root
            element has the same name.
        documents: The files read so far, for runs that read some of them several times.

    Raises:
        SpecError: With a problem for each file that cannot be read as XML, or that is not a specification and comes
            first.
    """
    documents = documents or Documents()
    problems = Problems()
    files = documents.read_all(inputs.files, problems)
    overlays = documents.read_all(inputs.overlays, problems)
    version = _version(inputs, documents, problems)
    return assemble(version, files, overlays)


def assemble(version: KnownVersion, files: Sequence[Document], overlays: Sequence[Document]) -> Loaded:
    """Merge the overlays into the files of a version, and read the result."""
    problems = Problems()
    changes = [overlay.root for overlay in overlays]
    if version.family == "amqp1":
        files = sorted(files, key=_reading_order)
        merged = _merge_parts([file.root for file in files], changes, problems)
    else:
        fitting = _fitting(_of_family(changes, "amqp0", problems), AMQP0_SCHEMA, problems)
        merged = [_merge(files[0].root, fitting, problems)]
    trees = []
    for file, tree in zip(files, merged, strict=True):
        if wrong := _wrong_family(file, version.family):
            problems.add(wrong)
        else:
            trees.append(tree)
    sources = tuple(file.source for file in (*files, *overlays))
    unread = Loaded(version, (), sources, None, tuple(problems), removals_in(changes))
    loaded = unread.read_again(trees)
    return loaded if len(trees) == len(files) else replace(loaded, raw=None)


def _version(inputs: Inputs, documents: Documents, problems: Problems) -> KnownVersion:
    """Return the version of the first file; raise the problems of all files that cannot be read."""
    try:
        version = documents.read(inputs.files[0]).version
    except SpecError:
        raise SpecError(problems) from None
    if isinstance(version, Problem):
        raise SpecError([version])
    if version.family == "amqp0" and len(inputs.files) > 1:
        names = ", ".join(source_name(path) for path in inputs.files)
        message = f"a specification of AMQP 0-x is one file, not {names}"
        raise SpecError([Problem("one-file", message, None, "a file that changes it goes with --overlay")])
    if problems:
        raise SpecError(problems)
    return version


def _wrong_family(document: Document, family: Family) -> Problem | None:
    version = document.version
    if isinstance(version, Problem) or version.family == family:
        return version if isinstance(version, Problem) else None
    message = f"this file describes AMQP {version.name}, it is not part of 1.0"
    return Problem("unsupported-version", message, document.root.position)


def _read(
    version: KnownVersion, trees: Sequence[Element], sources: tuple[RawSource, ...], problems: Problems
) -> raw0.RawSpec | raw1.RawSpec | None:
    if version.family == "amqp0":
        return read_amqp0(trees[0], version.name, sources, problems)
    return read_amqp1(trees, sources, problems)


def _merge(base: Element, overlays: Sequence[Element], problems: Problems) -> Element:
    merged, conflicts = merge_overlays(base, overlays)
    problems.extend(conflicts)
    return merged


def _of_family(overlays: Iterable[Element], family: Family, problems: Problems) -> list[Element]:
    """Return the overlays of a family; report those of the other one, whose every element would be unknown."""
    own = []
    for overlay in overlays:
        if overlay_family(overlay) in (family, None):
            own.append(overlay)
            continue
        names = ("AMQP 0-x", "AMQP 1.0") if family == "amqp1" else ("a part of AMQP 1.0", "AMQP 0-x")
        message = f"this overlay changes {names[0]}, but the specification is {names[1]}"
        problems.add(Problem("overlay-target", message, overlay.position, "give the one that it is made for"))
    return own


def _fitting(overlays: Iterable[Element], schema: Schema, problems: Problems) -> list[Element]:
    """Return the overlays that fit their schema; merging reports those without an attribute 'overlay'."""
    fitting = []
    for overlay in overlays:
        wrong = check_schema(overlay, overlay_schema(schema)) if "overlay" in overlay.attributes else []
        problems.extend(wrong)
        if not any(problem.severity is Severity.ERROR for problem in wrong):
            fitting.append(overlay)
    return fitting


def _merge_parts(parts: Sequence[Element], overlays: Sequence[Element], problems: Problems) -> list[Element]:
    """Merge into each part of 1.0 the overlays whose root element has the same name."""
    problems.extend(_same_parts(parts))
    changes: dict[str, list[Element]] = {part.attributes.get("name", ""): [] for part in parts}
    for overlay in _of_family(overlays, "amqp1", problems):
        name = overlay.attributes.get("name", "")
        for fitting in _fitting([overlay], AMQP1_SCHEMA, problems):
            if name in changes:
                changes[name].append(fitting)
            else:
                message = f"there is no part {quote(name)} for this overlay to change"
                hint = did_you_mean(name, changes) or "its name is that of the part it changes"
                problems.add(Problem("overlay-target", message, overlay.position, hint))
    return [_merge(part, changes.pop(part.attributes.get("name", ""), ()), problems) for part in parts]


def _reading_order(document: Document) -> tuple[int, str]:
    """Sort the parts of the standard in its order, then others by name, so that the order given does not matter."""
    name = document.root.attributes.get("name", "")
    return (PARTS_1_0.index(name) if name in PARTS_1_0 else len(PARTS_1_0)), name


def _same_parts(parts: Sequence[Element]) -> Iterator[Problem]:
    """Report files that are the same part; a copy would define everything twice."""
    first: dict[str, Element] = {}
    for part in parts:
        name = part.attributes.get("name", "")
        if name and name in first:
            message = f"part {quote(name)} is given already at {first[name].position}"
            hint = "give each file its own name, or make this one an overlay"
            yield Problem("duplicate-part", message, part.position, hint)
        first.setdefault(name, part)


def _read_document(path: Path) -> Document:
    data = read_source(path, MAX_BYTES + 1)
    root = read_xml(data, str(path))
    return Document(root, RawSource(source_name(path), hashlib.sha256(data).hexdigest()), identify(root))


def _distinct(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Remove repeated problems: elements of overlays are checked before and after merging."""
    first: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        first.setdefault((problem.rule_id, problem.position, problem.message), problem)
    return tuple(first.values())
