"""A secret is in no row, no sample and no line, wherever it stands; and the rows with C and without are the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from amqp_traffic.decode.body_retention import parse_body_retention
from amqp_traffic.ingest.job import ReadSettings

from ..show.lines import shown
from .lake_tables import Ingested, assert_same_tables, ingested
from .secret_places import CAPTURES, file_of, leaked

NAMES = pytest.mark.parametrize("name", CAPTURES)


def of_tables(tables: Ingested) -> bytes:
    return repr(tables.tables).encode()


def engines(name: str, folder: Path, bodies: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ingested]:
    path = file_of(name, folder)
    for pure in ("", "1"):
        monkeypatch.setenv("AMQP_PURE", pure)
        yield ingested([path], folder / "lake", settings=ReadSettings(bodies=parse_body_retention(bodies)))


@NAMES
@pytest.mark.parametrize("bodies", ["none", "all"])
def test_tables(name: str, bodies: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    native, pure = engines(name, tmp_path, bodies, monkeypatch)
    assert not leaked(name, of_tables(pure))
    assert not leaked(name, of_tables(native))
    assert b"[redacted]" in of_tables(pure) or name == "undecodable" or bodies == "none"
    assert_same_tables(native.tables, pure.tables, tuple(pure.tables))
    assert pure["messages"] or name == "undecodable"


@NAMES
@pytest.mark.parametrize("bodies", [False, True])
def test_shown_frames(name: str, bodies: bool, tmp_path: Path) -> None:
    path = file_of(name, tmp_path)
    for details in (False, True):
        lines, _ = shown(path, bodies=bodies, details=details)
        assert not leaked(name, "\n".join(lines).encode())
    long_lines, _ = shown(path, bodies=bodies, details=True, width=20_000)
    assert not leaked(name, "\n".join(long_lines).encode())
    if name != "undecodable" and (bodies or name in ("fields", "messages", "amqp0")):
        assert "[redacted]" in "\n".join(long_lines)
