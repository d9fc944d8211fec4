"""The data files of the generator, in a checkout or an installation."""

from __future__ import annotations

from pathlib import Path

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


def templates_dir() -> Path:
    """Return the folder of the built-in templates."""
    return _find("templates")


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
