"""The resolved model as one JSON document."""

from __future__ import annotations

import json
from typing import Any

from ..model import spec0
from ..passes.read_specification import Specification
from .record import record

# The first number changes when something is renamed, removed or means something else; the second when
# something is added. Programs that read the document check the first.
FORMAT = "1.0"


def model_text(specification: Specification) -> str:
    """The document; ends with a line break. The same specification gives the same octets on every machine."""
    return json.dumps(model_document(specification), indent=1, ensure_ascii=False) + "\n"


def model_document(specification: Specification) -> dict[str, Any]:
    """``{"format", "family", "specification"}``; ``schema_text`` describes it."""
    spec = specification.spec
    family = "amqp0" if isinstance(spec, spec0.Spec) else "amqp1"
    return {"format": FORMAT, "family": family, "specification": record(spec)}
