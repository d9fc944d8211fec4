"""An RST after close and close-ok is a clean end, as RabbitMQ makes it; any other RST breaks the connection off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import amqp_1_0 as amqp1
import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_1_0.performatives import Close, Open
from amqp_traffic.show.capture import Wanted, show_file

from ..audit.audited_methods import BYE, FIN, READY, RST, Steps, capture_of, tables_of

CLOSE, CLOSE_OK = BYE[:2]
HEADER1 = amqp1.PROTOCOL_HEADERS["amqp"]


def say1(direction: int, performative: Any) -> tuple[int, bytes]:
    return direction, amqp1.encode_frame(0, performative)


OPENED1: list[Any] = [
    *((0, HEADER1), (1, HEADER1)),
    *(say1(0, Open(container_id="c")), say1(1, Open(container_id="s"))),
]
ENDS: dict[str, tuple[Steps, str]] = {
    "closed": ([*READY, CLOSE, CLOSE_OK, RST], "fin"),
    "FIN": ([*READY, CLOSE, CLOSE_OK, FIN], "fin"),
    "not answered": ([*READY, CLOSE, RST], "rst"),
    "not closed": ([*READY, RST], "rst"),
    "still there": ([*READY, CLOSE, CLOSE_OK], "open"),
    "closed, 1.0": ([*OPENED1, say1(0, Close()), say1(1, Close()), RST], "fin"),
    "by one side, 1.0": ([*OPENED1, say1(0, Close()), say1(0, Close()), RST], "rst"),
}
WORDS = {"fin": "ends", "rst": "is broken off", "open": "is open at the end of the capture"}


@pytest.mark.parametrize("how", ENDS)
def test_end_mode(how: str, tmp_path: Path) -> None:
    steps, mode = ENDS[how]
    capture = capture_of(steps)
    assert tables_of(capture)["connections"]["end_mode"].to_pylist() == [mode]
    file = tmp_path / "a.pcap"
    file.write_bytes(capture)
    lines: list[str] = []
    show_file(file, Wanted(), lambda line: lines.append("".join(text for text, _ in line)))
    assert lines[-1].startswith(f"-- connection 1 {WORDS[mode]}: ")
