"""The specifications of 0-x under test: ours, and the published ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from amqp_codegen.model.amqp0.raw import RawSpec
from amqp_codegen.model.amqp0.spec import Spec
from amqp_codegen.model.amqp0.wire import Wire
from amqp_codegen.resolve.amqp0.wire import read_wire
from amqp_codegen.support.resources import specs_dir

from tests.reader.raw_models import load_amqp0, resolved_amqp0

from .published_files import needs_published, published_file

# Ours: the file, and the overlay on it.
OURS = {
    "0-8": ("amqp0-8.xml",),
    "0-9": ("amqp0-9.xml",),
    "0-9-1": ("amqp0-9-1.xml",),
    "extended": ("amqp0-9-1.xml", "rabbitmq.xml"),
}
FULL = {
    "0-8": "0-8/amqp0-8.xml",
    "0-9": "0-9/amqp0-9.xml",
    "0-9-1": "0-9-1/amqp0-9-1.xml",
    "extended": "0-9-1/amqp0-9-1.extended.xml",
}
# Without texts, rules and grammars.
STRIPPED = {
    "0-8": "0-8/amqp0-8.stripped.xml",
    "0-9": "0-9/amqp0-9.stripped.xml",
    "extended": "0-9-1/amqp0-9-1.stripped.extended.xml",
}
# This one has two methods of RabbitMQ's.
STRIPPED_0_9_1 = "0-9-1/amqp0-9-1.stripped.xml"
OFFICIAL = (*FULL.values(), *STRIPPED.values(), STRIPPED_0_9_1)
needs_official = needs_published(*OFFICIAL)


@cache
def wire() -> Wire:
    path = specs_dir() / "wire.toml"
    return read_wire(path.read_bytes(), path.name)


@cache
def raw_of(*files: Path) -> RawSpec:
    """Read a file and the overlays on it; there must be nothing to complain about."""
    raw, problems = load_amqp0(files[0], files[1:])
    assert problems == [], f"{files[0]}: {problems}"
    return raw


@cache
def spec_of(*files: Path) -> Spec:
    """Resolve a file and the overlays on it; there must be nothing to complain about."""
    raw = raw_of(*files)
    spec, problems = resolved_amqp0(raw, wire())
    assert problems == [], f"{files[0]}: {problems}"
    assert spec is not None
    return spec


def our_files(name: str) -> tuple[Path, ...]:
    return tuple(specs_dir() / file for file in OURS[name])


def ours(name: str) -> Spec:
    """Our specification, but for the class access of the overlay: RabbitMQ's codec has it, no published file does."""
    spec = spec_of(*our_files(name))
    if name != "extended":
        return spec
    return replace(spec, classes=tuple(class_ for class_ in spec.classes if class_.name != "access"))


def official(name: str) -> Spec:
    return spec_of(published_file(FULL[name]))


def stripped(name: str) -> Spec:
    return spec_of(published_file(STRIPPED[name]))
