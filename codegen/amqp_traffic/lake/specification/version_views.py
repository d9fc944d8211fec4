"""Views that compare any two versions of a family, one for each specification table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """The comparison of a table.

    Attributes:
        view: The name of the view.
        keys: The columns that identify a row in both versions.
        compared: The columns that are compared.
    """

    view: str
    table: str
    keys: tuple[str, ...]
    compared: tuple[str, ...]


COMPARISONS = (
    VersionComparison(
        "spec_diff_classes", "spec_classes", ("name",), ("class_id", "handler", "chassis", "grammar")
    ),
    VersionComparison(
        "spec_diff_methods",
        "spec_methods",
        ("name",),
        (
            "class_id",
            "method_id",
            "synchronous",
            "has_content",
            "deprecated",
            "sent_by",
            "chassis",
            "responses",
        ),
    ),
    VersionComparison(
        "spec_diff_fields",
        "spec_fields",
        ("kind", "owner", "name"),
        ("place", "domain", "type", "reserved", "flag_word", "flag_mask", "asserts"),
    ),
    VersionComparison("spec_diff_domains", "spec_domains", ("name",), ("type", "declared", "asserts")),
    VersionComparison("spec_diff_types", "spec_types", ("kind", "name", "letter"), ("width",)),
    VersionComparison(
        "spec_diff_constants", "spec_constants", ("name",), ("value", "error", "is_reply_code")
    ),
    VersionComparison(
        "spec_diff_rules",
        "spec_rules",
        ("path",),
        ("text", "levels", "actor", "on_failure", "scenario", "test"),
    ),
    VersionComparison("spec_diff_choices", "spec_choices", ("kind", "owner", "name"), ("value",)),
)


def comparison_columns(comparison: VersionComparison) -> tuple[str, ...]:
    """Return the columns: versions, keys, ``change`` (added, removed, changed), what differs, all values."""
    values = (f"{side}_{name}" for name in comparison.compared for side in ("old", "new"))
    return ("old_version", "new_version", *comparison.keys, "change", "differs", *values)


def comparison_sql(comparison: VersionComparison) -> str:
    """Return the query. Two versions are compared in both directions."""
    table, keys = comparison.table, comparison.keys
    same = " AND ".join(f"k.`{key}` <=> {{0}}.`{key}`" for key in keys)
    listed = ", ".join(f"`{key}`" for key in keys)
    differs = ", ".join(f"IF(o.`{name}` <=> n.`{name}`, NULL, '{name}')" for name in comparison.compared)
    values = ", ".join(
        f"o.`{name}` AS `old_{name}`, n.`{name}` AS `new_{name}`" for name in comparison.compared
    )
    return f"""
WITH pairs AS (
  SELECT o.version AS old_version, n.version AS new_version
  FROM spec_versions o JOIN spec_versions n ON o.family = n.family AND o.version <> n.version
), k AS (
  SELECT DISTINCT old_version, new_version, {listed}
  FROM pairs JOIN {table} t ON t.version IN (old_version, new_version)
), compared AS (
  SELECT k.*,
    CASE WHEN o.version IS NULL THEN 'added' WHEN n.version IS NULL THEN 'removed' ELSE 'changed' END AS change,
    IF(o.version IS NULL OR n.version IS NULL, NULL, array_compact(array({differs}))) AS differs,
    {values}
  FROM k
  LEFT JOIN {table} o ON o.version = k.old_version AND {same.format("o")}
  LEFT JOIN {table} n ON n.version = k.new_version AND {same.format("n")}
)
SELECT * FROM compared WHERE change <> 'changed' OR size(differs) > 0
""".strip()
