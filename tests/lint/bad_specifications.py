"""The folder of bad specifications: each says in its leading comment what lint is to find in it.

expect: LINE:COLUMN RULE            in the file itself, in order; ``expect: nothing`` for a good one
expect: FILE:LINE:COLUMN RULE       in another file
overlay: FILE                       an overlay to lint it with
part: FILE                          another part of the same 1.0 specification
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from amqp_codegen.lint.run import LintOutcome, lint
from amqp_codegen.reader.inputs import Inputs

FOLDER = Path(__file__).parent / "specs"
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_LINE = re.compile(r"^(expect|overlay|part): (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class BadSpec:
    """A file of the folder, what belongs to it, and what is to be found: ``FILE:LINE:COLUMN RULE``."""

    path: Path
    overlays: tuple[Path, ...]
    parts: tuple[Path, ...]
    expected: tuple[str, ...]

    def lint(self) -> LintOutcome:
        return lint([Inputs((self.path, *self.parts), self.overlays)])


def read_bad_spec(path: Path) -> BadSpec:
    comment = _COMMENT.search(path.read_text(encoding="utf-8"))
    assert comment, f"{path.name} has no leading comment"
    said = [(match[1], match[2]) for match in _LINE.finditer(comment[1])]
    expected = [text for word, text in said if word == "expect"]
    assert expected, f"{path.name} expects nothing; say so"
    return BadSpec(
        path,
        tuple(FOLDER / text for word, text in said if word == "overlay"),
        tuple(FOLDER / text for word, text in said if word == "part"),
        tuple(
            text if text.count(":") == 2 else f"{path.name}:{text}" for text in expected if text != "nothing"
        ),
    )


BAD_SPECS = [
    read_bad_spec(path)
    for path in sorted(FOLDER.glob("*.xml"))
    if not path.name.endswith((".overlay.xml", ".part.xml"))
]
