"""A base, and overlays that are merged into it."""

from __future__ import annotations

from amqp_codegen.reader.element import Element
from amqp_codegen.reader.overlay import merge_overlays
from amqp_codegen.reader.xml_tree import read_xml

BASE = """<amqp major="0" minor="9">
<constant name="one" value="1"/>
<constant name="two" value="2"/>
<class name="basic" index="60">
<doc>Plain.</doc>
<doc type="grammar">g</doc>
<method name="ack" index="80"><chassis name="server" implement="MUST"/></method>
<method name="reject" index="90"><field name="reserved-1" type="short" reserved="1"/></method>
</class>
</amqp>"""
WHY = 'reason="r" source="s"'


def merge(*overlays: str, base: str = BASE) -> tuple[Element, list[str]]:
    """Merge overlays into the base; each overlay is what stands on line 2 of a file of its own."""
    roots = [
        read_xml(f'<amqp overlay="base.xml">\n{text}\n</amqp>'.encode(), f"over{number}.xml")
        for number, text in enumerate(overlays, 1)
    ]
    merged, problems = merge_overlays(read_xml(base.encode(), "base.xml"), roots)
    return merged, [str(problem) for problem in problems]
