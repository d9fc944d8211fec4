"""wire.toml: what it says, and what is refused in it."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from amqp_codegen.model.amqp0.wire import Wire
from amqp_codegen.model.problem import SpecError
from amqp_codegen.resolve.amqp0.wire import KINDS, read_wire
from amqp_codegen.support import toml
from amqp_codegen.support.resources import specs_dir

from .small_specifications import wire

DOCUMENT = toml.loads((specs_dir() / "wire.toml").read_text(encoding="utf-8"))
Path = tuple[str, ...]


def written(value: Any) -> str:
    """A value as TOML; tables are written inline."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(key)} = {written(item)}' for key, item in value.items())} }}"
    return json.dumps(value)


def changed(path: Path, *value: Any) -> str:
    """The text of wire.toml with one value replaced, or left out."""
    document = copy.deepcopy(DOCUMENT)
    *parents, last = path
    table = document
    for key in parents:
        table = table[key]
    table.pop(last)
    if value:
        table[last] = value[0]
    return "\n".join(f"{json.dumps(key)} = {written(item)}" for key, item in document.items())


def refusal(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read_wire(text.encode(), "wire.toml")
    messages = [str(problem) for problem in caught.value.problems]
    assert all(message.startswith("wire.toml:") and message.endswith("[wire-file]") for message in messages)
    assert all(message.isprintable() for message in messages)
    return messages


def test_the_changed_text_is_read_like_the_file_itself() -> None:
    found = read_wire(changed(("types", "bit"), DOCUMENT["types"]["bit"]).encode(), "wire.toml")
    assert replace(found, defaults={}) == replace(wire(), defaults={})
    assert _values(found) == _values(wire())  # their lines differ


def _values(found: Wire) -> dict[str, object]:
    return {path: (default.value, default.reason) for path, default in found.defaults.items()}


def test_ours() -> None:
    found = wire()
    assert list(found.versions) == ["0-8", "0-9", "0-9-1"]
    assert list(found.dialects) == ["spec-0-8", "spec-0-9", "spec-0-9-1", "rabbitmq", "qpid"]
    for version in found.versions.values():
        assert version.header[:4] == b"AMQP"
        assert version.overhead == len(version.heartbeat) == len(version.header) == 8
        assert version.dialect in found.dialects
        assert version.frames["heartbeat"] == version.heartbeat[0]
        assert len(set(version.frames.values())) == len(version.frames)
    assert found.versions["0-8"].other_headers == (b"AMQP\1\1\x09\1",)


@pytest.mark.parametrize("name", ["spec-0-8", "spec-0-9", "spec-0-9-1", "rabbitmq", "qpid"])
def test_dialects_of_ours_write_what_they_read(name: str) -> None:
    dialect = wire().dialects[name]
    assert set(dialect.read.values()) <= KINDS
    fits = {
        "boolean": {"boolean"},
        "float": {"double", "float"},
        "text": {"longstr"},
        "bytes": {"bytes", "longstr"},
        "decimal": {"decimal", "decimal-unsigned"},
        "timestamp": {"timestamp"},
        "array": {"array"},
        "table": {"table"},
        "void": {"void"},
    }
    assert all(dialect.read[letter] in fits[kind] for kind, letter in dialect.write.items())
    assert all("int" in dialect.read[letter] for letter in dialect.integers)
    assert dialect.integers


# spec-facts 2.1: letters on which the document, RabbitMQ and Qpid differ.
@pytest.mark.parametrize(
    ("letter", "document", "rabbitmq", "qpid"),
    [
        ("l", "uint64", "int64", "int64"),
        ("L", "int64", "int64", None),
        ("s", "shortstr", "int16", "int16"),
        ("U", "int16", None, None),
        ("D", "decimal", "decimal", "decimal"),
        ("x", None, "bytes", "bytes"),
        ("b", "int8", "int8", "int8"),
        ("B", "uint8", "uint8", None),
        ("I", "int32", "int32", "int32"),
        ("i", "uint32", "uint32", None),
    ],
)
def test_letters(letter: str, document: str | None, rabbitmq: str | None, qpid: str | None) -> None:
    found = [wire().dialects[name].read.get(letter) for name in ("spec-0-9-1", "rabbitmq", "qpid")]
    assert found == [document, rabbitmq, qpid]


def test_letters_of_the_older_documents() -> None:
    oldest = {"S": "longstr", "I": "int32", "D": "decimal", "T": "timestamp", "F": "table"}
    assert wire().dialects["spec-0-8"].read == oldest
    assert wire().dialects["spec-0-9"].read == {**oldest, "V": "void"}


@pytest.mark.parametrize("text", ["[", "a = ", "= 1", "[a]\n[a]"])
def test_no_toml(text: str) -> None:
    [message] = refusal(text)
    assert message.startswith("wire.toml:1:1: error: not readable as TOML: ")


def test_no_utf_8() -> None:
    with pytest.raises(SpecError, match="not readable as TOML"):
        read_wire(b'a = "\xff"', "wire.toml")


@pytest.mark.parametrize(
    "path",
    [
        *((table,) for table in ("dialects", "versions", "overlays", "types", "aliases", "profiles")),
        *(("dialects", "qpid", key) for key in ("doc", "read", "write")),
        ("dialects", "qpid", "write", "integers"),
        *(
            ("versions", "0-9-1", key)
            for key in (
                "header",
                "also",
                "dialect",
                "overhead",
                "heartbeat",
                "frames",
                "frame-end",
                "min-frame-size",
            )
        ),
        *(("overlays", "rabbitmq.xml", key) for key in ("base", "version", "title", "dialect", "package")),
        *(("profiles", "rabbitmq", key) for key in ("reason", "skip", "dialect")),
        ("aliases", "any"),
        ("aliases", "version"),
    ],
    ids=".".join,
)
def test_a_missing_key(path: Path) -> None:
    [message] = refusal(changed(path))
    assert repr(path[-1]) in message


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("versions", "0-8", "header"), "AMQP"),
        (("versions", "0-8", "header"), 1),
        (("versions", "0-8", "also"), [1]),
        (("versions", "0-8", "also"), 1),
        (("versions", "0-8", "heartbeat"), "0"),
        (("versions", "0-8", "frames"), 1),
        (("versions", "0-8"), []),
        (("dialects", "qpid", "read"), 1),
        (("dialects", "qpid", "write"), "S"),
        (("dialects", "qpid", "write", "integers"), 1),
        (("dialects",), 1),
        (("overlays",), []),
        (("overlays", "rabbitmq.xml"), "x"),
        (("types",), 1),
        (("aliases", "any"), 1),
        (("aliases", "any", "no-wait"), 1),
        (("profiles", "rabbitmq"), 1),
        (("profiles", "rabbitmq", "skip"), 1),
    ],
)
def test_a_value_of_the_wrong_form(path: Path, value: object) -> None:
    assert len(refusal(changed(path, value))) == 1


