"""The known deviations of a broker from the specification, and their reasons.

A file has a table for each specification, in it a deviation for each rule. It may extend the file of an earlier version:
then it has only what differs, and ``"kept"`` for a rule that the broker breaks no longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.resources import expectations_dir
from amqp_codegen.support.toml import TOMLDecodeError, loads, read_text
from amqp_codegen.support.wording import listing, quote

from .registry import SPECS, bases_of
from .run_result import Identity, Result, Verdict

# What an entry in the file can explain.
TROUBLE = (Verdict.FAILED, Verdict.FLAKY, Verdict.INCONCLUSIVE, Verdict.BROKER_DIED)
_FORM = 'it looks like { got = "...", reason = "..." }, and neither is empty'
BASE_KEY = "extends"
KEPT = "kept"
# Stands in the detail of a known deviation, before the reason.
KNOWN = "; known: "
# Names in upper case, as those of SASL mechanisms, and symbols: in what order a broker lists them means nothing.
_NAME = r"(?:[A-Z][A-Z0-9_-]*|Symbol\('[^']*'\))"
_LIST = re.compile(rf"(?<![\w-]){_NAME}(?:, {_NAME})+(?![\w-])")


@dataclass(frozen=True, slots=True)
class Deviation:
    """A rule that a broker is known to break, always or now and then, or to die of, or that cannot be tried on it.

    Attributes:
        got: What the broker does instead: a part of the detail. Another failure is not the known one.
        reason: Why, or since when, or where it is documented.
    """

    got: str
    reason: str


@dataclass(frozen=True, slots=True)
class Expectations:
    """The known deviations of one broker from one specification.

    Attributes:
        name: The name of the file; empty if there is none.
        deviations: Path of a rule to the deviation.
    """

    name: str
    deviations: Mapping[str, Deviation]


@dataclass(frozen=True, slots=True)
class ExpectationDocument:
    """What is in one file.

    Attributes:
        tables: Name of a specification to path of a rule to what the file says of it.
        base: The file that this one extends.
    """

    file: Path
    tables: Mapping[str, Any]
    base: Path | None = None

    def entries(self, spec: str) -> Iterator[tuple[str, Any]]:
        """Yield path and entry of what the file says of a specification."""
        table = self.tables.get(spec, {})
        if not isinstance(table, dict):
            raise _wrong(self.file, f"{quote(spec)} is not a table")
        yield from table.items()


def find_expectations(folder: Path, broker: Identity) -> Path | None:
    """Return the file for a broker: ``rabbitmq-3.10.8.toml``, else ``rabbitmq-3.10.toml``, else ``rabbitmq-3.toml``."""
    product = re.sub(r"[^a-z0-9]+", "-", broker.product.lower()).strip("-")
    parts = re.findall(r"[0-9]+", broker.version.split("-")[0].split("+")[0])
    for count in range(len(parts), 0, -1):
        file = folder / f"{product}-{'.'.join(parts[:count])}.toml"
        if file.is_file():
            return file
    return None


def read_expectations(file: Path, spec: str, paths: Sequence[str]) -> Expectations:
    """Read a file: a table for each specification, in it a table for each rule with ``got`` and ``reason``.

    Args:
        file: The file; ``-`` is standard input.
        spec: The specification; the entries of 0-9-1 apply to 0-9-1-rabbitmq, too.
        paths: Those of all rules of the specification; the file must not name others.

    Raises:
        SpecError: The file is wrong.
    """
    known = overlay({}, load_documents(file), spec, paths)
    return Expectations(file.name, known)


def load_documents(file: Path) -> list[ExpectationDocument]:
    """Return a file and those that it extends, the earliest version first.

    Raises:
        SpecError: One cannot be read, or they extend each other in a circle.
    """
    documents: list[ExpectationDocument] = []
    following: Path | None = file
    while following is not None:
        if any(following == document.file for document in documents):
            raise _wrong(file, f"extends itself, by way of {documents[-1].file.name}")
        documents.append(_load(following))
        following = documents[-1].base
    return documents[::-1]


def _load(file: Path) -> ExpectationDocument:
    try:
        tables = loads(read_text(file))
    except OSError as error:
        raise _wrong(file, error.strerror or str(error)) from None
    except (UnicodeDecodeError, TOMLDecodeError) as error:
        raise _wrong(file, str(error)) from None
    base = tables.pop(BASE_KEY, None)
    if base is not None and not (isinstance(base, str) and re.fullmatch(r"[\w.-]+", base)):
        raise _wrong(file, f"{BASE_KEY} = {base!r} is not the name of a file", 'such as "rabbitmq-3.10.toml"')
    unknown = [name for name in tables if name not in SPECS]
    if unknown:
        raise _wrong(file, f"{quote(unknown[0])} is not a specification", f"there are {listing(SPECS)}")
    return ExpectationDocument(file, tables, _base_file(file, base) if base else None)


def _base_file(file: Path, name: str) -> Path:
    """Return the file of that name: beside the one that extends it, else among ours."""
    base = file.parent / f"{name.removesuffix('.toml')}.toml"
    with suppress(FileNotFoundError):
        return base if base.is_file() else expectations_dir() / base.name
    return base


def overlay(
    known: Mapping[str, Deviation],
    documents: Sequence[ExpectationDocument],
    spec: str,
    paths: Sequence[str],
) -> dict[str, Deviation]:
    """Return what is known after these documents, the earliest first, if ``known`` was before.

    Raises:
        SpecError: A document names a rule that does not exist, or is wrong in another way.
    """
    deviations = dict(known)
    for document in documents:
        for name in bases_of(spec):
            for path, entry in document.entries(name):
                if path not in paths:
                    raise _wrong(document.file, f"{spec} has no rule {quote(path)}")
                if entry != KEPT:
                    if not _is_deviation(entry):
                        raise _wrong(document.file, f"{name} {quote(path)} is not a deviation", _FORM)
                    deviations[path] = Deviation(entry["got"], entry["reason"])
                elif not deviations.pop(path, None):
                    raise _wrong(
                        document.file, f"{name} {quote(path)} is not known to be broken before", _FORM
                    )
    return deviations


def _is_deviation(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and entry.keys() == {"got", "reason"}
        and all(isinstance(text, str) and text for text in entry.values())
    )


def _wrong(file: Path, what: str, hint: str = "") -> SpecError:
    return SpecError([Problem("wrong-expectations", f"{file}: {what}", None, hint)])


def is_known(known: Deviation, detail: str) -> bool:
    """Return whether a failure with this detail is the known deviation; the order of names in a list does not count."""
    return known.got in detail or _in_order(known.got) in _in_order(detail)


def _in_order(text: str) -> str:
    """Return the text with its lists of names sorted."""
    return _LIST.sub(lambda names: ", ".join(sorted(names.group().split(", "))), text)


def judge(results: Sequence[Result], expectations: Expectations) -> tuple[Result, ...]:
    """Return the results compared with the expectations: known deviations, and surprises of either kind."""
    return tuple(_judge(result, expectations.deviations.get(result.rule.path)) for result in results)


def is_expected(result: Result, known: Deviation | None) -> bool:
    """Return whether a result is what is known of the broker: no deviation, or just this one."""
    if result.verdict in TROUBLE:
        return known is not None and is_known(known, result.detail)
    return result.verdict is not Verdict.PASSED or known is None


def _judge(result: Result, known: Deviation | None) -> Result:
    if is_expected(result, known):
        if known is None or result.verdict not in TROUBLE:
            return result
        verdict = Verdict.DEVIATES if result.verdict is Verdict.FAILED else result.verdict
        return replace(result, verdict=verdict, detail=f"{result.detail}{KNOWN}{known.reason}")
    if result.verdict is Verdict.BROKER_DIED:
        return replace(result, surprise=f"the broker died: {result.detail}")
    word = result.verdict.value
    if known is None:
        return replace(result, surprise=f"{word}: {result.detail}")
    if result.verdict is Verdict.PASSED:
        return replace(result, surprise=f"passed, a deviation was expected ({known.got})")
    return replace(result, surprise=f"{word} otherwise than expected ({known.got}): {result.detail}")
