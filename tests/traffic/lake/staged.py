"""What a run has written, for tests that write files themselves."""

from __future__ import annotations

from pathlib import Path

from amqp_traffic.lake.folder import Lake
from amqp_traffic.lake.layout import CHECKPOINTS
from amqp_traffic.schemas import TABLES


def staged(lake: Lake, run: str) -> list[str]:
    """The files of tables, and checkpoints, in the folder of a run, as tasks that wrote them would return them."""
    folder = Path(lake.staging(run))
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return [path.as_posix() for path in files if path.parts[0] in (*TABLES, CHECKPOINTS)]
