"""A new number of 0-x is one row of the table of types: everything that depends on a type works by it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from tests.commands import run_command

from .small_specifications import ROOT, bare_environment

_TABLE = "amqp_codegen/model/amqp0/field_types.py"
_BEFORE = '    BIT = "bit", '
_ROW = '    LEVEL = "level", FieldFacts("level, -32768 to 32767", "h", column="int16")\n'


_NEW_YEAR = 1_704_067_200
_IN_SECONDS = "            per_second=1,\n"


def _probed(folder: Path, text: str, changed: str) -> dict[str, Any]:
    """Return what the probe finds with a generator in whose table of types a text is changed."""
    generator = folder / "generator"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "codegen/amqp_codegen", generator / "codegen/amqp_codegen", ignore=ignored)
    for name in ("generated", "specs", "templates"):
        (generator / name).symlink_to(ROOT / name, target_is_directory=True)
    table = generator / "codegen" / _TABLE
    rows = table.read_text("utf-8").replace(_BEFORE, _ROW + _BEFORE)
    assert _ROW in rows and text in rows
    table.write_text(rows.replace(text, changed) if text else rows, "utf-8", newline="")
    made = folder / "made"
    made.mkdir()
    path = os.pathsep.join(map(str, (generator / "codegen", ROOT / "generated", ROOT)))
    run = run_command(
        [sys.executable, "-B", "-m", "tests.emit.new_type_probe", str(made)],
        cwd=ROOT,
        env={**bare_environment(), "PYTHONPATH": path},
    )
    assert run.returncode == 0, run.stderr
    probed: dict[str, Any] = json.loads(run.stdout)
    return probed


def test_a_number_with_a_sign_needs_a_row_and_nothing_else(tmp_path: Path) -> None:
    probed = _probed(tmp_path, "", "")
    assert probed.pop("passed") > 30
    assert probed == {
        "payload": "003c000a" + "fffe" + "0000" + "01" + _NEW_YEAR.to_bytes(8, "big").hex(),
        "decoded": -2,
        "lossless": -2,
        "refused": "tank.set.height: 32768 does not fit a level, -32768 to 32767",
        "schema": "int16",
        "headers": "int16",
        "row": [[-2], [_NEW_YEAR * 1_000_000]],
        "view": [-300, 0, -7],
        "since": [_NEW_YEAR, _NEW_YEAR, "2024-01-01T00:00:00Z"],
        "in table": [_NEW_YEAR, "2024-01-01T00:00:00+00:00"],
    }


def test_timestamps_in_milliseconds_need_another_row_and_nothing_else(tmp_path: Path) -> None:
    probed = _probed(tmp_path, _IN_SECONDS, _IN_SECONDS.replace("1", "1000"))
    assert probed["passed"] > 30
    assert probed["row"] == [[-2], [_NEW_YEAR * 1_000_000]]
    assert probed["since"] == [_NEW_YEAR * 1000, _NEW_YEAR * 1000, "2024-01-01T00:00:00Z"]
    assert probed["in table"] == [_NEW_YEAR * 1000, "2024-01-01T00:00:00+00:00"]
