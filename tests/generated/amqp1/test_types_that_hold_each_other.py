"""Types whose values hold values of the same type: their modules cannot import each other's classes."""

from __future__ import annotations

from pathlib import Path

from tests.emit.small_specifications import publish_to, run_python, unformatted
from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .specification import FILES, FOLDER

PART = """\
<amqp name="forest">
  <section name="types">
    <type name="tree" class="composite" source="list">
      <descriptor name="x:tree" code="0x00000001:0x00000001"/>
      <field name="left" type="tree"/><field name="branch" type="branch"/><field name="word" type="word"/>
    </type>
    <type name="branch" class="composite" source="list">
      <descriptor name="x:branch" code="0x00000001:0x00000002"/>
      <field name="tree" type="tree" mandatory="true"/><field name="leaf" type="leaf"/>
    </type>
    <type name="leaf" class="composite" source="list">
      <descriptor name="x:leaf" code="0x00000001:0x00000003"/>
      <field name="word" type="word"/>
    </type>
    <type name="word" class="restricted" source="symbol"><choice name="a" value="a"/></type>
  </section>
</amqp>
"""
PROGRAM = """\
import typing
import grown
from grown.forest import Branch, Leaf, Tree

tree = Tree(left=Tree(), branch=Branch(tree=Tree(), leaf=Leaf(word="a")))
assert grown.decode(tree.encode())[0] == tree
assert typing.get_type_hints(Branch)["tree"] is Tree
assert typing.get_type_hints(Tree)["branch"] == Branch | None
assert typing.get_type_hints(Branch)["leaf"] == Leaf | None
"""


def test_they_refer_to_each_other_by_their_part(shared: Shared, tmp_path: Path) -> None:
    part = tmp_path / "forest.xml"
    part.write_text(PART)
    files = [*(FOLDER / f"{name}.xml" for name in FILES), part]
    publish_to(tmp_path, unformatted(files, "grown", emit=("codecs",)))
    folder = tmp_path / "grown" / "_types"
    assert "    tree: forest.Tree\n" in (folder / "_branch.py").read_text()
    assert "    leaf: Leaf | None\n" in (folder / "_branch.py").read_text()
    done = run_python(PROGRAM, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    checked = run_mypy(shared, "-p", "grown", cwd=tmp_path)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
