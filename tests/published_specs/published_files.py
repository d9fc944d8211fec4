"""Where the published specifications are, and vectors of others, which are not part of this project: what needs them is skipped without them.

They are in the folder of AMQP_PUBLISHED_SPECS: ``0-8/amqp0-8.xml``, ``0-9/amqp0-9.xml``, ``0-9-1/amqp0-9-1.xml``,
``0-9-1/amqp0-9-1.extended.xml`` of RabbitMQ, these four once more as ``.stripped.xml`` and ``.stripped.extended.xml``, and
``1-0/types.xml`` and so on. Debian's package amqp-specs has some of them, and others of RabbitMQ and Qpid.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

VARIABLE = "AMQP_PUBLISHED_SPECS"
VECTORS_VARIABLE = "AMQP_SHARED_VECTORS"
DEBIAN = Path("/usr/share/amqp/specs")
# The parts of 1.0 in the order of the standard.
PARTS = tuple(f"1-0/{part}.xml" for part in ("types", "transport", "messaging", "transactions", "security"))
# What Debian's package has, too, by the names of the folder.
_IN_DEBIAN = {
    "0-8/amqp0-8.stripped.xml": "0-8/amqp0-8.stripped.xml",
    "0-9/amqp0-9.stripped.xml": "0-9/amqp0-9.stripped.xml",
    **{part: part.replace(".xml", ".bare.xml") for part in PARTS},
}


def named_folder(variable: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder that a variable names, or None if it is not set.

    Raises:
        UsageError: It names something else: tests that are meant to run would be skipped.
    """
    name = environment.get(variable)
    if not name:
        return None
    if not Path(name).is_dir():
        raise pytest.UsageError(f"{variable} is {name!r}, which is not a folder")
    return Path(name).resolve()


FOLDER = named_folder(VARIABLE)
VECTORS = named_folder(VECTORS_VARIABLE)


def published_file(name: str) -> Path:
    """Return a file, wherever it is; without any, where it would be."""
    if FOLDER is None and name in _IN_DEBIAN:
        return DEBIAN / _IN_DEBIAN[name]
    return (FOLDER or DEBIAN) / name


def needs_published(*names: str) -> pytest.MarkDecorator:
    """Skip a test where one of the files is missing."""
    missing = [name for name in names if not published_file(name).is_file()]
    package = ", or apt-get install amqp-specs" if _IN_DEBIAN.keys() >= set(names) else ""
    return pytest.mark.skipif(
        bool(missing), reason=f"needs published specifications: set {VARIABLE}{package}"
    )


def vectors(name: str) -> list[Any]:
    """Return the lines of a file of vectors, or one parameter that is skipped."""
    if VECTORS is None:
        reason = f"needs vectors of other libraries: set {VECTORS_VARIABLE}"
        return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id=name)]
    found = map(json.loads, (VECTORS / name).read_text("utf-8").splitlines())
    return [
        pytest.param(line, id=f"{number:02}-{line.get('name', line.get('file', line['kind']))}")
        for number, line in enumerate(found)
    ]


needs_debian = pytest.mark.skipif(
    not DEBIAN.is_dir(), reason="needs published specifications: apt-get install amqp-specs"
)
