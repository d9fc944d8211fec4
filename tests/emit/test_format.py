"""What black is given and what it is spared: each text once, without its header, not again what the cache has."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from amqp_codegen.emit import format as formatting
from amqp_codegen.emit.format import Fault, format_texts
from amqp_codegen.emit.generate import generate, generate_unformatted
from amqp_codegen.emit.source_text import MARK, split_header
from amqp_codegen.emit.target import Target
from amqp_codegen.reader.inputs import BUILT_IN, resolve_input
from amqp_codegen.support.cache import Cache
from amqp_codegen.support.processors import count_processors
from amqp_codegen.support.resources import templates_dir

from tests.commands import run_command

NO_CACHE = Cache()
HEADER = f"{MARK}1.0; do not edit, generate again.\n"
BODIES = {
    "x = {  1 : 2 }\n": "x = {1: 2}\n",
    '"""Docstring."""\nx=1\n': '"""Docstring."""\n\nx = 1\n',
    "\n\n\n\nimport a\nclass B: pass\n": "\n\nimport a\n\n\nclass B:\n    pass\n",
    "# Another comment.\n@final\nclass A:\n    x=1\n": "# Another comment.\n@final\nclass A:\n    x = 1\n",
    "": "",
}


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(str(tmp_path), "")


def formatted(texts: list[str], cache: Cache = NO_CACHE) -> dict[str, str | Fault]:
    return format_texts(texts, cache, lambda stage, detail: None)


def black_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(texts: object) -> object:
        raise AssertionError(texts)

    monkeypatch.setattr(formatting, "_format_all", fail)


def test_the_header_is_left_as_it_is() -> None:
    results = formatted([f"{HEADER}{body}" for body in BODIES])
    assert results == {f"{HEADER}{body}": f"{HEADER}{wanted}" for body, wanted in BODIES.items()}


def test_it_is_what_black_makes_of_the_whole() -> None:
    import black

    mode = black.Mode(line_length=110)
    for body, wanted in BODIES.items():
        assert black.format_str(f"{HEADER}{body}", mode=mode) == f"{HEADER}{wanted}"


def test_a_name_of_a_file_does_not_turn_black_off() -> None:
    header = HEADER.replace("x.xml", "# fmt: off # x.xml")
    assert formatted([f"{header}x  =  1\n"]) == {f"{header}x  =  1\n": f"{header}x = 1\n"}


def test_without_a_header() -> None:
    assert formatted(["x  =  1\n", f"y = 1\n{HEADER}"]) == {
        "x  =  1\n": "x = 1\n",
        f"y = 1\n{HEADER}": f"y = 1\n{HEADER}",
    }


def test_the_header_is_what_we_write_and_no_more() -> None:
    assert split_header(f"{HEADER}# mine\nx = 1\n") == (HEADER, "# mine\nx = 1\n")
    assert split_header(f"{HEADER.splitlines()[0]}\nx = 1\n")[1] == "x = 1\n"
    assert split_header("# mine\n") == ("", "# mine\n")


def test_texts_are_known_the_next_time_also_with_another_header(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = formatted([f"{HEADER}{body}" for body in BODIES], cache)
    black_is_not_called(monkeypatch)
    other = HEADER.replace("1.0", "1.1")
    second = formatted([f"{other}{body}" for body in BODIES], cache)
    assert list(second.values()) == [str(text).replace(HEADER, other) for text in first.values()]


def test_a_body_is_formatted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    real = formatting._format_all

    def format_all(texts: list[str]) -> Iterator[str | Fault]:
        seen.append(texts)
        return real(texts)

    monkeypatch.setattr(formatting, "_format_all", format_all)
    formatted([f"{HEADER}x = 1\n", f"{HEADER.replace('x.xml', 'y.xml')}x = 1\n"])
    assert [len(texts) for texts in seen] == [1]


def test_what_another_black_or_python_has_made_is_not_used(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    formatted(["x  =  1\n"], cache)
    with monkeypatch.context() as patched:
        patched.setattr(formatting, "library_version", lambda name: "black-1.0.dist-info")
        black_is_not_called(patched)
        with pytest.raises(AssertionError):
            formatted(["x  =  1\n"], cache)
    with monkeypatch.context() as patched:
        patched.setattr("sys.version", "9.9")
        black_is_not_called(patched)
        with pytest.raises(AssertionError):
            formatted(["x  =  1\n"], cache)
    black_is_not_called(monkeypatch)
    formatted(["x  =  1\n"], cache)


def test_without_the_version_of_black_nothing_is_kept(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formatting, "library_version", lambda name: "")
    assert formatted(["x  =  1\n"], cache) == {"x  =  1\n": "x = 1\n"}
    assert not list(tmp_path.iterdir())


def test_faults_are_not_kept(cache: Cache, tmp_path: Path) -> None:
    text = f"{HEADER}def f(:\n"
    for _ in range(2):
        assert formatted([text], cache) == {text: Fault("comes out as no Python: line 2 is 'def f(:'")}
    assert not list(tmp_path.iterdir())


def test_a_part_that_a_template_has_as_it_is_needs_no_black(monkeypatch: pytest.MonkeyPatch) -> None:
    known = "def f():\n    x   =   1"
    monkeypatch.setattr(formatting, "_template_parts", lambda: frozenset([known]))
    text = f"{HEADER}a = 1\n\n\n\n{known}\n\n\nclass B: pass\n"
    made = f"{HEADER}a = 1\n\n\n{known}\n\n\nclass B:\n    pass\n"
    assert formatted([text]) == {text: made}


# Texts with two empty lines where a part does not begin, or where black wants fewer or sees more than a part.
UNDIVIDED = {
    "a docstring before code": '"""Docstring."""\n\n\nx  = 1\n',
    "a docstring before a class": '"""Docstring."""\n\n\nclass A: pass\n\n\n\n\nclass B: pass\n',
    "a string": 'x = """\n\n\nyes  =  1\n"""\n',
    "a bracket": "x = [\n\n\n1,  2\n]\n",
    "a branch": "if a:\n    b\n\n\nelse:\n    c  = 1\n",
    "a decorator": "@a\n\n\ndef f(): pass\n",
    "black turned off": "# fmt: off\nx  =  1\n\n\ny  =  2\n# fmt: on\nz  =  3\n",
    "comments": "# a\n\n\n# b\nx  = 1\n\n\n# c\n",
    "imports": "import a\n\n\nx  = 1\n\n\nimport b\n",
    "stubs": "def f(): ...\n\n\ndef g(): ...\n\n\n@overload\ndef h(): ...\n\n\ndef h(): pass\n",
}


@pytest.mark.parametrize("text", UNDIVIDED.values(), ids=UNDIVIDED)
def test_parts_come_out_as_the_whole_does(text: str) -> None:
    import black

    assert formatted([text]) == {text: black.format_str(text, mode=black.Mode(line_length=110))}


def test_parts_and_modules_of_templates_are_as_black_makes_them() -> None:
    """What stands in a template without anything to fill in is never formatted."""
    parts = {
        part for part in formatting._template_parts() if not any(mark in part for mark in ("{{", "{%", "{#"))
    }
    results = {part: formatting._format_whole(f"{part}\n") for part in parts}
    code = {part: result for part, result in results.items() if isinstance(result, str)}
    assert len(code) > 200
    assert [part for part, result in code.items() if result != f"{part}\n"] == []
    for path in sorted(templates_dir().rglob("*.py")):
        module = path.read_text(encoding="utf-8")
        assert formatting._format_whole(module) == module, path


@pytest.mark.slow
@pytest.mark.parametrize("name", BUILT_IN)
def test_black_makes_the_same_of_whole_files(name: str) -> None:
    inputs = resolve_input(name)
    target = Target(inputs.files, inputs.overlays, emit=("codecs", "columns", "conformance"))
    made, unformatted = generate(target), generate_unformatted(target, Cache())
    for path in (path for path in made.files if path.endswith(".py")):
        assert made.files[path] == formatting._format_whole(unformatted.files[path]), path


FORMATS_MANY_TEXTS = """
import os, sys, threading
from amqp_codegen.emit.format import format_texts
from amqp_codegen.emit.target import silent
from amqp_codegen.support.cache import Cache

forks = []
os.register_at_fork(after_in_parent=lambda: forks.append(None))
over = threading.Event()
if sys.argv[1] == "threads":
    threading.Thread(target=over.wait).start()
texts = [f"x{number}  =  '{'1' * 3000}'\\n" for number in range(20)]
results = format_texts(texts, Cache(), silent)
over.set()
assert list(results) == texts
assert all(result.startswith(text.split()[0]) for text, result in results.items())
print("forked" if forks else "not forked")
"""


@pytest.mark.parametrize("threads", ["alone", "threads"])
def test_many_texts_come_back_in_their_places(threads: str) -> None:
    """From other processes, too; a process with threads, whose locks a fork would copy, formats alone."""
    command = [sys.executable, "-W", "error", "-c", FORMATS_MANY_TEXTS, threads]
    done = run_command(command)
    several = count_processors() > 1 and threads == "alone"
    assert (done.stdout, done.stderr) == ("forked\n" if several else "not forked\n", "")
