"""Loading 1.0: several files and the overlays on them are one specification."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from amqp_codegen.model.amqp0.raw import RawSource
from amqp_codegen.model.amqp1.raw import RawSpec, RawType
from amqp_codegen.model.problem import SpecError
from amqp_codegen.reader.inputs import resolve_input

from tests.reader.raw_models import load_amqp1

WHY = "reason='r' source='s'"
TYPES = (
    "<amqp name='types' xmlns='http://www.amqp.org/schema/amqp.xsd'><section name='s'>\n"
    "<type name='uint' class='primitive'><encoding code='0x70' category='fixed' width='4'/></type>\n"
    "</section></amqp>"
)
MORE = (
    "<amqp name='more'><section name='s'>\n"
    "<type name='c' class='composite'><descriptor name='d' code='1'/><field name='f' type='uint'/>"
    "<field name='g' type='uint' requires='a'/></type>\n"
    "<type name='r' class='restricted' source='uint'><choice name='one' value='1'/>"
    "<rule name='n'><doc><p>Old.</p></doc></rule></type>\n"
    "<definition name='N' value='1'/>\n"
    "</section></amqp>"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    return Path("in")


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def overlay(path: Path, text: str, name: str = "more") -> Path:
    """Write an overlay; what it says of the section begins on line 2."""
    return write(path, f"<amqp name='{name}' overlay='x'><section name='s'>\n{text}\n</section></amqp>")


def parts(folder: Path) -> list[Path]:
    return [write(folder / "types.xml", TYPES), write(folder / "more.xml", MORE)]


def merged(folder: Path, text: str) -> RawSpec:
    raw, problems = load_amqp1(parts(folder), [overlay(folder / "o.xml", text)])
    assert problems == []
    return raw


def one_type(raw: RawSpec, name: str) -> RawType:
    (found,) = (type_ for type_ in raw.types if type_.name == name)
    return found


def refusal(files: list[Path], *overlays: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_amqp1(files, overlays)
    return [str(problem) for problem in caught.value.problems]


def test_files_are_one_specification(folder: Path) -> None:
    raw, problems = load_amqp1(parts(folder))
    assert problems == []
    assert raw.version == "1.0"
    assert [(part.name, str(part.position)) for part in raw.parts] == [
        ("types", "in/types.xml:1:1"),
        ("more", "in/more.xml:1:1"),
    ]
    assert [type_.name for type_ in raw.types] == ["uint", "c", "r"]
    assert raw.sources == (
        RawSource("types.xml", hashlib.sha256(TYPES.encode()).hexdigest()),
        RawSource("more.xml", hashlib.sha256(MORE.encode()).hexdigest()),
    )


def test_a_folder_is_its_files(folder: Path) -> None:
    parts(folder)
    raw, _ = load_amqp1(resolve_input("in").files)
    assert [part.name for part in raw.parts] == ["types", "more"]


def test_overlays_change_the_part_they_name(folder: Path) -> None:
    changes = [
        overlay(folder / "a.xml", f"<definition name='N' value='2' overlay='replace' {WHY}/>"),
        overlay(
            folder / "b.xml",
            f"<type name='uint'><encoding code='0x43' category='fixed' overlay='add' {WHY}/></type>",
            "types",
        ),
        overlay(folder / "c.xml", f"<definition name='M' value='3' overlay='add' {WHY}/>"),
    ]
    raw, problems = load_amqp1(parts(folder), changes)
    assert problems == []
    definitions = raw.parts[1].sections[0].definitions
    assert [(definition.name, definition.value, definition.origin) for definition in definitions] == [
        ("N", "2", "r (s)"),
        ("M", "3", "r (s)"),
    ]
    assert [(encoding.code, encoding.origin) for encoding in one_type(raw, "uint").encodings] == [
        (0x70, ""),
        (0x43, "r (s)"),
    ]
    assert [source.name for source in raw.sources] == ["types.xml", "more.xml", "a.xml", "b.xml", "c.xml"]


def test_fields_are_known_by_name(folder: Path) -> None:
    raw = merged(
        folder,
        f"<type name='c'><field name='f' type='uint' default='7' overlay='replace' {WHY}/>"
        f"<field name='g' overlay='remove' {WHY}/>"
        f"<field name='e' type='uint' before='f' overlay='add' {WHY}/></type>",
    )
    fields = one_type(raw, "c").fields
    assert [(field.name, field.default, field.origin) for field in fields] == [
        ("e", None, "r (s)"),
        ("f", "7", "r (s)"),
    ]


def test_choices_and_rules_are_known_by_name(folder: Path) -> None:
    raw = merged(
        folder,
        f"<type name='r'><choice name='one' rename='uno' value='1' overlay='replace' {WHY}/>"
        f"<choice name='two' value='2' overlay='add' {WHY}/>"
        f"<rule name='n' overlay='replace' {WHY}><doc><p>New.</p></doc></rule></type>",
    )
    read = one_type(raw, "r")
    assert [choice.name for choice in read.choices] == ["uno", "two"]
    assert [rule.text for rule in read.rules] == ["New."]


def test_encodings_are_known_by_code(folder: Path) -> None:
    change = overlay(
        folder / "o.xml",
        f"<type name='uint'><encoding code='0X70' name='wide' category='fixed' overlay='replace' {WHY}/></type>",
        "types",
    )
    raw, _ = load_amqp1(parts(folder), [change])
    assert [(encoding.code, encoding.name) for encoding in one_type(raw, "uint").encodings] == [
        (0x70, "wide")
    ]


def test_descriptors_are_known_by_name_or_else_by_code(folder: Path) -> None:
    raw = merged(
        folder, f"<type name='c'><descriptor name='d' rename='x:d' code='2' overlay='replace' {WHY}/></type>"
    )
    assert [(descriptor.name, descriptor.code) for descriptor in one_type(raw, "c").descriptors] == [
        ("x:d", 2)
    ]
    files = parts(folder)
    write(folder / "more.xml", MORE.replace("name='d' ", ""))
    change = overlay(
        folder / "o.xml",
        f"<type name='c'><descriptor code='1' overlay='remove' {WHY}/>"
        f"<descriptor name='y' overlay='add' {WHY}/></type>",
    )
    raw, _ = load_amqp1(files, [change])
    assert [(descriptor.name, descriptor.code) for descriptor in one_type(raw, "c").descriptors] == [
        ("y", None)
    ]


def test_the_source_of_an_overlay_is_not_that_of_a_type(folder: Path) -> None:
    raw = merged(
        folder,
        "<type name='r' class='restricted' source='ulong' overlay='replace' reason='r' overlay-source='s'/>",
    )
    assert (one_type(raw, "r").source, one_type(raw, "r").origin) == ("ulong", "r (s)")


def test_overlays_that_fit_no_part_are_explained(folder: Path) -> None:
    files = parts(folder)
    misspelt = overlay(folder / "a.xml", "<doc/>", "mor")
    nameless = write(folder / "b.xml", "<amqp overlay='x'/>")
    wrong = overlay(folder / "c.xml", f"<type name='t' clas='union' overlay='add' {WHY}/>")
    plain = write(folder / "d.xml", "<amqp name='more'/>")
    lost = overlay(folder / "e.xml", f"<type name='q' overlay='remove' {WHY}/>")
    assert refusal(files, misspelt, nameless, wrong, plain, lost) == [
        "in/a.xml:1:1: error: there is no part 'mor' for this overlay to change (did you mean 'more'?) "
        "[overlay-target]",
        "in/b.xml:1:1: error: there is no part '' for this overlay to change "
        "(its name is that of the part it changes) [overlay-target]",
        "in/c.xml:2:1: error: unknown attribute 'clas' of type 't' (did you mean 'class'?) [unknown-attribute]",
        "in/d.xml:1:1: error: this file is not an overlay: its root element has no attribute 'overlay' "
        "[overlay-attribute]",
        "in/e.xml:2:1: error: section 's' has no type 'q' [overlay-target]",
    ]


def test_the_order_of_files_makes_no_difference(folder: Path) -> None:
    files = [
        *parts(folder),
        write(folder / "0.xml", "<amqp name='z'/>"),
        write(folder / "z.xml", "<amqp name='b'/>"),
    ]
    expected, _ = load_amqp1(files)
    assert [part.name for part in expected.parts] == ["types", "b", "more", "z"]
    for order in (files[::-1], files[2:] + files[:2]):
        assert load_amqp1(order)[0] == expected


def test_a_part_is_given_once(folder: Path) -> None:
    files = parts(folder)
    copy = write(folder / "copy.xml", TYPES)
    assert refusal([*files, copy])[0] == (
        "in/copy.xml:1:1: error: part 'types' is given already at in/types.xml:1:1 "
        "(give each file its own name, or make this one an overlay) [duplicate-part]"
    )


def test_all_problems_of_all_files_are_reported(folder: Path) -> None:
    first = write(folder / "a.xml", "<amqp name='a'>\n<section/>\n</amqp>")
    second = write(folder / "b.xml", "<amqp major='0' minor='9'/>")
    third = write(folder / "c.xml", "<amqp name='c' overlay='x'/>")
    assert sorted(refusal([first, second, third])) == [
        "in/a.xml:2:1: error: section has no attribute 'name' [missing-attribute]",
        "in/b.xml:1:1: error: this file describes AMQP 0-9, it is not part of 1.0 [unsupported-version]",
        "in/c.xml:1:1: error: this file is an overlay: it changes a specification and is none itself "
        "(give it as an overlay) [unsupported-version]",
    ]


def test_every_unreadable_file_is_reported(folder: Path) -> None:
    broken = write(folder / "broken.xml", "<amqp")
    first, second = refusal([broken], folder / "none.xml")
    assert first.startswith("in/broken.xml:1:6: error: not well-formed XML")
    assert second == "error: there is no file 'in/none.xml' [no-such-file]"
