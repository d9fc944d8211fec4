"""Bracketed lists are laid out as black lays them out: formatting finds nothing to do."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Sequence

import black
import pytest
from amqp_codegen.emit.python_layout import fold, fold_join, fold_literals, fold_or, fold_tuple, import_lines
from amqp_codegen.emit.python_text import LINE_LENGTH, literal
from hypothesis import given, settings
from hypothesis import strategies as st

MODE = black.Mode(line_length=LINE_LENGTH, target_versions={black.TargetVersion.PY310})

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,30}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name)
)
CLASSES = st.from_regex(r"[A-Z][a-zA-Z0-9]{0,40}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name)
)
LETTERS = st.text("BHIQ", min_size=1, max_size=6)
few = settings(max_examples=40, deadline=None)


def black_leaves(lines: Sequence[str], indent: int = 0) -> None:
    """Assert that black changes nothing in lines that stand in a function or class."""
    opening = {0: "", 4: "class C:\n", 8: "class C:\n    def f(self):\n"}[indent]
    source = opening + "".join(f"{' ' * indent}{line}\n" for line in lines)
    assert black.format_str(source, mode=MODE) == source


# --- fold: signatures and calls ------------------------------------------------------------------


@few
@given(st.lists(NAMES, min_size=1, max_size=12, unique=True), st.sampled_from([0, 4]))
def test_a_signature(names: list[str], indent: int) -> None:
    parameters = ["self", *(f"{name}_: int = 0" for name in names)]
    lines = fold("def __init__(", parameters, ") -> None:", indent)
    black_leaves([*lines, "    pass"], indent)


@few
@given(NAMES, CLASSES)
def test_a_signature_of_a_reader(name: str, class_name: str) -> None:
    parameters = ["buffer: bytes", "position: int", "end: int", "tables: TableReader"]
    black_leaves([*fold(f"def read_{name}_(", parameters, f") -> {class_name}:", 0), "    pass"])


@few
@given(CLASSES, st.lists(NAMES.map(lambda name: f"{name}_"), max_size=14))
def test_a_call(class_name: str, arguments: list[str]) -> None:
    lines = fold(f"return {class_name}(", arguments, ")", 4)
    black_leaves(["def f():", *(f"    {line}" for line in lines)])


@pytest.mark.parametrize("length", [LINE_LENGTH - 1, LINE_LENGTH, LINE_LENGTH + 1])
def test_the_edge_of_a_line(length: int) -> None:
    name = "x" * (length - len("return C(, y)") - 8)
    black_leaves(fold("return C(", [name, "y"], ")", 8), 8)


@pytest.mark.parametrize("length", [LINE_LENGTH - 1, LINE_LENGTH, LINE_LENGTH + 1])
def test_the_edge_of_an_inner_line(length: int) -> None:
    name = "x" * (length - len(", y") - 12)
    black_leaves(fold("return C(", [name, "y"], ")", 8), 8)


def test_three_forms() -> None:
    assert fold("f(", ["a", "b"], ")", 0) == ["f(a, b)"]
    assert fold("x = f(", ["a" * 60, "b" * 42], ")", 0) == ["x = f(", f"    {'a' * 60}, {'b' * 42}", ")"]
    assert fold("f(", ["a" * 60, "b" * 60], ")", 0) == ["f(", f"    {'a' * 60},", f"    {'b' * 60},", ")"]


# --- fold_join and fold_or: the statements of pack -----------------------------------------------

EXPRESSIONS = st.one_of(
    NAMES,
    st.builds("pack_{}({})".format, LETTERS, NAMES),
    st.builds("OCTETS[len({})]".format, NAMES),
    st.builds("write_table(self.{}, tables)".format, NAMES),
    st.binary(min_size=1, max_size=12).map(literal),
)


@few
@given(st.lists(EXPRESSIONS, min_size=2, max_size=14))
def test_a_join(parts: list[str]) -> None:
    lines = fold_join(parts, 8)
    ast.parse("\n".join(line.replace("return ", "") for line in lines))
    black_leaves(lines, 8)


@few
@given(NAMES, st.lists(NAMES, min_size=1, max_size=8))
def test_bits(target: str, names: list[str]) -> None:
    parts = [f"({1 << shift} if self.{name}_ else 0)" for shift, name in enumerate(names)]
    black_leaves(fold_or(f"{target}_", parts if len(parts) > 1 else [parts[0][1:-1]], 8), 8)


# --- Tuples, imports -----------------------------------------------------------------------------


@few
@given(st.sampled_from(["responses=(", "fields=(", "sha256=("]), st.lists(CLASSES, min_size=1, max_size=9))
def test_a_tuple_argument(prefix: str, parts: list[str]) -> None:
    lines = fold_tuple(prefix, parts, 4)
    black_leaves(["describe(", *(f"    {line}" for line in lines), ")"])


def test_a_tuple_of_one_has_its_comma() -> None:
    assert fold_tuple("fields=(", ["A"], 4) == ["fields=(A,),"]
    [first, second, third] = fold_tuple("fields=(", ["A" * 110], 4)
    assert (first, second, third) == ("fields=(", f"    {'A' * 110},", "),")


@few
@given(st.lists(LETTERS, min_size=2, max_size=40))
def test_a_tuple_of_literals(values: list[str]) -> None:
    lines = fold_literals("_UNPACKED = (", values, ")", 4)
    black_leaves(["if x:", *(f"    {line}" for line in lines)])
    assert ast.literal_eval("".join(lines).removeprefix("_UNPACKED = ")) == tuple(values)


@few
@given(
    NAMES.map(lambda name: f".{name}_"),
    st.lists(
        st.one_of(NAMES.map(lambda name: f"{name}_"), CLASSES.map(lambda name: f"{name}X")),
        min_size=1,
        max_size=20,
        unique=True,
    ),
)
def test_imports(module: str, names: list[str]) -> None:
    lines = import_lines(module, names)
    black_leaves(lines)
    [node] = ast.parse("\n".join(lines)).body
    assert isinstance(node, ast.ImportFrom)
    assert sorted(alias.name for alias in node.names) == sorted(names)


def test_the_order_of_imports_does_not_depend_on_the_order_of_names() -> None:
    names = [
        "write_table",
        "FRAME_END",
        "Frame",
        "OCTETS",
        "read_table",
        "FrameDecoder",
        "frame",
        "pack_B",
        "pack_b",
    ]
    [line] = import_lines(".x", names)
    assert (
        line
        == "from .x import FRAME_END, OCTETS, Frame, FrameDecoder, frame, pack_B, pack_b, read_table, write_table"
    )
    assert import_lines(".x", names[::-1]) == [line]
