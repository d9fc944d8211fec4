"""``amqp-codegen SPEC``: what is written where, and what is said about it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.commands import run_command

from .command_calls import OTHER_SPEC, SPEC, call, everything, place, process, tiny, write

__all__ = ["place"]

COUNT = 26  # files of a package with one class
FIELD_OVERLAY = """<amqp overlay="spec.xml">
<class name="c"><method name="n" index="2" overlay="add" reason="r" source="s"/></class>
</amqp>
"""


def names(folder: str) -> set[str]:
    return {path.as_posix() for path in Path(folder).rglob("*") if path.is_file()}


def test_into_the_default_folder(place: Path) -> None:
    result = tiny("spec.xml")
    assert (result.code, result.err) == (0, [])
    assert result.out == [f"generated/amqp_0_9_1: {COUNT} files written"]
    assert len(names("generated")) == COUNT
    assert "generated/amqp_0_9_1/methods/_c.py" in names("generated")


def test_into_a_folder_that_is_not_there(place: Path) -> None:
    result = tiny("spec.xml", "-o", "deep/er")
    assert result.out == [f"deep/er/amqp_0_9_1: {COUNT} files written"]
    assert "deep/er/amqp_0_9_1/__init__.py" in names("deep")


def test_into_the_current_folder(place: Path) -> None:
    assert tiny("spec.xml", "--output", ".").out == [f"amqp_0_9_1: {COUNT} files written"]


def test_again_writes_nothing_and_says_so(place: Path) -> None:
    tiny("spec.xml")
    before = everything(place)
    result = tiny("spec.xml")
    assert (result.code, result.err) == (0, [])
    assert result.out == ["generated/amqp_0_9_1: nothing to do, all files are current"]
    assert everything(place) == before


def test_only_what_has_changed_is_written(place: Path) -> None:
    tiny("spec.xml")
    before = everything(place / "generated")
    table = Path("generated/amqp_0_9_1/table.py")
    table.write_text(f"{table.read_text()}changed")
    Path("generated/amqp_0_9_1/_values.py").unlink()
    assert tiny("spec.xml").out == ["generated/amqp_0_9_1: 2 files written"]
    after = everything(place / "generated")
    assert after.keys() == before.keys()
    assert {name for name in after if after[name] != before[name]} == {
        "amqp_0_9_1/table.py",
        "amqp_0_9_1/_values.py",
    }
    assert all(
        new is None or old is None or new[0] == old[0]
        for new, old in ((after[name], before[name]) for name in after)
    )


def test_what_is_no_longer_generated_goes_but_what_is_not_ours_stays(place: Path) -> None:
    tiny("spec.xml")
    write(
        {
            "generated/amqp_0_9_1/mine.py": "x = 1\n",
            "generated/amqp_0_9_1/methods/notes.txt": "",
            "generated/other/x.py": "y",
        }
    )
    write({"spec.xml": OTHER_SPEC})
    result = tiny("spec.xml")
    assert result.out == [f"generated/amqp_0_9_1: {COUNT - 1} files written, 1 file removed"]
    assert "generated/amqp_0_9_1/methods/_c.py" not in names("generated")
    assert {
        "generated/amqp_0_9_1/mine.py",
        "generated/amqp_0_9_1/methods/notes.txt",
        "generated/other/x.py",
    } <= names("generated")


def test_only_something_to_remove(place: Path) -> None:
    tiny("spec.xml")
    init = Path("generated/amqp_0_9_1/__init__.py").read_text()
    write({"generated/amqp_0_9_1/old.py": init})
    assert tiny("spec.xml").out == ["generated/amqp_0_9_1: 1 file removed"]


def test_a_package_of_another_name(place: Path) -> None:
    result = tiny("spec.xml", "--package", "mine")
    assert result.out == [f"generated/mine: {COUNT} files written"]
    assert 'NAME = "mine"' in Path("generated/mine/table.py").read_text()


def test_two_packages_side_by_side(place: Path) -> None:
    tiny("spec.xml", "--package", "one")
    tiny("spec.xml", "--package", "two")
    assert len(names("generated")) == 2 * COUNT
    assert tiny("spec.xml", "--package", "one", "--check").code == 0


def test_a_dialect(place: Path) -> None:
    tiny("spec.xml", "--dialect", "qpid")
    assert 'DIALECT = "qpid"\n' in Path("generated/amqp_0_9_1/table.py").read_text()
    assert tiny("spec.xml", "--check").code == 1
    assert tiny("spec.xml", "--check", "--dialect", "qpid").code == 0


def test_overlays(place: Path) -> None:
    write({"one.xml": FIELD_OVERLAY, "two.xml": FIELD_OVERLAY.replace('"n" index="2"', '"o" index="3"')})
    tiny("spec.xml", "--overlay", "one.xml", "--overlay", "two.xml")
    text = Path("generated/amqp_0_9_1/table.py").read_text()
    assert 'METHODS = ["c.m", "c.n", "c.o"]' in text


@pytest.mark.parametrize(
    ("name", "package", "methods"),
    [
        ("0-8", "amqp_0_8", 89),
        ("0-9", "amqp_0_9", 101),
        ("0-9-1", "amqp_0_9_1", 53),
        ("0-8-rabbitmq", "amqp_0_8_rabbitmq", 93),
        ("0-9-1-rabbitmq", "amqp_0_9_1_rabbitmq", 66),
    ],
)
def test_built_in_names(place: Path, name: str, package: str, methods: int) -> None:
    result = tiny(name, "-o", "out")
    assert result.code == 0, result.err
    assert result.out[0].startswith(f"out/{package}: ")
    scope: dict[str, object] = {}
    exec(Path(f"out/{package}/table.py").read_text(), scope)
    assert len(scope["METHODS"]) == methods  # type: ignore[arg-type]


def test_an_overlay_on_a_built_in_specification(place: Path) -> None:
    overlay = FIELD_OVERLAY.replace('name="c"', 'name="tx"').replace('index="2"', 'index="99"')
    write({"mine.xml": overlay})
    result = tiny("0-9-1-rabbitmq", "--overlay", "mine.xml")
    assert result.code == 0, result.err
    assert '"tx.n"' in Path("generated/amqp_0_9_1_rabbitmq/table.py").read_text()


def test_a_folder_of_one_file(place: Path) -> None:
    write({"folder/only.xml": SPEC, "folder/readme.txt": ""})
    assert tiny("folder").out == [f"generated/amqp_0_9_1: {COUNT} files written"]
    assert 'FILES = ["only.xml"]' in Path("generated/amqp_0_9_1/table.py").read_text()


def test_the_path_of_the_specification_does_not_matter(place: Path) -> None:
    write({"deep/er/spec.xml": SPEC})
    tiny("spec.xml")
    for path in ("./spec.xml", "deep/../spec.xml", str(place / "spec.xml"), "deep/er/spec.xml"):
        assert tiny(path, "--check").code == 0


def test_a_link_to_the_output_folder(place: Path) -> None:
    Path("real").mkdir()
    Path("link").symlink_to("real")
    tiny("spec.xml", "-o", "link")
    assert len(names("real")) == COUNT


def test_options_may_stand_anywhere(place: Path) -> None:
    for arguments in (
        ("spec.xml", "--templates", "tiny", "-o", "a"),
        ("-o", "a", "spec.xml", "--templates", "tiny", "--check"),
        ("generate", "spec.xml", "-o", "a", "--templates", "tiny", "--check"),
        ("--check", "--templates=tiny", "--output=a", "--", "spec.xml"),
    ):
        assert call(*arguments).code == 0


def test_codecs_and_what_clients_need_are_generated(place: Path) -> None:
    assert tiny("spec.xml").code == 0
    assert tiny("spec.xml", "--emit", "codecs,client", "--check").code == 0
    assert tiny("spec.xml", "--emit", "codecs", "--check").code == 1


def test_a_real_package_by_the_real_templates(place: Path) -> None:
    """Of a specification that does not even state the constants of frames: they are known."""
    result = process("spec.xml", "-o", "out", "--package", "real", cwd=place)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"out/real: {COUNT} files written\n"
    assert (place / "out" / "real" / "py.typed").read_bytes() == b""
    code = "import real; print(real.encode_frame(1, real.methods.CM(f=5)).hex(), real.encode_frame(0, real.Heartbeat()).hex())"
    used = run_command([sys.executable, "-S", "-c", code], cwd=place / "out")
    assert (used.stdout, used.stderr) == ("010001000000050001000105ce 08000000000000ce\n", "")
