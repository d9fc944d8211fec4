"""A lake with what the rules across messages and connections are about."""

from __future__ import annotations

from pathlib import Path

from amqp_codegen.traffic.ingest.inputs import CaptureInput
from amqp_codegen.traffic.ingest.run import ingest, local_engine
from amqp_codegen.traffic.ingest.settings import ReadSettings
from amqp_codegen.traffic.tables.lake import Lake, create_lake

from ..synth.making import plain
from .cases_fleet import CASES
from .talk import capture_of


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
