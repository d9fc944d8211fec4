"""Puts the adapter of ``examples/`` below aiormq, where that is installed; otherwise there is nothing to test, and pika is left out, too."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

if all(importlib.util.find_spec(name) for name in ("aiormq", "aio_pika")):
    sys.path.append(str(Path(__file__).parents[2] / "examples"))  # whose modules import each other
    import aiormq_adapter

    aiormq_adapter.install()
else:
    collect_ignore = ["test_aio_pika.py", "test_aiormq.py", "test_pika.py"]
