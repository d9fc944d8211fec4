"""A machine on which nothing can be downloaded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def fake_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An apt-get that knows one mirror, and downloads nothing."""
    program = tmp_path / "bin" / "apt-get"
    program.parent.mkdir(exist_ok=True)
    program.write_text(
        """#!/bin/sh
echo "$@" >>"$0.calls"
case "$*" in
  indextargets*) echo 'Other|Other|http://other.example/'; echo 'Debian|Debian|http://mirror.example/debian/' ;;
  *"source no-such"*) echo 'E: Unable to find a source package for no-such-broker' >&2; exit 100 ;;
  *install*) echo 'E: Unable to locate package no-such-broker' >&2; exit 100 ;;
esac
""",
        encoding="ascii",
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program
