"""Whatever 1.0 trees look like, reading and resolving give a result or problems, never another error."""

from __future__ import annotations

from amqp_codegen.model.amqp1.raw import RawSpec
from amqp_codegen.model.amqp1.spec import Spec
from amqp_codegen.model.problem import Position, SpecError
from amqp_codegen.reader.amqp1.schema import AMQP1_SCHEMA
from amqp_codegen.reader.element import Element
from amqp_codegen.reader.xml_tree import read_xml
from amqp_codegen.support.resources import specs_dir
from hypothesis import given
from hypothesis import strategies as st

from tests.reader.raw_models import read_trees, resolved_amqp1
from tests.sampling import examples

POSITION = Position("f", 1, 1)
TYPES = read_xml((specs_dir() / "amqp1-0" / "types.xml").read_bytes(), "types.xml")
TAGS = sorted({tag for rule in AMQP1_SCHEMA.rules.values() for tag in rule.children} | {"unknown"})
NAMES = st.sampled_from(
    ["a", "b", "c", "a-b", "a_b", "uint", "symbol", "list", "none", "1", "*", "message", ""]
)
VALUES = {
    "class": st.sampled_from(["primitive", "composite", "restricted", "union", "x"]),
    "code": st.sampled_from(["0x40", "0x70", "0xa1", "0x1:0x2", "0x4f", "x", "999"]),
    "category": st.sampled_from(["fixed", "variable", "compound", "array"]),
    "mandatory": st.sampled_from(["true", "false", "1"]),
    "multiple": st.sampled_from(["true", "false"]),
    "width": st.sampled_from(["0", "1", "4", "16", "x"]),
    "value": st.sampled_from(["0", "1", "256", "true", "a", "-1", ""]),
    "default": st.sampled_from(["0", "a", "b", "true", "65536", ""]),
    "type": st.sampled_from(["a", "b", "uint", "array", "*", "scenario"]),
    "provides": st.sampled_from(["a", "a,b", "a, a", ",", "b , c"]),
    "requires": st.sampled_from(["a", "a,b", "z"]),
    "source": st.sampled_from(["a", "b", "c", "uint", "symbol", "map", "list", "*", "none"]),
}


def one(tag: str, children: st.SearchStrategy[list[Element]]) -> st.SearchStrategy[Element]:
    """Make elements with the attributes of their rule, most of them well, and any children."""
    rule = AMQP1_SCHEMA.rules.get(tag)
    known = rule.attributes if rule else {}
    needed = {name: VALUES.get(name, NAMES) for name, attribute in known.items() if attribute.required}
    others = {name: VALUES.get(name, NAMES) for name in known if name not in needed}
    attributes = st.fixed_dictionaries(
        needed, optional={**others, "x": NAMES} if tag == "unknown" else others
    )
    return st.builds(lambda some, inner: Element(tag, some, tuple(inner), POSITION), attributes, children)


def children(*tags: str, inner: st.SearchStrategy[list[Element]]) -> st.SearchStrategy[list[Element]]:
    return st.lists(st.one_of([one(tag, inner) for tag in tags]), max_size=4)


NOTHING: st.SearchStrategy[list[Element]] = st.just([])
RULES = children("rule", "doc", inner=NOTHING)
CONTENT = children("encoding", "descriptor", "field", "choice", inner=NOTHING)
SECTIONS = children("type", "type", "type", "definition", "rule", inner=CONTENT)
TREES = one("amqp", children("section", "section", "rule", inner=SECTIONS))
ANY = st.recursive(
    st.one_of([one(tag, NOTHING) for tag in TAGS]),
    lambda part: st.one_of([one(tag, st.lists(part, max_size=3)) for tag in TAGS]),
    max_leaves=12,
)


def check(*roots: Element) -> None:
    raw, problems = read_trees(roots, ())
    assert isinstance(raw, RawSpec) or problems
    if raw is not None:
        spec, found = resolved_amqp1(raw)
        assert isinstance(spec, Spec) or found
        problems += found
    assert all(len(str(problem).splitlines()) == 1 for problem in problems)


@given(TREES)
@examples(300)
def test_likely_trees_are_resolved_or_explained(tree: Element) -> None:
    check(tree)
    check(TYPES, tree)


@given(st.lists(ANY, max_size=3))
def test_any_tree_is_read_or_explained(elements: list[Element]) -> None:
    section = Element("section", {"name": "s"}, tuple(elements), POSITION)
    check(Element("amqp", {"name": "p"}, (section,), POSITION))
    check(Element("amqp", {"name": "p"}, tuple(elements), POSITION))


SPEC = (specs_dir() / "amqp1-0" / "transactions.xml").read_bytes()[:6000]


@given(
    st.integers(0, len(SPEC)), st.integers(0, 20), st.binary(max_size=4) | st.sampled_from([b"<", b'"', b"1"])
)
def test_any_damage_to_a_file_is_survived_or_explained(start: int, length: int, new: bytes) -> None:
    try:
        tree = read_xml(SPEC[:start] + new + SPEC[start + length :] + b"</type></section></amqp>", "f")
    except SpecError as error:
        assert len(error.problems) == 1
        return
    check(TYPES, tree)
