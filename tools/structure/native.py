"""The sources in C: includes of headers, and calls between files.

A file calls another if it names what the other defines and does not keep to itself (`static`). What a header defines is
found by its includes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname, join, normpath

from .circles import groups
from .imports import ROOT

NATIVE = ROOT / "native"

# Files that call each other since what they read or write does: a value may be a composite, whose fields are values.
RECURSIONS = (
    ("src/amqp1_read_composite.c", "src/amqp1_read_value.c"),
    ("src/amqp1_write_composite.c", "src/amqp1_write_value.c"),
)

_INCLUDE = re.compile(r'^#\s*include "([^"]+)"', re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
# By the style of .clang-format, a definition begins its line, with its type before its name.
_ELSEWHERE = r"^(?!static\b|typedef\b|extern\b|struct \w+ \{|return\b|else\b|[#}])[A-Za-z_][\w \t*]*?"
_FUNCTION = re.compile(_ELSEWHERE + r"\b(\w+)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
_VARIABLE = re.compile(_ELSEWHERE + r"\b(\w+)(?:\[[^\]]*\])*\s*=", re.MULTILINE)


@dataclass(frozen=True)
class Sources:
    """The files in C, by their paths from the folder, and what each includes and calls."""

    includes: dict[str, set[str]]
    calls: dict[str, set[str]]


def read_sources(folder: Path = NATIVE) -> Sources:
    """Read every source and header in the sub-folders of a folder."""
    texts = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.glob("*/*.[ch]"))
    }
    bare = {path: _TEXT.sub("", _COMMENT.sub("", text)) for path, text in texts.items()}
    defined = {
        match[1]: path
        for path, text in bare.items()
        if path.endswith(".c")
        for pattern in (_FUNCTION, _VARIABLE)
        for match in pattern.finditer(text)
    }
    includes: dict[str, set[str]] = defaultdict(set)
    calls: dict[str, set[str]] = defaultdict(set)
    for path, text in texts.items():
        for name in _INCLUDE.findall(_COMMENT.sub("", text)):
            place = normpath(join(dirname(path), name))
            if not place.startswith(".."):
                includes[path].add(place)
        called = {defined[name] for name in re.findall(r"\w+", bare[path]) if name in defined}
        if path.endswith(".c"):
            calls[path] = called - {path}
    return Sources(dict(includes), dict(calls))


def native_circles(sources: Sources) -> list[list[str]]:
    """Return the groups of files that include or call each other, but for `RECURSIONS`."""
    found = [*groups(sources.includes), *groups(sources.calls)]
    return [group for group in found if tuple(group) not in RECURSIONS]


def two_way_folders(sources: Sources) -> list[str]:
    """Return a line for each two folders of which files include or call each other's."""
    used = {
        (path.partition("/")[0], other.partition("/")[0])
        for uses in (sources.includes, sources.calls)
        for path, others in uses.items()
        for other in others
    }
    return [
        f"{one} and {two} use each other" for one, two in sorted(used) if one < two and (two, one) in used
    ]
