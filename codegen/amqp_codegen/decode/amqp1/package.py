"""The generated package whose walker reads values of a specification: of a user's own file it is made in memory."""

from __future__ import annotations

from ...emit.own_package import own_package
from ...model.amqp1.spec import Spec
from ...model.problem import SpecError
from ...support.resources import load_package

_BUILT_IN = "amqp_1_0"


def package_of(spec: Spec) -> str:
    """Return the name of the package of a specification, which can be loaded.

    Without all encodings of the primitive types there is no package; the built-in one then reads what is not described.
    """
    if tuple(source.sha256 for source in spec.sources) == load_package(_BUILT_IN).SPEC.sha256:
        return _BUILT_IN
    try:
        return own_package(spec)
    except SpecError:
        return _BUILT_IN
