"""Imports of generated modules: what is not used goes, the rest is sorted as ruff does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from amqp_codegen.emit.imports import tidy_imports

from tests.commands import run_command

GENEROUS = (
    "from typing import Any, Final, TypeAlias, cast\nfrom .a import Used, Unused\nfrom .b import Other\n"
)

# Code that uses the name Used, and no other one of a module of the package.
USES = {
    "an expression": "x = Used.y",
    "an annotation": "def f(x: Used) -> None: ...",
    "a quoted annotation": "def f(x: 'list[Used]') -> None: ...",
    "a quoted result": "def f() -> 'Used | None': ...",
    "a quoted attribute": "x: 'Used'",
    "a quoted alias": "X: TypeAlias = 'Used | None'",
    "a cast": "x = cast('Used', y)",
    "a bound": "T = TypeVar('T', bound='Used')",
    "__all__": "__all__ = ['Used']",
}
NO_USES = {
    "a docstring": '"""Used."""',
    "an attribute": "x = y.Used",
    "a keyword": "f(Used=1)",
    "a text": "x = 'Used'",
}


@pytest.mark.parametrize("code", USES.values(), ids=USES)
def test_a_name_that_is_used_stays(code: str) -> None:
    imports = tidy_imports(f"{GENEROUS}{code}\n")
    assert "from .a import Used\n" in imports
    assert ".b" not in imports


@pytest.mark.parametrize("code", NO_USES.values(), ids=NO_USES)
def test_a_name_that_is_only_mentioned_goes(code: str) -> None:
    assert tidy_imports(f"{GENEROUS}{code}\n").strip() == code


def test_imports_below_if_are_pruned_and_none_is_left_empty() -> None:
    text = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .b import B, A\nelse:\n    from .c import C\nx: 'A'\n"
    assert tidy_imports(text) == text.replace("B, A", "A")


def test_what_is_imported_from_the_future_stays() -> None:
    text = "from __future__ import annotations\n\nx = 1\n"
    assert tidy_imports(text) == text


def test_blocks_are_divided_where_ruff_is_told_so() -> None:
    text = "from . import z  # first\n\n# isort: split\nfrom . import c, b\n\nx = b, c, z\n"
    assert tidy_imports(text) == text.replace("c, b", "b, c")


def test_a_text_that_is_no_python_is_left_for_black() -> None:
    assert tidy_imports("import a\nx = (\n") == "import a\nx = (\n"


def test_two_statements_on_a_line_are_left_alone() -> None:
    assert tidy_imports("import b; import a\n") == "import b; import a\n"


# In an order that is wrong in all that there is: sections, levels, modules, kinds of names, numbers, aliases, doublets.
UNSORTED = """\
from .b import c
from .. import z
from .a10 import x1 as y
from .a10 import x10, x9, _X, A_B, Ab, aB, AC, x1
from .a9 import k
from ..a import *
import pytest
import json, ast
from collections.abc import Sequence
from . import d, Decimal128, Decimal32
from .a10 import x10
import os.path
"""


@pytest.mark.slow
def test_ruff_has_nothing_to_add(tmp_path: Path) -> None:
    names = "c z y x10 x9 _X A_B Ab aB AC x1 k pytest json ast Sequence d Decimal128 Decimal32 os"
    (tmp_path / "module.py").write_text(tidy_imports(f"{UNSORTED}\nx = [{', '.join(names.split())}]\n"))
    ruff = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--select",
        "I,F401,F811",
        "--line-length",
        "320",
    ]
    done = run_command([*ruff, str(tmp_path)])
    assert done.returncode == 0, done.stdout


def test_a_member_of_an_enum_does_not_use_what_has_its_name() -> None:
    text = "from a import KEY, Enum\n\n\nclass Keys(Enum):\n    KEY = 1\n"
    assert tidy_imports(text) == "from a import Enum\n\n\nclass Keys(Enum):\n    KEY = 1\n"
