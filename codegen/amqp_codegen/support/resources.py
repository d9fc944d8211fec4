"""The data files of the generator, in a checkout or an installation, and the loader of generated packages."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from threading import Lock
from types import ModuleType

_PACKAGE = Path(__file__).resolve().parent.parent
# A wheel has them inside the package; in a checkout they are beside codegen/.
_PLACES = (_PACKAGE / "_data", _PACKAGE.parent.parent)


def specs_dir() -> Path:
    """Return the folder of the built-in specification files."""
    return _find("specs")


def wire_file() -> tuple[bytes, str]:
    """Return the octets of ``wire.toml``, and its name for messages."""
    path = specs_dir() / "wire.toml"
    return path.read_bytes(), path.name


def arguments_file() -> tuple[bytes, str]:
    """Return the octets of ``arguments.toml``, and its name for messages."""
    path = specs_dir() / "arguments.toml"
    return path.read_bytes(), path.name


def templates_dir() -> Path:
    """Return the folder of the built-in templates."""
    return _find("templates")


def native_sources_dir() -> Path:
    """Return the folder of the C sources of the cores."""
    return _find("native") / "src"


def generated_dir() -> Path:
    """Return the folder of the packages generated from the built-in specifications."""
    return _find("generated")


def expectations_dir() -> Path:
    """Return the folder of the expected results of brokers, for ``amqp-codegen conformance``."""
    return _find("expectations")


def _find(name: str) -> Path:
    for place in _PLACES:
        if (place / name).is_dir():
            return place / name
    if _PACKAGE.parent.is_file():  # an archive on the import path: its content can be imported
        return _PLACES[0] / name
    raise FileNotFoundError(f"this installation of amqp-codegen has no folder {name!r}")


COLUMNS = "columns"
PACKAGES_VARIABLE = "AMQP_CODEGEN_PACKAGES"

# While one thread loads a package, the others find it incomplete in sys.modules.
_LOADING_LOCK = Lock()


def load_package(name: str, folder: Path | None = None) -> ModuleType:
    """Return a generated package, for example ``amqp_0_9_1``. Thread-safe.

    Args:
        name: Its name.
        folder: Where it is; None for those of this installation.

    Raises:
        FileNotFoundError: There is no such package.
    """
    with _LOADING_LOCK:
        return sys.modules.get(name) or _load_package(name, [str(folder)] if folder else _package_paths())


def load_module(package: str, name: str) -> ModuleType:
    """Return a module, for example ``columns``, that its generated package does not import itself.

    Raises:
        FileNotFoundError: This installation has no such package, or it was generated without the module.
    """
    owner = load_package(package)
    try:
        return importlib.import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{COLUMNS}":
            raise
    place = os.path.dirname(str(owner.__file__))
    raise FileNotFoundError(
        f"the package in {place!r} has no columns; generate it with --emit codecs,columns"
    )


def _load_package(name: str, places: list[str]) -> ModuleType:
    found = PathFinder.find_spec(name, places)
    if found is None or found.loader is None or found.submodule_search_locations is None:
        raise FileNotFoundError(f"this installation of amqp-codegen has no package {name!r}")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # its modules import each other relative to this name
    found.loader.exec_module(module)
    return module


def _package_paths() -> list[str]:
    """Return the folders and archives with packages, in search order."""
    own = os.environ.get(PACKAGES_VARIABLE, "").split(os.pathsep)
    return [*(os.path.abspath(place) for place in own if place), str(generated_dir())]
