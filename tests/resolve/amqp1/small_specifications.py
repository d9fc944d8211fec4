"""Small 1.0 specifications for tests: what stands in a section, beside the standard's primitive types."""

from __future__ import annotations

from amqp_codegen.model.amqp0.raw import RawSource
from amqp_codegen.model.amqp1.raw import RawSpec
from amqp_codegen.model.amqp1.spec import Spec
from amqp_codegen.model.problem import Problem
from amqp_codegen.reader.amqp1.raw_model import read_amqp1
from amqp_codegen.reader.xml_tree import read_xml
from amqp_codegen.resolve.amqp1.passes import resolve_amqp1
from amqp_codegen.support.resources import specs_dir

_TYPES = (specs_dir() / "amqp1-0" / "types.xml").read_bytes()

COMPOSITE = "<type name='c' class='composite'><descriptor code='1'/>\n{}</type>"


def raw_spec(*parts: str, types: bool = True) -> RawSpec:
    """Read parts, each the content of section ``s`` of part ``p``, ``p2`` ...; it begins on line 2."""
    roots = [read_xml(_TYPES, "types.xml")] if types else []
    for number, text in enumerate(parts, 1):
        name = "p" if number == 1 else f"p{number}"
        content = f"<amqp name='{name}'><section name='s'>\n{text}\n</section></amqp>"
        roots.append(read_xml(content.encode(), f"{name}.xml"))
    raw, problems = read_amqp1(roots, (RawSource("p.xml", "00"),))
    assert raw is not None, problems
    return raw


def outcome(*parts: str, types: bool = True) -> tuple[Spec | None, list[Problem]]:
    return resolve_amqp1(raw_spec(*parts, types=types))


def resolved(*parts: str) -> Spec:
    """Resolve what must have no problems."""
    spec, problems = outcome(*parts)
    assert problems == []
    assert spec is not None
    return spec


def warned(*parts: str) -> tuple[Spec, list[str]]:
    """Resolve what is usable in spite of warnings."""
    spec, problems = outcome(*parts)
    assert spec is not None, problems
    return spec, [str(problem) for problem in problems]


def refusal(*parts: str, types: bool = True) -> list[str]:
    """Return the problems of what must be refused."""
    spec, problems = outcome(*parts, types=types)
    assert spec is None
    return [str(problem) for problem in problems]


def restricted(name: str, source: str, content: str = "", attributes: str = "") -> str:
    return f"<type name='{name}' class='restricted' source='{source}' {attributes}>{content}</type>"
