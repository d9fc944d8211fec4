"""The loader of generated packages, which does not change the import path.

It searches the folders and zip archives in the environment variable ``AMQP_CODEGEN_PACKAGES`` first, so that a user's
packages, generated from extended specifications, replace built-in ones of the same name.
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

# While one thread loads a package, the others find it incomplete in sys.modules.
_LOADING = Lock()


def load_package(name: str) -> ModuleType:
    """Return a generated package, for example ``amqp_0_9_1``. Thread-safe.

    Raises:
        FileNotFoundError: This installation has no such package.
    """
    with _LOADING:
        return sys.modules.get(name) or _load(name)


def load_module(package: str, name: str) -> ModuleType:
    """Return a module, for example ``columns``, that its generated package does not import itself.

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
    """Return the folders and archives with packages, in search order."""
    own = os.environ.get(VARIABLE, "").split(os.pathsep)
    return [*(os.path.abspath(place) for place in own if place), str(generated_dir())]
