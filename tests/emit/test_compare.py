"""What differs between a folder and what would be generated."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.emit.compare import Drift, compare
from amqp_codegen.emit.source_text import MARK
from amqp_codegen.model.problem import SpecError

OURS = f"{MARK}1.0; do not edit\n"
FILES = {"p/__init__.py": f"{OURS}a = 1\n", "p/sub/x.py": OURS, "p/py.typed": ""}


def fill(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def test_nothing_there(tmp_path: Path) -> None:
    assert compare(tmp_path / "new", FILES, ["p"]) == Drift(
        (), ("p/__init__.py", "p/py.typed", "p/sub/x.py"), ()
    )


def test_everything_there(tmp_path: Path) -> None:
    fill(tmp_path, FILES)
    found = compare(tmp_path, FILES, ["p"])
    assert found == Drift((), (), ())
    assert not found


@pytest.mark.parametrize(
    "text", ["", "a = 1\n", f"{OURS}a = 1", f"{OURS}a = 1\r\n", f"{OURS}a = 1\n\n", f"\ufeff{OURS}a = 1\n"]
)
def test_a_changed_file(tmp_path: Path, text: str) -> None:
    """Whatever it has become: what we generate is ours to change back, down to the line ends."""
    fill(tmp_path, {**FILES, "p/__init__.py": text})
    found = compare(tmp_path, FILES, ["p"])
    assert found == Drift(("p/__init__.py",), (), ())
    assert found


def test_a_file_that_is_no_longer_generated(tmp_path: Path) -> None:
    fill(tmp_path, {**FILES, "p/old.py": OURS, "p/sub/deep/er/old.py": OURS})
    assert compare(tmp_path, FILES, ["p"]) == Drift((), (), ("p/old.py", "p/sub/deep/er/old.py"))


def test_files_of_others_are_no_matter(tmp_path: Path) -> None:
    others = {
        "p/mine.py": "x = 1\n",
        "p/notes.txt": "",
        "p/__pycache__/x.cpython-311.pyc": OURS,
        "q/old.py": OURS,
        "old.py": OURS,
    }
    fill(tmp_path, {**FILES, **others, "p/almost.py": f"\n{OURS}", "pp/old.py": OURS})
    (tmp_path / "p" / "binary.bin").write_bytes(b"\xff\xfe\x00" * 100)
    assert not compare(tmp_path, FILES, ["p"])


def test_only_the_packages_that_are_generated_are_looked_at(tmp_path: Path) -> None:
    fill(tmp_path, {"p/old.py": OURS, "q/old.py": OURS})
    assert compare(tmp_path, {}, ["q"]).extra == ("q/old.py",)


def test_folders_and_links_in_the_way(tmp_path: Path) -> None:
    fill(tmp_path, {"p/__init__.py/inside": "", "p/sub/y": ""})
    (tmp_path / "p" / "sub" / "x.py").symlink_to("nowhere")
    (tmp_path / "p" / "loop").symlink_to(tmp_path / "p")
    assert compare(tmp_path, FILES, ["p"]).missing == ("p/__init__.py", "p/py.typed", "p/sub/x.py")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_folder_that_cannot_be(tmp_path: Path, name: str) -> None:
    try:
        found = compare(tmp_path / name, FILES, ["p"])
    except SpecError as error:
        [problem] = error.problems
        assert problem.rule_id == "unwritable-output"
    else:  # Python 3.14 does not mind
        assert len(found.missing) == 3
