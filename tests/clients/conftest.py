"""Puts the adapter of ``examples/`` in the place of pamqp, where aiormq is installed; otherwise there is nothing to test."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
INSTALLED = all(importlib.util.find_spec(name) for name in ("aiormq", "aio_pika"))

if not INSTALLED:
    collect_ignore = ["test_aio_pika.py", "test_aiormq.py"]
else:
    sys.path.insert(0, str(EXAMPLES))
    import aiormq_adapter

    aiormq_adapter.install()
