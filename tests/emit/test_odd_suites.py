"""The suite of a specification with what no published one has: it runs, and its package passes it."""

from __future__ import annotations

from pathlib import Path

from . import synthetic_specification
from .made_suites import count_passed, imported_suite
from .small_specifications import unformatted, written


def test_the_package_passes(tmp_path: Path) -> None:
    spec = written(tmp_path, synthetic_specification.BODY)
    made = unformatted(spec, emit=("codecs", "columns", "conformance"))
    with imported_suite(made, tmp_path) as suite:
        assert count_passed(suite) > 5000


COLLIDING = """
<class name="list" index="20">
  <chassis name="server" implement="MUST"/>
  <field name="size" type="long"/>
  <method name="properties" index="10" content="1">
    <chassis name="server" implement="MUST"/>
    <field name="size" type="long"/>
  </method>
</class>
"""


def test_a_method_that_is_called_properties_in_a_class_with_properties(tmp_path: Path) -> None:
    spec = written(tmp_path, COLLIDING)
    made = unformatted(spec, emit=("codecs", "conformance"))
    with imported_suite(made, tmp_path) as suite:
        assert count_passed(suite) > 100
