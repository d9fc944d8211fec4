"""What a user may write for a specification."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.model.problem import SpecError
from amqp_codegen.reader.inputs import Inputs, resolve_input
from amqp_codegen.support import resources
from amqp_codegen.support.resources import specs_dir


def refusal(text: str) -> str:
    with pytest.raises(SpecError) as caught:
        resolve_input(text)
    (problem,) = caught.value.problems
    return str(problem)


def test_a_file_is_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "any.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    assert resolve_input("any.txt") == Inputs((Path("any.txt"),), ())


def test_a_folder_is_its_xml_files_by_name(tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml", "c.txt", "d.XML.bak"):
        (tmp_path / name).write_text("")
    (tmp_path / "folder.xml").mkdir()
    assert resolve_input(str(tmp_path)).files == (tmp_path / "a.xml", tmp_path / "b.xml")


def test_the_parts_of_1_0_come_in_their_order_and_first(tmp_path: Path) -> None:
    for name in ("security", "apache-filters", "types", "messaging", "transactions", "transport", "zz"):
        (tmp_path / f"{name}.xml").write_text("")
    assert [path.stem for path in resolve_input(str(tmp_path)).files] == [
        "types",
        "transport",
        "messaging",
        "transactions",
        "security",
        "apache-filters",
        "zz",
    ]


@pytest.mark.parametrize(
    ("name", "files", "overlays"),
    [
        ("0-8", ["amqp0-8.xml"], []),
        ("0-9", ["amqp0-9.xml"], []),
        ("0-9-1", ["amqp0-9-1.xml"], []),
        ("0-8-rabbitmq", ["amqp0-8.xml"], ["rabbitmq-0-8.xml"]),
        ("0-9-1-rabbitmq", ["amqp0-9-1.xml"], ["rabbitmq.xml"]),
    ],
)
def test_built_in_names(name: str, files: list[str], overlays: list[str]) -> None:
    assert resolve_input(name) == Inputs(
        tuple(specs_dir() / file for file in files), tuple(specs_dir() / file for file in overlays)
    )


@pytest.mark.parametrize("name", ["1.0", "1-0"])
def test_1_0_is_built_in_under_two_names(name: str) -> None:
    assert resolve_input(name).files == tuple(
        specs_dir() / "amqp1-0" / f"{part}.xml"
        for part in ("types", "transport", "messaging", "transactions", "security")
    )


def test_a_built_in_name_means_what_is_built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "0-9-1").mkdir()
    (tmp_path / "0-9-1" / "mine.xml").write_text("")
    monkeypatch.chdir(tmp_path)
    assert resolve_input("0-9-1").files == (specs_dir() / "amqp0-9-1.xml",)
    assert resolve_input("./0-9-1").files == (Path("0-9-1/mine.xml"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no/such", "there is no file or folder 'no/such'"),
        ("such.xml", "there is no file or folder 'such.xml'"),
        (
            "0-9-2",
            "there is no file, folder or built-in specification '0-9-2' (did you mean '0-9-1'?)",
        ),
        (
            "0-9-1-rabitmq",
            "there is no file, folder or built-in specification '0-9-1-rabitmq' "
            "(did you mean '0-9-1-rabbitmq'?)",
        ),
        (
            "amqp",
            "there is no file, folder or built-in specification 'amqp' "
            "(built in are 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0 and 1.0-rabbitmq)",
        ),
        (
            "",
            "there is no file, folder or built-in specification '' "
            "(built in are 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0 and 1.0-rabbitmq)",
        ),
    ],
)
def test_what_is_not_there(text: str, expected: str) -> None:
    assert refusal(text) == f"error: {expected} [no-such-file]"


@pytest.mark.parametrize("text", ["a\0b", "x" * 5000, "d/" * 5000])
def test_what_cannot_be_a_path_is_a_problem(text: str) -> None:
    assert refusal(text).startswith("error: ")


def test_an_installation_without_specifications(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PLACES", ())
    assert refusal("0-9") == "error: this installation of amqp-codegen has no folder 'specs' [no-such-file]"


def test_a_folder_without_xml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert refusal("empty") == (
        "error: the folder 'empty' has no XML files (they must be named *.xml) [no-such-file]"
    )
