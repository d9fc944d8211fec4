"""What the examples of templates make: C that compiles, YAML with the texts in it, Kaitai Struct that is accepted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.emit.nasty_specifications import TEXTS, folded
from tests.examples.templates.made_files import made
from tests.examples.templates.test_c_header import values
from tests.npm import node

from .conftest import Corpus

KAITAI = Path(__file__).resolve().parents[1] / "examples" / "templates"


def made_of(corpus: Corpus, which: str, example: str) -> str:
    [text] = made(example, str(corpus.named(which))).values()
    return text


def test_c_header(corpus: Corpus, tmp_path: Path) -> None:
    """Without a warning, and with the same numbers; strings are those of the specification."""
    found = {}
    for which in ("nasty", "tame"):
        (tmp_path / which).mkdir()
        found[which] = values(tmp_path / which, {"made.h": made_of(corpus, which, "c-header")})
    nasty, tame = found["nasty"], found["tame"]
    assert nasty.keys() == tame.keys()
    numbers = {name for name, value in tame.items() if isinstance(value, int)}
    assert {name: nasty[name] for name in numbers} == {name: tame[name] for name in numbers}
    if corpus.family == "amqp1":
        for number, text in enumerate(TEXTS):
            assert folded(nasty[f"AMQP_1_0_NASTY_STRING_C{number}"].decode()) == folded(text)


def test_kaitai_struct(corpus: Corpus) -> None:
    if corpus.family == "amqp1":
        pytest.skip("the example is for the 0-x family")
    text = made_of(corpus, "nasty", "kaitai")
    said = {folded(json.loads(element)) for element in re.findall(r'^ +doc: (".*")$', text, re.MULTILINE)}
    assert {folded(text) for text in TEXTS} <= said
    request = {"ksy": text, "streams": ["08000000000000ce"]}
    [answer] = node(KAITAI / "kaitai.js", KAITAI / "package.json", [request])
    assert "error" not in answer, answer
    assert [frame["type"] for frame in answer["streams"][0]["frames"]] == [8]
