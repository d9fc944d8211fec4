"""What a target's options change, and what the user's own overlay does."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.emit.generate import generate
from amqp_codegen.emit.target import Target
from amqp_codegen.model.problem import SpecError
from amqp_codegen.resolve.amqp0 import arguments
from amqp_codegen.support.wording import counted

from tests.shared_folders import Shared

from .small_specifications import generated, publish_to, run_python, tree, unformatted, written
from .test_user_templates import without_ours

BODY = (
    '<class name="chat" index="7" label="talk">\n'
    '<method name="say" index="1"><chassis name="server" implement="MUST"/><field name="text" domain="shortstr"/></method>\n'
    '<method name="quit" index="2"><field name="reserved-1" domain="octet" reserved="1"/></method>\n</class>\n'
)
OVERLAY = """<amqp overlay="made.xml">
<class name="chat">
<method name="shout" index="3" overlay="add" reason="we shout" source="us">
<chassis name="server" implement="MAY"/><field name="text" domain="shortstr"/><field name="loud" domain="bit"/>
</method>
<method name="quit" overlay="remove" reason="nobody may" source="us"/>
</class>
</amqp>
"""
# The name of a file may be anything, too.
NASTY_NAME = 'it\'s """made""" \\ {{ 1 }}\n__import__("os").system("false")\n.xml'


def test_progress_is_told_of_each_stage_and_each_text_that_is_formatted(tmp_path: Path) -> None:
    seen: list[tuple[str, str]] = []
    spec = written(tmp_path, BODY)
    target = Target((spec,), package="made", templates=without_ours(tmp_path))
    made = generate(target, progress=lambda stage, detail: seen.append((stage, detail)))
    stages = list(dict.fromkeys(stage for stage, _ in seen))
    assert stages[:2] == [f"read {spec}", f"render made ({len(made.files)} files)"]
    [formatting] = stages[2:]
    texts = int(formatting.split()[1])
    assert formatting == f"format {counted(texts, 'text')} (0 known)"
    assert [detail for stage, detail in seen if stage == formatting] == ["", *map(str, range(1, texts + 1))]


def test_files_of_a_package(tmp_path: Path) -> None:
    made = generated(written(tmp_path, BODY), "made", templates=without_ours(tmp_path))
    assert {path.partition("/")[0] for path in made.files} == {"made"}
    assert "made/methods/_chat.py" in made.files
    assert not any("\\" in path or ".." in path or path.startswith("/") for path in made.files)


def test_a_broken_table_of_arguments_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "arguments_file", lambda: (b"version = 1", "arguments.toml"))
    arguments.built_in_arguments.cache_clear()
    with pytest.raises(
        SpecError, match=r"^arguments\.toml:1:1: error: version has the wrong type .*\[argument-form\]"
    ):
        generated(written(tmp_path, BODY), "made", templates=without_ours(tmp_path))


def test_the_package_is_called_after_the_version(tmp_path: Path) -> None:
    made = generated(written(tmp_path, BODY), "", templates=without_ours(tmp_path))
    assert made.package == "amqp_0_9_1"


@pytest.mark.parametrize(
    "name",
    [
        "a-b",
        "a.b",
        "a/b",
        "../a",
        "1a",
        "a b",
        "class",
        "None",
        "\ufb01",
        "caf\u00e9",
        "a\n",
        "/tmp/a",
        "a\\b",
    ],
)
def test_names_that_no_package_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(SpecError) as caught:
        generated(written(tmp_path, BODY), name)
    [problem] = caught.value.problems
    assert problem.rule_id == "bad-package"
    assert str(problem).isprintable()


# --- An overlay and a dialect of the user's ------------------------------------------------------


@pytest.fixture(scope="module")
def changed(shared: Shared) -> Path:
    """A folder with the package made of the specification, the overlay, and another dialect."""

    def fill(folder: Path) -> None:
        overlay = folder / "mine.xml"
        overlay.write_text(OVERLAY, encoding="utf-8")
        publish_to(
            folder, unformatted(written(folder, BODY, NASTY_NAME), overlays=(overlay,), dialect="qpid")
        )

    return shared("changed", fill)


def test_names_of_files_are_in_no_place_of_code(changed: Path) -> None:
    """Only their last part, and only as comment, docstring and literal."""
    code = f'import made; print(made.SPEC.files == ({NASTY_NAME!r}, \'mine.xml\'), \'"""made"""\' in made.__doc__)'
    result = run_python(code, changed, "-W", "error")
    assert (result.stdout, result.stderr) == ("True True\n", "")
    assert not any(str(changed).encode() in octets for octets in tree(changed / "made").values())


def test_an_overlay_changes_the_package(changed: Path) -> None:
    code = (
        "import made\n"
        "print(made.methods.ChatShout(text='a', loud=True).encode().hex(), made.methods.ChatShout.SENT_BY)\n"
        "print(hasattr(made.methods, 'ChatQuit'), sorted(made.METHODS), made.SPEC.version)"
    )
    result = run_python(code, changed, "-W", "error")
    assert result.stdout.splitlines() == [
        "00070003016101 frozenset({'client'})",
        f"False {[7 << 16 | 1, 7 << 16 | 3]} 0-9-1",
    ]


def test_the_dialect_is_the_default_one(changed: Path) -> None:
    """Qpid's has no unsigned integers; the document's writes octets as S."""
    code = (
        "import made\n"
        "print(made.SPEC.dialect, made.dialects.DEFAULT_DIALECT.name)\n"
        "print(made.encode_table({'k': b'x'}).hex(), made.encode_table({'k': b'x'}, dialect='spec-0-9-1').hex())"
    )
    result = run_python(code, changed, "-W", "error")
    assert result.stdout.splitlines() == ["qpid qpid", "00000008016b780000000178 00000008016b530000000178"]


@pytest.mark.parametrize(
    ("overlay", "mark"),
    [
        (
            '<amqp overlay="x"><class name="chat"><method name="say" overlay="add" index="9" reason="r" source="s"/></class></amqp>',
            "say",
        ),
        (
            '<amqp overlay="x"><class name="cat"><method name="m" overlay="add" index="9" reason="r" source="s"/></class></amqp>',
            "cat",
        ),
        (
            '<amqp overlay="x"><class name="chat"><method name="m" overlay="add" index="1" reason="r" source="s"/></class></amqp>',
            "chat.m",
        ),
        ("<amqp", "overlay.xml:1:"),
    ],
)
def test_an_overlay_that_does_not_fit(tmp_path: Path, overlay: str, mark: str) -> None:
    path = tmp_path / "overlay.xml"
    path.write_text(overlay, encoding="utf-8")
    with pytest.raises(SpecError, match=mark) as caught:
        generated(written(tmp_path, BODY), overlays=(path,))
    assert all(str(problem.position).startswith(str(path)) for problem in caught.value.problems)
