"""Whatever a tree looks like, reading and merging give a result or problems, never another error."""

from __future__ import annotations

from amqp_codegen.model.amqp0.raw import RawSpec
from amqp_codegen.model.problem import Position, Problem, SpecError
from amqp_codegen.reader.amqp0.raw_model import read_amqp0
from amqp_codegen.reader.amqp0.schema import AMQP0_SCHEMA
from amqp_codegen.reader.check_schema import check_schema
from amqp_codegen.reader.element import Element
from amqp_codegen.reader.overlay import merge_overlays
from amqp_codegen.reader.schema import overlay_schema
from amqp_codegen.reader.versions import identify
from amqp_codegen.reader.xml_tree import read_xml
from hypothesis import given
from hypothesis import strategies as st

from tests.write_xml import write_xml

TAGS = [*AMQP0_SCHEMA.rules, "codegen"]
ATTRIBUTES = sorted(
    {name for rule in overlay_schema(AMQP0_SCHEMA).rules.values() for name in rule.attributes}
    | {"{urn:x}name"}
)
VALUES = st.sampled_from(
    [
        "",
        " ",
        "0",
        "1",
        "-1",
        "65536",
        "a",
        "A",
        "a b",
        "a-b",
        "add",
        "replace",
        "remove",
        "rule",
        "enum",
        "[",
    ]
) | st.text(max_size=5)
POSITION = Position("f", 1, 1)


def elements(tags: st.SearchStrategy[str]) -> st.SearchStrategy[Element]:
    def element(tag: str, attributes: dict[str, str], content: list[Element | str]) -> Element:
        return Element(tag, attributes, tuple(content), POSITION)

    attributes = st.dictionaries(st.sampled_from(ATTRIBUTES), VALUES, max_size=5)
    inner = st.recursive(
        st.builds(element, st.sampled_from(TAGS), attributes, st.lists(VALUES, max_size=1)),
        lambda part: st.builds(
            element, st.sampled_from(TAGS), attributes, st.lists(part | VALUES, max_size=4)
        ),
        max_leaves=15,
    )
    return st.builds(element, tags, attributes, st.lists(inner | VALUES, max_size=5))


def root(element: Element, **attributes: str) -> Element:
    return Element("amqp", {**element.attributes, **attributes}, element.content, POSITION)


@given(elements(st.sampled_from(["amqp", "class"])))
def test_any_tree_is_read_or_explained(element: Element) -> None:
    for tree in (element, root(element, major="0", minor="9", revision="1")):
        spec, problems = read_amqp0(tree, ())
        assert isinstance(spec, RawSpec) or problems
        assert all(len(str(problem).splitlines()) == 1 for problem in problems)
    assert identify(element)


@given(elements(st.just("amqp")), st.lists(elements(st.just("amqp")), max_size=3))
def test_any_trees_are_merged_or_explained(base: Element, overlays: list[Element]) -> None:
    merged, problems = merge_overlays(base, [root(overlay, overlay="x") for overlay in overlays])
    assert all(isinstance(problem, Problem) for problem in problems)
    assert all(len(str(problem).splitlines()) == 1 for problem in problems)
    assert merged.tag == "amqp"
    check_schema(merged, AMQP0_SCHEMA)
    assert write_xml(merged)


SPEC = b"""<amqp major="0" minor="9" revision="1" port="5672">
  <constant name="not-found" value="404" class="soft-error"><doc>d</doc></constant>
  <domain name="d" type="short"><assert check="length" value="3"/><rule name="r"><doc>R</doc></rule></domain>
  <class name="basic" index="60" handler="channel">l<doc type="grammar">g</doc><chassis name="server"
  implement="MUST"/><field name="p" domain="d"/><method name="m" synchronous="1" index="1">
  <response name="m"/><field name="f" type="bit"><see name="s"/><test>t</test></field></method></class>
</amqp>"""
INSERTED = st.binary(max_size=4) | st.sampled_from([b"<", b'"', b"&", b"1", b" "])


@given(st.integers(0, len(SPEC)), st.integers(0, 20), INSERTED)
def test_any_damage_to_a_file_is_survived_or_explained(start: int, length: int, new: bytes) -> None:
    try:
        tree = read_xml(SPEC[:start] + new + SPEC[start + length :], "f")
    except SpecError as error:
        assert len(error.problems) == 1
        return
    spec, problems = read_amqp0(tree, ())
    assert isinstance(spec, RawSpec) or problems
