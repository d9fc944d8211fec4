"""The catalogue of rules on octets and frames that a specification states in its text, without a <rule> element.

``framing_rules/`` has the rules of each family with what a broker may do. The drivers of a family have the octets.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.model.amqp1 import types
from amqp_codegen.model.problem import Position
from amqp_codegen.support.toml import loads

from .level import SpecRule
from .registry import EXTENDS
from .run_result import Violation

_FOLDER = Path(__file__).parent / "framing_rules"
# What a reaction begins with if the octets were accepted.
NORMAL = "normal answer: "
_EARLY = ("0-8", "0-9")
# Between the first octet and the others, where each is sent on its own: so the broker reads the first one alone.
FIRST_OCTET_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class FramingRule:
    """A rule of the catalogue.

    Attributes:
        rule: The rule as plans and reports have it.
        allowed: What a broker may do: reactions such as ``connection.close 501``; ``*`` stands for anything.
    """

    rule: SpecRule
    allowed: tuple[str, ...]

    @property
    def expected(self) -> str:
        """Return the reactions in words, for messages."""
        return " or ".join(self.allowed)

    @property
    def is_legal(self) -> bool:
        """Whether nothing but the normal answer is allowed, so that the octets are legal."""
        return all(pattern.startswith(NORMAL) for pattern in self.allowed)

    def allows(self, reaction: str) -> bool:
        """Return whether a broker may react so."""
        return any(fnmatchcase(reaction, pattern) for pattern in self.allowed)

    def judge(self, reaction: str) -> None:
        """Check what a broker did.

        Raises:
            Violation: It may not do that.
        """
        if not self.allows(reaction):
            raise Violation(f"expected {self.expected}, got {reaction}")


def all_rules(name: str, spec: spec0.Spec | spec1.Spec) -> tuple[SpecRule, ...]:
    """Return the rules of a specification and those of the catalogue that hold in it."""
    return (*spec.rules, *(rule.rule for rule in read_framing_rules(name).values()))


def read_framing_rules(spec: str, folder: Path = _FOLDER) -> dict[str, FramingRule]:
    """Return the rules of the catalogue that hold in a specification, by path, in the order of the file."""
    version = EXTENDS.get(spec, spec)
    file = folder / ("1.0.toml" if version == "1.0" else "0-x.toml")
    text = file.read_text(encoding="utf-8")
    lines = {
        match[1]: text.count("\n", 0, match.start()) + 1 for match in re.finditer(r'^\["(.+)"\]', text, re.M)
    }
    return {
        path: _framing_rule(path, entry, version, Position(file.name, lines[path], 1))
        for path, entry in loads(text).items()
        if version in entry.get("only", (version,))
    }


def _framing_rule(path: str, entry: Mapping[str, Any], version: str, position: Position) -> FramingRule:
    allowed = entry.get("before-0-9-1", entry["allowed"]) if version in _EARLY else entry["allowed"]
    common: dict[str, Any] = {
        "path": path,
        "name": path.rpartition("/")[2],
        "label": "",
        "levels": (entry["level"],),
        "on_failure": "",
        "scenario": None,
        "position": position,
    }
    if version == "1.0":
        rule: SpecRule = types.Rule(section=entry["section"], text=entry["text"], actor="peer", **common)
    else:
        text = f"Section {entry['section']}: {entry['text']}"
        rule = spec0.Rule(text=text, actor="server", test=None, **common)
    return FramingRule(rule, tuple(allowed))


def pieces_of(octets: bytes, is_in_pieces: bool) -> Iterator[slice]:
    """Yield the places of what to send: all octets together, or each on its own."""
    if octets and not is_in_pieces:
        yield slice(None)
        return
    for position in range(len(octets)):
        yield slice(position, position + 1)
        if position == 0:
            time.sleep(FIRST_OCTET_SECONDS)
