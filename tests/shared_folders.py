"""Folders that several tests look at, filled once for all workers of a run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.patience import PATIENCE

Shared = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """A function that returns the folder of that name, filled by the first who asks for it."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent

    def get(name: str, fill: Callable[[Path], None]) -> Path:
        folder, done, failed = root / name, root / f"{name}.done", root / f"{name}.failed"
        try:
            folder.mkdir()
        except FileExistsError:
            _wait_for(done, failed)
            return folder
        try:
            fill(folder)
        except BaseException:
            failed.touch()
            raise
        done.touch()
        return folder

    return get


def _wait_for(done: Path, failed: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not done.exists():
        if failed.exists() or time.monotonic() > end:
            pytest.fail(f"another worker could not make {done.stem}")
        time.sleep(0.05)
