"""Lakes of captures with mistakes in them, and what is explained of those."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.explain.explanation import ExplainOptions, explain
from amqp_traffic.ingest.inputs import find_inputs
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.local import ingest, local_engine
from amqp_traffic.lake.folder import Lake, create_lake
from amqp_traffic.tasks.runner import InProcess

from ..audit.audited_methods import Steps, capture_of

FRAME = re.compile(r"^(>> |   )(?:\d\d:\d\d:\d\d\.\d{6}|-) +(\d+) (->|<-) (\d+) +(\S+)(.*)$")
_OCTETS = re.compile(r"^ {9}([0-9a-f]{4,})  +((?:[0-9a-f]{2}(?: |$))+)")


def lake_of(folder: Path, *files: Path) -> Lake:
    """A lake of captures, beside them."""
    lake = create_lake(str(folder / "lake"))
    list(ingest(lake, find_inputs(files), local_engine(ReadSettings()), lambda octets: None))
    return lake


def capture(folder: Path, *talks: Steps, name: str = "shop.pcap") -> Path:
    """A capture of connections."""
    path = folder / name
    path.write_bytes(capture_of(*talks))
    return path


def findings_of(lake: Lake, target: str | None = None) -> list[AuditFinding]:
    """What is found."""
    return audit_lake(lake, InProcess(), (target,) if target else ())


def explained(lake: Lake, finding: AuditFinding, captures: Sequence[Path] = (), **asked: object) -> list[str]:
    """The lines."""
    lines: list[str] = []
    wanted = ExplainOptions(captures=captures, **asked)  # type: ignore[arg-type]
    explain(lake, finding, wanted, lambda line: lines.append("".join(text for text, _ in line).rstrip()))
    return lines


def frames_in(lines: Sequence[str]) -> list[tuple[bool, int, str, int, str]]:
    """Of each frame that is shown: whether it is marked, its number, direction, channel and name."""
    found = filter(None, map(FRAME.match, lines))
    return [(it[1] == ">> ", int(it[2]), it[3], int(it[4]), it[5]) for it in found]


def octets_in(lines: Sequence[str]) -> list[tuple[int, bytes]]:
    """What is shown in hexadecimal: where it is, and what."""
    found = filter(None, map(_OCTETS.match, lines))
    return [(int(it[1], 16), bytes.fromhex(it[2])) for it in found]
