"""A secret is in nothing that is made of a lake: findings, explanations, the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command_calls import call
from tests.traffic.ingest.secret_places import CAPTURES, file_of, leaked

BODIES = ("--bodies", "all", "--engine", "local")


@pytest.mark.parametrize("name", CAPTURES)
def test_what_is_made_of_a_lake(name: str, tmp_path: Path) -> None:
    """With the capture, and without it."""
    path, lake, report = file_of(name, tmp_path), tmp_path / "lake", tmp_path / "report.html"
    assert call("traffic", "ingest", path, "--out", lake, *BODIES).code in (0, 2)
    findings = call("traffic", "audit", lake, "--format", "json").out
    assert call("traffic", "report", lake, "--output", report).code == 0
    texts = [*findings, report.read_text(encoding="utf-8")]
    identities = [finding["finding_id"] for finding in json.loads("\n".join(findings))["findings"][:20]]
    for captures in (path, lake):
        for identity in identities:
            options = ("-v", "--bodies", "--all-channels", "--captures", captures)
            texts += call("traffic", "explain", identity, lake, *options).out
    assert identities and not leaked(name, repr(texts).encode())
