"""Reading XML: exact positions, and no document that can harm."""

from __future__ import annotations

import os
import time
from xml.parsers import expat

import pytest
from amqp_codegen.model.problem import Position, SpecError
from amqp_codegen.reader.element import Element
from amqp_codegen.reader.xml_tree import read_xml
from amqp_codegen.support.resources import specs_dir
from hypothesis import given
from hypothesis import strategies as st

from tests.published_specs.published_files import PARTS, published_file
from tests.published_specs.spec_sources import OFFICIAL

LONG = 60  # seconds of processor time: far more than linear work takes, far less than quadratic


def read(text: str | bytes) -> Element:
    return read_xml(text.encode() if isinstance(text, str) else text, "spec.xml")


def refusal(data: str | bytes, **limits: int) -> str:
    """Return the one problem of a document that is refused."""
    with pytest.raises(SpecError) as caught:
        read_xml(data.encode() if isinstance(data, str) else data, "spec.xml", **limits)
    (problem,) = caught.value.problems
    return str(problem)


def place(element: Element) -> tuple[int, int]:
    return element.position.line, element.position.column


def test_an_element_knows_its_tag_attributes_content_and_position() -> None:
    root = read('<amqp major="0">\n  one <class name="basic"/> two\n</amqp>')
    child = Element("class", {"name": "basic"}, (), Position("spec.xml", 2, 7))
    assert root == Element("amqp", {"major": "0"}, ("\n  one ", child, " two\n"), Position("spec.xml", 1, 1))
    assert str(child.position) == "spec.xml:2:7"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<a><b/></a>", (1, 4)),
        (b"<a>\n\t<b/></a>", (2, 2)),
        (b"<a>\r\n  <b/></a>", (2, 3)),
        ("<a>é😀<b/></a>".encode(), (1, 6)),
        ("<a>é😀<b/></a>".encode("utf-16"), (1, 6)),
        (b"\xef\xbb\xbf<a><b/></a>", (1, 4)),
        (b"\xef\xbb\xbf<a>\n<b/></a>", (2, 1)),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<a>\xe9<b/></a>', (2, 5)),
        (b"<a><!-- \n\n --> <b/></a>", (3, 6)),
    ],
)
def test_columns_count_characters_from_one(data: bytes, expected: tuple[int, int]) -> None:
    assert place(read(data).children[0]) == expected


def test_runs_of_text_know_where_they_begin() -> None:
    root = read("<a>one\n <b>two</b>\n  <!-- x --> three<?target data?>\n four</a>")
    assert [(run.text, run.position.line, run.position.column) for run in root.runs] == [
        ("one\n ", 1, 4),
        (" three", 3, 13),
        ("\n four", 3, 34),
    ]
    assert [(run.text, run.position.column) for run in root.children[0].runs] == [("two", 5)]


def test_comments_and_processing_instructions_do_not_part_text() -> None:
    assert read("<a>on<!-- x -->e<?target data?><![CDATA[ <two>]]></a>").content == ("one <two>",)


def test_long_text_arrives_in_one_piece() -> None:
    text = "word &amp; " * 50_000
    assert read(f"<a>{text}</a>").content == (text.replace("&amp;", "&"),)


def test_text_in_cdata_knows_where_it_begins() -> None:
    root = read("<a b='1 > 0'>one &lt; &#x32;<![CDATA[ <three>]]></a>")
    assert [(run.text, run.position.column) for run in root.runs] == [("one < 2", 14), (" <three>", 38)]


def expat_positions(data: bytes) -> list[tuple[int, int]]:
    found = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda *_: found.append(
        (parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
    )
    parser.Parse(data, True)
    return found


FILES = sorted(
    [*specs_dir().rglob("*.xml"), *specs_dir().parent.glob("tests/**/*.xml")]
    + [path for name in (*OFFICIAL, *PARTS) if (path := published_file(name)).is_file()]
)


def test_every_element_of_a_file_stands_where_expat_says() -> None:
    read = 0
    for file in FILES:
        data = file.read_bytes()
        try:
            root = read_xml(data, file.name)
        except SpecError:
            continue
        assert [place(element) for element in root.walk()] == expat_positions(data), file
        read += 1
    assert read > 140


def test_line_breaks_are_normalised() -> None:
    assert read(b"<a>1\r\n2\r3\n4</a>").content == ("1\n2\n3\n4",)


def test_namespaces_are_kept_apart_from_names() -> None:
    root = read('<amqp xmlns="urn:x" xmlns:o="urn:o" name="n" o:name="m" xml:lang="en"><o:type/></amqp>')
    assert (root.tag, root.namespace) == ("amqp", "urn:x")
    assert root.attributes == {
        "name": "n",
        "{urn:o}name": "m",
        "{http://www.w3.org/XML/1998/namespace}lang": "en",
    }
    assert (root.children[0].tag, root.children[0].namespace) == ("type", "urn:o")


def test_character_references_are_resolved() -> None:
    assert read('<a b="&quot;&#x41;">&lt;&#66;</a>') == Element(
        "a", {"b": '"A'}, ("<B",), Position("spec.xml", 1, 1)
    )


def test_a_doctype_in_a_comment_is_a_comment() -> None:
    assert read("<!-- <!DOCTYPE amqp SYSTEM 'amqp.dtd'> --><amqp/>").tag == "amqp"


BILLION_LAUGHS = "<!DOCTYPE a [<!ENTITY l0 'ha'>{}]><a>&l9;</a>".format(
    "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
)


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE a><a/>",
        "<!DOCTYPE a SYSTEM 'amqp.dtd'><a/>",
        "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://localhost/p'> %p;]><a/>",
        BILLION_LAUGHS,
    ],
)
def test_every_doctype_is_refused(text: str) -> None:
    message = "error: a document type declaration is not allowed (remove the <!DOCTYPE ...>) [xml-doctype]"
    assert refusal(text) == f"spec.xml:1:1: {message}"
    assert refusal(f"<?xml version='1.0'?>\n<!-- -->\n  {text}") == f"spec.xml:3:3: {message}"
    assert "[xml-doctype]" in refusal(text.encode("utf-16"))
    assert "[xml-doctype]" in refusal(f"\ufeff\ufeff{text}")


