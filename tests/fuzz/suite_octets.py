"""The octets of the generated suites, with which fuzzing begins."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def suite_octets(package: str) -> dict[str, list[bytes]]:
    """The octets of a suite by the kind of case, valid ones and others, each once."""
    path = ROOT / "generated" / "conformance" / package / "vectors.json"
    found: dict[str, dict[bytes, None]] = {}
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
        if "bytes" in case:
            found.setdefault(case["kind"], {})[bytes.fromhex(case["bytes"])] = None
    return {kind: list(octets) for kind, octets in found.items()}
