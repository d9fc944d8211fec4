"""One capture of everything that the stories tell, and the tables that come of it."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import NamedTuple

import pytest

from ..loopback_capture import CAPTURERS, PORT, capturing, catch_up, patiently, reserved_port
from . import other_stories, pika_stories
from .lake_rows import Tables, ingest
from .tls_echo import tls_echo

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before the marks are looked at
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.broker)


class Captured(NamedTuple):
    """A capture of all stories.

    Attributes:
        files: What each of the tools wrote of it.
        names: The ``connection_name`` of those stories that have one, by what the story is called.
        ports: The port of the others: the client's, or that of a server which only this story has.
        received: What one proton got from another.
    """

    files: dict[str, Path]
    names: dict[str, str]
    ports: dict[str, int]
    received: list[bytes]


@pytest.fixture(scope="session")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Captured:
    """All stories."""
    pytest.importorskip("proton", reason="needs python-qpid-proton: pip install .[peers]")
    return patiently(lambda: _capture(tmp_path_factory.mktemp("captured")))


def _capture(folder: Path) -> Captured:
    """All stories, captured by dumpcap and by tcpdump at the same time."""
    from . import amqp1_stories

    folder.chmod(0o777)  # they may give up their rights, and then write only where everybody may
    run = uuid.uuid4().hex[:8]
    ports: dict[str, int] = {}
    files = {"dumpcap": folder / "all.pcapng", "tcpdump": folder / "all.pcap"}
    names = {story.__name__: f"{story.__name__}.{run}" for story in pika_stories.STORIES}
    names["proton_with_rabbitmq"] = f"proton.{run}"
    assert set(files) == set(CAPTURERS)
    with (
        reserved_port() as ports["proton_with_proton"],
        reserved_port() as ports["tls_echo"],
        capturing("dumpcap", files["dumpcap"], [PORT, *ports.values()]),
        capturing("tcpdump", files["tcpdump"], [PORT, *ports.values()]),
    ):
        for story in pika_stories.STORIES:
            story(names[story.__name__])
        for other in (*other_stories.STORIES, *amqp1_stories.STORIES):
            ports[other.__name__] = other()
        amqp1_stories.proton_with_rabbitmq(names["proton_with_rabbitmq"])
        received = amqp1_stories.proton_with_proton(ports["proton_with_proton"])
        tls_echo(ports["tls_echo"], folder)
        catch_up(list(files.values()))
    return Captured(files, names, ports, received)


@pytest.fixture(scope="session")
def tables(captured: Captured, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """The tables of what dumpcap captured."""
    lake = tmp_path_factory.mktemp("lake")
    done = ingest([captured.files["dumpcap"]], lake)
    assert done.code == 0, done.err
    return Tables(lake, captured.names, captured.ports)
