"""Values between us and rhea, both ways, equal in value and type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import amqp_1_0 as amqp

from tests.npm import node

from .exchanged_values import ARRAYS, COMPOUNDS, SCALARS
from .neutral_values import neutral, value_of

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WIDE = ("ulong", "long", "timestamp")
OCTETS = ("float", "double", "decimal32", "decimal64", "decimal128", "uuid", "binary")

# rhea keeps numbers in JavaScript's own up to 2**53 and a bit: these come out as their neighbours.
ROUNDED = [["ulong", str(2**53 + 1)], ["long", str(2**53 + 1)], ["long", str(-(2**53) - 1)]]
# Its timestamps are Date objects, which end 100 million days from 1970.
NO_DATE = [["timestamp", str(value)] for value in (-(2**63), 2**53, 2**63 - 1)]


def in_range(form: list[Any]) -> bool:
    """Whether rhea can hold all that is in it; of several descriptors it only has the first."""
    if form[0] == "described" and form[2][0] == "described":
        return False
    text = json.dumps(form)
    return not any(json.dumps(item) in text for item in (*ROUNDED, *NO_DATE))


FORMS = [form for form in (*SCALARS, *COMPOUNDS, *ARRAYS) if in_range(form)]


def in_vectors(form: list[Any]) -> dict[str, Any]:
    """A neutral form as vectors.json has it."""
    name = form[0]
    if name == "list":
        return {"type": name, "items": list(map(in_vectors, form[1]))}
    if name == "map":
        return {"type": name, "entries": [list(map(in_vectors, pair)) for pair in form[1]]}
    if name == "array":
        descriptors = {"descriptors": list(map(in_vectors, form[2]))} if form[2] else {}
        return {"type": name, "of": form[1], **descriptors, "items": list(map(in_vectors, form[3]))}
    if name == "described":
        return {"type": name, "descriptor": in_vectors(form[1]), "value": in_vectors(form[2])}
    if name == "null":
        return {"type": name, "value": None}
    value = form[1]
    if name in OCTETS:
        value = {"hex": value}
    elif name not in (*WIDE, "boolean", "string", "symbol"):
        value = int(value)
    return {"type": name, "value": value}


def rhea(requests: list[Any]) -> list[Any]:
    """Asks rhea about many things at once."""
    vectors = ROOT / "generated" / "conformance" / "amqp_1_0" / "vectors.json"
    schema = {"schema": json.loads(vectors.read_text(encoding="utf-8"))["schema"]}
    return node(HERE / "rhea_values.js", HERE / "package.json", [schema, *requests])[1:]


def test_rhea_reads_what_we_write() -> None:
    answers = rhea([{"read": amqp.encode(value_of(form)).hex()} for form in FORMS])
    assert answers == list(map(in_vectors, FORMS))


def test_we_read_what_rhea_writes() -> None:
    for form, written in zip(FORMS, rhea([{"write": in_vectors(form)} for form in FORMS]), strict=True):
        assert isinstance(written, str), (form, written)
        octets = bytes.fromhex(written)
        value, end = amqp.decode(octets)
        assert (neutral(value), end) == (form, len(octets))
