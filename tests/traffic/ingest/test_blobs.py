"""What readers of splits leave for others, who may be processes that have not decoded anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_1_0.types import Symbol
from amqp_traffic.decode.events import PERFORMATIVE, EventTuple
from amqp_traffic.splitting.event_blobs import read_events, write_events
from amqp_traffic.tasks.blobs import BlobFolder
from pyarrow import fs

READ = """
import sys
from pyarrow import fs
from amqp_traffic.splitting.event_blobs import read_events
from amqp_traffic.tasks.blobs import BlobFolder
assert "amqp_1_0" not in sys.modules
print(read_events(BlobFolder(fs.LocalFileSystem(), sys.argv[1]), "events"))
"""


@pytest.mark.parametrize("text", ["plain", Symbol("amqp:open:list")], ids=["marshalled", "pickled"])
def test_another_process_reads_events(tmp_path: Path, text: str) -> None:
    events: list[EventTuple] = [(1, 0, 0, 0, PERFORMATIVE, ("open", (text, 5, None), b""), 0, 8, 17)]
    folder = BlobFolder(fs.LocalFileSystem(), str(tmp_path))
    write_events(folder, "events", events)
    assert read_events(folder, "events") == events
    done = subprocess.run([sys.executable, "-c", READ, tmp_path], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == repr(events), done.stderr
