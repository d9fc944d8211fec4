"""Acceptance tests of pika on ``examples/pika_adapter``, those that ``pika_tests.toml`` lists.

They come with the sources of pika in Debian: what is on the package index has no tests. None of it is kept in this repository.
"""

from __future__ import annotations

import json
import os
import sys
import tarfile
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.commands import run_command
from tests.conftest import AMQP_URL
from tests.shared_folders import Shared
from tools.debian_folder import NotHere, source_archive

pytestmark = pytest.mark.broker

ROOT = Path(__file__).parents[2]
RELEASE = "trixie"  # has pika 1.3.2
DOWNLOADS = ROOT / "build" / "pika"
TABLE = tomllib.loads(Path(__file__).with_name("pika_tests.toml").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _receiver() -> None:
    """There is no aiormq in these tests, of which each would run twice."""


@pytest.fixture(scope="module")
def pika(shared: Shared) -> Path:
    """The folder with the sources of pika."""
    return next(shared("pika", unpack).iterdir())


def unpack(folder: Path) -> None:
    try:
        archive = next(DOWNLOADS.glob("*.orig.tar.*"), None) or source_archive(
            RELEASE, "python-pika", DOWNLOADS
        )
    except NotHere as error:
        pytest.skip(f"needs the sources of pika: {error}")
    with tarfile.open(archive) as sources:
        sources.extractall(folder, filter="data")


@pytest.fixture(scope="module")
def outcomes(pika: Path) -> dict[str, str]:
    """What each test says of its failure; nothing if it passes."""
    if urlsplit(AMQP_URL).hostname not in ("localhost", "127.0.0.1") or urlsplit(AMQP_URL).port != 5672:
        pytest.skip("needs RabbitMQ on port 5672 of this machine: the tests of pika look nowhere else")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    done = run_command([sys.executable, Path(__file__).with_name("pika_stand_ins.py"), pika], env=environment)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("name", TABLE["runs"])
def test_of_pika(name: str, outcomes: dict[str, str]) -> None:
    assert outcomes[name] == ""


def test_the_others_are_known(pika: Path, outcomes: dict[str, str]) -> None:
    assert outcomes.keys() - set(TABLE["runs"]) == TABLE["depends"].keys()
    assert [name for name in TABLE["depends"] if not outcomes[name]] == [], "these run: list them"
    files = {file.name for file in (pika / "tests" / "acceptance").glob("*_test*.py")}
    assert files == {"blocking_adapter_test.py", *TABLE["files"]}
