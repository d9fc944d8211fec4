"""The package of 1.0: the same from a folder and from files in any order, whole or in part, and nothing else changes it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pytest

from tests.shared_folders import Shared

from .small_specifications import ROOT, imported, run_cli, tree

pytestmark = pytest.mark.slow  # each package takes one or two seconds

FOLDER = ROOT / "specs" / "amqp1-0"
PARTS = ("types", "transport", "messaging", "transactions", "security")


def files(*names: str) -> list[Path]:
    return [FOLDER / f"{name}.xml" for name in names]


def made(place: Path, *arguments: str | Path, **environment: str) -> Mapping[str, bytes]:
    """What the command makes, as the package ``made``."""
    result = run_cli(
        *arguments,
        "-o",
        place / "out",
        "--package",
        "made",
        "--emit",
        "codecs,columns",
        cwd=place,
        **environment,
    )
    assert result.returncode == 0, result.stderr
    return tree(place / "out")


@pytest.fixture(scope="module")
def expected(shared: Shared) -> Mapping[str, bytes]:
    def fill(place: Path) -> None:
        made(place, FOLDER, PYTHONHASHSEED="0")

    return tree(shared("amqp1", fill) / "out")


def test_the_package_in_the_repository_is_current() -> None:
    result = run_cli(FOLDER, "-o", "generated", "--emit", "codecs,columns", "--check", cwd=ROOT)
    assert result.returncode == 0, result.stdout
    assert result.stdout.endswith("files are current\n")


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(PARTS[::-1], id="backwards"),
        pytest.param(sorted(PARTS), id="as a shell lists them"),
        pytest.param(("security", "messaging", "types", "transactions", "transport"), id="shuffled"),
    ],
)
def test_files_in_any_order(expected: Mapping[str, bytes], tmp_path: Path, order: tuple[str, ...]) -> None:
    assert made(tmp_path, *files(*order)) == expected


def test_the_built_in_name(expected: Mapping[str, bytes], tmp_path: Path) -> None:
    assert made(tmp_path, "1.0") == expected


def test_hash_seed_locale_and_folder(expected: Mapping[str, bytes], tmp_path: Path) -> None:
    place = tmp_path / "deep" / "er"
    place.mkdir(parents=True)
    shutil.copytree(FOLDER, tmp_path / "deep" / "copy")
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Pacific/Kiritimati", "HOME": "/nonexistent"}
    found = made(place, "../copy", PYTHONHASHSEED="7", **environment)
    assert found == expected
    for path, octets in found.items():
        assert str(tmp_path).encode() not in octets, path
        assert str(ROOT).encode() not in octets, path


def test_check(tmp_path: Path) -> None:
    def check() -> tuple[int, list[str]]:
        result = run_cli(
            *(FOLDER, "-o", "out", "--package", "made", "--emit", "codecs,columns", "--check"), cwd=tmp_path
        )
        return result.returncode, result.stdout.splitlines()

    before = made(tmp_path, FOLDER)
    assert check() == (0, [f"{len(before)} files are current"])
    package = tmp_path / "out" / "made"
    old = (package / "frames.py").read_text("utf-8")
    (package / "frames.py").write_text(f"{old}# by hand\n", "utf-8")
    (package / "messaging" / "_source.py").unlink()
    (package / "messaging" / "old.py").write_text(old, "utf-8")
    (package / "messaging" / "mine.py").write_text("# by hand\n", "utf-8")
    assert check() == (
        1,
        [
            "changed: out/made/frames.py",
            "missing: out/made/messaging/_source.py",
            "extra: out/made/messaging/old.py",
        ],
    )
    assert made(tmp_path, FOLDER) == {**before, "made/messaging/mine.py": b"# by hand\n"}
    assert check()[0] == 0


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
    made(tmp_path, *files(*parts))
    with imported(tmp_path / "out", "made") as package:
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
    found = made(tmp_path, tmp_path / "cut")
    assert not {f"made/{name}.py" for name in ("deliveries", "link_credit", "session_window")} & found.keys()
    with imported(tmp_path / "out", "made") as package:
        assert "SessionWindow" not in package.__all__
        assert package.TransferAssembler().is_first(0)


def test_files_that_need_others(tmp_path: Path) -> None:
    for parts, missing in [(["transport"], "boolean"), (["types", "messaging"], "seconds")]:
        result = run_cli(*files(*parts), "-o", "out", cwd=tmp_path)
        assert result.returncode == 2
        assert f"has the type '{missing}', which is not defined" in result.stderr
        assert "Traceback" not in result.stderr
        assert not (tmp_path / "out").exists()
