"""Values between us and rhea, both ways, equal in value and type."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import amqp_1_0 as amqp
import pytest

from .neutral import neutral, value_of
from .values import ARRAYS, COMPOUNDS, SCALARS, short

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / "build" / "rhea"

# rhea keeps numbers in JavaScript's own up to 2**53 and a bit: these come out as their neighbours.
ROUNDED = [["ulong", str(2**53 + 1)], ["long", str(2**53 + 1)], ["long", str(-(2**53) - 1)]]
# Its timestamps are Date objects, which end 100 million days from 1970.
NO_DATE = [["timestamp", str(value)] for value in (-(2**63), 2**53, 2**63 - 1)]


def in_range(form: list[Any]) -> bool:
    """Whether rhea can hold all that is in it; of several descriptors it only has the first."""
    if form[0] == "described" and form[2][0] == "described":
        return False
    text = json.dumps(form)
    return not any(json.dumps(each) in text for each in (*ROUNDED, *NO_DATE))


FORMS = [form for form in (*SCALARS, *COMPOUNDS, *ARRAYS) if in_range(form)]


@pytest.fixture(scope="module")
def rhea() -> Any:
    """Asks rhea about many things at once."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node and npm are not there")
    package = (HERE / "package.json").read_text()
    if not (CACHE / "node_modules" / "rhea").is_dir() or (CACHE / "package.json").read_text() != package:
        # Made aside and renamed: several tests may run at once.
        aside = CACHE.with_name(f"rhea.{os.getpid()}")
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        (aside / "package.json").write_text(package)
        command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        done = subprocess.run(command, cwd=aside, capture_output=True, text=True, timeout=100, check=False)
        if done.returncode:
            shutil.rmtree(aside)
            pytest.skip(f"npm cannot install rhea: {done.stderr.strip()[:200]}")
        try:
            shutil.rmtree(CACHE, ignore_errors=True)
            aside.rename(CACHE)
        except OSError:  # somebody else was faster
            shutil.rmtree(aside)

    def ask(requests: list[dict[str, Any]]) -> list[Any]:
        environment = {**os.environ, "NODE_PATH": str(CACHE / "node_modules")}
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        done = subprocess.run(
            [node, str(HERE / "rhea_forms.js")],
            input=lines,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=30,
            check=True,
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(requests)
        return answers

    return ask


@pytest.fixture(scope="module")
def read_by_rhea(rhea: Any) -> list[Any]:
    return rhea([{"read": amqp.encode(value_of(form)).hex()} for form in FORMS])


@pytest.fixture(scope="module")
def written_by_rhea(rhea: Any) -> list[Any]:
    return rhea([{"write": form} for form in FORMS])


@pytest.mark.parametrize("number", range(len(FORMS)), ids=lambda number: short(FORMS[number]))
def test_rhea_reads_what_we_write(read_by_rhea: list[Any], number: int) -> None:
    assert read_by_rhea[number] == FORMS[number]


@pytest.mark.parametrize("number", range(len(FORMS)), ids=lambda number: short(FORMS[number]))
def test_we_read_what_rhea_writes(written_by_rhea: list[Any], number: int) -> None:
    assert isinstance(written_by_rhea[number], str), written_by_rhea[number]
    octets = bytes.fromhex(written_by_rhea[number])
    value, end = amqp.decode(octets)
    assert end == len(octets)
    assert neutral(value) == FORMS[number]
