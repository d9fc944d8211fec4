"""Small pairs of specifications: each file holds both, and in its leading comment the changes to find.

Each line of the comment is one change: its level, its id, its path, and what is shown of it. A specification of
AMQP 1.0 may be of several parts.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from amqp_codegen.diff.change import SpecComparison
from amqp_codegen.diff.classify import CATALOGUE
from amqp_codegen.diff.compare import compare
from amqp_codegen.diff.reports import happened
from amqp_codegen.resolve.specification import Specification, read_specification

FOLDER = Path(__file__).parent / "pairs"
FILES = sorted(FOLDER.glob("*.xml"))
# What every pair would need a specification of another version for; see test_official_pairs.py.
ELSEWHERE = {"protocol-header", "protocol-dialect"}


def expected(file: Path) -> list[str]:
    comment = re.match(r"<!--\n(.*?)-->", file.read_text(encoding="utf-8"), re.DOTALL)
    assert comment, file.name
    return [line.strip() for line in comment[1].splitlines() if line.strip()]


def found(file: Path, folder: Path) -> list[str]:
    text = file.read_text(encoding="utf-8")
    comparison = compare(*(read_side(text, side, folder / side) for side in ("old", "new")))
    assert isinstance(comparison, SpecComparison)
    return [
        f"{change.level.name} {change.id} {change.path} {happened(change)}" for change in comparison.changes
    ]


def read_side(text: str, side: str, folder: Path) -> Specification:
    folder.mkdir()
    [content] = re.findall(f"<{side}>(.*?)</{side}>", text, re.DOTALL)
    specifications = re.findall(r"<amqp\b[^<]*/>|<amqp\b.*?</amqp>", content, re.DOTALL)
    paths = [folder / f"{number}.xml" for number in range(len(specifications))]
    for path, specification in zip(paths, specifications, strict=True):
        path.write_text(specification, encoding="utf-8")
    return read_specification(paths)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_changes_are_those_of_the_comment(file: Path, tmp_path: Path) -> None:
    assert found(file, tmp_path) == expected(file)


def test_every_kind_of_change_occurs() -> None:
    told = {line.split()[1] for file in FILES for line in expected(file)}
    assert set(CATALOGUE) - told == ELSEWHERE
    assert told <= set(CATALOGUE)
