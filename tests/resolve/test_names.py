"""From the specification's words to Python's."""

from __future__ import annotations

import keyword
import unicodedata

import pytest
from amqp_codegen.model.amqp0.class_grammar import Token
from amqp_codegen.model.problem import Position
from amqp_codegen.resolve.names import (
    bad_name,
    class_name,
    duplicates,
    identifier,
    normalise,
    suggest,
    unique_local,
)
from hypothesis import given
from hypothesis import strategies as st

from .amqp0.small_specifications import (
    field,
    in_class,
    in_method,
    marks,
    method,
    refusal,
    resolved,
    the_class,
    the_method,
)

HERE = Position("s.xml", 2, 1)
PLAIN = st.text("abcxyz019 _-", max_size=20)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("queue", "queue"),
        ("consumer tag", "consumer_tag"),
        ("consumer-tag", "consumer_tag"),
        ("Consumer-Tag", "consumer_tag"),
        ("no  wait", "no_wait"),
        ("no -_wait", "no_wait"),
        (" ticket ", "ticket"),
        ("reserved-1", "reserved_1"),
        ("x2", "x2"),
        ("x" * 300, "x" * 300),
    ],
)
def test_identifier(name: str, expected: str) -> None:
    assert identifier(name) == expected


@pytest.mark.parametrize("word", [*keyword.kwlist, "RETURN", "Global"])
def test_a_keyword_gets_an_underscore(word: str) -> None:
    """The specification's own are return and global. None, True and False are no keywords in small letters."""
    small = word.lower()
    assert identifier(word) == (f"{small}_" if keyword.iskeyword(small) else small)


@pytest.mark.parametrize("word", [*keyword.softkwlist, "type", "bytes", "len", "print"])
def test_soft_keywords_and_builtins_are_names_like_others(word: str) -> None:
    assert identifier(word) == (word if word != "_" else "")


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "-",
        "_",
        "---",
        "2phase",
        "1",
        "-x",
        "_x",
        "__init__",
        "__class__",
        "a.b",
        "a/b",
        "../../x",
        "C:\\x",
        "a\nb",
        "a\tb",
        "a;b",
        "a'b",
        'a"b',
        "a{b}",
        "a%s",
        "a#",
        "a()",
        "\ufb01le",  # a ligature that Python itself would read as "fi"
        "\u0131",  # dotless i
        "\u0130",  # I with a dot, whose small form is two characters
        "q\u0443eue",  # a Cyrillic letter that looks like u
        "queue\u200b",  # zero width
        "\u202equeue",  # right to left
        "caf\u00e9",
        "\uff41",  # a wide a
        "a\u0301",
        "\u0661",  # a digit, to str.isdigit
        "\u2170",
        "a\u00a0b",
    ],
)
def test_no_identifier_is_made_of(name: str) -> None:
    assert identifier(name) == ""


@given(st.text(max_size=30))
def test_an_identifier_is_safe_whatever_the_name(name: str) -> None:
    found = identifier(name)
    if found:
        assert found.isascii()
        assert found.isidentifier()
        assert not keyword.iskeyword(found)
        assert not found.startswith("_")
        assert unicodedata.normalize("NFKC", found) == found


@given(PLAIN)
def test_names_that_are_the_same_give_the_same(name: str) -> None:
    assert normalise(normalise(name)) == normalise(name)
    assert identifier(name) == identifier(normalise(name)) == identifier(f" {name.upper()} ")
    assert class_name(name) == class_name(normalise(name))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("queue", "declare-ok"), "QueueDeclareOk"),
        (("basic", "get empty"), "BasicGetEmpty"),
        (("frame method",), "FrameMethod"),
        (("reserved_1",), "Reserved1"),
        (("tx", "SELECT"), "TxSelect"),
    ],
)
def test_class_name(names: tuple[str, ...], expected: str) -> None:
    assert class_name(*names) == expected


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("shrotstr", ["bit", "shortstr"], "did you mean 'shortstr'?"),
        ("short str", ["shortstr"], "did you mean 'shortstr'?"),
        ("zzz", ["b", "a"], "known: a, b"),
        ("zzz", [], ""),
        ("zzz", [f"name-{number}" for number in range(13)], ""),
        ("zzz", ["a\nb", "c"], "known: 'a\\nb', c"),
        ("a\nc", ["a\nb"], "did you mean 'a\\nb'?"),
    ],
)
def test_suggest(word: str, known: list[str], hint: str) -> None:
    assert suggest(word, known) == hint


