"""Constants: names, error classes, reply codes, and what wire.toml says too."""

from __future__ import annotations

import pytest

from .small_specifications import in_method, marks, refusal, resolved, the_constant


def constant(name: str, value: int, kind: str = "") -> str:
    return f'<constant name="{name}" value="{value}"{f" class={kind!r}" if kind else ""}/>\n'


BODY = in_method("")


@pytest.mark.parametrize(
    ("name", "identifier", "class_name"),
    [
        ("frame method", "FRAME_METHOD", "FrameMethod"),
        ("not-found", "NOT_FOUND", "NotFound"),
        ("Access_Refused", "ACCESS_REFUSED", "AccessRefused"),
        ("global", "GLOBAL", "Global"),
        ("return", "RETURN", "Return"),
        ("none", "NONE", "None"),
    ],
)
def test_names(name: str, identifier: str, class_name: str) -> None:
    spec = resolved(constant(name, 1) + BODY)
    found = spec.constants[0]
    assert (found.identifier, found.class_name) == (identifier, class_name)
    assert spec.constant(name.lower().replace(" ", "-").replace("_", "-")) is found


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("", ""),
        ("soft-error", "soft"),
        ("soft error", "soft"),
        ("hard-error", "hard"),
        ("hard error", "hard"),
    ],
)
def test_error_classes(kind: str, error: str) -> None:
    found = the_constant(resolved(constant("a", 404, kind) + BODY), "a")
    assert (found.error, found.is_reply_code) == (error, bool(error))


def test_reply_success_is_a_reply_code_without_being_an_error() -> None:
    found = the_constant(resolved(constant("reply success", 200) + BODY), "reply-success")
    assert (found.error, found.is_reply_code) == ("", True)


def test_order_is_that_of_the_file() -> None:
    spec = resolved(constant("z", 9) + constant("a", 1) + BODY)
    assert [constant.name for constant in spec.constants][:2] == ["z", "a"]


def test_there_is_no_such_constant() -> None:
    assert resolved(BODY).constant("nothing") is None


@pytest.mark.parametrize("again", ["not-found", "not found", "Not_Found"])
def test_a_name_twice(again: str) -> None:
    assert refusal(constant("not-found", 404, "soft-error") + constant(again, 405, "soft-error") + BODY) == [
        f"s.xml:3:1: error: constant {again!r} repeats the name of constant 'not-found' at s.xml:2:1 "
        "(give each its own) [duplicate-constant]"
    ]


def test_a_reply_code_twice() -> None:
    assert refusal(constant("a", 404, "soft-error") + constant("b", 404, "hard-error") + BODY) == [
        "s.xml:3:1: error: constant 'b' (404) repeats the value of constant 'a' (404) at s.xml:2:1 "
        "(give each its own) [duplicate-reply-code]"
    ]


def test_a_value_twice_is_no_problem_where_it_is_no_reply_code() -> None:
    """0-8: frame-method and many a reply code are small numbers of different meanings."""
    spec = resolved(constant("a", 404) + constant("b", 404, "hard-error") + constant("c", 404) + BODY)
    assert [constant.value for constant in spec.constants][:3] == [404, 404, 404]


@pytest.mark.parametrize(("one", "other"), [("a-1", "a1"), ("a", "a-"), ("class", "class-")])
def test_names_that_differ_but_not_in_python(one: str, other: str) -> None:
    body = constant(one, 404, "soft-error") + constant(other, 405, "soft-error") + BODY
    assert set(marks(refusal(body))) == {"name-collision 3:1"}


def test_only_errors_become_classes() -> None:
    """``A1`` and ``A_1`` are two identifiers."""
    spec = resolved(constant("a-1", 1) + constant("a1", 2, "soft-error") + BODY)
    assert [constant.identifier for constant in spec.constants][:2] == ["A_1", "A1"]


@pytest.mark.parametrize(
    "name",
    [
        *("spec", "port", "protocol-header", "other-protocol-headers", "frame-overhead", "heartbeat-frame"),
        *("soft-errors", "hard-errors"),
    ],
)
def test_a_constant_does_not_hide_what_its_module_has(name: str) -> None:
    found = the_constant(resolved(constant(name, 1) + BODY), name)
    assert found.identifier == name.upper().replace("-", "_") + "_"


@pytest.mark.parametrize(
    ("version", "name", "value", "right"),
    [("0-9-1", "frame-method", 4, 1), ("0-8", "frame trace", 9, 7), ("0-9", "frame_heartbeat", 4, 8)],
)
def test_a_frame_type_that_wire_toml_says_otherwise(version: str, name: str, value: int, right: int) -> None:
    normal = name.replace(" ", "-").replace("_", "-")
    assert refusal(constant(name, value) + BODY, version) == [
        f"s.xml:2:1: error: constant {normal!r} is {value}, but frames of this version have {right} [frame-type]"
    ]


def test_a_frame_type_that_the_version_has_not_is_a_constant_like_any() -> None:
    assert the_constant(resolved(constant("frame-trace", 99) + BODY), "frame-trace").value == 99


def test_an_end_of_frame_that_wire_toml_says_otherwise() -> None:
    """The heartbeat frame of wire.toml has one too."""
    needed = constant("frame-min-size", 4096) + constant("frame-end", 205)
    assert marks(refusal(BODY, needed=needed)) == ["frame-type 4:1"]
