"""The packages that the wheel ships: for a built-in specification with the usual options they are copied, not made again.

They are what would be made if the installation is as the wheel was built: ``RECORD`` beside the package has the hash
of every module, template, specification and shipped file. In a checkout there is no ``RECORD``. There, and where one
of the files has been changed, packages are really generated.
"""

from __future__ import annotations

import base64
import csv
import hashlib
from collections.abc import Mapping
from pathlib import Path

from .. import __version__
from ..reader.inputs import BUILT_IN, Inputs, resolve_input
from .target import CLIENT, CODECS, COLUMNS, CONFORMANCE, DEFAULT_EMIT, Target

_PLACE = Path(__file__).resolve().parents[2]
_RECORD = f"amqp_codegen-{__version__}.dist-info/RECORD"
_SHIPPED_PARTS = (CODECS, CLIENT, COLUMNS, CONFORMANCE)
_SHIPPED = "amqp_codegen/_data/generated/"
# What decides what is generated; the last are the modules.
_DECISIVE = ("amqp_codegen/_data/templates/", "amqp_codegen/_data/specs/", "amqp_codegen/")


def shipped_files(target: Target, package: str) -> dict[str, str] | None:
    """Return the text of every file of a target, by path, if they can be copied.

    Args:
        target: The target.
        package: The name of its package.
    """
    emit = DEFAULT_EMIT if target.emit is None else target.emit
    if target.package or target.dialect or target.templates or {*emit} - {*_SHIPPED_PARTS}:
        return None
    if (CODECS in emit) != (CLIENT in emit):  # the top of the shipped packages names what clients need
        return None
    if not (_PLACE / _RECORD).is_file():
        return None
    if Inputs(target.files, target.overlays) not in map(resolve_input, BUILT_IN):
        return None
    recorded = _recorded_hashes()
    paths = [path for path in recorded if _is_decisive(path)]
    shipped = [path for path in recorded if _part(path.removeprefix(_SHIPPED), package) in emit]
    if not shipped or not all(_hash(path) == recorded[path] for path in (*paths, *shipped)):
        return None
    return {path.removeprefix(_SHIPPED): (_PLACE / path).read_bytes().decode() for path in shipped}


def _part(path: str, package: str) -> str:
    """Return what emits a file of the shipped packages; empty if it belongs to another package."""
    if path.startswith(f"{package}/"):
        folder = path.split("/")[1]
        return folder if folder in (CLIENT, COLUMNS) else CODECS
    of_suite = path == f"{CONFORMANCE}/__init__.py" or path.startswith(f"{CONFORMANCE}/{package}/")
    return CONFORMANCE if of_suite else ""


def _is_decisive(path: str) -> bool:
    return path.startswith(_DECISIVE[:2]) or (path.startswith(_DECISIVE[2]) and "/_data/" not in path)


def _recorded_hashes() -> Mapping[str, str]:
    """Return the hashes of the files of the wheel by path; what the installer has compiled has none."""
    with (_PLACE / _RECORD).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == 3]
    return {path: digest for path, digest, _ in rows if digest and not path.endswith(".pyc")}


def _hash(path: str) -> str:
    """Return the hash of a file as ``RECORD`` has it; empty if it cannot be read."""
    try:
        digest = hashlib.sha256((_PLACE / path).read_bytes()).digest()
    except OSError:
        return ""
    return f"sha256={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"
