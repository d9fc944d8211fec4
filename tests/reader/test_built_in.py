"""The specification files that come with the generator."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.inputs import resolve_input

from tests.reader.raw_models import load_amqp0, load_usable


@pytest.mark.parametrize("name", ["0-8", "0-8-rabbitmq", "0-9", "0-9-1", "0-9-1-rabbitmq"])
def test_a_built_in_specification_has_no_problems(name: str) -> None:
    inputs = resolve_input(name)
    spec, problems = load_amqp0(inputs.files[0], inputs.overlays)
    assert problems == []
    assert name.startswith(spec.version)


def test_every_overlay_entry_says_why() -> None:
    inputs = resolve_input("0-9-1-rabbitmq")
    [root] = load_usable(inputs.files, inputs.overlays).trees
    origins = [element.origin for element in root.walk() if element.position.file.endswith("rabbitmq.xml")]
    assert any(origins)
    assert all("(http" in origin for origin in origins if origin)
