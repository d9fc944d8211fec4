"""One input of a fuzzer, with all that is needed to run it again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

PACKAGES = ("amqp_0_8", "amqp_0_8_rabbitmq", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq", "amqp_1_0")
# The package that reads captures.
TRAFFIC = "amqp_traffic"

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """One input.

    Attributes:
        package: The generated package that gets it, or ``TRAFFIC``.
        entry: The name of what takes it; see ``entries``.
        options: Arguments of the call, JSON values only.
        octets: What is decoded; for encoders the seed of the values.
    """

    package: str
    entry: str
    octets: bytes
    options: Options = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "package": self.package,
            "entry": self.entry,
            "options": dict(self.options),
            "octets": self.octets.hex(),
        }


def case_from_json(document: Mapping[str, Any]) -> Case:
    return Case(
        document["package"], document["entry"], bytes.fromhex(document["octets"]), document.get("options", {})
    )


def save(case: Case, reason: str, folder: Path) -> Path:
    """Write a failing input to a file that is named after it."""
    folder.mkdir(parents=True, exist_ok=True)
    name = sha256(json.dumps(case.to_json(), sort_keys=True).encode()).hexdigest()[:12]
    path = folder / f"{case.package}-{case.entry}-{name}.json"
    path.write_text(json.dumps({**case.to_json(), "reason": reason}, indent=1) + "\n", encoding="utf-8")
    return path


def load(path: Path) -> Case:
    return case_from_json(json.loads(path.read_text(encoding="utf-8")))
