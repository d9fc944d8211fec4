"""The client of ``examples/publish_and_consume_1_0.py``: for pytest, ``examples`` is a folder of tests."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

_FILE = Path(__file__).resolve().parents[2] / "examples" / "publish_and_consume_1_0.py"
_spec: Any = spec_from_file_location(_FILE.stem, _FILE)
_module: Any = module_from_spec(_spec)
_spec.loader.exec_module(_module)

Connection, Failure, management = _module.Connection, _module.Failure, _module.management
SENDER, RECEIVER, REQUESTS, ANSWERS = (_module.SENDER, _module.RECEIVER, _module.REQUESTS, _module.ANSWERS)
DEFAULT_URL: str = _module.DEFAULT_URL
