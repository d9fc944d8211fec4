"""Import what every audit process needs, with the generated code, once before the processes are forked."""

from __future__ import annotations

from importlib import import_module

from amqp_codegen.support.resources import load_module

from ..schemas import PACKAGES0
from .connection_columns import fields_by_name

import_module(f"{__package__}.lake_audit")
for _source in ("methods", "performatives"):
    fields_by_name(_source)
for _package in PACKAGES0:
    for _name in ("grammar", "validation"):
        load_module(_package, _name)
