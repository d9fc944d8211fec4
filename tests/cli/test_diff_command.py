"""``amqp-codegen diff``: its forms, its exit codes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from amqp_codegen.diff.change import LEVELS

from tests.emit.nasty_specifications import TEXTS

from .command_calls import call, place, refused, refused_with_one_line, write

__all__ = ["place"]

OLD = """<amqp major="0" minor="9" revision="1"><domain name="name" type="shortstr"/>
<class name="c" index="1"><method name="m" index="1">{doc}<field name="f" domain="octet"/></method></class></amqp>"""
WIRE = OLD.replace('domain="octet"', 'domain="short"')
SOURCE = OLD.replace('name="f"', 'name="g"')
BEHAVIOUR = OLD.replace('index="1">{doc}', 'index="1" synchronous="1">{doc}')
DOC = OLD.replace("{doc}", "<doc>Says so.</doc>")


@pytest.fixture
def files(place: Path) -> Path:
    texts = {"old": OLD, "wire": WIRE, "source": SOURCE, "behaviour": BEHAVIOUR, "doc": DOC}
    write({f"{name}.xml": text.replace("{doc}", "<doc>Says.</doc>") for name, text in texts.items()})
    return place


def test_text(files: Path) -> None:
    result = call("diff", "old.xml", "wire.xml")
    assert (result.code, result.err) == (0, [])
    assert result.out == [
        "0-9-1 (old.xml) -> 0-9-1 (wire.xml): 1 WIRE",
        "",
        "class c",
        "  WIRE      ~ field c.m.f type: octet -> short",
    ]


@pytest.mark.parametrize("found", range(4))
@pytest.mark.parametrize("asked", range(4))
def test_the_exit_code_is_1_from_the_level_on(files: Path, found: int, asked: int) -> None:
    levels = [level.name for level in sorted(LEVELS)]
    call_ = ("diff", "old.xml", f"{levels[found].lower()}.xml", "--level", levels[asked])
    assert call(*call_, "--exit-code").code == (1 if found >= asked else 0)
    plain = call(*call_)
    assert plain.code == 0
    assert (f"1 {levels[found]}" in plain.out[0]) == (found >= asked)


def test_nothing_differs(files: Path) -> None:
    result = call("diff", "old.xml", "old.xml", "--exit-code")
    assert (result.code, result.out) == (0, ["0-9-1 (old.xml) -> 0-9-1 (old.xml): no differences"])


def test_the_families_differ(place: Path) -> None:
    result = call("diff", "0-9-1", "1.0", "--exit-code", "--level", "wire")
    assert result.code == 1
    assert result.out[0].endswith("another protocol; this is what stands for what")
    assert "  old:  basic.publish" in result.out


def test_json(files: Path) -> None:
    found = json.loads("\n".join(call("diff", "old.xml", "source.xml", "--format", "json").out))
    assert found["counts"] == {"WIRE": 0, "SOURCE": 1, "BEHAVIOUR": 0, "DOC": 0}
    [change] = found["changes"]
    assert change == {
        "id": "field-renamed",
        "level": "SOURCE",
        "action": "renamed",
        "kind": "field",
        "path": "c.m.g",
        "section": "class c",
        "aspect": "",
        "old": "f",
        "new": "g",
        "reason": "the octets are the same; the generated name is another one",
        "old_position": {"file": "old.xml", "line": 2, "column": 70},
        "new_position": {"file": "source.xml", "line": 2, "column": 70},
    }
    concepts = json.loads("\n".join(call("diff", "1.0", "0-8", "--format", "json").out))["concepts"]
    assert {"topic", "old", "new", "note"} == set(concepts[0])


def test_overlays_on_either_side(place: Path) -> None:
    overlay = """<amqp major="0" minor="9" revision="1" overlay="amqp0-9-1.xml"><class name="tx">
<method name="ask" index="40" overlay="add" reason="to ask" source="nobody"><chassis name="server" implement="MUST"/></method>
</class></amqp>"""
    write({"ours.xml": overlay})
    added = call("diff", "0-9-1", "0-9-1", "--new-overlay", "ours.xml").out
    assert added[-1] == "  BEHAVIOUR + method tx.ask added: index 40: ()"
    removed = call("diff", "0-9-1", "0-9-1", "--old-overlay", "ours.xml").out
    assert removed[-1] == "  WIRE      - method tx.ask removed: index 40: ()"


def test_into_a_file(files: Path) -> None:
    result = call("diff", "old.xml", "wire.xml", "--format", "markdown", "-o", "diff.md")
    assert (result.code, result.out, result.err) == (0, [], [])
    assert Path("diff.md").read_text(encoding="utf-8").startswith("# 0-9-1")


def test_texts_stay_texts_in_markdown_and_on_a_terminal(files: Path) -> None:
    duty = '<rule name="r"><doc>The server MUST {}</doc></rule>'
    write({"rules.xml": OLD.replace("{doc}", duty.format("rest."))})
    for text in ("<script>x</script> | `code` {{ 7 * 7 }} [a](b) *b*", *TEXTS):
        told = text.replace("\x7f", "").replace("\u0080", "").replace("\u009b", "")
        write({"nasty.xml": OLD.replace("{doc}", duty.format(escape(told)))})
        result = call("diff", "rules.xml", "nasty.xml")
        assert result.code == 0
        assert all(line.isprintable() for line in result.out)
        shown = call("diff", "rules.xml", "nasty.xml", "--format", "markdown").out
        [row] = [line for line in shown if line.startswith("| BEHAVIOUR | rule")]
        for mark in ("<", "`", "*", "_", "[", "&"):
            assert mark not in row.replace(f"\\{mark}", "")
        assert row.replace("\\|", "").count("|") == 5


def test_what_is_refused(files: Path) -> None:
    assert refused_with_one_line("diff", "old.xml", "nosuch.xml").endswith("[no-such-file]")
    assert refused_with_one_line("diff", "0-7", "old.xml").endswith("[no-such-file]")
    assert refused_with_one_line("diff", "old.xml", "wire.xml", "-o", "no/where.txt").endswith(
        "[no-such-folder]"
    )
    assert refused("diff", "old.xml", "wire.xml", "--level", "ALL")[-1].startswith(
        "Error: Invalid value for '--level'"
    )
    assert refused("diff", "old.xml")[-1] == "Error: Missing argument 'NEW'."
