"""What each client is: read from ``labels.txt``, the one table of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

MISBEHAVING, LEGAL = "misbehaving", "legal"
NOTHING, HANGS_UP, ANSWERS_HEADER = "nothing", "hangs up", "header"
_FILE = Path(__file__).with_name("labels.txt")
_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Label:
    """A line of the table.

    Attributes:
        id: What the client is called: its script is the function of that name, which says what it does.
        kind: ``MISBEHAVING`` or ``LEGAL``.
        version: What it speaks: ``0-8``, ``0-9``, ``0-9-1`` or ``1.0``.
        reaction: What RabbitMQ 3.10 does about it: ``nothing``, ``hangs up``, ``header`` (answers with a protocol
            header, and hangs up), ``connection CODE``, ``channel CODE``; of 1.0 also ``refused`` (the login), and
            ``close``, ``end`` or ``detach`` with a condition, if there is one.
        rules: The rules of the audit that name what is wrong; any of them will do.
    """

    id: str
    kind: str
    version: str
    reaction: str
    rules: frozenset[str]


def read_labels(file: Path = _FILE) -> dict[str, Label]:
    """The table, by id."""
    found: dict[str, Label] = {}
    kind = ""
    for line in file.read_text().splitlines():
        if line.startswith("## "):
            kind = line[3:]
        columns = [column.strip() for column in line.split("|")]
        if len(columns) == _COLUMNS:
            id, version, reaction, rules = columns
            assert id not in found, f"{id} is there twice"
            found[id] = Label(id, kind, version, reaction, frozenset(rules.split()))
    return found
