"""What is shown of captures, and captures to show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
from amqp_traffic.show.capture import Wanted, show_file
from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import CaptureOrder
from amqp_traffic.synth.synthesis import synthesise

RABBITMQ = "amqp_0_9_1_rabbitmq"


def shown(path: Path, **wanted: Any) -> tuple[list[str], bool]:
    """The lines, and whether all could be shown."""
    lines: list[str] = []
    whole = show_file(path, Wanted(**wanted), lambda line: lines.append("".join(text for text, _ in line)))
    return lines, whole


def synthetic(path: Path, seed: int = 1, damage: Damage | None = None, **order: Any) -> Path:
    """A synthetic capture, labels beside it."""
    labels = path.with_name(f"{path.name}.labels.jsonl")
    with path.open("wb") as capture, labels.open("w") as book:
        synthesise(
            CaptureOrder(**{"seed": seed, "size": 200_000, "damage": damage or Damage(), **order}),
            capture,
            book,
        )
    return path


def raw(folder: Path, client: bytes = b"", server: bytes = b"") -> Path:
    """Raw streams of a connection; the file of the client is returned, or that of the server if there is no other."""
    for name, octets in (("client", client), ("server", server)):
        if octets:
            (folder / f"x.{name}.raw").write_bytes(octets)
    return folder / f"x.{'client' if client else 'server'}.raw"


def method(name: str, channel: int = 1, **fields: Any) -> bytes:
    """A method frame."""
    kind: Any
    (kind,) = [kind for kind in amqp0.METHODS.values() if name == kind.NAME]
    octets: bytes = amqp0.encode_frame(channel, kind(**fields))
    return octets
