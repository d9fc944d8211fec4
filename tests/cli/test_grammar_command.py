"""``amqp-codegen grammar``: as text, as a graph, as JSON, and what it refuses."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE

from .command_calls import call, place, refused, refused_with_one_line, write

__all__ = ["place"]

CLASS = """<class name="c" index="1"><doc type="grammar">
c = C:ASK S:ASK-OK
</doc><method name="ask" index="1"><chassis name="server" implement="MUST"/><response name="ask-ok"/></method>
<method name="ask-ok" index="2"><chassis name="client" implement="MUST"/></method>
<method name="tell" index="3"><chassis name="server" implement="MUST"/></method></class>"""
SPEC = f"""<amqp major="0" minor="9" revision="1">
{CLASS}
{CLASS.replace('"c" index="1"', '"d" index="2"').replace("c =", "d =")}
</amqp>"""


def spec_file(text: str) -> str:
    write({"s.xml": text})
    return "s.xml"


def test_text(place: Path) -> None:
    result = call("grammar", spec_file(SPEC), "d", "c")
    assert result.code == 0
    assert result.err == []
    half = len(result.out) // 2
    assert result.out[half:][1:] == [
        "class c",
        "    c = C:ASK S:ASK-OK",
        "  by its methods alone: C:TELL",
        "  state 0 (may end here)",
        "    C:ASK                        -> 1",
        "    C:TELL                       -> 0",
        "  state 1",
        "    S:ASK-OK                     -> 0",
        "  s.xml:6:1: warning: the grammar lacks C:TELL, which c.tell allows by its chassis [grammar-lacks]",
    ]
    assert result.out[0] == "class d"


def test_all_classes_of_a_built_in_specification(place: Path) -> None:
    classes = [line for line in call("grammar", "0-9-1-rabbitmq").out if line.startswith("class")]
    assert [line.split()[1] for line in classes] == [
        *("connection", "channel", "access", "exchange", "queue", "basic", "tx", "confirm"),
    ]


def test_json(place: Path) -> None:
    found = json.loads("\n".join(call("grammar", spec_file(SPEC), "c", "--format", "json").out))
    assert found["spec"] == "0-9-1"
    [entry] = found["classes"]
    assert (entry["name"], entry["derived"], entry["begins_with_header"]) == ("c", ["C:TELL"], False)
    assert entry["states"][1] == {
        "state": 1,
        "accepting": False,
        "others": [],
        "transitions": [{"sender": "server", "method": "ask-ok", "content": False, "target": 0}],
    }
    [odd] = entry["irregularities"]
    assert (odd["rule"], odd["file"], odd["line"], odd["column"]) == ("grammar-lacks", "s.xml", 6, 1)


def test_dot(place: Path) -> None:
    lines = [line.strip() for line in call("grammar", spec_file(SPEC), "c", "--format", "dot").out]
    assert lines[0] == "digraph grammar {"
    assert 'c0_0 -> c0_1 [label="C:ASK", color="#1f5fa8", fontcolor="#1f5fa8"];' in lines
    assert 'c0_1 -> c0_0 [label="S:ASK-OK", color="#b03a2e", fontcolor="#b03a2e"];' in lines
    assert "c0_0 [label=0, shape=doublecircle];" in lines
    assert lines.count("}") == 2


@pytest.mark.parametrize("spec", ["0-8", "0-8-rabbitmq", "0-9", "0-9-1", "0-9-1-rabbitmq"])
def test_graphviz_draws_it(place: Path, spec: str) -> None:
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("needs Graphviz")
    graph = "\n".join(call("grammar", spec, "--format", "dot").out)
    done = subprocess.run(
        [dot, "-Tsvg"], input=graph, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stderr == ""
    assert "functional&#45;class" in done.stdout


def test_a_grammar_that_cannot_be_used_is_a_warning(place: Path) -> None:
    result = call("grammar", spec_file(SPEC.replace("S:ASK-OK", "S:ASKOK", 1)), "c")
    assert result.code == 0
    assert result.err == [
        "s.xml:3:11: warning: class 'c' has no method 'askok' (did you mean 'ask-ok'?) [grammar-unknown-method]"
    ]
    assert "  by its methods alone: C:ASK S:ASK-OK" in result.out


def test_a_syntax_error_is_told_with_its_place(place: Path) -> None:
    result = call("grammar", spec_file(SPEC.replace("C:ASK S", "C:ASK ( S", 1)), "c")
    assert result.err == ["s.xml:3:11: warning: '(' is never closed [grammar-syntax]"]


def test_what_is_refused(place: Path) -> None:
    file = spec_file(SPEC)
    assert refused("grammar", file, "x", "cc") == [
        "error: there is no class 'x' (known: c, d) [no-such-class]",
        "error: there is no class 'cc' (did you mean 'c'?) [no-such-class]",
    ]
    assert (
        refused("grammar", "1.0")[-1]
        == "error: AMQP 1.0 has no classes, and so no class grammars [no-grammars]"
    )
    assert refused_with_one_line("grammar", "nosuch.xml").endswith("[no-such-file]")
    assert refused("grammar", file, "--format", "svg")[-1].startswith("Error: Invalid value for '--format'")
