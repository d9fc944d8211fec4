"""Programs that see the cores and the generated packages, each in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.commands import run_command

amqp_native = pytest.importorskip("amqp_native", reason="needs the cores in C: make native")

GENERATED = Path(__file__).resolve().parents[2] / "generated"


def run(program: str, environment: dict[str, str]) -> str:
    folder = str(Path(amqp_native.__file__).parent)
    done = run_command(
        [sys.executable, "-c", program],
        env={**os.environ, "AMQP_PURE": "", "PYTHONPATH": f"{folder}:{GENERATED}", **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