def test_bad_name_says_what_is_allowed() -> None:
    assert str(bad_name("class", "2\n", HERE)) == (
        "s.xml:2:1: error: the name '2\\n' of this class does not make a Python identifier "
        "(use ASCII letters, digits, blanks, hyphens and underscores, a letter first) [bad-name]"
    )


def test_duplicates_name_both_places() -> None:
    entries = [Token("client", str(line), False, Position("s.xml", line, 1)) for line in (2, 3, 4)]
    found = duplicates(entries, "line", lambda _: 1, "twice", lambda entry: f"<{entry.name}>")
    assert [str(item) for item in found] == [
        "s.xml:3:1: error: <3> repeats the line of <2> at s.xml:2:1 (give each its own) [twice]",
        "s.xml:4:1: error: <4> repeats the line of <2> at s.xml:2:1 (give each its own) [twice]",
    ]


def test_unique_local() -> None:
    taken = {"end"}
    assert [unique_local(name, taken) for name in ("end", "end", "x")] == ["end_", "end__", "x"]
    assert taken == {"end", "end_", "end__", "x"}


# --- In a specification --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["class", "method", "field", "property", "domain", "constant"])
@pytest.mark.parametrize("name", ["2phase", "__init__", "-", "a&#10;b", "\ufb01le", "x'\"y", "../x"])
def test_a_bad_name_is_an_error_where_it_stands(kind: str, name: str) -> None:
    quoted = name.replace('"', "&quot;")
    body, column = {
        "class": (in_class(method(), name=quoted), 1),
        "method": (in_class(method(name=quoted)), 27),
        "field": (in_method(field(quoted)), 55),
        "property": (in_class(field(quoted) + method()), 27),
        "domain": (f'<domain name="{quoted}" type="bit"/>{in_method("")}', 1),
        "constant": (f'<constant name="{quoted}" value="1"/>{in_method("")}', 1),
    }[kind]
    [message] = refusal(body)
    what = "field" if kind == "property" else kind
    shown = repr(name.replace("&#10;", "\n"))
    assert message.startswith(f"s.xml:2:{column}: error: the name {shown} of this {what} does not make")


@pytest.mark.parametrize(
    "name", ["return", "open", "import", "global", "class", "match", "print", "self", "none"]
)
def test_methods_and_classes_may_be_called_anything(name: str) -> None:
    spec = resolved(in_class(method(name=name), name=name))
    assert the_class(spec).identifier in (name, f"{name}_")
    assert not keyword.iskeyword(the_class(spec).identifier)
    found = the_method(spec, name)
    assert (found.name, found.full_name) == (name, f"{name}.{name}")
    assert (found.class_name, found.function_name) == (name.capitalize() * 2, f"{name}_{name}")


def test_names_keep_up_to_300_characters() -> None:
    found = the_method(resolved(in_method(field("a" + "-b" * 150))))
    assert found.fields[0].identifier == "a" + "_b" * 150


@pytest.mark.parametrize("names", [("no-wait", "no wait"), ("no-wait", "no_wait"), ("no wait", "No  Wait")])
def test_fields_of_one_name_are_one_problem(names: tuple[str, str]) -> None:
    one, other = names
    body = in_class(method("\n" + field(one) + "\n" + field(other) + "\n"))
    assert refusal(body) == [
        f"s.xml:4:1: error: field {other!r} repeats the name of field {one!r} at s.xml:3:1 (give each its own) [duplicate-field]"
    ]


