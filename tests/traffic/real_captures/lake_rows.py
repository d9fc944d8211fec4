"""What is in a lake, as Python values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
from amqp_traffic.schemas import TABLES
from amqp_traffic.variant_values import variant_value

from tests.cli.command_calls import Result, call

from ..loopback_capture import PORT

Row = dict[str, Any]


def traffic(*arguments: object) -> Result:
    """Call ``amqp-codegen traffic``."""
    return call("traffic", *map(str, arguments))


def ingest(files: Iterable[Path], lake: Path, *options: str) -> Result:
    """Ingest captures without Spark."""
    return traffic("ingest", *files, "--out", lake, "--engine", "local", *options)


def rows_of(lake: Path, table: str) -> list[Row]:
    """All rows of a table; none if there is no such table."""
    if not (lake / table).is_dir():
        return []
    found: list[Row] = ds.dataset(lake / table, format="parquet", partitioning="hive").to_table().to_pylist()
    return found


def value_of(variant: Mapping[str, bytes] | None) -> Any:
    """What a VARIANT stands for."""
    return None if variant is None else variant_value((variant["value"], variant["metadata"]))


def ends(row: Row) -> tuple[int, int]:
    """The ports of client and server of a connection: here no two connections have both in common."""
    return row["client_port"], row["server_port"]


class Tables:
    """The tables of a lake, by the connection of a story.

    Attributes:
        lake: The folder.
    """

    def __init__(self, lake: Path, names: Mapping[str, str], ports: Mapping[str, int]) -> None:
        """Read a lake; see ``Captured``."""
        self.lake = lake
        self._names, self._ports = names, ports
        self._rows = {table: rows_of(lake, table) for table in TABLES}

    @cached_property
    def stories(self) -> list[str]:
        """All stories."""
        return [*self._names, *self._ports]

    @property
    def connections(self) -> list[Row]:
        """The connections of all stories."""
        return [self.connection(story) for story in self.stories]

    def connection(self, story: str) -> Row:
        """The connection of a story."""
        name, port = self._names.get(story), self._ports.get(story)
        (found,) = (
            row
            for row in self._rows["connections"]
            if (name and row["connection_name"] == name)
            or ends(row) == (port, PORT)
            or (port and row["server_port"] == port)
        )
        return found

    def rows(self, table: str, story: str, direction: int | None = None) -> list[Row]:
        """The rows that a table has of a story, in the order of the stream they are in."""
        number = self.connection(story)["conn_id"]
        found = [row for row in self._rows[table] if row["conn_id"] == number]
        if table == "exchanges":
            return sorted(found, key=lambda row: (row["request_dir"] or 0, row["request_off"] or 0))
        chosen = [row for row in found if direction is None or row["dir"] == direction]
        return sorted(chosen, key=lambda row: (row["dir"], row["stream_off"]))