@pytest.mark.parametrize(("text", "place"), [("<a>\n &evil;</a>", "2:8"), ("<a b='&evil;'/>", "1:13")])
def test_an_undeclared_entity_is_refused_not_dropped(text: str, place: str) -> None:
    assert refusal(text) == (
        f"spec.xml:{place}: error: reference to an entity that is not declared "
        "(write the character itself, or its number as &#...;) [xml-entity]"
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "1:1: error: the file is empty (an AMQP specification is expected)"),
        (b" \n\t", "1:1: error: the file is empty (an AMQP specification is expected)"),
        (b"<!-- -->", "1:9: error: not well-formed XML: Start tag expected, '<' not found"),
        (
            b"<a>\n <b>",
            "2:5: error: not well-formed XML: the file ends too early: b, which begins at line 2, column 2, is still open "
            "(the rest of the file is missing, or an end tag)",
        ),
        (b"<a", "1:3: error: not well-formed XML: Couldn't find end of Start Tag a line 1"),
        (b"<a>\n<b>\n</a>", "3:5: error: not well-formed XML: Opening and ending tag mismatch: b line 2 and a"),
        (b"<a/>\n<b/>", "2:1: error: not well-formed XML: Extra content at the end of the document"),
        (b"<a b='1' b='2'/>", "1:15: error: not well-formed XML: Attribute b redefined"),
        (b"<o:a/>", "1:5: error: not well-formed XML: Namespace prefix o on a is not defined"),
        (b"not xml", "1:1: error: not well-formed XML: Start tag expected, '<' not found"),
        (b"\x7fELF\x02\x00\x00",
         "1:1: error: not well-formed XML: Start tag expected, '<' not found (this looks like a binary file)"),
        (b"<a>\x01</a>", "1:4: error: not well-formed XML: PCDATA invalid Char value 1"),
        (
            b"<a>\n\xe9t\xe9</a>",
            "2:1: error: not well-formed XML: the text is not UTF-8 "
            "(octet 0xe9 at offset 4 is not UTF-8; save the file as UTF-8)",
        ),
        (b'<?xml version="1.0" encoding="us-ascii"?>\n<a>\xe9</a>',
         "2:4: error: not well-formed XML: the text is not US-ASCII"),
    ],
)  # fmt: skip
def test_what_is_not_well_formed_is_one_problem_with_its_place(data: bytes, expected: str) -> None:
    assert refusal(data) == f"spec.xml:{expected} [xml-not-well-formed]"


@pytest.mark.parametrize(
    "rest", ["", "<c", "<c x='", "<c x", "text", "<!-- text", "<![CDATA[ text", "<?pi x", "</b", "&amp", "</"]
)
def test_a_file_that_is_cut_off_says_which_element_is_open_and_where_it_began(rest: str) -> None:
    message = refusal(f"<a>\n  <b x='1'>\n<c/><!-- <d> -->\n{rest}".encode())
    assert "the file ends too early: b, which begins at line 2, column 3, is still open" in message


def test_many_tags_behind_one_that_does_not_end_take_linear_time() -> None:
    assert "a, which begins at line 1, column 1, is still open" in refusal(b"<a><b x='" + b"&#60;" * 100_000)


@pytest.mark.parametrize("codec", ["utf-32", "utf-32-le", "utf-32-be"])
def test_utf_32_is_named(codec: str) -> None:
    assert refusal("<a/>".encode(codec)) == (
        "spec.xml:1:1: error: the encoding UTF-32 is not supported (save the file as UTF-8) [xml-encoding]"
    )


