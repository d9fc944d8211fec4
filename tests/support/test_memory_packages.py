"""Packages whose modules are texts in memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from amqp_codegen.support.memory_packages import load_from_texts
from amqp_codegen.support.resources import load_module, load_package

NAME = "a_package_in_memory"
TEXTS = {
    f"{NAME}/__init__.py": "from .inner.deep import NUMBER\n",
    f"{NAME}/inner/__init__.py": "",
    f"{NAME}/inner/deep.py": "NUMBER = 1\n",
    f"{NAME}/later.py": "from . import NUMBER\nTWICE = 2 * NUMBER\n",
}


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Nothing stays of the package."""
    finders = list(sys.meta_path)
    yield
    sys.meta_path[:] = finders
    for name in [name for name in sys.modules if name.split(".")[0] == NAME]:
        del sys.modules[name]


def test_modules_import_each_other_when_they_are_needed() -> None:
    package = load_from_texts(NAME, TEXTS)
    assert package.NUMBER == 1
    assert f"{NAME}.later" not in sys.modules
    assert load_module(NAME, "later").TWICE == 2
    assert load_package(NAME) is package


def test_a_name_that_is_known_is_not_loaded_again() -> None:
    package = load_from_texts(NAME, TEXTS)
    assert load_from_texts(NAME, {f"{NAME}/__init__.py": "NUMBER = 3\n"}) is package


def test_a_module_that_is_not_there_is_missing() -> None:
    load_from_texts(NAME, TEXTS)
    with pytest.raises(ModuleNotFoundError):
        load_module(NAME, "no_such_module")
