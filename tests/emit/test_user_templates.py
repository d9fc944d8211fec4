"""Templates of the user's own: looked at first, and wrong in ways that are told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.model.problem import SpecError
from amqp_codegen.support.resources import templates_dir

from .small_specifications import generated, publish_to, run_python, written

BODY = (
    '<class name="c" index="1"><method name="m" index="1"><field name="f" domain="octet"/></method></class>'
)


def override(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a template into ``folder/mine`` and return that folder."""
    path = folder / "mine" / f"{name}.jinja"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / "mine"


def without_ours(folder: Path) -> Path:
    """Override every template with next to nothing, so that what is tested stands alone and is quick."""
    for path in templates_dir().joinpath("amqp0").rglob("*.jinja"):
        override(
            folder, path.relative_to(templates_dir()).as_posix().removesuffix(".jinja"), "{{ header }}\n"
        )
    return folder / "mine"


def refusal(folder: Path, text: str | bytes, name: str = "amqp0/values.py") -> str:
    """The one line that a template gets."""
    without_ours(folder)
    mine = override(folder, name, text)
    with pytest.raises(SpecError) as caught:
        generated(written(folder, BODY), templates=mine)
    [problem] = caught.value.problems
    message = str(problem)
    assert message.isprintable()
    assert message.endswith("[template]")
    return message


def test_one_file_replaced_and_the_others_ours(tmp_path: Path) -> None:
    mine = override(
        tmp_path,
        "amqp0/domains.py",
        '{{ header }}\n"""Mine."""\nMETHODS={{ spec.methods | list | length }}\nNAME = {{package|literal}}',
    )
    made = generated(written(tmp_path, BODY), templates=mine)
    assert made.files["made/domains.py"].split("\n")[3:] == [
        '"""Mine."""',
        "",
        "METHODS = 1",
        'NAME = "made"',
        "",
    ]
    publish_to(tmp_path, made)
    result = run_python(
        "import made; print(made.domains.METHODS, made.methods.CM(f=1).encode().hex())", tmp_path
    )
    assert (result.stdout, result.stderr) == ("1 0001000101\n", "")


def test_a_template_may_use_ours(tmp_path: Path) -> None:
    """One of another name is still there to be included, and one may be made of parts."""
    without_ours(tmp_path)
    override(tmp_path, "amqp0/part", "PART = {{ spec.version | literal }}\n")
    mine = override(tmp_path, "amqp0/values.py", "{{ header }}\n{% include 'amqp0/part.jinja' %}")
    made = generated(written(tmp_path, BODY), templates=mine)
    assert made.files["made/values.py"].endswith('\nPART = "0-9-1"\n')


@pytest.mark.parametrize(
    "text", ["x = {{ nope }}", "x = {{ spec.nope }}", "x = {{ spec.nope.x }}", "{% if nope %}{% endif %}"]
)
def test_undefined_names_are_errors(tmp_path: Path, text: str) -> None:
    message = refusal(tmp_path, f"{{{{ header }}}}\n\n{text}")
    assert message.startswith(f"{tmp_path}/mine/amqp0/values.py.jinja:3:1: error: ")
    assert "nope" in message


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("\n{% for x in %}", 2, "Expected an expression"),
        ("\n\n{% endfor %}", 3, "endfor"),
        ("{% if x %}", 1, "if"),
        ("\n{{ 'a' | nofilter }}", 2, "nofilter"),
        ("\n{% nosuchtag %}", 2, "nosuchtag"),
        ("{{ 'a", 1, ""),
        ("\n{% include 'nothing' %}", 2, "nothing"),
        ("\n{% extends 'nothing' %}", 2, "nothing"),
        ("\n{{ 1 / 0 }}", 2, "division by zero"),
        ("\n{{ spec() }}", 2, "not callable"),
        ("\n{% for x in 3 %}{% endfor %}", 2, "not iterable"),
        ("\n{{ 'a' + 1 }}", 2, ""),
        ("\n{{ spec.constant() }}", 2, "constant"),
        ("\n{{ 3 | docstring(0) }}", 2, ""),
        ("{% include 'amqp0/values.py.jinja' %}", 1, "without end"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", 1, "without end"),
        (b"x = '\xff'", 1, "UTF-8"),
        ("{{ '\\ud800' }}", 1, ""),
        ("{{ raise('x') }}", 1, "raise"),
    ],
)
def test_what_goes_wrong_in_a_template(tmp_path: Path, text: str | bytes, line: int, part: str) -> None:
    message = refusal(tmp_path, text)
    assert message.startswith(f"{tmp_path}/mine/amqp0/values.py.jinja:{line}:1: error: ")
    assert part in message


def test_the_innermost_template_is_named(tmp_path: Path) -> None:
    override(tmp_path, "amqp0/part", "\n\n{{ nope }}")
    message = refusal(tmp_path, "{% include 'amqp0/part.jinja' %}")
    assert message.startswith(f"{tmp_path}/mine/amqp0/part.jinja:3:1: error: ")


@pytest.mark.parametrize(
    "text",
    [
        "def (:",
        'x = """',
        "x = (",
        "if x:\ny",
        "  x\n y\n",
        "x = 'a",
        "return = 1",
        "\x00",
        "x = 1 +",
        "a b",
        "?",
    ],
)
def test_what_comes_out_as_no_python(tmp_path: Path, text: str) -> None:
    message = refusal(tmp_path, text)
    assert "made/values.py" in message


def test_every_file_that_is_no_python_is_named(tmp_path: Path) -> None:
    without_ours(tmp_path)
    override(tmp_path, "amqp0/values.py", "a b")
    mine = override(tmp_path, "amqp0/table.py", "c d")
    with pytest.raises(SpecError) as caught:
        generated(written(tmp_path, BODY), templates=mine)
    assert [str(each).split()[1] for each in caught.value.problems] == ["made/table.py", "made/values.py"]


def test_text_of_the_specification_is_never_a_template(tmp_path: Path) -> None:
    mine = without_ours(tmp_path)
    override(tmp_path, "amqp0/values.py", "{{ header }}\nDOC = {{ spec.classes[0].doc | literal }}\n")
    body = BODY.replace("<method", "<doc>{{ 7 * 7 }}{% nosuch %}</doc><method")
    made = generated(written(tmp_path, body), templates=mine)
    assert made.files["made/values.py"].endswith('\nDOC = "{{ 7 * 7 }}{% nosuch %}"\n')


def test_templates_see_nothing_but_their_folders(tmp_path: Path) -> None:
    (tmp_path / "secret.jinja").write_text("x = 1")
    assert "secret" in refusal(tmp_path, "{% include '../secret.jinja' %}")


def test_no_folder_of_templates(tmp_path: Path) -> None:
    for place in (tmp_path / "nosuch", written(tmp_path, BODY)):
        with pytest.raises(SpecError) as caught:
            generated(written(tmp_path, BODY), templates=place)
        assert [each.rule_id for each in caught.value.problems] == ["no-such-folder"]
        assert str(place) in str(caught.value)
