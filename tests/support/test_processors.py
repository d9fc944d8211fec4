"""Work is shared out to the processors that this process may use, not to all that the machine has."""

from __future__ import annotations

import os

import pytest
from amqp_codegen.support.processors import count_processors


def test_those_it_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 5, 7}, raising=False)
    assert count_processors() == 3


def test_where_the_system_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert count_processors() == 4
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert count_processors() == 1
