"""The options of a target: the name of its package, its templates, and what it emits."""

from __future__ import annotations

import keyword
import os
import re
import sys
from collections.abc import Sequence

from ..model.problem import Problem, SpecError
from ..support.wording import did_you_mean, listing, quote
from .manifest import OwnFile, read_manifest
from .target import CLIENT, CODECS, COLUMNS, CONFORMANCE, EMITTED, NATIVE, Target

# ASCII only: Python normalises other names on import, and may then not find the folder.
_PACKAGE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check_options(target: Target) -> tuple[OwnFile, ...]:
    """Check the options of a target; return the files that the manifest of the user's templates names.

    Raises:
        SpecError: The manifest or another option is invalid.
    """
    problems: list[Problem] = []
    own: tuple[OwnFile, ...] = ()
    if target.templates is not None and not os.path.isdir(target.templates):
        message = f"there is no folder of templates {str(target.templates)!r}"
        problems.append(Problem("no-such-folder", message))
    elif target.templates is not None:
        own = read_manifest(target.templates, EMITTED)
    problems += _emit_problems(target, own)
    problems += _package_problems(target.package)
    if problems:
        raise SpecError(problems)
    return own


def _package_problems(name: str) -> list[Problem]:
    if not name:
        return []
    if not _PACKAGE.fullmatch(name) or keyword.iskeyword(name):
        message = f"{quote(name)} is not a valid name for a package"
        return [Problem("bad-package", message, None, "use a Python identifier")]
    if name.startswith("__") and name.endswith("__"):
        message = f"{quote(name)} has a meaning of its own in Python and cannot be the name of a package"
        return [Problem("bad-package", message, None, "choose another name")]
    if name in sys.stdlib_module_names:
        message = f"{quote(name)} is a module of the standard library, which the package would hide"
        return [Problem("bad-package", message, None, "choose another name")]
    return []


def _emit_problems(target: Target, own: Sequence[OwnFile]) -> list[Problem]:
    if target.emit is None:
        return []
    problems = []
    known = (*EMITTED, *dict.fromkeys(own_file.target for own_file in own))
    if not target.emit:
        message = "nothing is to be emitted"
        problems.append(Problem("bad-emit", message, None, f"name one or several of {listing(known)}"))
    for name in target.emit:
        if name not in known:
            hint = did_you_mean(name, known) or f"known are {listing(known)}"
            problems.append(Problem("bad-emit", f"{quote(name)} is nothing that can be emitted", None, hint))
    if CLIENT in target.emit and CODECS not in target.emit:
        message = "what clients need is part of a package, and needs its codecs"
        problems.append(Problem("bad-emit", message, None, "name codecs and client"))
    if COLUMNS in target.emit and CODECS not in target.emit:
        message = "columns are part of a package, and need its codecs"
        problems.append(Problem("bad-emit", message, None, "name codecs and columns"))
    if NATIVE in target.emit and CODECS not in target.emit:
        message = "the core in C is built for a package, and needs its codecs"
        problems.append(Problem("bad-emit", message, None, "name codecs and native"))
    if target.package == CONFORMANCE and CONFORMANCE in target.emit:
        message = f"a package cannot be called {CONFORMANCE!r} where suites are in a folder of that name"
        problems.append(Problem("bad-package", message, None, "choose another name"))
    return problems
