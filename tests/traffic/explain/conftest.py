"""A capture of everything that rules about frames and conversations find, and its lake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import amqp_1_0 as amqp1
import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.lake.folder import Lake

from ..audit import cases_conversation, cases_frame
from ..audit.audited_methods import RST, Steps
from .explained_lakes import capture, findings_of, lake_of


def handle_twice() -> Steps:
    """Two links of one handle, in AMQP 1.0."""
    from amqp_1_0.messaging import Source, Target
    from amqp_1_0.performatives import Attach, Begin, Open, Role

    begin = Begin(next_outgoing_id=0, incoming_window=100, outgoing_window=100)
    attach = [Attach(name, 0, Role.RECEIVER, source=Source(), target=Target()) for name in ("one", "other")]
    said: list[tuple[int, Any]] = [
        (0, Open("client")),
        (1, Open("server")),
        (0, begin),
        (0, attach[0]),
        (0, attach[1]),
    ]
    headers = [(side, b"AMQP\x00\x01\x00\x00") for side in (0, 1)]
    return [*headers, *((side, amqp1.encode_frame(0, item)) for side, item in said), RST]


CASES = {**cases_frame.CASES, **cases_conversation.CASES}


@pytest.fixture(scope="session")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lake, Path]:
    """A lake, and the capture that it was made of."""
    folder = tmp_path_factory.mktemp("explain")
    path = capture(folder, *(case.wrong for case in CASES.values()), handle_twice())
    return lake_of(folder, path), path


@pytest.fixture(scope="session")
def findings(wrong: tuple[Lake, Path]) -> list[AuditFinding]:
    """All that is found there."""
    return findings_of(wrong[0])
