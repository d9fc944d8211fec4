"""The optional packages: whether they are there, and the line that says how to install the extra that brings them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from .wording import listing

# Modules that commands need, and the distributions that have them.
_DISTRIBUTIONS: Mapping[str, str] = {
    "cryptography": "cryptography",
    "pyarrow": "pyarrow",
    "pyspark": "PySpark",
    "vl_convert": "vl-convert-python",
}


def install_line(extra: str) -> str:
    """Return what to do to get an extra; the project is on no index, so it is installed from its repository."""
    return f"pip install '.[{extra}]' in the repository of amqp-codegen"


def is_installed(module: str) -> bool:
    """Return whether a module can be imported, without importing it."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is missing, too
        return False


def refuse_without(command: str, extra: str, *modules: str) -> None:
    """End the program with one line if a command lacks a module that the extra brings; call it before all work."""
    # Imported late: executors of Spark use this module, but need not have click.
    from .command_line import refuse_input

    missing = [_DISTRIBUTIONS[module] for module in modules if not is_installed(module)]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        message = f"{command} needs {listing(missing)}, which {are} not installed"
        refuse_input("missing-extra", message, install_line(extra))
