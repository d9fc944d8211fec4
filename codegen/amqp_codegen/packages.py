"""Loads a generated package from where this installation has it, without touching the import path."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from threading import Lock
from types import ModuleType

from .resources import generated_dir

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
    folder = generated_dir() / name
    found = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if found is None or found.loader is None or not folder.is_dir():
        raise FileNotFoundError(f"this installation of amqp-codegen has no package {name!r}")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # its modules import each other relative to this name
    found.loader.exec_module(module)
    return module
