"""The standard and its cases, read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from amqp_codegen.model.amqp1.spec import Spec
from amqp_codegen.resolve.amqp1.wire import read_wire1
from amqp_codegen.resolve.specification import read_specification
from amqp_codegen.support.resources import wire_file
from amqp_codegen.vectors.amqp1.cases import amqp1_cases
from amqp_codegen.vectors.case import Case

FOLDER = Path(__file__).resolve().parents[3] / "specs" / "amqp1-0"
PARTS = ("types", "transport", "messaging", "transactions", "security")
WIRE = read_wire1(*wire_file())


@cache
def spec() -> Spec:
    found = read_specification([FOLDER / f"{name}.xml" for name in PARTS]).spec
    assert isinstance(found, Spec)
    return found


@cache
def cases() -> tuple[Case, ...]:
    return tuple(amqp1_cases(spec(), WIRE))