def test_three_spellings_of_a_name_are_two_problems() -> None:
    body = in_method("".join(f"\n{field(name)}" for name in ("no-wait", "no wait", "no_wait")))
    assert marks(refusal(body)) == ["duplicate-field 4:1", "duplicate-field 5:1"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("class", "class-"), ("self", "self-"), ("encode", "encode-"), ("bytes", "bytes_"), ("int", "int-")],
)
def test_fields_whose_names_differ_but_not_in_python(one: str, other: str) -> None:
    """A keyword, or a name that the class needs, gets an underscore: there may be one already."""
    body = in_class(method(f"\n{field(one)}\n{field(other)}\n"))
    assert marks(refusal(body)) == ["name-collision 4:1"]


@pytest.mark.parametrize(
    "name", ["encode", "pack", "residue", "self", "bool", "bytes", "int", "str", "property"]
)
def test_a_field_does_not_hide_what_its_class_has(name: str) -> None:
    [found] = the_method(resolved(in_method(field(name)))).fields
    assert (found.name, found.identifier) == (name, f"{name}_")


def test_locals_are_all_different_and_none_of_the_decoders_own() -> None:
    names = [
        *(
            "buffer",
            "position",
            "end",
            "stop",
            "size",
            "tables",
            "flags",
            "flags-2",
            "words",
            "parts",
            "self",
        ),
        *(
            "bytes",
            "len",
            "type",
            "int",
            "octets",
            "epoch-seconds",
            "unpack-i",
            "pack-h",
            "read-table",
            "write-table",
        ),
        *("end-", "position-", "the-unpack-i", "data", "bits", "bits-"),
    ]
    found = the_method(resolved(in_method("".join(map(field, names))))).fields
    used = {item.local for item in found}
    assert len(used) == len(names)
    assert used.isdisjoint(
        {"buffer", "position", "end", "stop", "size", "tables", "flags", "flags_2", "words", "parts"}
    )
    assert used.isdisjoint(
        {"self", "bytes", "len", "type", "int", "octets", "epoch_seconds", "read_table", "write_table"}
    )
    assert not any(name.startswith(("pack_", "unpack_")) for name in used)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("MethodBase", ("method", "base")),
        ("FrameDecoder", ("frame", "decoder")),
        ("RawTable", ("raw", "table")),
        ("OtherFrame", ("other", "frame")),
        ("ContentHeader", ("content", "header")),
        ("ContentBody", ("content", "body")),
        ("TableReader", ("table", "reader")),
        ("TableWriter", ("table", "writer")),
        ("FieldLayout", ("field", "layout")),
        ("TypeAlias", ("type", "alias")),
        ("CodecError", ("codec", "error")),
        ("ChannelCloseError", ("channel", "close-error")),
        ("ReplyCode", ("reply", "code")),
        ("LimitExceeded", ("limit", "exceeded")),
    ],
)
def test_a_method_does_not_hide_a_class_of_the_package(one: str, other: tuple[str, str]) -> None:
    [message] = refusal(in_class(method(name=other[1]), name=other[0]))
    assert message.endswith(" [name-collision]")
    assert f"{other[0]}.{other[1]}" in message
    assert repr(one) in message


def test_methods_of_two_classes_with_one_python_name() -> None:
    body = "\n".join([in_class(method(name="b-c"), "a", 1), in_class(method(name="c"), "a-b", 2)])
    assert refusal(body) == [
        "s.xml:3:29: error: method 'a-b.c' repeats the Python name of method 'a.b-c' at s.xml:2:27 "
        "(give each its own) [name-collision]"
    ]


@pytest.mark.parametrize(
    ("one", "other"), [("class", "class-"), ("rows", "rows_"), ("find-method", "find-method-")]
)
def test_classes_whose_modules_would_be_one_file(one: str, other: str) -> None:
    body = "\n".join([in_class(method(name="x"), one, 1), in_class(method(name="y"), other, 2)])
    assert marks(refusal(body)) == ["name-collision 3:1"]
