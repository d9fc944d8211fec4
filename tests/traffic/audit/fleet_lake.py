"""A lake with what the rules across messages and connections are about."""

from __future__ import annotations

from pathlib import Path

from amqp_traffic.ingest.inputs import CaptureInput
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.local import ingest, local_engine
from amqp_traffic.lake.folder import Lake, create_lake

from ..synth.made_captures import plain
from .audited_methods import capture_of
from .cases_fleet import CASES


def fleet_lake(folder: Path) -> Lake:
    """A capture for each side of each case, and a synthetic one."""
    captures = {
        f"{rule}.{side}": getattr(case, side) for rule, case in CASES.items() for side in ("wrong", "right")
    }
    files = [folder / f"{name}.pcap" for name in captures] + [folder / "synthetic.pcap"]
    for file, talks in zip(files, captures.values(), strict=False):
        file.write_bytes(capture_of(*talks))
    files[-1].write_bytes(plain().capture)
    lake = create_lake(str(folder / "lake"))
    inputs = [CaptureInput(file.stem, (file,)) for file in files]
    list(ingest(lake, inputs, local_engine(ReadSettings()), lambda octets: None))
    return lake
