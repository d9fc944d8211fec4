"""One capture of all clients, and the tables that come of it."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")
pytest.importorskip("proton", reason="needs python-qpid-proton: pip install .[peers]")

from ..loopback_capture import CAPTURERS, PORT, capturing, catch_up, reserved_port
from ..real_captures.amqp1_stories import proton_with_proton
from ..real_captures.lake_rows import Row, ingest, rows_of
from .correct_libraries import NAMED, of_py_amqp
from .play_scripts import Played, play_all

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before the marks are looked at
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents and "capture" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.broker)


class Capture(NamedTuple):
    """A capture of all clients.

    Attributes:
        file: What dumpcap wrote of it.
        played: All clients that have a label.
        clean_names: The ``connection_name`` of connections on which nothing is wrong.
        clean_ports: A port of others.
    """

    file: Path
    played: dict[str, Played]
    clean_names: frozenset[str]
    clean_ports: frozenset[int]


class Lake(NamedTuple):
    """What was ingested.

    Attributes:
        folder: The lake.
        connections: The rows of the table connections.
    """

    folder: Path
    connections: list[Row]

    def of(self, played: Played) -> list[Row]:
        """The connections of a client, in the order in which it opened them."""
        by_port = {row["client_port"]: row for row in self.connections if row["client_ip"] == played.address}
        return [by_port[port] for port in played.ports]

    def clean(self, capture: Capture) -> list[Row]:
        """The connections on which nothing is wrong; clients with labels have addresses of their own, and any port."""
        labelled = {played.address for played in capture.played.values()}
        return [
            row
            for row in self.connections
            if row["connection_name"] in capture.clean_names
            or (
                row["client_ip"] not in labelled
                and not capture.clean_ports.isdisjoint((row["client_port"], row["server_port"]))
            )
        ]


@pytest.fixture(scope="session")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Capture:
    """All clients, captured by dumpcap."""
    folder = tmp_path_factory.mktemp("clients")
    folder.chmod(0o777)  # dumpcap may give up its rights, and then writes only where everybody may
    file = folder / "clients.pcapng"
    assert "dumpcap" in CAPTURERS
    with reserved_port() as port_of_proton, capturing("dumpcap", file, [PORT, port_of_proton]):
        played = play_all()
        names = {story: f"{story.__name__}.{uuid.uuid4().hex[:8]}" for story in NAMED}
        for story, name in names.items():
            story(name)
        ports = frozenset(of_py_amqp(mechanism) for mechanism in ("PLAIN", "AMQPLAIN"))
        proton_with_proton(port_of_proton)
        catch_up([file])
    return Capture(
        file, {one.label.id: one for one in played}, frozenset(names.values()), ports | {port_of_proton}
    )


@pytest.fixture(scope="session")
def lake(capture: Capture, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """The tables of that."""
    folder = tmp_path_factory.mktemp("lake-of-clients")
    done = ingest([capture.file], folder)
    assert done.code == 2, done.err  # much of it cannot be read, and is left out
    return Lake(folder, rows_of(folder, "connections"))
