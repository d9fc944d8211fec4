"""How fields lie in a payload: runs of integers, octets that bits share, strings, tables."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.layout import Constant, Layout, Octets, Run, TableStep
from amqp_codegen.resolve.amqp0.layout import method_layout, packing_steps

from .small_specifications import field, fields, in_method, resolved, resolved_fields, the_method


def layout(*kinds: str) -> Layout:
    return method_layout(resolved_fields(*kinds))


def shape(found: Layout) -> list[str]:
    """Each step in short: the letters of a run, the field of octets or of a table."""
    names = []
    for step in found.steps:
        if isinstance(step, Run):
            names.append(step.letters)
        else:
            names.append(f"{'table' if isinstance(step, TableStep) else 'octets'} {step.field.name}")
    return names


def bits(found: Layout) -> list[list[str]]:
    """The fields in each octet of bits, lowest bit first."""
    return [
        [field.name for field in atom.fields]
        for run in found.runs
        for atom in run.atoms
        if atom.kind == "bits"
    ]


def test_nothing() -> None:
    assert layout().steps == ()


@pytest.mark.parametrize(
    ("kind", "letter", "width"),
    [("octet", "B", 1), ("short", "H", 2), ("long", "I", 4), ("longlong", "Q", 8), ("timestamp", "Q", 8)],
)
def test_integers(kind: str, letter: str, width: int) -> None:
    found = layout(kind)
    [run] = found.runs
    [atom] = run.atoms
    assert (run.letters, run.size) == (letter, width)
    assert (atom.kind, atom.width, atom.local, [field.name for field in atom.fields]) == (
        "value",
        width,
        "f0",
        ["f0"],
    )


def test_neighbours_are_one_run() -> None:
    found = layout("longlong", "octet", "bit", "short", "long")
    assert shape(found) == ["QBBHI"]
    assert found.runs[0].size == 16


@pytest.mark.parametrize("count", [1, 7, 8, 9, 15, 16, 17, 24, 25])
def test_eight_bits_an_octet(count: int) -> None:
    found = layout(*["bit"] * count)
    names = [f"f{number}" for number in range(count)]
    assert bits(found) == [names[start : start + 8] for start in range(0, count, 8)]
    assert shape(found) == ["B" * ((count + 7) // 8)]


@pytest.mark.parametrize("before", [1, 8, 9])
@pytest.mark.parametrize("after", [1, 8, 9])
@pytest.mark.parametrize("between", ["octet", "shortstr", "longstr", "table", "timestamp", "content"])
def test_any_other_field_ends_an_octet_of_bits(before: int, after: int, between: str) -> None:
    found = bits(layout(*["bit"] * before, between, *["bit"] * after))
    assert [len(group) for group in found] == [
        *[8] * (before // 8),
        *([before % 8] if before % 8 else []),
        *[8] * (after // 8),
        *([after % 8] if after % 8 else []),
    ]


def test_bits_at_both_ends() -> None:
    found = layout("bit", "bit", "short", "bit")
    assert shape(found) == ["BHB"]
    assert bits(found) == [["f0", "f1"], ["f3"]]


def test_a_string_has_its_length_in_the_run_before() -> None:
    found = layout("short", "shortstr", "longstr", "octet")
    assert shape(found) == ["HB", "octets f1", "I", "octets f2", "B"]
    length = found.runs[0].atoms[1]
    octets = found.steps[1]
    assert isinstance(octets, Octets)
    assert (length.kind, length.local) == ("length", octets.length_local)
    assert [field.name for field in length.fields] == ["f1"]
    assert octets.kind_local == ""


def test_bits_before_a_string() -> None:
    assert shape(layout("bit", "bit", "shortstr", "bit")) == ["BB", "octets f2", "B"]


def test_content_has_an_octet_that_tells_its_kind() -> None:
    found = layout("octet", "content", "bit")
    assert shape(found) == ["BBI", "octets f1", "B"]
    assert [atom.kind for atom in found.runs[0].atoms] == ["value", "discriminator", "length"]
    octets = found.steps[1]
    assert isinstance(octets, Octets)
    assert [atom.local for atom in found.runs[0].atoms][1:] == [octets.kind_local, octets.length_local]


def test_a_table_stands_alone() -> None:
    assert shape(layout("table")) == ["table f0"]
    assert shape(layout("octet", "table", "table", "bit")) == ["B", "table f1", "table f2", "B"]


def test_reserved_fields_take_their_place() -> None:
    found = layout("-short", "octet", "-bit", "bit", "-bit", "-shortstr", "-table")
    assert shape(found) == ["HBBB", "octets f5", "table f6"]
    assert bits(found) == [["f2", "f3", "f4"]]


def test_locals_are_unique_within_a_method() -> None:
    names = ["bits", "f", "f-length", "g", "g-kind", "g-length", "bits-1"]
    kinds = ["bit", "shortstr", "octet", "content", "octet", "octet", "octet"]
    body = in_method(
        "".join(map(field, names, kinds)) + "".join(field(f"b{number}", "bit") for number in range(17))
    )
    found = method_layout(the_method(resolved(body)).fields)
    used = [atom.local for run in found.runs for atom in run.atoms]
    assert len(set(used)) == len(used)
    plain = {field.local for field in the_method(resolved(body)).fields}
    assert all(atom.local not in plain for run in found.runs for atom in run.atoms if atom.kind != "value")


# --- Packing -------------------------------------------------------------------------------------


def packing(*kinds: str) -> list[str]:
    """Each step in short: constants in hexadecimal, without the indices, which come first."""
    first, *rest = packing_steps(the_method(resolved(in_method(fields(*kinds)))))
    assert isinstance(first, Constant)
    names = [first.octets[4:].hex()]
    for step in rest:
        if isinstance(step, Constant):
            names.append(step.octets.hex())
        else:
            names += shape(Layout((step,)))
    return names


def test_reserved_fields_join_the_constants_around_them() -> None:
    assert packing("-short", "long", "-shortstr") == ["0000", "I", "00"]
    assert packing("-shortstr", "-table", "-bit") == ["000000000000"]
    assert packing("octet", "-short", "octet", "shortstr") == ["", "BHBB", "octets f3"]
    assert packing("table", "-octet", "shortstr") == ["", "table f0", "00", "B", "octets f2"]


def test_each_layout_is_made_once() -> None:
    fields = resolved_fields("octet", "shortstr")
    assert method_layout(fields) is method_layout(fields)
