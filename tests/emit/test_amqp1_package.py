"""The package of 1.0: the same from files in any order, whole or in part, and nothing else changes it."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

import pytest
from amqp_codegen.reader.inputs import resolve_input

from tests.commands import run_command

from .small_specifications import ROOT, bare_environment, imported, publish_to, run_cli, unformatted

FOLDER = ROOT / "specs" / "amqp1-0"
PARTS = ("types", "transport", "messaging", "transactions", "security")
DIGESTS = """
import hashlib, json, sys
from amqp_codegen.emit.generate import generate_unformatted
from amqp_codegen.emit.target import Target
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.support.cache import Cache
target = Target(tuple(resolve_input("../copy").files), package="made", emit=("codecs", "client", "columns"))
files = generate_unformatted(target, Cache()).files
print(json.dumps({path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}))
"""


def files(*names: str) -> list[Path]:
    return [FOLDER / f"{name}.xml" for name in names]


def made(paths: Sequence[Path]) -> Mapping[str, str]:
    """The files of the package ``made``."""
    return unformatted(paths).files


@pytest.fixture(scope="module")
def expected() -> Mapping[str, str]:
    return made(resolve_input(str(FOLDER)).files)


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(PARTS[::-1], id="backwards"),
        pytest.param(sorted(PARTS), id="as a shell lists them"),
        pytest.param(("security", "messaging", "types", "transactions", "transport"), id="shuffled"),
    ],
)
def test_files_in_any_order(expected: Mapping[str, str], order: tuple[str, ...]) -> None:
    assert made(files(*order)) == expected


def test_the_built_in_name(expected: Mapping[str, str]) -> None:
    assert made(resolve_input("1.0").files) == expected


def test_hash_seed_locale_and_folder(expected: Mapping[str, str], tmp_path: Path) -> None:
    place = tmp_path / "deep" / "er"
    place.mkdir(parents=True)
    shutil.copytree(FOLDER, tmp_path / "deep" / "copy")
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Pacific/Kiritimati", "HOME": "/nonexistent"}
    done = run_command(
        [sys.executable, "-c", DIGESTS],
        cwd=place,
        env={
            **bare_environment(),
            **environment,
            "PYTHONHASHSEED": "7",
            "PYTHONPATH": str(ROOT / "codegen"),
        },
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == {
        path: hashlib.sha256(text.encode()).hexdigest() for path, text in expected.items()
    }


@pytest.mark.parametrize(
    ("parts", "there", "absent"),
    [
        (
            ["types"],
            {"encode", "decode", "serial", "NumberAllocator", "plain_response"},
            {"frames", "message", "performatives", "PROTOCOL_HEADERS", "SessionWindow", "link_credit"},
        ),
        (["types", "security"], {"sasl", "PROTOCOL_HEADERS"}, {"performatives", "message"}),
        (
            ["types", "transport"],
            {"frames", "transfers", "performatives", "SessionWindow", "SenderCredit", "UnsettledDeliveries"},
            {"message", "messaging", "sasl"},
        ),
        (["types", "transport", "messaging"], {"message", "messaging"}, {"transactions", "sasl"}),
        (["types", "transport", "messaging", "transactions"], {"transactions"}, {"sasl"}),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
def test_some_of_the_files(tmp_path: Path, parts: list[str], there: set[str], absent: set[str]) -> None:
    publish_to(tmp_path, unformatted(files(*parts)))
    with imported(tmp_path, "made") as package:
        names = set(package.__all__)
        assert there <= names
        assert not absent & names
        octets = package.encode([1, "two"])
        assert package.decode(octets) == ([1, "two"], 10)
        columns = import_module("made.columns")
        assert import_module("made.columns.variant").value_variant(octets)[1] == 10
        assert hasattr(columns, "PerformativeColumns") is ("frames" in names)
        if "frames" in names:
            opening = package.performatives.Open("c")
            assert package.decode_frames(package.encode_frame(0, opening))[0] == [(0, opening, b"")]


def test_a_flow_that_lacks_a_field(tmp_path: Path) -> None:
    """Windows and credit cannot be kept then; all else is there."""
    shutil.copytree(FOLDER, tmp_path / "cut")
    transport = tmp_path / "cut" / "transport.xml"
    text, count = re.subn(
        r'<field name="available".*?</field>', "", transport.read_text("utf-8"), flags=re.DOTALL
    )
    assert count == 1
    transport.write_text(text, "utf-8")
    found = unformatted(resolve_input(str(tmp_path / "cut")).files)
    windows = {f"made/client/{name}.py" for name in ("deliveries", "link_credit", "session_window")}
    assert not windows & found.files.keys()
    publish_to(tmp_path, found)
    with imported(tmp_path, "made") as package:
        assert "SessionWindow" not in package.__all__
        assert package.TransferAssembler().is_first(0)


def test_files_that_need_others(tmp_path: Path) -> None:
    for parts, missing in [(["transport"], "boolean"), (["types", "messaging"], "seconds")]:
        result = run_cli(*files(*parts), "-o", "out", cwd=tmp_path)
        assert result.returncode == 2
        assert f"has the type '{missing}', which is not defined" in result.stderr
        assert "Traceback" not in result.stderr
        assert not (tmp_path / "out").exists()
