"""What a target makes, without the texts: hashes of them, kept in the cache.

A stamp is found by the hash of all that it depends on (``fingerprint.py``). A run whose targets all have one knows
what the output folder must hold before it has read a specification. The folder itself is always read: a stamp says
what it must hold, never what it holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..model.problem import Position, Problem, Severity
from ..support.cache import Cache
from .compare import Drift, Leftovers, compare_digests, output_problem, text_digest
from .source_text import CommentStyle
from .target import Generated


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a target makes.

    Attributes:
        folders: The folders that hold only generated files, relative to the output folder.
        digests: The hash of each file by its path.
        leftovers: How to recognise files of the user's own targets that are no longer generated.
    """

    package: str
    folders: tuple[str, ...]
    digests: Mapping[str, str]
    warnings: tuple[Problem, ...]
    leftovers: tuple[Leftovers, ...] = ()


def stamp_of(generated: Generated) -> Stamp:
    """Return the stamp of generated files."""
    digests = {path: text_digest(text) for path, text in generated.files.items()}
    return Stamp(generated.package, generated.folders, digests, generated.warnings, generated.leftovers)


def generated_of(stamp: Stamp, output: Path) -> Generated:
    """Return the generated files of a stamp from a folder in which all of them are current.

    Raises:
        SpecError: One cannot be read any more.
    """
    try:
        files = {path: (output / path).read_bytes().decode() for path in stamp.digests}
    except (OSError, ValueError) as error:
        raise output_problem(output, "read", error, "another process may have changed it") from None
    return Generated(stamp.package, stamp.folders, files, stamp.warnings, stamp.leftovers)


def drift_of(stamps: Sequence[Stamp], output: Path) -> Drift:
    """Return the differences between a folder and what targets make."""
    digests = {path: digest for stamp in stamps for path, digest in stamp.digests.items()}
    folders = [folder for stamp in stamps for folder in stamp.folders]
    leftovers = [pattern for stamp in stamps for pattern in stamp.leftovers]
    return compare_digests(output, digests, folders, leftovers)


def write_stamp(cache: Cache, key: str, stamp: Stamp) -> None:
    """Keep a stamp."""
    document = asdict(stamp)
    for problem in document["warnings"]:
        problem["severity"] = problem["severity"].value
    cache.write(key, json.dumps(document).encode())


def read_stamp(cache: Cache, key: str) -> Stamp | None:
    """Return the stamp with a key, if there is one. This very code has written it: its hash is part of the key."""
    octets = cache.read(key)
    if octets is None:
        return None
    document = json.loads(octets)
    return Stamp(
        document["package"],
        tuple(document["folders"]),
        document["digests"],
        tuple(map(_problem, document["warnings"])),
        tuple(map(_leftovers, document["leftovers"])),
    )


def _problem(values: dict[str, Any]) -> Problem:
    position = values["position"] and Position(**values["position"])
    return Problem(**{**values, "position": position, "severity": Severity(values["severity"])})


def _leftovers(values: dict[str, Any]) -> Leftovers:
    identity = tuple((name, value) for name, value in values["identity"])
    return Leftovers(values["pattern"], identity, CommentStyle(**values["comment"]))
