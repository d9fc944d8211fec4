"""``amqp-codegen model``: its forms, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.sax.saxutils import escape

from tests.emit.nasty_specifications import TEXTS

from .command_calls import SPEC, call, place, refused, refused_with_one_line, write

__all__ = ["place"]


def test_json(place: Path) -> None:
    result = call("model", "spec.xml")
    assert (result.code, result.err) == (0, [])
    found = json.loads("\n".join(result.out))
    assert found["specification"]["classes"][0]["methods"][0]["full_name"] == "c.m"
    assert found["specification"]["sources"][0]["name"] == "spec.xml"


def test_rabbitmq_json(place: Path) -> None:
    found = json.loads("\n".join(call("model", "spec.xml", "--format", "rabbitmq-json").out))
    assert found["constants"] == [{"name": "NOT-FOUND", "value": 404, "class": "soft-error"}]
    assert found["classes"] == [
        {
            "id": 1,
            "methods": [{"id": 1, "arguments": [{"type": "octet", "name": "f"}], "name": "m"}],
            "name": "c",
        }
    ]


def test_schema(place: Path) -> None:
    result = call("model", "--schema")
    assert result.code == 0
    assert json.loads("\n".join(result.out))["$id"].startswith("urn:amqp-codegen:model:")


def test_overlay_and_file(place: Path) -> None:
    overlay = """<amqp major="0" minor="9" revision="1" overlay="spec.xml">
<constant name="gone" value="410" class="soft-error" overlay="add" reason="to test" source="nobody"/></amqp>"""
    write({"ours.xml": overlay})
    result = call("model", "spec.xml", "--overlay", "ours.xml", "-o", "model.json")
    assert (result.code, result.out) == (0, [])
    found = json.loads(Path("model.json").read_text(encoding="utf-8"))
    assert [constant["name"] for constant in found["specification"]["constants"]] == ["not-found", "gone"]


def test_texts_stay_texts(place: Path) -> None:
    for text in TEXTS:
        write({"nasty.xml": SPEC.replace('index="1"><field', f'index="1"><doc>{escape(text)}</doc><field')})
        assert call("model", "nasty.xml", "-o", "out.json").code == 0
        found = json.loads(Path("out.json").read_text(encoding="utf-8"))
        doc = found["specification"]["classes"][0]["methods"][0]["doc"]
        assert doc.split() == text.split()


def test_what_is_refused(place: Path) -> None:
    assert refused_with_one_line("model", "nosuch.xml").endswith("[no-such-file]")
    assert refused_with_one_line("model", "1.0", "--format", "rabbitmq-json").endswith("[no-rabbitmq-json]")
    assert refused_with_one_line("model", "0-8", "-o", "no/where.json").endswith("[no-such-folder]")
    assert refused("model")[-1] == "Error: Missing argument 'SPEC'."
    assert refused("model", "0-8", "--schema")[-1].startswith("Error: --schema is one for all")
