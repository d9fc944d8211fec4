"""The package under test, imported by name from sys.path, and its classes by the names of the types."""

from __future__ import annotations

from typing import Any

import amqp_1_0
import pytest
from amqp_1_0.described import CLASSES

from .specification import COMPOSITES, DESCRIBED

amqp: Any = amqp_1_0

# By the name of the type: ``max-frame-size`` is a field of ``BY_NAME["open"]``.
BY_NAME: dict[str, Any] = {kind.NAME: kind for kind in CLASSES.values()}

each_composite = pytest.mark.parametrize(
    "cls", [pytest.param(BY_NAME[composite.name], id=composite.name) for composite in COMPOSITES]
)
each_described = pytest.mark.parametrize(
    "cls", [pytest.param(BY_NAME[type_.name], id=type_.name) for type_ in DESCRIBED]
)
