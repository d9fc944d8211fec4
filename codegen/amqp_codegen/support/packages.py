"""Loads a generated package from where this installation has it, without touching the import path.

Folders and zip archives that the environment variable ``AMQP_CODEGEN_PACKAGES`` names come first: so packages of one's
own, generated from extended specifications, take the places of the built-in ones of the same names.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib.machinery import PathFinder
from threading import Lock
from types import ModuleType

from .resources import generated_dir

VARIABLE = "AMQP_CODEGEN_PACKAGES"

# A package half loaded by one thread is already in sys.modules for the others.
_LOADING = Lock()


def load_package(name: str) -> ModuleType:
    """The generated package of that name, for example ``amqp_0_9_1``; any thread may ask.

    Raises:
        FileNotFoundError: This installation has none of that name.
    """
    with _LOADING:
        return sys.modules.get(name) or _load(name)


def load_module(package: str, name: str) -> ModuleType:
    """A module of a generated package, for example ``columns``, that importing the package does not import.

    Raises:
        FileNotFoundError: This installation has no such package.
    """
    load_package(package)
    return importlib.import_module(f"{package}.{name}")


def _load(name: str) -> ModuleType:
    found = PathFinder.find_spec(name, _places())
    if found is None or found.loader is None or found.submodule_search_locations is None:
        raise FileNotFoundError(f"this installation of amqp-codegen has no package {name!r}")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # its modules import each other relative to this name
    found.loader.exec_module(module)
    return module


def _places() -> list[str]:
    """Folders and archives with packages, best first."""
    own = os.environ.get(VARIABLE, "").split(os.pathsep)
    return [*(os.path.abspath(place) for place in own if place), str(generated_dir())]
