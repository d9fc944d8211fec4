"""The generated package whose walker reads values of a specification: of a user's own file it is made in memory."""

from __future__ import annotations

import sys
from hashlib import sha256

from ... import __version__
from ...model.amqp1.spec import Spec
from ...resolve.amqp1.wire import read_wire1
from ...support.memory_packages import load_from_texts
from ...support.resources import load_package, templates_dir, wire_file

_BUILT_IN = "amqp_1_0"


def package_of(spec: Spec) -> str:
    """Return the name of the package of a specification, which can be loaded.

    Without all encodings of the primitive types there is no package; the built-in one then reads what is not described.
    """
    digests = tuple(source.sha256 for source in spec.sources)
    if digests == load_package(_BUILT_IN).SPEC.sha256:
        return _BUILT_IN
    name = f"amqp_{sha256(repr(digests).encode()).hexdigest()[:16]}"
    return name if name in sys.modules else _made(name, spec)


def _made(name: str, spec: Spec) -> str:
    from ...emit.amqp1.context import amqp1_files  # slow to import: Jinja, all that makes text
    from ...emit.amqp1.primitives import missing_encodings
    from ...emit.environment import make_environment
    from ...emit.imports import tidy_imports
    from ...emit.render import render_files

    if missing_encodings(spec):
        return _BUILT_IN
    files = amqp1_files(spec, name, read_wire1(*wire_file()))
    variables = {"header": "", "generator_version": __version__}
    texts = render_files(make_environment(templates_dir()), files, variables)
    load_from_texts(name, {path: tidy_imports(text) for path, text in texts.items()})
    return name
