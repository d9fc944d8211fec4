"""The known deviations of a broker from the specification, and their reasons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.toml import TOMLDecodeError, loads, read_text
from amqp_codegen.support.wording import listing, quote

from .registry import EXTENDS, SPECS
from .run_result import Identity, Result, Verdict

# What an entry in the file can explain.
_TROUBLE = (Verdict.FAILED, Verdict.FLAKY, Verdict.INCONCLUSIVE, Verdict.BROKER_DIED)
_FORM = 'it looks like { got = "...", reason = "..." }, and neither is empty'


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
    try:
        document = loads(read_text(file))
    except OSError as error:
        raise _wrong(file, error.strerror or str(error)) from None
    except (UnicodeDecodeError, TOMLDecodeError) as error:
        raise _wrong(file, str(error)) from None
    unknown = [name for name in document if name not in SPECS]
    if unknown:
        raise _wrong(file, f"{quote(unknown[0])} is not a specification", f"there are {listing(SPECS)}")
    deviations: dict[str, Deviation] = {}
    for name in (EXTENDS.get(spec), spec):
        for path, entry in document.get(name or "", {}).items():
            if path not in paths:
                raise _wrong(file, f"{spec} has no rule {quote(path)}")
            if not _is_deviation(entry):
                raise _wrong(file, f"{name} {quote(path)} is not a deviation", _FORM)
            deviations[path] = Deviation(entry["got"], entry["reason"])
    return Expectations(file.name, deviations)


def _is_deviation(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and entry.keys() == {"got", "reason"}
        and all(isinstance(text, str) and text for text in entry.values())
    )


def _wrong(file: Path, what: str, hint: str = "") -> SpecError:
    return SpecError([Problem("wrong-expectations", f"{file}: {what}", None, hint)])


def judge(results: Sequence[Result], expectations: Expectations) -> tuple[Result, ...]:
    """Return the results compared with the expectations: known deviations, and surprises of either kind."""
    return tuple(_judge(result, expectations.deviations.get(result.rule.path)) for result in results)


def is_expected(result: Result, known: Deviation | None) -> bool:
    """Return whether a result is what is known of the broker: no deviation, or just this one."""
    if result.verdict in _TROUBLE:
        return known is not None and known.got in result.detail
    return result.verdict is not Verdict.PASSED or known is None


def _judge(result: Result, known: Deviation | None) -> Result:
    if is_expected(result, known):
        if known is None or result.verdict not in _TROUBLE:
            return result
        verdict = Verdict.DEVIATES if result.verdict is Verdict.FAILED else result.verdict
        return replace(result, verdict=verdict, detail=f"{result.detail}; known: {known.reason}")
    if result.verdict is Verdict.BROKER_DIED:
        return replace(result, surprise=f"the broker died: {result.detail}")
    word = result.verdict.value
    if known is None:
        return replace(result, surprise=f"{word}: {result.detail}")
    if result.verdict is Verdict.PASSED:
        return replace(result, surprise=f"passed, a deviation was expected ({known.got})")
    return replace(result, surprise=f"{word} otherwise than expected ({known.got}): {result.detail}")
