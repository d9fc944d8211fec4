"""Views over the tables: what they are called, what they select, and why. Plain data and SQL, as Spark has it.

The columns of a kind of methods or performatives come from the generated packages, so from the specifications.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from ...packages import load_module
from .handy_views import HANDY
from .schemas import FRAME_KEY, PACKAGE1, PACKAGES0, Columns
from .spec_diff_views import COMPARISONS, comparison_columns, comparison_sql

# They are folders of the lake, and columns of every table of traffic.
PARTITION: Columns = (("date", "date"), ("capture_id", "string"))
_BEFORE: Columns = (*PARTITION, *FRAME_KEY, ("ns", "int64"), ("channel", "int32"))


@dataclass(frozen=True, slots=True)
class View:
    """A view.

    Attributes:
        name: What it is called in SQL.
        columns: The names of its columns, in order.
        sql: The query, over tables alone.
        doc: What it shows, for people.
    """

    name: str
    columns: tuple[str, ...]
    sql: str
    doc: str


@cache
def all_views() -> tuple[View, ...]:
    """Every view: of methods, of performatives, those that compare versions, and a few more."""
    return (*method_views(), *performative_views(), *comparison_views(), *HANDY_VIEWS)


def method_views() -> Iterator[View]:
    """A view for each method of any version of 0-x, with its columns in any of them: ``v_basic_publish``."""
    found: dict[str, dict[str, str]] = {}
    for package in PACKAGES0:
        for gathered in load_module(package, "columns").MethodColumns().gathered.values():
            found.setdefault(gathered.kind.name, {}).update(gathered.kind.columns)
    for name, columns in sorted(found.items()):
        yield _filtered(f"v_{_word(name)}", "methods", "method", name, columns)


def performative_views() -> Iterator[View]:
    """A view for each performative and SASL frame of 1.0: ``v1_transfer``, ``v1_sasl_init``."""
    kinds = load_module(PACKAGE1, "columns").PerformativeColumns().gathered.values()
    for name, columns in sorted((each.kind.name, dict(each.kind.columns)) for each in kinds):
        own = [*columns, "payload_size"] if name == "transfer" else columns
        yield _filtered(f"v1_{_word(name)}", "performatives", "performative", name, own)


def comparison_views() -> Iterator[View]:
    """The views that compare versions: ``spec_diff_methods``."""
    for each in COMPARISONS:
        doc = f"What of {each.table} differs between two versions of 0-x"
        yield View(each.view, comparison_columns(each), comparison_sql(each), doc)


HANDY_VIEWS = tuple(View(*each) for each in HANDY)


def _filtered(view: str, table: str, column: str, name: str, own: Iterable[str]) -> View:
    """The rows of one kind, without the columns that are always null in them."""
    names = tuple(dict.fromkeys([*(name for name, _ in _BEFORE), *own, "raw", "violations"]))
    listed = ", ".join(f"`{each}`" for each in names)
    return View(view, names, f"SELECT {listed} FROM {table} WHERE `{column}` = '{name}'", f"Every {name}")


def _word(name: str) -> str:
    return name.replace(".", "_").replace("-", "_")
