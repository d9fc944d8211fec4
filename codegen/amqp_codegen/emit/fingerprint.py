"""Hashes of all that output depends on: the generator, its templates, the libraries that it uses, and a target."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from .. import __version__
from ..support.cache import cache_key
from ..support.resources import arguments_file, native_sources_dir, templates_dir, wire_file
from .target import NATIVE, Target

# The libraries that decide what is read, rendered and formatted.
_LIBRARIES = ("black", "jinja2", "lxml", "markupsafe")
_PACKAGE = Path(__file__).resolve().parent.parent
_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")
# A folder of templates that is larger is not read at each call: somebody named a whole project.
_MOST_FILES = 2_000
_MOST_OCTETS = 20 * 2**20


@cache
def code_fingerprint() -> str:
    """Return a hash of the generator's modules, its version, Python and the libraries; empty if one is unknown.

    It is that of the first call: what is imported does not change with the files.
    """
    libraries = [library_version(name) for name in _LIBRARIES]
    modules = (
        _tree_digest(_PACKAGE, ".py") if __file__.endswith(".py") else ""
    )  # not where bytecode alone is installed
    if not modules or not all(libraries):
        return ""
    return cache_key("code", __version__, sys.version, modules, *libraries)


@cache
def library_version(name: str) -> str:
    """Return the version of an installed library, by the folder of its metadata; empty if there is none.

    ``importlib.metadata`` says the same, but takes longer to import than a run that has nothing to do.
    """
    for place in sys.path:
        try:
            entries = os.listdir(place or os.curdir)
        except OSError:
            continue
        found = sorted(entry for entry in entries if _is_metadata(entry, name))
        if found:
            return " ".join(found)
    return ""


def _is_metadata(entry: str, name: str) -> bool:
    library, _, rest = entry.lower().partition("-")
    return rest.endswith((".dist-info", ".egg-info")) and _NOT_ALPHANUMERIC.sub("", library) == name


def target_fingerprints(targets: Sequence[Target]) -> list[str]:
    """Return, for each target, a hash of all that its output depends on; empty if it cannot be known."""
    folders = {target.templates for target in targets if target.templates is not None}
    templates = {folder: _tree_digest(folder) for folder in (templates_dir(), *folders)}
    return [_target_fingerprint(target, templates) for target in targets]


def _target_fingerprint(target: Target, templates: Mapping[Path, str]) -> str:
    code = code_fingerprint()
    ours = templates[templates_dir()]
    own = "none" if target.templates is None else templates[target.templates]
    sources = _tree_digest(native_sources_dir()) if NATIVE in (target.emit or ()) else "none"
    if not code or not ours or not own or not sources:
        return ""
    try:
        # Messages name the files as they were given.
        inputs = [f"{path}={_file_digest(path)}" for path in (*target.files, *target.overlays)]
        facts = [hashlib.sha256(data).hexdigest() for data, _ in (wire_file(), arguments_file())]
    except (OSError, ValueError):
        return ""
    emit = ["default"] if target.emit is None else ["chosen", *target.emit]
    options = [target.package, target.dialect, str(target.templates), str(len(target.files)), *emit]
    return cache_key("target", code, ours, own, sources, *facts, *inputs, "", *options)


def _file_digest(path: str | Path) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def _tree_digest(folder: Path, ending: str = "") -> str:
    """Return a hash of the files below a folder, names and octets; empty if they cannot be read, or are too many."""
    digest = hashlib.sha256()
    try:
        for name, path in _tree(str(folder), ending):
            digest.update(f"{len(name)}:{name}={_file_digest(path)}".encode("utf-8", "surrogatepass"))
    except (OSError, OverflowError):
        return ""
    return digest.hexdigest()


def _tree(folder: str, ending: str) -> Iterator[tuple[str, str]]:
    """Yield the files below a folder in order, by their paths relative to it.

    Raises:
        OSError: A folder cannot be read.
        OverflowError: There are too many files.
    """
    count = octets = 0
    for place, folders, files in os.walk(folder, onerror=_raise, followlinks=True):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        relative = os.path.relpath(place, folder)
        for name in sorted(files):
            if name.endswith(ending):
                path = os.path.join(place, name)
                count, octets = count + 1, octets + os.path.getsize(path)
                if count > _MOST_FILES or octets > _MOST_OCTETS:
                    raise OverflowError
                yield os.path.join(relative, name), path


def _raise(error: OSError) -> None:
    raise error
