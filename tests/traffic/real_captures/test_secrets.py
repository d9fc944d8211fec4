"""A password that was captured is nowhere in what comes out, whole or in halves, in any form."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ..loopback_capture import capturing, catch_up, patiently
from .broker_control import user
from .damaged_copies import damaged
from .lake_rows import ingest, rows_of, traffic
from .logins import log_in_everywhere
from .secret_forms import contents, forms, leaks


class Logins(NamedTuple):
    """A capture of logins, and damaged copies of it.

    Attributes:
        folder: All files.
        user: Who logged in.
        password: With what.
    """

    folder: Path
    user: str
    password: str

    @property
    def secrets(self) -> list[str]:
        """The password and its halves."""
        half = len(self.password) // 2
        return [self.password, self.password[:half], self.password[half:]]


@pytest.fixture(scope="module")
def logins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logins]:
    folder = tmp_path_factory.mktemp("logins")
    folder.chmod(0o777)
    file = folder / "whole.pcap"
    name = f"amqp-codegen-{uuid.uuid4().hex[:8]}"
    password = f"{uuid.uuid4().hex[:12]}ö /%+{uuid.uuid4().hex[:12]}"

    def capture() -> None:
        with capturing("tcpdump", file):
            log_in_everywhere(name, password)
            catch_up([file])

    with user(name, password):
        patiently(capture)
    octets = file.read_bytes()
    assert octets.count(password.encode()) > 10
    for what, copy in damaged(octets, password.encode()).items():
        (folder / f"{what.replace(' ', '-')}.pcap").write_bytes(copy)
    yield Logins(folder, name, password)


@pytest.mark.parametrize("bodies", ["none", "all"])
def test_tables(logins: Logins, bodies: str, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    done = ingest(list(logins.folder.iterdir()), lake, "--bodies", bodies)
    assert done.code == 2, done.err  # not all of the damaged copies can be read
    said = [("stdout", "\n".join(done.out).encode()), ("stderr", "\n".join(done.err).encode())]
    assert leaks(iter(said), logins.secrets) == []
    assert leaks(contents(lake), logins.secrets) == []
    # We do look into the files: the user is there.
    assert leaks(contents(lake), [logins.user])
    rows = [row for row in rows_of(lake, "connections") if row["capture_id"].startswith("whole-")]
    assert {row["mechanism"] for row in rows if row["user"] == logins.user} == {"PLAIN", "AMQPLAIN"}
    assert {row["protocol"] for row in rows if row["user"] == logins.user} == {"0-8", "0-9-1", "1.0"}
    reasons = {row["reason"] for row in rows_of(lake, "quarantine")}
    assert {"frame-end", "file-truncated", "mid-stream-head", "snaplen-cut"} <= reasons


@pytest.mark.parametrize("copy", ["whole", "arguments", "begins-within", "cut-within"])
def test_show(logins: Logins, copy: str) -> None:
    done = traffic("show", logins.folder / f"{copy}.pcap", "-v")
    assert done.code in (0, 2), done.err
    said = [("stdout", "\n".join(done.out).encode()), ("stderr", "\n".join(done.err).encode())]
    assert leaks(iter(said), logins.secrets) == []
    assert any("connection.start-ok" in line for line in done.out) or copy == "begins-within"


def test_forms(logins: Logins) -> None:
    """All of these would be found."""
    for name, form in forms(logins.password).items():
        assert leaks(iter([("here", b"before" + form + b"after")]), [logins.password]), name
