"""The codec of a user's own specification: a package in memory, for commands that read and write its frames."""

from __future__ import annotations

import sys
from hashlib import sha256

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..support.cache import open_cache
from ..support.memory_packages import load_from_texts


def own_package(spec: spec0.Spec | spec1.Spec, has_client: bool = False) -> str:
    """Return the name of the package of a specification, which can be loaded; one name for the same files.

    Args:
        spec: The specification.
        has_client: The package has the parts for authors of clients, too.

    Raises:
        SpecError: The specification lacks encodings that a codec needs.
    """
    dialect = spec.dialect.name if isinstance(spec, spec0.Spec) else ""
    digests = [has_client, dialect, *(source.sha256 for source in spec.sources)]
    name = f"amqp_{sha256(repr(digests).encode()).hexdigest()[:16]}"
    if name not in sys.modules:
        from .generate import package_texts  # slow to import: Jinja, all that makes text

        load_from_texts(name, package_texts(spec, name, has_client, open_cache()))
    return name
