"""``amqp-codegen diff``: its forms, its exit codes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from amqp_codegen.diff.change import LEVELS
from amqp_codegen.diff.classify import CATALOGUE

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
        "  WIRE      ~ field c.m.f type: octet -> short [field-type]",
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
    assert added[-1] == "  BEHAVIOUR + method tx.ask added: index 40: () [method-added]"
    removed = call("diff", "0-9-1", "0-9-1", "--old-overlay", "ours.xml").out
    assert removed[-1] == "  WIRE      - method tx.ask removed: index 40: () [method-removed]"


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


# --- Changes to ignore ---

IGNORE = """[[ignore]]
changes = "field-type"
paths = ["c.*"]
reason = "no peer of ours sends it"
"""


def test_changes_are_ignored(files: Path) -> None:
    write({"ignore.toml": IGNORE})
    result = call("diff", "old.xml", "wire.xml", "--ignore", "ignore.toml", "--exit-code")
    assert (result.code, result.err) == (0, [])
    assert result.out == [
        "0-9-1 (old.xml) -> 0-9-1 (wire.xml): no differences",
        "note: 1 change ignored",
    ]
    found = json.loads("\n".join(call(*WIRE_IGNORED, "--format", "json").out))
    assert (found["changes"], found["counts"]["WIRE"]) == ([], 0)
    (ignored,) = found["ignored"]
    assert (ignored["id"], ignored["path"]) == ("field-type", "c.m.f")
    assert ignored["ignored_because"] == "no peer of ours sends it"


WIRE_IGNORED = ("diff", "old.xml", "wire.xml", "--ignore", "ignore.toml")


def test_changes_to_ignore_from_standard_input(files: Path) -> None:
    result = call("diff", "old.xml", "wire.xml", "--ignore", "-", "--exit-code", stdin=IGNORE)
    assert (result.code, result.out[1:], result.err) == (0, ["note: 1 change ignored"], [])
    wrong = call("diff", "old.xml", "wire.xml", "--ignore", "-", stdin="[[ignore\n")
    assert (wrong.code, wrong.out) == (2, [])
    assert wrong.err[0].startswith("-:1:9: error: not readable as TOML")


def test_an_entry_that_ignores_nothing_is_told(files: Path) -> None:
    write({"ignore.toml": IGNORE.replace("c.*", "d.*")})
    result = call(*WIRE_IGNORED, "--exit-code")
    assert result.code == 1
    assert result.out[1] == "note: ignore 1 of ignore.toml ignores nothing"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[[ignore]]\nreason = 'r'\n", "neither changes nor paths"),
        ("[[ignore]]\nchanges = 1\nreason = 'r'\n", "must be a string or an array of strings"),
        ("[[ignore]]\npath = 'x'\nreason = 'r'\n", "unknown key 'path' (did you mean 'paths'?)"),
        ("ignore = 1\n", "must be an array of tables, not an integer (write [[ignore]])"),
        ("ignores = []\n", "unknown key 'ignores' (did you mean 'ignore'?)"),
        ("[[ignore\n", "not readable as TOML"),
    ],
)
def test_a_wrong_file_of_changes_to_ignore(files: Path, text: str, part: str) -> None:
    write({"ignore.toml": text})
    found = refused(*WIRE_IGNORED)
    assert part in found[0]
    assert all(line.startswith("ignore.toml:") and line.endswith("[bad-ignore]") for line in found)


# --- For machines ---


def test_annotations(files: Path) -> None:
    assert call("diff", "old.xml", "wire.xml", "--format", "github").out == [
        "::error file=wire.xml,line=2,col=70,title=field-type::WIRE: field c.m.f type: octet -> short (it has other octets)"
    ]
    assert (
        call("diff", "old.xml", "doc.xml", "--format", "github").out[0].startswith("::notice file=doc.xml,")
    )
    (line,) = call("diff", "0-9-1", "1.0", "--format", "github").out
    assert line.startswith("::error title=another-protocol::")


def test_junit(files: Path) -> None:
    def suites(*arguments: str) -> list[dict[str, str]]:
        root = ElementTree.fromstring("\n".join(call("diff", *arguments, "--format", "junit").out))
        return [suite.attrib for suite in root]

    wire = {"name": "class c", "tests": "1", "errors": "0", "failures": "1", "skipped": "0"}
    assert suites("old.xml", "wire.xml") == [wire]
    assert suites("old.xml", "doc.xml") == [{**wire, "failures": "0", "skipped": "1"}]
    assert suites("old.xml", "old.xml") == [{**wire, "name": "diff", "failures": "0"}]
    assert suites("0-9-1", "1.0") == [{**wire, "name": "diff"}]
    write({"ignore.toml": IGNORE})
    ignored = suites("old.xml", "wire.xml", "--ignore", "ignore.toml")
    assert ignored == [{**wire, "name": "ignored", "failures": "0", "skipped": "1"}]


def test_ids_are_listed(place: Path) -> None:
    document = json.loads("\n".join(call("diff", "--list", "--format", "json").out))
    assert [change["id"] for change in document["changes"]] == list(CATALOGUE)
    assert "field-type (WIRE): field type changed: it has other octets" in call("diff", "--list").out
