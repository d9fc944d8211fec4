"""Imports, once for all processes, what each of them needs to audit: with this module comes the generated code, too."""

from __future__ import annotations

from importlib import import_module

from amqp_codegen.support.packages import load_module

from ..schemas import PACKAGES0
from .frame_columns import fields_by_name

import_module(f"{__package__}.lake_audit")
for _source in ("methods", "performatives"):
    fields_by_name(_source)
for _package in PACKAGES0:
    for _name in ("grammar", "states", "validation"):
        load_module(_package, _name)
