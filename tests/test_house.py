"""The structure of our code: arrows point one way, there are no circles, a class name means one thing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.house import House, Import, back_arrows, circles, read_house, repeated_names
from tools.house_picture import PICTURE, draw


@pytest.fixture(scope="module")
def house() -> House:
    return read_house()


def test_no_arrow_runs_back(house: House) -> None:
    assert back_arrows(house) == []


def test_there_are_no_circles(house: House) -> None:
    assert circles(house) == []


def test_a_class_name_means_one_thing(house: House) -> None:
    assert repeated_names(house) == {}


def test_the_picture_is_current(house: House) -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw(house), "run: make house"


def test_generated_packages_are_used_by_their_public_modules() -> None:
    """By name, as ``load_module(package, "columns")``: type checkers do not see this."""
    private = []
    for path in sorted((Path(__file__).parents[1] / "codegen").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "load_module":
                names = [str(each.value) for each in node.args if isinstance(each, ast.Constant)]
                private += [f"{path.name}: {name}" for name in names if "._" in f".{name}"]
    assert private == []


def written(folder: Path, **texts: str) -> House:
    """A house of the modules given by their names, with two underscores for a dot."""
    for name, text in texts.items():
        path = folder.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_house(folder)


def test_an_arrow_that_runs_back_is_found(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        amqp_codegen__model__problem="from ..reader.load import x\n",
        amqp_codegen__reader__load="x = 1\n",
        amqp_traffic__lake__folder="from amqp_codegen.support.page import y\nfrom amqp_codegen.emit.render import z\n",
        amqp_codegen__support__page="y = 1\n",
        amqp_codegen__emit__render="import amqp_traffic.lake.folder\nz = 1\n",
    )
    assert [line.rpartition(": ")[2] for line in back_arrows(found)] == [
        "amqp_codegen/emit imports amqp_traffic.lake.folder; this arrow runs back",
        "amqp_codegen/model imports amqp_codegen.reader.load; this arrow runs back",
        "amqp_traffic/lake imports amqp_codegen.emit.render; this arrow runs back",
    ]


def test_a_circle_is_found_and_one_that_waits_for_a_call_is_none(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        a__one="from .two import f\n",
        a__two="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .three import g\ndef f(): ...\n",
        a__three="from .one import f\ndef g(): ...\n",
        a__four="from .five import h\n",
        a__five="def h():\n    from .four import h\n",
    )
    assert circles(found) == [["a.one", "a.three", "a.two"]]
    assert Import("a.five", "a.four", 2, lazy=True) in found.imports


def test_repeated_names_are_found_but_for_twins(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        a__amqp0__channel="class Twin: ...\nclass Run: ...\n",
        a__amqp1__channel="class Twin: ...\n",
        b__engine="class Run: ...\nclass _Private: ...\n",
        b__other="class _Private: ...\n",
    )
    assert repeated_names(found) == {"Run": ["a.amqp0.channel", "b.engine"]}
