"""Makes synthetic captures in memory, and looks into them."""

from __future__ import annotations

import io
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import CaptureOrder, FileShape
from amqp_traffic.synth.synthesis import Summary, synthesise


@dataclass(frozen=True)
class Made:
    """A capture and its labels."""

    order: CaptureOrder
    capture: bytes
    lines: str
    summary: Summary
    labels: list[dict[str, Any]] = field(repr=False)

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        """The labels of these kinds."""
        return [label for label in self.labels if label["label"] in kinds]

    @property
    def frames(self) -> list[dict[str, Any]]:
        return self.of("frame")

    @property
    def connections(self) -> list[dict[str, Any]]:
        return self.of("connection")

    @property
    def streams(self) -> dict[tuple[int, int], dict[str, Any]]:
        return {(label["connection"], label["direction"]): label for label in self.of("stream")}

    def types(self) -> dict[int, Counter[int]]:
        """How many frames of each type a connection has, by its number."""
        found: dict[int, Counter[int]] = defaultdict(Counter)
        for frame in self.frames:
            found[frame["connection"]][frame["type"]] += 1
        return found


def make(seed: int = 1, size: int = 300_000, **fields: Any) -> Made:
    """The fields are those of ``CaptureOrder``, ``FileShape`` and ``Damage``."""
    fields.setdefault("body_size", 1000)

    def part(kind: Any) -> dict[str, Any]:
        return {name: fields.pop(name) for name in kind.__dataclass_fields__ if name in fields}

    file, damage = FileShape(**part(FileShape)), Damage(**part(Damage))
    order = CaptureOrder(seed, size, file=file, damage=damage, **fields)
    capture, lines = io.BytesIO(), io.StringIO()
    summary = synthesise(order, capture, lines)
    labels = [json.loads(line) for line in lines.getvalue().splitlines()]
    return Made(order, capture.getvalue(), lines.getvalue(), summary, labels)


@cache
def plain() -> Made:
    """Everything there is, undamaged."""
    return make()
