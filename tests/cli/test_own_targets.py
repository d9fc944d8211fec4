"""Targets of a user's templates on the command line: ``--emit``, ``--check``, ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command_calls import (
    SPEC,
    TINY_TEMPLATE,
    call,
    everything,
    place,
    refused,
    refused_with_one_line,
    write,
    write_tiny_templates,
)

__all__ = ["place"]

MANIFEST = """[[files]]
target = "header"
family = "amqp0"
template = "class.h.jinja"
path = "{package}/{class}.h"
comment = "//"

[[files]]
target = "index"
template = "index.jinja"
path = "{package}.txt"
"""
TARGET = '[[tool.amqp-codegen.targets]]\nspec = "spec.xml"\n'


@pytest.fixture
def own(place: Path) -> Path:
    write(
        {
            "own/templates.toml": MANIFEST,
            "own/class.h.jinja": "{{ header }}\n#define CLASS {{ class.index }}\n",
            "own/index.jinja": "{{ header }}\n{{ package }} {{ spec.classes | length }}\n",
        }
    )
    return place


def test_one_target(own: Path) -> None:
    result = call("spec.xml", "--templates", "own", "--emit", "header")
    assert (result.code, result.out, result.err) == (0, ["generated/amqp_0_9_1/c.h: 1 file written"], [])
    assert Path("generated/amqp_0_9_1/c.h").read_text().splitlines()[-1] == "#define CLASS 1"
    before = everything(Path())
    again = call("spec.xml", "--templates", "own", "--emit", "header")
    assert again.out == ["generated/amqp_0_9_1/c.h: nothing to do, all files are current"]
    assert everything(Path()) == before
    assert call("spec.xml", "--templates", "own", "--emit", "header", "--check").out == ["1 file is current"]


def test_several_targets(own: Path) -> None:
    result = call("spec.xml", "--templates", "own", "--emit", "header,index", "--package", "p", "-o", "out")
    assert result.out == ["out: 2 files written"]
    assert sorted(name for name in everything(Path("out")) if "." in name) == ["p.txt", "p/c.h"]


def test_the_package_comes_with_them_unless_told_otherwise(own: Path) -> None:
    write_tiny_templates(own / "own", "amqp0", template=TINY_TEMPLATE)
    result = call("spec.xml", "--templates", "own")
    assert result.code == 0
    names = everything(Path("generated"))
    assert {"amqp_0_9_1/c.h", "amqp_0_9_1.txt", "amqp_0_9_1/frames.py"} <= names.keys()
    call("spec.xml", "--templates", "own", "--emit", "codecs,client")
    assert everything(Path("generated")).keys() == names.keys()


def test_drift(own: Path) -> None:
    """Changed, missing, and left over from a class that is gone; nothing else is touched."""
    arguments = ("spec.xml", "--templates", "own", "--emit", "header,index")
    write({"spec.xml": SPEC.replace("</amqp>", '<class name="d" index="2"/></amqp>')})
    call(*arguments)
    folder = Path("generated/amqp_0_9_1")
    write({f"{folder}/mine.h": "// Mine.\n", "spec.xml": SPEC})
    result = call(*arguments, "--check")
    assert result.code == 1
    assert result.out == [
        "changed: generated/amqp_0_9_1.txt",
        "extra: generated/amqp_0_9_1/d.h",
    ]
    assert call(*arguments).out == ["generated: 1 file written, 1 file removed"]
    assert sorted(path.name for path in folder.iterdir()) == ["c.h", "mine.h"]
    Path("generated/amqp_0_9_1.txt").unlink()
    assert call(*arguments, "--check").out == ["missing: generated/amqp_0_9_1.txt"]


def test_other_packages_are_left_alone(own: Path) -> None:
    write({"own/templates.toml": MANIFEST.replace("{package}/{class}", "{class}")})
    call("spec.xml", "--templates", "own", "--emit", "header", "--package", "one")
    write({"spec.xml": SPEC.replace('name="c"', 'name="d"')})
    call("spec.xml", "--templates", "own", "--emit", "header", "--package", "two")
    assert sorted(everything(Path("generated"))) == ["c.h", "d.h"]


def test_targets_of_a_project(own: Path) -> None:
    write({"pyproject.toml": f'{TARGET}templates = "own"\nemit = ["header", "index"]\n'})
    assert call().out == ["generated: 2 files written"]
    assert call("--check").out == ["2 files are current"]


def test_the_package_and_other_files_of_it_from_two_targets(own: Path) -> None:
    write({"pyproject.toml": f'{TARGET}templates = "tiny"\n\n{TARGET}templates = "own"\nemit = ["index"]\n'})
    result = call()
    assert result.code == 0
    assert result.out[1] == "generated/amqp_0_9_1.txt: 1 file written"


def test_two_targets_that_make_one_file(own: Path) -> None:
    write({"own/templates.toml": MANIFEST.replace("{package}.txt", "all.txt")})
    target = f'{TARGET}templates = "own"\nemit = ["index"]\n'
    write({"pyproject.toml": target + 'package = "one"\n' + target + 'package = "two"\n'})
    line = refused_with_one_line()
    assert line.startswith("error: two targets make the file 'all.txt' (write {package} into its path")


def test_what_is_refused(own: Path) -> None:
    assert (
        "known are codecs, client, columns, conformance, native, header and index"
        in refused_with_one_line("spec.xml", "--templates", "own", "--emit", "x")
    )
    assert refused_with_one_line("1.0", "--templates", "own", "--emit", "header").startswith(
        "own/templates.toml:5:1: error: the specification is of the family amqp1"
    )
    write({"own/templates.toml": MANIFEST.replace("{package}/", "../")})
    assert refused_with_one_line("spec.xml", "--templates", "own").startswith(
        "own/templates.toml:5:1: error: the path '../{class}.h' leaves the output folder"
    )
    write({"own/templates.toml": MANIFEST, "own/index.jinja": "{{ nope }}"})
    assert refused("spec.xml", "--templates", "own", "--emit", "index") == [
        "own/index.jinja:1:1: error: the template is wrong: 'nope' is undefined"
        " (docs/templates.md says what templates see) [template]"
    ]


def test_lists_of_what_is_not_there(own: Path) -> None:
    write({"own/index.jinja": "{{ spec.classes | map(attribute='nam') | list }}"})
    line = refused_with_one_line("spec.xml", "--templates", "own", "--emit", "index")
    assert "Class has no attribute 'nam' (did you mean 'name'?)" in line
