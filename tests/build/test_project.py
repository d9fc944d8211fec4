"""What the backends share, without any of them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from amqp_codegen import api
from amqp_codegen.build.project import generate_packages, require_in_wheel, source_files

from tests.cli.command_calls import place, write

__all__ = ["place"]

TARGETS = """
[tool.amqp-codegen]
output = "src"
[[tool.amqp-codegen.targets]]
spec = "spec.xml"
package = "one"
templates = "tiny"
[[tool.amqp-codegen.targets]]
spec = "spec.xml"
package = "two"
templates = "tiny"
"""


def test_packages_and_what_they_are_made_of(place: Path) -> None:
    write({"pyproject.toml": TARGETS})
    files = generate_packages()
    assert {Path("src/one/methods/_c.py"), Path("src/two/methods/_c.py")} <= set(files)
    assert all(path.is_file() for path in files)
    sources = source_files()
    assert Path("spec.xml") in sources
    assert set(sources) == {Path("spec.xml"), *(path for path in Path("tiny").rglob("*") if path.is_file())}


def test_built_in_specifications_are_no_sources(place: Path) -> None:
    write({"pyproject.toml": TARGETS.replace("spec.xml", "0-9-1").replace('templates = "tiny"', "")})
    assert source_files() == []


def test_the_function_of_the_api(place: Path) -> None:
    write({"pyproject.toml": TARGETS})
    output, generated = api.generate_project()
    assert (output, [item.package for item in generated]) == (Path("src"), ["one", "two"])
    write({"pyproject.toml": TARGETS.replace("two", "one")})
    with pytest.raises(api.SpecError, match="two targets have the package 'one'"):
        api.generate_project()


@pytest.mark.parametrize("step", [generate_packages, source_files])
def test_a_mistake_is_one_line(place: Path, capsys: pytest.CaptureFixture[str], step: object) -> None:
    write({"pyproject.toml": TARGETS.replace('spec = "spec.xml"\npackage = "one"', 'spec = "no.xml"')})
    assert callable(step)
    with pytest.raises(SystemExit) as stopped:
        step()
    assert stopped.value.code == 2
    line = "pyproject.toml:1:1: error: there is no file or folder 'no.xml' [no-such-file]\n"
    assert capsys.readouterr() == ("", line)
    assert not Path("src").exists()


@pytest.mark.parametrize("names", [["orders/wire/a.py"], ["wire/a.py"], ["src/orders/wire/a.py"]])
def test_a_wheel_with_the_packages(tmp_path: Path, names: list[str]) -> None:
    require_in_wheel([Path("src/orders/wire/a.py")], wheel_of(tmp_path, names), "")
    assert (tmp_path / "x.whl").exists()


@pytest.mark.parametrize("names", [[], ["a.py"], ["other/a.py"]])
def test_a_wheel_without_them(tmp_path: Path, names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        require_in_wheel([Path("src/orders/wire/a.py")], wheel_of(tmp_path, names), "do this")
    message = "error: the wheel would lack 1 generated file, for example 'src/orders/wire/a.py' (do this) [not-in-wheel]\n"
    assert capsys.readouterr().err == message
    assert not (tmp_path / "x.whl").exists()


def wheel_of(folder: Path, names: list[str]) -> Path:
    with zipfile.ZipFile(folder / "x.whl", "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return folder / "x.whl"
