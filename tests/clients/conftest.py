"""Puts the adapter of ``examples/`` in the place of pamqp, where aiormq is installed; otherwise there is nothing to test."""

from __future__ import annotations

import importlib.util

if all(importlib.util.find_spec(name) for name in ("aiormq", "aio_pika")):
    from examples import aiormq_adapter

    aiormq_adapter.install()
else:
    collect_ignore = ["test_aio_pika.py", "test_aiormq.py"]
