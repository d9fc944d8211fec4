"""Loading files: every problem at once, each with its file as the user named it."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest
from amqp_codegen.lint.run import lint
from amqp_codegen.model.amqp0.raw import RawSource
from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.reader import load
from amqp_codegen.reader.element import Element
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.reader.load import Documents
from amqp_codegen.reader.versions import KnownVersion, identify
from amqp_codegen.reader.xml_tree import read_xml
from amqp_codegen.resolve.specification import read_specification

from tests.reader.raw_models import load_amqp0, load_amqp1

WHY = "reason='r' source='s'"
SPEC = "<amqp major='0' minor='9'>\n<constant name='one' value='1'/>\n</amqp>"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    return Path("in")


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def overlay(path: Path, text: str) -> Path:
    return write(path, f"<amqp overlay='spec.xml'>\n{text}\n</amqp>")


def refusal(spec: Path, *overlays: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_amqp0(spec, overlays)
    return [str(problem) for problem in caught.value.problems]


def test_a_specification_with_its_overlays(folder: Path) -> None:
    spec = write(folder / "spec.xml", SPEC)
    changes = overlay(folder / "o.xml", f"<constant name='two' value='2' overlay='add' {WHY}/>")
    raw, problems = load_amqp0(spec, [changes])
    assert problems == []
    assert [(constant.name, constant.origin) for constant in raw.constants] == [("one", ""), ("two", "r (s)")]
    assert [str(constant.position) for constant in raw.constants] == ["in/spec.xml:2:1", "in/o.xml:2:1"]
    assert raw.sources == (
        RawSource("spec.xml", hashlib.sha256(SPEC.encode()).hexdigest()),
        RawSource("o.xml", hashlib.sha256(changes.read_bytes()).hexdigest()),
    )


def test_all_problems_of_all_files_are_reported(folder: Path) -> None:
    spec = write(folder / "spec.xml", "<amqp major='0' minor='9'>\n<constant nam='one' value='1'/>\n</amqp>")
    first = overlay(folder / "a.xml", "<constant name='x' value='-1' overlay='add' reason='r' source='s'/>")
    second = overlay(folder / "b.xml", "<constant name='y' overlay='add' reason='r' source='s'/>")
    third = overlay(folder / "c.xml", "<constant name='z' overlay='remove'/>")
    assert refusal(spec, first, second, third) == [
        "in/a.xml:2:1: error: constant 'x': value '-1' is negative [bad-value]",
        "in/c.xml:2:1: error: constant 'z' has overlay='remove' but no reason [overlay-attribute]",
        "in/c.xml:2:1: error: constant 'z' has overlay='remove' but no source [overlay-attribute]",
        "in/c.xml:2:1: error: amqp has no constant 'z' [overlay-target]",
        "in/spec.xml:2:1: error: unknown attribute 'nam' of constant (did you mean 'name'?) "
        "[unknown-attribute]",
        "in/spec.xml:2:1: error: constant has no attribute 'name' [missing-attribute]",
        "in/b.xml:2:1: error: constant 'y' has no attribute 'value' [missing-attribute]",
    ]


def test_every_unreadable_file_is_reported(folder: Path) -> None:
    spec = write(folder / "spec.xml", "<amqp>")
    broken = write(folder / "broken.xml", "")
    first, second, third, fourth = refusal(spec, broken, folder / "none.xml", folder)
    assert first.startswith(
        "in/spec.xml:1:7: error: not well-formed XML: the file ends too early: amqp, which begins at line 1, column 1"
    )
    assert second.startswith("in/broken.xml:1:1: error: the file is empty")
    assert third == "error: there is no file 'in/none.xml' [no-such-file]"
    assert fourth == "error: cannot read 'in': Is a directory [unreadable-file]"


def test_a_file_that_must_not_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert refusal(folder / "spec.xml") == [
        "error: cannot read 'in/spec.xml': Permission denied [unreadable-file]"
    ]


def test_an_endless_file_is_not_read_to_its_end() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("needs /dev/zero")
    assert refusal(Path("/dev/zero")) == [
        "/dev/zero:1:1: error: the file has more than 8388608 octets [xml-too-large]"
    ]


def test_a_specification_is_no_overlay_and_an_overlay_no_specification(folder: Path) -> None:
    spec = write(folder / "spec.xml", SPEC)
    changes = overlay(folder / "o.xml", "")
    assert refusal(spec, spec) == [
        "in/spec.xml:1:1: error: this file is not an overlay: its root element has no attribute 'overlay' "
        "[overlay-attribute]"
    ]
    assert refusal(changes) == [
        "in/o.xml:1:1: error: this file is an overlay: it changes a specification and is none itself "
        "(give it as an overlay) [unsupported-version]"
    ]


def test_other_versions_are_refused(folder: Path) -> None:
    types = write(folder / "types.xml", "<amqp name='types'/>")
    with pytest.raises(SpecError) as caught:
        load_amqp1(
            [types, write(folder / "spec.xml", SPEC), write(folder / "o.xml", "<amqp overlay='types'/>")]
        )
    assert [str(problem) for problem in caught.value.problems] == [
        "in/spec.xml:1:1: error: this file describes AMQP 0-9, it is not part of 1.0 [unsupported-version]",
        "in/o.xml:1:1: error: this file is an overlay: it changes a specification and is none itself "
        "(give it as an overlay) [unsupported-version]",
    ]
    assert refusal(write(folder / "old.xml", "<amqp major='0' minor='7'/>"))[0].startswith(
        "in/old.xml:1:1: error: unknown version '0-7-0'"
    )


def test_an_overlay_attribute_outside_overlays_is_explained(folder: Path) -> None:
    spec = write(
        folder / "spec.xml", "<amqp major='0' minor='9'><constant name='a' value='1' overlay='add'/></amqp>"
    )
    assert refusal(spec) == [
        "in/spec.xml:1:27: error: unknown attribute 'overlay' of constant 'a' "
        "(that belongs in an overlay: a file whose root element has an attribute 'overlay') "
        "[unknown-attribute]"
    ]


def test_a_document_has_the_name_the_user_gave_and_its_own(folder: Path) -> None:
    document = Documents().read(write(folder / "spec.xml", SPEC))
    root, source = document.root, document.source
    assert root.position.file == "in/spec.xml"
    assert source.name == "spec.xml"


@pytest.mark.parametrize("name", ["0-9-1", "0-9-1-rabbitmq", "1.0"])
@pytest.mark.parametrize("use", ["generate", "lint"])
def test_each_file_is_read_once_and_its_version_told_once(
    name: str, use: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: Counter[tuple[str, str]] = Counter()

    def counted_read(data: bytes, file: str) -> Element:
        calls["read", file] += 1
        return read_xml(data, file)

    def counted_identify(root: Element) -> KnownVersion | Problem:
        calls["identify", root.position.file] += 1
        return identify(root)

    monkeypatch.setattr(load, "read_xml", counted_read)
    monkeypatch.setattr(load, "identify", counted_identify)
    inputs = resolve_input(name)
    if use == "lint":
        assert not lint([inputs]).unread
    else:
        read_specification(inputs.files, inputs.overlays)
    files = [str(path) for path in (*inputs.files, *inputs.overlays)]
    assert calls == {(what, file): 1 for what in ("read", "identify") for file in files}
