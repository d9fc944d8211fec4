"""Stages are shown while they are at work."""

from __future__ import annotations

import re
import threading
from typing import Any

from amqp_traffic.tasks.spark.session import stage_progress


def test_stages_are_shown(spark: Any) -> None:
    shown: list[str] = []
    seen = threading.Event()

    def show(text: str) -> None:
        shown.append(text)
        seen.set()

    def work() -> None:
        # It is at work until something has been shown.
        while not seen.is_set():
            spark.range(0, 1 << 24, 1, 8).selectExpr("sum(hash(id))").collect()

    before = threading.active_count()
    with stage_progress(spark, show):
        work()
    assert re.fullmatch(r"stage \d+: \d of \d(, stage \d+: \d of \d)*", shown[0])
    assert threading.active_count() == before


def test_nothing_is_shown_where_nothing_is_done(spark: Any) -> None:
    shown: list[str] = []
    with stage_progress(spark, shown.append):
        pass
    assert shown == []
