"""The same octets whatever runs the generator, wherever it runs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shared_folders import Shared
from tools.other_pythons import CPYTHONS

from .small_specifications import run_cli, tree, written

# Sets and dicts in many places; characters that only some Pythons know; an order that sorting would change.
BODY = "".join(
    [
        '<domain name="z" type="shortstr"><assert check="regexp" value="^[a-z]*$"/></domain><domain name="a" type="table"/>',
        "<class name='zz' index='9'><doc>New characters: \U0001fae8 \u0870 \U0001fadc \u1c89 and old: \u00e9 \u6f22 \U0001f600.</doc>",
        "".join(
            f'<field name="{name}" domain="{kind}"/>'
            for name, kind in [("q", "z"), ("b", "timestamp"), ("a", "long")]
        ),
        '<method name="y" index="2" content="1"><response name="x"/><field name="f" domain="a"/><field name="e" domain="z"/></method>',
        '<method name="x" index="1"><chassis name="server" implement="MUST"/><chassis name="client" implement="MUST"/>'
        '<field name="c" domain="content"/><field name="b" domain="bit"/><field name="s" domain="short"/></method></class>',
        '<class name="aa" index="3"><method name="m" index="1"/></class>',
    ]
)
ROOT = Path(__file__).resolve().parents[2]
MAIN = ".".join(map(str, sys.version_info[:2]))


@pytest.fixture(scope="module")
def spec(shared: Shared) -> Path:
    def fill(folder: Path) -> None:
        written(folder, BODY, "spec.xml")

    return shared("deterministic", fill) / "spec.xml"


@pytest.fixture(scope="module")
def expected(shared: Shared, spec: Path) -> Mapping[str, bytes]:
    def fill(folder: Path) -> None:
        result = run_cli(spec, "-o", "out", "--package", "made", cwd=folder, PYTHONHASHSEED="0")
        assert result.returncode == 0, result.stderr

    return tree(shared("expected", fill) / "out")


@pytest.mark.parametrize(
    ("seed", "environment"),
    [
        ("1", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Pacific/Kiritimati"}),
        (
            "2",
            {
                "LC_ALL": "C.UTF-8",
                "LANG": "tr_TR.UTF-8",
                "PYTHONOPTIMIZE": "2",
                "COLUMNS": "20",
                "HOME": "/nonexistent",
            },
        ),
    ],
)
def test_hash_seed_locale_and_folder(
    spec: Path, expected: Mapping[str, bytes], tmp_path: Path, seed: str, environment: dict[str, str]
) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    shutil.copy(spec, tmp_path / "deep" / "spec.xml")
    # Settings of black's for the user's own code are none of ours.
    (tmp_path / "deep" / "er" / "pyproject.toml").write_text(
        "[tool.black]\nline-length = 40\nskip-string-normalization = true\n"
    )
    result = run_cli(
        "../spec.xml",
        "-o",
        ".",
        "--package",
        "made",
        cwd=tmp_path / "deep" / "er",
        PYTHONHASHSEED=seed,
        **environment,
    )
    assert result.returncode == 0, result.stderr
    found = tree(tmp_path / "deep" / "er" / "made")
    assert {f"made/{path}": octets for path, octets in found.items()} == dict(expected)


def test_no_octet_says_when_or_where(expected: Mapping[str, bytes], spec: Path) -> None:
    for path, octets in expected.items():
        assert str(spec.parent).encode() not in octets, path
        assert b"/tmp/" not in octets, path


def command_of(version: str) -> list[str]:
    """The command of the interpreter in an environment of `make test-others`."""
    launcher = ROOT / "build" / "pythons" / version / "enter"
    python = ROOT / ".venv" / version / "bin" / "python"
    return [*([str(launcher)] if launcher.exists() else []), str(python)]


@pytest.mark.slow
@pytest.mark.parametrize("version", [version for version in (*CPYTHONS, "pypy") if version != MAIN])
def test_interpreters(spec: Path, expected: Mapping[str, bytes], tmp_path: Path, version: str) -> None:
    command = command_of(version)
    if not Path(command[-1]).parent.exists():
        pytest.skip(f"no environment of {version} here: make test-others")
    result = run_cli(spec, "-o", tmp_path, "--package", "made", cwd=tmp_path, python=command)
    assert result.returncode == 0, result.stderr
    assert {f"made/{path}": octets for path, octets in tree(tmp_path / "made").items()} == dict(expected)
