"""Octets in every form that people paste; what is in no form is refused, with its position if it is hexadecimal."""

from __future__ import annotations

import base64
import random
import re
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.decode.input_text import read_file_octets, read_text_octets
from amqp_codegen.model.problem import SpecError
from amqp_codegen.support import toml
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

OCTETS = bytes.fromhex("010001000000050014000a00ce")
FOLDER = Path(__file__).parent
CASES = toml.loads((FOLDER / "input_forms.toml").read_text(encoding="utf-8"))["case"]
NAMED_CASES = toml.loads((FOLDER / "more_input_forms.toml").read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:30])
def test_forms(case: dict[str, Any]) -> None:
    if "refused" in case:
        with pytest.raises(SpecError, match=re.escape(case["refused"])):
            read_text_octets(case["text"], "argument")
        return
    found = read_text_octets(case["text"], "argument")
    assert (found.octets, found.form) == (OCTETS, case["form"])


@pytest.mark.parametrize("case", NAMED_CASES, ids=lambda case: case["name"])
def test_programs_dumps_and_logs(case: dict[str, Any]) -> None:
    if "refused" not in case:
        found = read_text_octets(case["text"], "argument")
        assert (found.octets, found.form) == (OCTETS, case["form"])
        assert read_file_octets(case["text"].encode(), "x").octets == OCTETS
        return
    with pytest.raises(SpecError, match=re.escape(case["refused"])) as caught:
        read_text_octets(case["text"], "argument")
    place = caught.value.problems[0].position
    assert (place and [place.line, place.column]) == case.get("at")


@given(octets=st.binary(min_size=1, max_size=300), seed=st.integers(0, 2**32))
@examples(200)
def test_dumps_of_any_octets(octets: bytes, seed: int) -> None:
    """The column of text may look like octets; the offsets say where a line ends."""
    source = random.Random(seed)
    width = source.choice((8, 16))
    lines: list[str] = []
    for at in range(0, len(octets), width):
        row = octets[at : at + width]
        text = "".join(chr(octet) if 32 < octet < 127 else "." for octet in row)
        lines.append(
            {
                0: f"{at:08x}: {row.hex(' ', 2):40}  {text}",
                1: f"{at:08x}  {row[:8].hex(' '):24} {row[8:].hex(' '):24} |{text}|",
                2: f"{at:04x}   {row.hex(' '):{3 * width}}  {text}",
            }[seed % 3]
        )
    if seed % 3 == 0 and len(octets) % 2:
        return  # xxd writes the last octet alone; hex(sep, 2) the first
    assert read_text_octets("\n".join(lines), "x").octets == octets


@given(octets=st.binary(min_size=6, max_size=100))
@examples(200)
def test_literals_and_base64_of_any_octets(octets: bytes) -> None:
    assert read_text_octets(repr(octets), "x").octets == octets
    assert read_text_octets(octets.hex(":"), "x").octets == octets
    text = base64.b64encode(octets).decode()
    if len(re.sub("[0-9A-Fa-f]", "", text)) > 1:
        assert read_text_octets(text, "x").octets == octets


@given(text=st.text(max_size=60) | st.text("0123456789abcdefxX:,-'\"\\|[]<>= \t\nb", max_size=60))
@examples(400)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert read_text_octets(text, "x").octets
    except SpecError as error:
        [problem] = error.problems
        assert problem.message.isprintable()


def test_files() -> None:
    assert read_file_octets(OCTETS, "x").form == "binary"
    assert read_file_octets(b"\xff\xfe" + OCTETS.hex().encode("utf-16-le"), "x").octets == OCTETS
    assert read_file_octets(b"\xef\xbb\xbf" + OCTETS.hex().encode(), "x").octets == OCTETS
    for wrong, words in {b"": "empty", b"\xd4\xc3\xb2\xa1rest": "is a capture"}.items():
        with pytest.raises(SpecError, match=words):
            read_file_octets(wrong, "x")