@pytest.mark.parametrize(
    ("path", "value", "part"),
    [
        (("dialects", "qpid", "write", "integers"), ["Q"], "'Q'"),
        (("dialects", "qpid", "write", "integers"), ["S"], "'S'"),
        (("dialects", "qpid", "write", "text"), "Q", "'Q'"),
        (("dialects", "qpid", "write", "integers"), "Il", "integers"),
        (("profiles", "rabbitmq", "skip"), "length", "skip"),
        (("aliases", "any", "no-wait"), "nowait", "no-wait"),
        (("versions", "0-8", "overhead"), "8", "overhead"),
        (("versions", "0-8", "dialect"), "nosuch", "'nosuch'"),
        (("overlays", "rabbitmq.xml", "base"), "0-7", "'0-7'"),
    ],
)
def test_what_would_come_out_as_a_package_that_does_not_work(path: Path, value: object, part: str) -> None:
    messages = refusal(changed(path, value))
    assert part in " ".join(messages)


def test_letters_and_kinds_that_do_not_exist_are_all_named() -> None:
    found = refusal(
        changed(
            ("dialects", "qpid", "read"), {"S": "longstring", "SS": "longstr", "\u00e4": "int8", "": "int8"}
        )
    )
    assert (
        "wire.toml:1:1: error: dialect 'qpid': letter 'S' has the unknown kind 'longstring' [wire-file]"
        in found
    )
    assert all(any(f"letter {letter!r}" in message for message in found) for letter in ("SS", "\u00e4", ""))


# A default that is wrong: the entry, and what is said of it.
DEFAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "no value": ({"reason": "because"}, "a key is missing"),
    "no reason": ({"value": True}, "a key is missing"),
    "an empty reason": ({"value": True, "reason": ""}, "needs a reason"),
    "a list": ({"value": [], "reason": "because"}, "is a boolean, number or string"),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults_of_a_wrong_form(name: str) -> None:
    entry, text = DEFAULTS[name]
    [message] = refusal(changed(("defaults", "basic.nack.requeue"), entry))
    assert text in message
