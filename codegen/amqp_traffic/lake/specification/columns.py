"""The columns of the specification tables, as plain data like ``schemas``, and what rows of both families share.

The tables hold the resolved model (``amqp_codegen.model``) of the built-in specifications. Columns of one family are null in
the rows of the other.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, TypeAlias

from amqp_codegen.model.amqp0 import spec
from amqp_codegen.model.amqp1 import types
from amqp_codegen.model.problem import Position

from ...schemas import Columns

# The version, a sum of its files, and the number of the row in the version, from 0, in the order of the files.
SPEC_KEY: Columns = (
    ("version", "string"),
    ("source_sha256", "string"),
    ("ordinal", "int32"),
)
_LABEL: Columns = (("label", "string"), ("doc", "string"))
_PLACE: Columns = (("file", "string"), ("line", "int32"))

SPEC_VERSIONS: Columns = (
    *SPEC_KEY,
    ("family", "string"),
    ("title", "string"),
    ("package", "string"),
    ("major", "int32"),
    ("minor", "int32"),
    ("revision", "int32"),
    ("port", "int32"),
    ("protocol_header", "binary"),
    ("dialect", "string"),
    ("files", "list<string>"),
    ("file_sha256s", "list<string>"),
)

SPEC_CLASSES: Columns = (
    *SPEC_KEY,
    ("kind", "string"),
    ("name", "string"),
    ("class_id", "int32"),
    ("part", "string"),
    ("handler", "string"),
    ("chassis", "list<string>"),
    ("grammar", "string"),
    *_LABEL,
    *_PLACE,
)

SPEC_METHODS: Columns = (
    *SPEC_KEY,
    ("kind", "string"),
    ("name", "string"),
    ("class", "string"),
    ("class_id", "int32"),
    ("method_id", "int32"),
    ("descriptor", "string"),
    ("descriptor_code", "int64"),
    ("synchronous", "bool"),
    ("has_content", "bool"),
    ("deprecated", "bool"),
    ("sent_by", "list<string>"),
    ("chassis", "list<string>"),
    ("responses", "list<string>"),
    *_LABEL,
    *_PLACE,
)

SPEC_FIELDS: Columns = (
    *SPEC_KEY,
    ("kind", "string"),
    ("owner", "string"),
    ("name", "string"),
    ("place", "int32"),
    ("identifier", "string"),
    ("domain", "string"),
    ("type", "string"),
    ("reserved", "bool"),
    ("flag_word", "int32"),
    ("flag_mask", "int32"),
    ("asserts", "list<string>"),
    ("mandatory", "bool"),
    ("multiple", "bool"),
    ("default_value", "string"),
    ("requires", "list<string>"),
    *_LABEL,
    *_PLACE,
)

SPEC_DOMAINS: Columns = (
    *SPEC_KEY,
    ("kind", "string"),
    ("name", "string"),
    ("base", "string"),
    ("type", "string"),
    ("declared", "bool"),
    ("asserts", "list<string>"),
    ("provides", "list<string>"),
    *_LABEL,
    *_PLACE,
)

SPEC_TYPES: Columns = (
    *SPEC_KEY,
    ("kind", "string"),
    ("name", "string"),
    ("type", "string"),
    ("code", "int64"),
    ("letter", "string"),
    ("descriptor", "string"),
    ("category", "string"),
    ("width", "int32"),
    ("dialect", "string"),
    ("provides", "list<string>"),
    ("part", "string"),
    ("section", "string"),
    *_LABEL,
    *_PLACE,
)

SPEC_CONSTANTS: Columns = (
    *SPEC_KEY,
    ("name", "string"),
    ("identifier", "string"),
    ("value", "int64"),
    ("error", "string"),
    ("is_reply_code", "bool"),
    ("part", "string"),
    ("section", "string"),
    *_LABEL,
    *_PLACE,
)

SPEC_RULES: Columns = (
    *SPEC_KEY,
    ("path", "string"),
    ("owner", "string"),
    ("name", "string"),
    ("section", "string"),
    ("text", "string"),
    ("levels", "list<string>"),
    ("actor", "string"),
    ("on_failure", "string"),
    ("scenario", "string"),
    ("test", "string"),
    ("label", "string"),
    *_PLACE,
)

SPEC_CHOICES: Columns = (
    *SPEC_KEY,
    ("kind", "string"),
    ("owner", "string"),
    ("name", "string"),
    ("value", "string"),
    ("number", "int64"),
    *_LABEL,
    *_PLACE,
)

SPEC_TABLES: dict[str, Columns] = {
    "spec_versions": SPEC_VERSIONS,
    "spec_classes": SPEC_CLASSES,
    "spec_methods": SPEC_METHODS,
    "spec_fields": SPEC_FIELDS,
    "spec_domains": SPEC_DOMAINS,
    "spec_types": SPEC_TYPES,
    "spec_constants": SPEC_CONSTANTS,
    "spec_rules": SPEC_RULES,
    "spec_choices": SPEC_CHOICES,
}


# A row by column; missing columns are null.
Row: TypeAlias = "dict[str, Any]"
# Rows by table, without their keys.
Rows: TypeAlias = "dict[str, list[Row]]"


def source_place(position: Position) -> Row:
    """Return the name of the file, without folder, and the line."""
    return {"file": PurePath(position.file).name, "line": position.line}


def words_of(item: Any) -> Row:
    """Return label, documentation and place of an item of the model; null if empty."""
    return {"label": item.label or None, "doc": item.doc or None, **source_place(item.position)}


def rule_row(rule: spec.Rule | types.Rule) -> Row:
    """Return the columns of a rule that both families have."""
    return {
        "path": rule.path,
        "owner": rule.path.rpartition("/")[0],
        "name": rule.name,
        "text": rule.text,
        "levels": list(rule.levels),
        "actor": rule.actor,
        "on_failure": rule.on_failure or None,
        "scenario": rule.scenario,
        "label": rule.label or None,
        **source_place(rule.position),
    }