@pytest.mark.parametrize("name", ["utf8", "UTF8", "utf_8"])
def test_utf_8_that_is_misspelt_says_how_to_write_it(name: str) -> None:
    assert refusal(f'<?xml version="1.0" encoding="{name}"?><a/>') == (
        f'spec.xml:1:1: error: the encoding {name!r} is not supported (write encoding="UTF-8") [xml-encoding]'
    )


@pytest.mark.parametrize("name", ["utf-7", "rot13", "cp1252", "idna", "unicode_escape", "no-such"])
def test_an_encoding_that_no_specification_needs_is_refused(name: str) -> None:
    assert refusal(f'<?xml version="1.0" encoding="{name}"?><a/>') == (
        f"spec.xml:1:1: error: the encoding {name!r} is not supported (save the file as UTF-8) [xml-encoding]"
    )


def test_a_declared_encoding_that_is_not_the_real_one_is_refused() -> None:
    assert "encoding specified in XML declaration is incorrect" in refusal(
        '<?xml version="1.0" encoding="utf-16"?><a/>'
    )


def test_64_open_elements_are_allowed_and_65_are_not() -> None:
    assert read("<a>" * 64 + "</a>" * 64).tag == "a"
    message = "error: elements are nested more than 64 deep [xml-too-deep]"
    assert refusal("<a>" * 65 + "</a>" * 65) == f"spec.xml:1:193: {message}"
    assert refusal("<a>" * 1000 + "</a>" * 1000).endswith(message)  # the parser's own limit is 256


def test_a_limit_is_the_last_value_allowed() -> None:
    assert read_xml(b"<a><b/></a>", "f", max_bytes=11, max_depth=2, max_elements=2).tag == "a"
    assert refusal(b"<a><b/></a>", max_bytes=10) == (
        "spec.xml:1:1: error: the file has more than 10 octets [xml-too-large]"
    )
    assert refusal(b"<a><b/></a>", max_depth=1).endswith("[xml-too-deep]")
    assert refusal("<a " + " ".join(f"a{number}=''" for number in range(201)) + "/>") == (
        "spec.xml:1:1: error: an element has more than 200 attributes [xml-too-large]"
    )
    assert refusal(b"<a><b/></a>", max_elements=1) == (
        "spec.xml:1:4: error: the file has too many elements [xml-too-large]"
    )


# Square work on a hundredth of the largest file takes longer than LONG, too; all of it is for `make test-all`.
SIZE = 8_000_000 if os.environ.get("TEST_ALL") else 400_000


@pytest.mark.parametrize(
    "data",
    [
        b"<a>" * (SIZE // 80) + b"</a>" * (SIZE // 80),
        b"<a>" + b"<b/>" * (SIZE // 4) + b"</a>",
        b"<a " + b" ".join(b"a%d=''" % n for n in range(SIZE // 20)) + b"/>",
        b"<a>" + b"<!---->" * (SIZE // 8) + b"</a>",
        b"<a>" + b"&#65;" * (SIZE // 5) + b"</a>",
        b"<a b='" + b"x" * SIZE,
        b"<" * SIZE,
        b"<!DOCTYPE " + b"[" * SIZE,
        b"<!-- --> " * (SIZE // 10) + b"<!DOCTYPE a>",
        b"<!--" * (SIZE // 4),
        b" " * SIZE,
        b"x" * 9_000_000,
        BILLION_LAUGHS.encode(),
    ],
    ids=[
        "deep", "wide", "attributes", "comments", "references", "value", "open", "doctype", "late-doctype", "open-comments", "blank",
        "oversize", "billion-laughs",
    ],
)  # fmt: skip
def test_hostile_documents_take_little_time(data: bytes) -> None:
    start = time.process_time()
    try:
        read_xml(data, "spec.xml")
    except SpecError as error:
        assert len(error.problems) == 1
    assert time.process_time() - start < LONG


@given(st.binary())
def test_any_bytes_give_an_element_or_a_problem(data: bytes) -> None:
    only_an_element_or_a_problem(data)


MARKUP = [
    b"<a>", b"</a>", b"<b c='d'/>", b"<!DOCTYPE a", b"<!ENTITY x 'y'>", b"]>", b"&x;", b"&#0;", b"&#x110000;",
    b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?xml version='1.0' encoding='", b"utf-16", b"'?>", b"xmlns='u'",
    b"\xff\xfe", b"\x00", b"\xed\xa0\x80", b"text", b"\n", b"<o:a xmlns:o='}'>",
]  # fmt: skip


@given(st.lists(st.sampled_from(MARKUP) | st.binary(max_size=3)).map(b"".join))
def test_any_markup_gives_an_element_or_a_problem(data: bytes) -> None:
    only_an_element_or_a_problem(data)


def only_an_element_or_a_problem(data: bytes) -> None:
    try:
        assert isinstance(read_xml(data, "spec.xml"), Element)
    except SpecError as error:
        (problem,) = error.problems
        assert problem.position is not None
        assert min(problem.position.line, problem.position.column) >= 1
