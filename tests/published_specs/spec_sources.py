"""The specifications under test: ours, the published ones, and those of Debian's package amqp-specs.

The published files are no part of this project; what needs them is skipped where they are absent.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from amqp_codegen.model.amqp0.raw import RawSpec
from amqp_codegen.model.amqp0.spec import Spec
from amqp_codegen.model.amqp0.wire import Wire
from amqp_codegen.resolve.amqp0.wire import read_wire
from amqp_codegen.support.resources import specs_dir

from tests.reader.raw_models import load_amqp0, resolved_amqp0

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
OFFICIAL = SHARED / "specs-official"
DEBIAN = Path("/usr/share/amqp/specs")

needs_official = pytest.mark.skipif(
    not OFFICIAL.is_dir(), reason=f"no published specifications in {OFFICIAL}"
)
needs_debian = pytest.mark.skipif(not DEBIAN.is_dir(), reason="Debian's package amqp-specs is not installed")

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
# The stripped 0-9-1 is left out: it has two methods of RabbitMQ's (see test_equal_official.py).
STRIPPED = {
    "0-8": "0-8/amqp0-8.stripped.xml",
    "0-9": "0-9/amqp0-9.stripped.xml",
    "extended": "0-9-1/amqp0-9-1.stripped.extended.xml",
}


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
    return replace(spec, classes=tuple(each for each in spec.classes if each.name != "access"))


def official(name: str) -> Spec:
    return spec_of(OFFICIAL / FULL[name])


def stripped(name: str) -> Spec:
    return spec_of(OFFICIAL / STRIPPED[name])
