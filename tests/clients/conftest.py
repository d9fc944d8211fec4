"""Puts the adapter of ``examples/`` in the place of pamqp, where aiormq is installed; otherwise there is nothing to test, and pika is left out, too."""

from __future__ import annotations

import importlib.util

import pytest

if all(importlib.util.find_spec(name) for name in ("aiormq", "aio_pika")):
    from examples import aiormq_adapter

    aiormq_adapter.install()

    @pytest.fixture(autouse=True, params=["frame by frame", "in chunks"])
    def _receiver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each test receives frames in both ways."""
        import aiormq.connection

        if request.param == "in chunks":
            monkeypatch.setattr(aiormq.connection, "FrameReceiver", aiormq.connection.FrameReceiver)
            aiormq_adapter.read_in_chunks()

else:
    collect_ignore = ["test_aio_pika.py", "test_aiormq.py", "test_pika.py", "test_receiver.py"]
