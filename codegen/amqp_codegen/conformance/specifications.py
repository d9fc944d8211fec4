"""The specifications whose rules can be tried."""

from __future__ import annotations

from collections.abc import Mapping

SPECS = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0")

# One that extends another takes over its drivers and what is known of its rules: the paths are the same.
EXTENDS: Mapping[str, str] = {"0-9-1-rabbitmq": "0-9-1"}
