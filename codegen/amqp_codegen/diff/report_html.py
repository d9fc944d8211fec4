"""The differences as one HTML page that needs no network."""

from __future__ import annotations

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .. import __version__
from ..resources import templates_dir
from .change import LEVELS, Comparison, ConceptMap
from .phrases import SIGNS, happened, place


def html_report(found: Comparison | ConceptMap) -> str:
    """The page; all of its style and script is in it."""
    environment = Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=True,  # texts of specifications are shown, never obeyed
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(sign=lambda action: SIGNS[action], happened=happened, place=place)
    name = "changes" if isinstance(found, Comparison) else "concepts"
    return environment.get_template(f"diff_report/{name}.html.jinja").render(
        title=f"AMQP {found.old.version} to {found.new.version}",
        found=found,
        levels=LEVELS,
        generator_version=__version__,
    )
