"""Each generated package twice in one process: with the core in C, and without it."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any


@cache
def pure_twin(package: str) -> Any:
    """Return a package under another name, imported without the core."""
    name = f"pure_{package}"
    path = import_module(package).__file__
    assert path is not None
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[os.path.dirname(path)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with _without_core():
        spec.loader.exec_module(module)
        import_module(f"{name}.columns.variant")
    return module


@contextmanager
def _without_core() -> Iterator[None]:
    before = os.environ.get("AMQP_PURE")
    os.environ["AMQP_PURE"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["AMQP_PURE"]
        else:
            os.environ["AMQP_PURE"] = before
