"""Wrong input: one clear line for each fault, exit code 2, nothing written, no traceback."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.written_cases import written_cases

from .command_calls import METHOD, SPEC, call, everything, place, refused, refused_with_one_line, tiny, write

__all__ = ["place"]


def changed(old: str, new: str) -> str:
    assert SPEC.count(old) == 1
    return SPEC.replace(old, new)


# --- Files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nosuch.xml", "error: there is no file or folder 'nosuch.xml' [no-such-file]"),
        ("no/such", "error: there is no file or folder 'no/such' [no-such-file]"),
        (
            "0-91",
            "error: there is no file, folder or built-in specification '0-91' (did you mean '0-9-1'?) [no-such-file]",
        ),
        ("a\nb.xml", "error: there is no file or folder 'a\\nb.xml' [no-such-file]"),
    ],
)
def test_a_missing_file(place: Path, name: str, expected: str) -> None:
    assert refused_with_one_line(name) == expected


def test_missing_files_are_all_named(place: Path) -> None:
    found = refused("one.xml", "two.xml", "--overlay", "three.xml", "--overlay", "four.xml")
    assert [re.findall(r"'(\w+)\.xml'", line) for line in found] == [["one"], ["two"], ["three"], ["four"]]
    assert len(refused("spec.xml", "--overlay", "three.xml", "--overlay", "four.xml")) == 2


def test_a_file_and_overlays_that_are_all_wrong(place: Path) -> None:
    write({"a.xml": "<amqp", "b.xml": "", "c.xml": "text"})
    found = refused("a.xml", "--overlay", "b.xml", "--overlay", "c.xml", "--overlay", "d.xml")
    assert [line.split(":")[0] for line in found[:3]] == ["a.xml", "b.xml", "c.xml"]
    assert "'d.xml'" in found[3]


def test_an_empty_folder(place: Path) -> None:
    Path("empty").mkdir()
    assert (
        refused_with_one_line("empty")
        == "error: the folder 'empty' has no XML files (they must be named *.xml) [no-such-file]"
    )


def test_a_folder_of_two_specifications(place: Path) -> None:
    write({"two/a.xml": SPEC, "two/b.xml": SPEC})
    assert (
        refused_with_one_line("two")
        == "error: a specification of AMQP 0-x is one file, not a.xml, b.xml (a file that changes it goes with --overlay) [one-file]"
    )


@pytest.mark.parametrize(
    ("octets", "start", "rule"),
    [
        (b"", "bad.xml:1:1: error: the file is empty", "xml-not-well-formed"),
        (b"no XML at all\n", "bad.xml:1:1: error: not well-formed XML", "xml-not-well-formed"),
        (b"<amqp>\n<class>\n</amqp>",
         "bad.xml:3:8: error: not well-formed XML: Opening and ending tag mismatch: class line 2",
         "xml-not-well-formed"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "bad.xml:1:1: error: not well-formed XML", "xml-not-well-formed"),
        (b"<amqp comment='\xff'/>", "bad.xml:1:16: error: not well-formed XML", "xml-not-well-formed"),
        (b"<!DOCTYPE amqp>\n<amqp/>", "bad.xml:1:1: error: a document type declaration is not allowed",
         "xml-doctype"),
        (b"<amqp/>", "bad.xml:1:1: error: the root element does not say which version this is",
         "unsupported-version"),
        (b"<html/>", "bad.xml:1:1: error: the root element is <html>, not <amqp>", "unsupported-version"),
        (b"\n  <amqp major='0' minor='10'/>", "bad.xml:2:3: error: AMQP 0-10 is not supported",
         "unsupported-version"),
        (b"<amqp major='7' minor='0'/>", "bad.xml:1:1: error: unknown version '7-0-0'", "unsupported-version"),
        (b"<amqp overlay='x'/>", "bad.xml:1:1: error: this file is an overlay", "unsupported-version"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_specification(place: Path, octets: bytes, start: str, rule: str) -> None:
    Path("bad.xml").write_bytes(octets)
    line = refused_with_one_line("bad.xml")
    assert line.startswith(start)
    assert line.endswith(f" [{rule}]")


def test_a_named_pipe_or_device_is_no_file(place: Path) -> None:
    assert refused_with_one_line(os.devnull).startswith("/dev/null:1:1: error: the file is empty")


# --- Specifications ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "expected"),
    written_cases(r"""
        domain="octet" => domain="octett"
            spec.xml:3:54: error: field 'f' has the type 'octett', which is not defined
        {METHOD} => <method name="m" index="1">\n<response name="m-okay"/></method>\n<method name="m-ok" index="2"/>
            spec.xml:4:1: error: method 'c.m' names the response 'm-okay', which class 'c' does not have (did you mean
                'm-ok'?) [dangling-response]
        {METHOD} => {METHOD}\n<method name="n" index="1"/>
            spec.xml:4:1: error: method c.n (1) repeats the index of method c.m (1) at spec.xml:3:27 (give each its own)
                [duplicate-index]
        </class> => </class>\n<class name="d" index="1">{METHOD}</class>
            spec.xml:4:1: error: class 'd' (1) repeats the index of class 'c' (1) at spec.xml:3:1 (give each its own)
                [duplicate-index]
        name="f" => name="2nd"
            spec.xml:3:54: error: the name '2nd' of this field does not make a Python identifier (use ASCII letters,
                digits, blanks, hyphens and underscores, a letter first) [bad-name]
        <field name="f" domain="octet"/> => \n<field name="no-wait" domain="bit"/>\n<field name="no wait" domain="bit"/>
            spec.xml:5:1: error: field 'no wait' repeats the name of field 'no-wait' at spec.xml:4:1 (give each its own)
                [duplicate-field]
        <class name="c" index="1"><method name="m" index="1"> => <class name="method" index="1"><method name="base" index="1">
            spec.xml:3:32: error: method 'method.base' would hide 'MethodBase' of the generated package
        index="1"><field => index="-1"><field
            spec.xml:3:27: error: method 'm': index '-1' is negative [bad-value]
        index="1"><field => index="65536"><field
            spec.xml:3:27: error: method 'm': index '65536' is larger than 65535
        index="1"><field => idnex="1"><field
            spec.xml:3:27: error: unknown attribute 'idnex' of method 'm'
        <field => <feild name="x"/><field
            spec.xml:3:54: error: unknown element <feild> in <method> (did you mean 'field'?)
        value="404" => value="4o4"
            spec.xml:2:1: error: constant 'not-found': value '4o4' is not a number [bad-value]
        {METHOD} =>
            spec.xml:1:1: error:
        """),
)
def test_a_fault_in_a_specification(place: Path, change: str, expected: list[str]) -> None:
    old, new = re.split(" =>(?: |$)", change.replace("{METHOD}", METHOD))
    write({"spec.xml": changed(old, new)})
    found = refused("spec.xml")
    assert any(line.startswith(expected[0]) for line in found), found
    assert len(found) == (2 if "idnex" in new else 1)


def test_faults_are_all_told_in_one_go(place: Path) -> None:
    faults = (
        '<domain name="a" type="nosuch"/>\n<domain name="b" type="b"/>\n'
        '<class name="d" index="1">\n<method name="2" index="1"/>\n<method name="x" index="2"><response name="y"/></method>\n</class>\n'
    )
    write({"spec.xml": changed("</amqp>", f"{faults}</amqp>")})
    found = refused("spec.xml")
    assert sorted((line.rpartition("[")[2], line.split(":")[1]) for line in found) == [
        ("bad-name]", "7"),
        ("cyclic-domain]", "5"),
        ("dangling-response]", "8"),
        ("duplicate-index]", "6"),
        ("undefined-domain]", "4"),
    ]


def test_many_faults_are_not_without_end(place: Path) -> None:
    write({"spec.xml": changed("<field", f"{'<x/>' * 5000}<field")})
    found = refused("spec.xml")
    assert 10 < len(found) <= 1001
    assert all(line.endswith("]") for line in found)


def test_names_that_would_break_a_line(place: Path) -> None:
    write({"spec.xml": changed('domain="octet"', 'domain="a&#10;b&#x85;&#x202e;c"')})
    assert len(refused("spec.xml")) == 1


# --- Options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--dialect", "rabitmq"],
         "error: there is no dialect 'rabitmq' (did you mean 'rabbitmq'?) [unknown-dialect]"),
        (["--package", "a-b"],
         "error: 'a-b' is not a valid name for a package (use a Python identifier) [bad-package]"),
        (["--package", "class"],
         "error: 'class' is not a valid name for a package (use a Python identifier) [bad-package]"),
        (["--package", "../x"],
         "error: '../x' is not a valid name for a package (use a Python identifier) [bad-package]"),
        *(
            (
                ["--package", name],
                f"error: {name!r} has a meaning of its own in Python and cannot be the name of a package",
            )
            for name in ("__init__", "__pycache__", "__main__")
        ),
        *(
            (
                ["--package", name],
                f"error: {name!r} is a module of the standard library, which the package would hide "
                "(choose another name) [bad-package]",
            )
            for name in ("sys", "typing", "email")
        ),
        (["--quiet", "--verbose"], "error: --quiet and --verbose exclude each other [bad-call]"),
        (["--templates", "nosuch"], "error: there is no folder of templates 'nosuch' [no-such-folder]"),
        (["--templates", "spec.xml"], "error: there is no folder of templates 'spec.xml' [no-such-folder]"),
        (["--overlay", "spec.xml"], "spec.xml:1:1: error: "),
        (
            ["--emit", "codecs,nosuch"],
            "error: 'nosuch' is nothing that can be emitted (known are codecs, client, columns, conformance and native) [bad-emit]",
        ),
        (["--emit", "codec"], "error: 'codec' is nothing that can be emitted (did you mean 'codecs'?) [bad-emit]"),
        (["--emit", "columns"],
         "error: columns are part of a package, and need its codecs (name codecs and columns) [bad-emit]"),
        (["--emit", "columns,conformance"], "error: columns are part of a package, and need its codecs"),
        (["--emit", ","], "error: '' is nothing that can be emitted"),
        (["--emit", "conformance", "--package", "conformance"],
         "error: a package cannot be called 'conformance' where suites are in a folder of that name"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense(place: Path, arguments: list[str], expected: str) -> None:
    assert refused_with_one_line("spec.xml", *arguments).startswith(expected)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        # Before click 8.4 with a colon, and without quotes.
        (["--nosuch"], r"^Error: No such option(: --nosuch| '--nosuch')"),
        (["--ouput", "x"], "--ouput"),
        (["-o"], "'-o' requires an argument"),
        (["--dialect"], "'--dialect' requires an argument"),
        (["--check=1"], "'--check' does not take a value"),
    ],
)
def test_options_that_do_not_exist(place: Path, arguments: list[str], part: str) -> None:
    found = refused("spec.xml", *arguments)
    assert found[-1].startswith("Error: ")
    assert re.search(part, found[-1])


@pytest.mark.parametrize("option", ["--package", "--dialect", "--overlay", "--templates", "--emit"])
def test_options_that_need_a_specification(place: Path, option: str) -> None:
    write({"pyproject.toml": '[[tool.amqp-codegen.targets]]\nspec = "spec.xml"\n'})
    line = refused_with_one_line(option, "tiny")
    assert option in line
    assert "SPEC" in line


# --- Output --------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", ["spec.xml", "spec.xml/x", "spec.xml/x/y"])
def test_an_output_folder_under_a_file(place: Path, output: str) -> None:
    """A folder that nobody can write to, not even root."""
    line = refused_with_one_line("--templates", "tiny", "spec.xml", "-o", output)
    assert re.fullmatch(
        r"error: cannot write to 'spec\.xml[/xy]*': .* \(nothing was changed\) \[unwritable-output\]", line
    )


def test_a_package_that_is_a_file(place: Path) -> None:
    write({"generated/amqp_0_9_1": "mine"})
    line = refused_with_one_line("--templates", "tiny", "spec.xml")
    assert line.startswith("error: cannot write to 'generated/amqp_0_9_1")
    assert line.endswith("(nothing was changed) [unwritable-output]")


def test_a_folder_in_the_place_of_a_file(place: Path) -> None:
    write({"generated/amqp_0_9_1/table.py/mine": ""})
    line = refused_with_one_line("--templates", "tiny", "spec.xml")
    assert "generated/amqp_0_9_1/table.py" in line
    assert ".amqp-codegen-" not in line


@pytest.mark.skipif(os.geteuid() == 0, reason="needs a user other than root")
def test_a_folder_without_permission(place: Path) -> None:
    Path("closed").mkdir(mode=0o500)
    line = refused_with_one_line("--templates", "tiny", "spec.xml", "-o", "closed")
    assert line.startswith("error: cannot write to 'closed")


def test_a_name_that_is_too_long(place: Path) -> None:
    assert refused_with_one_line("--templates", "tiny", "spec.xml", "-o", "x" * 300).endswith(
        "[unwritable-output]"
    )


def test_names_that_are_no_text(place: Path) -> None:
    """File names are octets; those that are not UTF-8 are printed as escapes."""
    name = os.fsdecode(b"spec\xff.xml")
    Path(name).write_text(SPEC)
    result = tiny(name, "-o", os.fsdecode(b"out\xfe"))
    assert (result.code, result.err) == (0, [])
    assert result.out[0].startswith("out\\udcfe/amqp_0_9_1: ")
    Path(name).write_text("<amqp")
    before = everything(place)
    result = call(name)
    assert result.code == 2
    assert result.err[0].startswith("spec\\udcff.xml:1:")
    assert everything(place) == before
