"""Likely mistakes, of ``messages.toml``: each is answered with the lines that help, and nothing is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.support import toml
from amqp_codegen.support.resources import specs_dir

from .command_calls import place, refused, write

__all__ = ["place"]

DOCUMENT = toml.loads((Path(__file__).parent / "messages.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", DOCUMENT["case"], ids=lambda case: case["call"] or "no arguments")
def test_a_mistake_is_answered(place: Path, case: Mapping[str, Any]) -> None:
    write({**DOCUMENT["files"], **case.get("files", {})})
    printed = [line.replace(f"{specs_dir()}/", "") for line in refused(*case["call"].split())]
    # Before click 8.4 it is the short option that helps.
    assert [line.replace(" -h' for help.", " --help' for help.") for line in printed] == case["says"]


def test_every_file_is_used() -> None:
    calls = " ".join(case["call"] for case in DOCUMENT["case"])
    assert [name for name in DOCUMENT["files"] if name not in calls] == []
