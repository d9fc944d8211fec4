"""Classes, methods, and how they refer to one another."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.spec import Chassis

from .small_specifications import (
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


def chassis(name: str, level: str = "MUST") -> str:
    return f'<chassis name="{name}" implement="{level}"/>'


def response(name: str) -> str:
    return f'<response name="{name}"/>'


def le(bound: str, of: str = "") -> str:
    return f'<assert check="le" field="{bound}"{f" method={of!r}" if of else ""}/>'


def test_a_class_with_everything() -> None:
    spec = resolved(
        '<class name="My Class" index="60" handler="channel" label="a class"><doc>Text.</doc><doc type="grammar">\n'
        f'  a = C:m\n    / S:m\n</doc>{chassis("server")}{chassis("client", "MAY")}{field("p")}{method()}</class>'
    )
    found = the_class(spec)
    assert (found.name, found.identifier, found.class_name) == ("my-class", "my_class", "MyClass")
    assert (found.index, found.handler, found.label, found.doc) == (60, "channel", "a class", "Text.")
    assert found.grammars == ("a = C:m\n  / S:m",)
    assert found.chassis == (Chassis("server", "MUST"), Chassis("client", "MAY"))
    assert [entry.field.name for entry in found.properties] == ["p"]
    assert [method.name for method in found.methods] == ["m"]
    assert (found.position.line, found.position.column) == (2, 1)


def test_a_method_with_everything() -> None:
    flags = 'synchronous="1" content="1" deprecated="1" label="a method"'
    spec = resolved(in_class(method("<doc>Text.</doc>" + field("f"), "Do It", 17, flags), "basic", 60))
    found = the_method(spec, "do-it")
    assert (found.full_name, found.class_name, found.function_name) == (
        "basic.do-it",
        "BasicDoIt",
        "basic_do_it",
    )
    assert (found.class_index, found.index, found.key) == (60, 17, 60 << 16 | 17)
    assert (found.synchronous, found.has_content, found.deprecated) == (True, True, True)
    assert (found.label, found.doc, [field.name for field in found.fields]) == ("a method", "Text.", ["f"])


def test_a_method_with_nothing() -> None:
    found = the_method(resolved(in_method("")))
    assert (found.synchronous, found.has_content, found.deprecated) == (False, False, False)
    assert (found.sent_by, found.responses, found.fields, found.rules) == ((), (), (), ())


@pytest.mark.parametrize(
    ("accepts", "sends"),
    [
        ((), ()),
        (("server",), ("client",)),
        (("client",), ("server",)),
        (("server", "client"), ("client", "server")),
    ],
)
def test_who_sends_is_the_opposite_of_who_accepts(accepts: tuple[str, ...], sends: tuple[str, ...]) -> None:
    found = the_method(resolved(in_method("".join(map(chassis, accepts)))))
    assert found.sent_by == sends
    assert [chassi.actor for chassi in found.chassis] == list(accepts)


def test_levels_of_chassis_are_kept() -> None:
    found = the_method(resolved(in_method(chassis("server", "SHOULD") + chassis("client", "MAY"))))
    assert found.chassis == (Chassis("server", "SHOULD"), Chassis("client", "MAY"))


def test_responses_are_classes_and_may_form_a_cycle() -> None:
    spec = resolved(
        in_class(
            method(response("pong") + response("ping"), "ping", 1) + method(response("ping"), "pong", 2),
            name="x",
        )
    )
    assert the_method(spec, "ping").responses == ("XPong", "XPing")
    assert the_method(spec, "pong").responses == ("XPing",)


def test_a_response_however_it_is_spelt() -> None:
    spec = resolved(in_class(method(response("open ok"), "open", 1) + method("", "open-ok", 2)))
    assert the_method(spec, "open").responses == ("COpenOk",)


def test_a_response_that_does_not_exist() -> None:
    body = in_class(
        "\n" + method("\n" + response("declare-okay"), "declare", 1) + method("", "declare-ok", 2), "queue"
    )
    assert refusal(body) == [
        "s.xml:4:1: error: method 'queue.declare' names the response 'declare-okay', which class 'queue' does not have "
        "(did you mean 'declare-ok'?) [dangling-response]"
    ]


def test_a_response_of_another_class_does_not_count() -> None:
    body = in_class(method(name="ok"), "a", 1) + "\n" + in_class(method(response("ok")), "b", 2)
    assert marks(refusal(body)) == ["dangling-response 3:55"]


def test_an_index_twice_in_a_class() -> None:
    body = in_class(method("", "a", 7) + "\n" + method("", "b", 7))
    assert refusal(body) == [
        "s.xml:3:1: error: method c.b (7) repeats the index of method c.a (7) at s.xml:2:27 "
        "(give each its own) [duplicate-index]"
    ]


def test_an_index_twice_in_two_classes_is_no_problem() -> None:
    spec = resolved(in_class(method(index=7), "a", 1) + in_class(method(index=7), "b", 2))
    assert [method.index for method in spec.methods] == [7, 7]


def test_indices_need_no_order() -> None:
    """queue: 10, 11, 20, 21, 50, 51, 30, 31, 40, 41; confirm (85) stands after tx (90)."""
    spec = resolved(in_class(method("", "a", 50) + method("", "b", 3), "x", 90) + in_class(method(), "y", 85))
    assert [(method.class_index, method.index) for method in spec.methods] == [(90, 50), (90, 3), (85, 1)]


def test_a_class_index_twice() -> None:
    body = in_class(method(), "a", 9) + "\n" + in_class(method(), "b", 9)
    assert refusal(body) == [
        "s.xml:3:1: error: class 'b' (9) repeats the index of class 'a' (9) at s.xml:2:1 (give each its own) [duplicate-index]"
    ]


@pytest.mark.parametrize("again", ["basic-x", "basic x", "BASIC_X"])
def test_a_class_name_twice(again: str) -> None:
    body = in_class(method(), "basic-x", 1) + "\n" + in_class(method(), again, 2)
    assert marks(refusal(body)) == ["duplicate-class 3:1"]


@pytest.mark.parametrize("again", ["get-ok", "get ok", "GET_OK"])
def test_a_method_name_twice(again: str) -> None:
    body = in_class(method("", "get-ok", 1) + "\n" + method("", again, 2))
    [message] = refusal(body)
    assert message.startswith("s.xml:3:1: error: method ")
    assert " at s.xml:2:27 " in message


def test_names_with_line_breaks_stay_on_one_line_of_a_message() -> None:
    found = refusal(in_class(method("", "a&#10;b", 1) + method(response("c&#10;d"), "e&#10;f", 1), "g"))
    assert {message.rpartition("[")[2] for message in found} >= {"bad-name]", "duplicate-index]"}


def test_everything_wrong_is_reported_at_once() -> None:
    body = "\n".join(
        [
            '<constant name="a" value="404" class="soft-error"/><constant name="a" value="405"/>',
            '<domain name="d" type="nothing"/>',
            '<domain name="e" type="e"/>',
            in_class(method(field("f", "d") + field("9"), "x", 1) + method(response("y"), "z", 1), "p", 1),
            in_class(method(field("f", "zzz"), "x", 1), "q", 1),
        ]
    )
    assert sorted(mark.split()[0] for mark in marks(refusal(body))) == [
        "bad-name",
        "cyclic-domain",
        "dangling-response",
        "duplicate-constant",
        "duplicate-index",
        "duplicate-index",
        "undefined-domain",
        "undefined-domain",
    ]


def test_problems_come_in_the_order_of_the_file_within_a_kind() -> None:
    body = in_class("\n".join(method(response("y"), f"m{number}", number) for number in range(5)))
    assert marks(refusal(body)) == [
        "dangling-response 2:56",
        *(f"dangling-response {line}:30" for line in (3, 4, 5, 6)),
    ]


# --- le: a field that must not exceed a field of an earlier method -------------------------------


def test_le_names_the_class_of_the_other_method() -> None:
    spec = resolved(
        in_class(
            method(field("channel max", "short"), "tune", 1)
            + method(field("f", "short", le("channel max", "tune")), "ok", 2)
        )
    )
    [check] = the_method(spec, "ok").fields[0].asserts
    assert (check.check, check.method, check.field) == ("le", "CTune", "channel_max")


def test_le_without_a_method_means_the_own_one() -> None:
    spec = resolved(in_method(field("low", "short", le("high")) + field("high", "short")))
    [check] = the_method(spec).fields[0].asserts
    assert (check.check, check.method, check.field) == ("le", "CM", "high")


@pytest.mark.parametrize(
    ("check", "hint"),
    [(le("high", "tnue"), "(did you mean 'tune'?)"), (le("hihg", "tune"), "(did you mean 'high'?)")],
)
def test_le_of_what_does_not_exist(check: str, hint: str) -> None:
    body = in_class(
        method(field("high", "short"), "tune", 1)
        + "\n"
        + method("\n" + field("f", "short", "\n" + check), "ok", 2)
    )
    [message] = refusal(body)
    assert message.startswith("s.xml:5:1: error: field 'f' must not exceed ")
    assert message.endswith(f" {hint} [dangling-assert]")


def test_le_of_a_field_whose_name_python_cannot_have() -> None:
    spec = resolved(in_method(field("f", "short", le("global")) + field("global", "short")))
    assert the_method(spec).fields[0].asserts[0].field == "global_"


def test_le_in_a_domain_counts_for_each_of_its_fields() -> None:
    domain = f'<domain name="d" type="short">{le("high", "tune")}</domain>'
    methods = method(field("high", "short"), "tune", 1) + method(field("f", "d"), "ok", 2)
    check = the_method(resolved(domain + in_class(methods)), "ok").fields[0].asserts[0]
    assert (check.method, check.field, check.origin) == ("CTune", "high", "domain d")


def test_le_of_a_property_is_checked_too() -> None:
    body = in_class("\n" + field("p", "short", "\n" + le("x", "nosuch")) + method())
    assert marks(refusal(body)) == ["dangling-assert 4:1"]


def test_nothing_to_generate() -> None:
    for body in ("", '<class name="c" index="1"/>', "\n"):
        [message] = refusal(body)
        assert message.startswith("s.xml:1:1: error: ")
        assert "method" in message


def test_a_class_without_methods_beside_others() -> None:
    spec = resolved('<class name="empty" index="1"/>' + in_class(method(), "c", 2))
    assert [(class_.name, len(class_.methods)) for class_ in spec.classes] == [("empty", 0), ("c", 1)]
    assert [class_.has_content for class_ in spec.classes] == [False, False]


@pytest.mark.parametrize(
    ("content", "expected"),
    [(method(), False), (field("p") + method(), True), (method(attributes='content="1"'), True)],
)
def test_classes_that_a_content_header_may_name(content: str, expected: bool) -> None:
    spec = resolved(in_class(content))
    assert the_class(spec).has_content is expected
    assert spec.content_classes == ((the_class(spec),) if expected else ())
