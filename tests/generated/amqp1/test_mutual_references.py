"""Types of two parts that refer to each other; one part comes first in the alphabet, one has the name of a field."""

from __future__ import annotations

import sys
from pathlib import Path

from amqp_codegen.emit.compare import compare
from amqp_codegen.emit.generate import generate_unformatted
from amqp_codegen.emit.publish import publish
from amqp_codegen.emit.target import Target
from amqp_codegen.support.cache import Cache

from tests.commands import run_command

from .specification import FILES, FOLDER

PART = """
<amqp name="{name}" xmlns="http://www.amqp.org/schema/amqp.xsd"><section name="{name}">{types}</section></amqp>
"""
ADDRESSING = """
<type name="colour" class="restricted" source="symbol"><choice name="red" value="red"/></type>
<type name="paint" class="composite" source="list">
  <descriptor name="own:paint:list" code="0x00000077:0x00000001"/>
  <field name="brush" type="brush"/>
  <field name="colour" type="colour" default="red"/>
  <field name="zoo" type="string"/>
  <field name="note" type="string" mandatory="true"/>
  <field name="brushes" type="brush" multiple="true"/>
  <field name="paint" type="paint"/>
  <field name="state" type="*" requires="delivery-state"/>
</type>
"""
ZOO = """
<type name="brush" class="composite" source="list" provides="tool">
  <descriptor name="own:brush:list" code="0x00000077:0x00000002"/>
  <field name="paint" type="paint"/>
  <field name="colour" type="colour" default="red"/>
</type>
<type name="not-implemented" class="composite" source="list">
  <descriptor name="own:not-implemented:list" code="0x00000077:0x00000003"/>
  <field name="archetypes" type="*" requires="tool"/>
</type>
"""
PROGRAM = """
import typing
import mutual
from mutual import addressing, messaging, zoo

hints = typing.get_type_hints(addressing.Paint)
assert hints["brush"] == zoo.Brush | None
assert hints["paint"] == addressing.Paint | None
assert messaging.Received in typing.get_args(hints["state"])
assert typing.get_type_hints(zoo.Brush)["paint"] == addressing.Paint | None
assert zoo.Brush in typing.get_args(typing.get_type_hints(zoo.NotImplementedType)["archetypes"])
paint = addressing.Paint(zoo.Brush(addressing.Paint(note="inner")), note="n", brushes=[zoo.Brush()])
assert mutual.decode(mutual.encode(paint))[0] == paint
assert zoo.NotImplementedType() == zoo.NotImplementedType()
assert (zoo.NotImplementedType() == paint) is False
"""


def test_their_modules_and_type_hints(tmp_path: Path) -> None:
    sources = [FOLDER / f"{name}.xml" for name in FILES]
    for name, types in (("addressing", ADDRESSING), ("zoo", ZOO)):
        sources.append(tmp_path / f"{name}.xml")
        sources[-1].write_text(PART.format(name=name, types=types), encoding="utf-8")
    made = generate_unformatted(Target(tuple(sources), package="mutual"), Cache())
    publish(tmp_path, made.files, compare(tmp_path, made.files, [made.package]))
    done = run_command([sys.executable, "-c", PROGRAM], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
