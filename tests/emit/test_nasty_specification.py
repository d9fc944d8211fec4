"""A specification full of nasty texts makes the same code as a tame one, and its texts arrive whole."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from amqp_codegen.emit.format import Fault, format_texts
from amqp_codegen.emit.target import silent
from amqp_codegen.support.cache import Cache

from tests.shared_folders import Shared

from .nasty_specifications import TEXTS, folded
from .small_specifications import element, publish_to, run_python, tree, unformatted, written

# The texts are shared out among so many classes: what comes first or last in a docstring matters.
CLASSES = 4
# What our own templates say to tools.
OWN_DIRECTIVES = (
    "type: ignore[assignment]",
    "type: ignore[no-any-return]",
    "pyright: reportPrivateUsage=false\n",
    "pyright: reportImportCycles=false",
    "pyright: reportUninitializedInstanceVariable=false\n",
    "pyright: ignore[report",
    "noqa: UP050 - naming it keeps",
    "isort: split\n",
)


def in_xml(text: str) -> str:
    """The text as XML content or attribute that is read back exactly."""
    plain = escape(text, {'"': "&quot;"})
    return "".join(f"&#{ord(item)};" if item in "\r\n\t\x85\u2028\x7f" else item for item in plain)


def specification(texts: list[str]) -> str:
    """A specification with each text in every place where there is prose or a pattern."""
    said = [in_xml(text) for text in texts]
    parts = ['<domain name="plain" type="shortstr"/>']
    for number, text in enumerate(said):
        doc = f"<doc>{text}</doc>"
        checks = f'<assert check="syntax" rule="{text}"/><assert check="enum"><value name="{text}"/></assert>'
        parts.append(
            element("constant", doc, name=f"k{number}", value=1000 + number, **{"class": "soft-error"})
        )
        parts.append(element("domain", f"{doc}{checks}", name=f"d{number}", type="octet"))
    parts += [one_class(number, said) for number in range(CLASSES)]
    return "".join(parts)


def one_class(number: int, said: list[str]) -> str:
    methods = []
    content = f'<field name="p" domain="plain" label="{said[number]}"><doc>{said[-number - 1]}</doc></field>'
    for index, text in enumerate(said):
        if index % CLASSES == number:
            rule = f'<rule name="{text}" label="{text}"><doc>{text}</doc><doc type="scenario">{text}</doc></rule>'
            content += f'<doc>{text}</doc><doc type="grammar">{text}</doc>{rule}'
            methods.append(one_method(index, text, rule))
    return f'<class name="c{number}" index="{number}" label="{said[number]}">{content}{"".join(methods)}</class>\n'


def one_method(number: int, text: str, rule: str) -> str:
    doc = f"<doc>{text}</doc>"
    own = f'<field name="f" domain="d{number}" label="{text}">{doc}{rule}</field>'
    pattern = (
        f'<field name="p" domain="plain"><assert check="regexp" value="{as_pattern(number, text)}"/></field>'
    )
    return f'<method name="m{number}" index="{number}" label="{text}">{doc}{rule}{own}{pattern}</method>\n'


def as_pattern(number: int, text: str) -> str:
    """A regular expression that matches a number and has the text, as far as it can, in a comment."""
    return f"^{number}(?#{text[:200].replace(chr(92), '').replace('(', '').replace(')', '').rpartition('&')[0]})$"


def modules(files: Mapping[str, bytes]) -> dict[str, ast.Module]:
    return {
        path: ast.parse(text, path, type_comments=True)
        for path, text in files.items()
        if path.endswith(".py")
    }


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    def fill(folder: Path) -> None:
        publish_to(folder / "nasty", unformatted(written(folder, specification(TEXTS))))
        tame = written(folder, specification([f"text {number}" for number in range(len(TEXTS))]), "tame.xml")
        publish_to(folder / "tame", unformatted(tame))

    return shared("nasty", fill)


def test_the_code_is_that_of_a_tame_specification(folder: Path) -> None:
    nasty, tame = modules(tree(folder / "nasty")), modules(tree(folder / "tame"))
    assert nasty.keys() == tame.keys()
    for path in nasty:
        shapes = [[type(node) for node in ast.walk(item)] for item in (nasty[path], tame[path])]
        assert shapes[0] == shapes[1], path


def test_black_formats_it(folder: Path) -> None:
    """Each module that has all of the texts, or some of them."""
    package = folder / "nasty" / "made"
    paths = [package / "errors.py", package / "validation.py", *package.glob("methods/_c*.py")]
    results = format_texts([path.read_text("utf-8") for path in paths], Cache(), silent)
    assert [result for result in results.values() if isinstance(result, Fault)] == []


def test_nothing_is_named_or_imported_that_a_tame_one_does_not(folder: Path) -> None:
    def names(files: Mapping[str, bytes]) -> set[str]:
        nodes = [node for module in modules(files).values() for node in ast.walk(module)]
        found = {node.id for node in nodes if isinstance(node, ast.Name)}
        found |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        return found | {
            alias.name
            for node in nodes
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }

    assert names(tree(folder / "nasty")) == names(tree(folder / "tame"))


def test_texts_arrive_in_docstrings(folder: Path) -> None:
    files = modules(tree(folder / "nasty" / "made"))
    errors = docstrings(files["errors.py"])
    for number, text in enumerate(map(folded, TEXTS)):
        module = files[f"methods/_c{number % CLASSES}.py"]
        of_class, of_method = docstrings(module)[""], docstrings(module)[f"C{number % CLASSES}M{number}"]
        assert text in of_class, text
        assert text in of_method, text
        # Label, doc, those of a field, and the names of two rules; some with a capital and a full stop.
        assert of_method.lower().count(text.lower()) >= 4, text
        assert text.lower() in errors[f"K{number}Close"].lower(), text


def docstrings(module: ast.Module) -> dict[str, str]:
    """The docstrings of a module, under an empty name, and of its classes."""
    found = {
        node.name: ast.get_docstring(node) or "" for node in module.body if isinstance(node, ast.ClassDef)
    }
    return {name: folded(text) for name, text in {**found, "": ast.get_docstring(module) or ""}.items()}


def test_every_line_is_one_that_people_can_see(folder: Path) -> None:
    for path, octets in tree(folder / "nasty").items():
        text = octets.decode()
        assert not set(text) & set(
            "\r\t\x0b\x0c\x7f\x85\u00a0\u200b\u200f\u2028\u2029\u202e\u2067\ufeff\ue000"
        ), path
        assert text.splitlines() == text.split("\n")[:-1], path


def test_no_comment_speaks_to_a_tool(folder: Path) -> None:
    words = ("type:", "fmt:", "noqa", "mypy:", "pyright:", "isort:", "pragma:", "ruff:", "pylint:")
    for octets in tree(folder / "nasty").values():
        for token in tokenize.generate_tokens(io.StringIO(octets.decode()).readline):
            said = token.string.lstrip("# ")
            if token.type == tokenize.COMMENT and said.lower().startswith(words):
                assert f"{said}\n".startswith(OWN_DIRECTIVES), token.line


def test_it_works(folder: Path) -> None:
    """Under any number of eyes: asserts with nasty texts are checked, and their messages can be shown."""
    code = f"""
import made
for number in range({len(TEXTS)}):
    method = getattr(made.methods, f"C{{number % {CLASSES}}}M{{number}}")
    right = method(f=0, p=str(number))
    assert made.decode_method(right.encode()) == right
    made.validate(right)
    for wrong in (method(f=1, p=str(number)), method(f=0, p="x")):
        try:
            made.validate(wrong)
        except made.ValidationError as error:
            assert str(error)
        else:
            raise AssertionError(number)
print("fine")
"""
    result = run_python(code, folder / "nasty", "-W", "error")
    assert (result.stdout, result.stderr) == ("fine\n", "")
