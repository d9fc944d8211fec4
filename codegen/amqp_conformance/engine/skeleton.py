"""The skeleton of a driver: what has to be there before somebody writes how a rule is tried."""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Collection, Iterator

from .level import SpecRule

# As black has it by default, so that the text is formatted whatever a project's own width.
_WIDTH = 88

_HINTS = {
    "amqp0": (
        "broker.open_channel() is channel 1 of a new connection; broker.name() is removed after the trial.",
        "channel.call() returns the reply, channel.expect_refusal() wants a reply code.",
        "with broker.set_up(): marks steps that only lead to the trial; with broker.trial(): the opposite.",
        'Raise Violation("expected ..., got ...") from engine.run_result if the rule is broken.',
    ),
    "amqp1": (
        "broker.begin() is a session on a new connection; broker.pair() a sender and a receiver.",
        "amqp_conformance.amqp1.checks has want() and what provokes an error.",
        "with broker.set_up(): marks steps that only lead to the trial; with broker.trial(): the opposite.",
        'Raise Violation("expected ..., got ...") from engine.run_result if the rule is broken.',
    ),
}


def skeleton(rule: SpecRule, spec: str, family: str) -> str:
    """Return a module with the driver of a rule; it raises ``NotTestable`` until it is written.

    ``spec`` is the specification that states it, one of ``registry.SPECS``; ``family`` is ``amqp0`` or ``amqp1``.
    """
    declare = "rule" if family == "amqp0" else "amqp1_rule"
    stated_by = spec if family == "amqp0" else "1.0"  # what extends it has no rules of its own
    arguments = f'{{"{spec}": "{rule.path}"}}' if family == "amqp0" else f'"{rule.path}"'
    lines = (
        f'"""A driver for {rule.path} of {stated_by}."""',
        "",
        "from __future__ import annotations",
        "",
        f"from amqp_conformance.{family}.broker import Broker",
        f"from amqp_conformance.engine.registry import {declare}",
        "from amqp_conformance.engine.run_result import NotTestable",
        "",
        *_comments(_facts(rule)),
        "",
        "",
        f"@{declare}({arguments})",
        f"def {function_name(rule)}(broker: Broker) -> None:",
        '    """Say here what the driver does, and what it expects: reports show it."""',
        *(f"    {line}" for line in _comments(_HINTS[family])),
        '    raise NotTestable("the driver is not written yet")',
    )
    return "\n".join(lines) + "\n"


def function_name(rule: SpecRule) -> str:
    """Return the name of the driver: that of the rule, or its whole path if rules have only numbers."""
    name = re.sub(r"[^a-z0-9]+", "_", rule.name.lower()).strip("_")
    if not name.isidentifier():
        name = re.sub(r"[^a-z0-9]+", "_", rule.path.lower()).strip("_")
    return f"{name}_" if keyword.iskeyword(name) else name


def _facts(rule: SpecRule) -> Iterator[str]:
    """Yield the paragraphs that say what the rule demands."""
    level = ", ".join(dict.fromkeys(rule.levels)) or "no level"
    section = getattr(rule, "section", "")
    where = f"; section {section}" if section else ""
    yield f"{rule.path}: {level}; duty of: {rule.actor}{where}."
    yield from rule.text.split("\n\n")
    if rule.scenario:
        yield f"Scenario: {rule.scenario}"
    if rule.on_failure:
        yield f"On failure: {rule.on_failure}."


def _comments(texts: Iterator[str] | Collection[str]) -> Iterator[str]:
    """Yield each text as a folded comment, paragraphs apart if they are several lines long."""
    for text in texts:
        yield from textwrap.wrap(
            " ".join(text.split()),
            _WIDTH - 4,
            initial_indent="# ",
            subsequent_indent="# ",
            break_long_words=False,
            break_on_hyphens=False,
        )
