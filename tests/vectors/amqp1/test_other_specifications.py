"""Suites for parts of the standard, and for a file of one's own beside it: the packages generated with them pass."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from amqp_codegen.model.amqp1.spec import Spec
from amqp_codegen.resolve.specification import read_specification
from amqp_codegen.vectors.amqp1.cases import amqp1_cases
from amqp_codegen.vectors.case import Case

from tests.emit.made_suites import count_passed, imported_suite
from tests.emit.small_specifications import unformatted

from .built_in_specification import FOLDER, PARTS, WIRE

OWN = Path(__file__).resolve().parents[2] / "generated" / "amqp1" / "extension.xml"
STANDARD = [FOLDER / f"{name}.xml" for name in PARTS]


def passed(files: Sequence[Path], folder: Path) -> int:
    """How many checks of the suite pass, which must be all that are not skipped."""
    made = unformatted(files, emit=("codecs", "columns", "conformance"))
    with imported_suite(made, folder) as suite:
        return count_passed(suite)


@pytest.mark.parametrize(("parts", "least"), [(1, 700), (2, 2000), (3, 3000)])
def test_the_first_files_of_the_standard(parts: int, least: int, tmp_path: Path) -> None:
    assert passed(STANDARD[:parts], tmp_path) > least


def test_sasl_without_the_transport(tmp_path: Path) -> None:
    assert passed([STANDARD[0], STANDARD[4]], tmp_path) > 900


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    assert passed([*STANDARD, OWN], tmp_path) > 5000


def own_cases(text: str, folder: Path) -> dict[str, Case]:
    """The cases of a file with these types beside the primitive ones, by id."""
    path = folder / "own.xml"
    path.write_text(f"<amqp name='own'><section name='s'>{text}</section></amqp>", "utf-8")
    spec = read_specification([STANDARD[0], path]).spec
    assert isinstance(spec, Spec)
    return {case.id: case for case in amqp1_cases(spec, WIRE)}


def octets(case: Case) -> str:
    assert case.octets is not None
    return case.octets.hex(" ")


def test_defaults_and_choices_of_every_type(tmp_path: Path) -> None:
    fields = "".join(
        f"<field name='{kind}' type='{kind}' default='{value}'/>"
        for kind, value in [
            ("float", "1.5"),
            ("double", "-2"),
            ("decimal32", "1.5"),
            ("decimal64", "-7"),
            ("decimal128", "1e3"),
            ("char", "x"),
            ("uuid", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
            ("timestamp", "-1"),
        ]
    )
    cases = own_cases(f"<type name='c' class='composite'><descriptor code='1'/>{fields}</type>", tmp_path)
    assert octets(cases["c/minimum"]) == "00 53 01 45"
    assert octets(cases["c.float/default-sent"]) == "00 53 01 c0 06 01 72 3f c0 00 00"
    assert octets(cases["c.double/default-sent"]).endswith("40 82 c0 00 00 00 00 00 00 00")
    assert octets(cases["c.decimal32/default-sent"]).endswith("40 74 32 00 00 0f")
    assert octets(cases["c.decimal64/default-sent"]).endswith("40 84 b1 c0 00 00 00 00 00 07")
    assert octets(cases["c.decimal128/default-sent"]).endswith(f"40 94 30 46{' 00' * 13} 01")
    assert octets(cases["c.char/default-sent"]).endswith("40 73 00 00 00 78")
    assert octets(cases["c.uuid/default-sent"]).endswith("98 f8 1d 4f ae 7d ec 11 d0 a7 65 00 a0 c9 1e 6b f6")
    assert octets(cases["c.timestamp/default-sent"]).endswith(f"40 83{' ff' * 8}")


def test_a_large_significand_of_a_decimal(tmp_path: Path) -> None:
    text = "<type name='c' class='composite'><descriptor code='1'/><field name='f' type='decimal32' default='{}'/></type>"
    assert octets(own_cases(text.format("9999999"), tmp_path)["c.f/default-sent"]).endswith("74 6c b8 96 7f")


@pytest.mark.parametrize("mandatory", ["", " mandatory='true'"])
def test_types_that_hold_themselves(mandatory: str, tmp_path: Path) -> None:
    text = f"""<type name='c' class='composite'><descriptor code='1'/>
        <field name='inner' type='c'{mandatory}/><field name='others' type='c' multiple='true'/></type>"""
    cases = own_cases(text, tmp_path)
    assert len(octets(cases["c/maximum"])) > 100
    assert "c.others/array-of-two" in cases


def test_descriptors_without_number_or_symbol(tmp_path: Path) -> None:
    text = """<type name='symbolic' class='composite'><descriptor name='a:b'/></type>
        <type name='numeric' class='composite'><descriptor code='0x00010000:0x00000002'/></type>"""
    cases = own_cases(text, tmp_path)
    assert octets(cases["symbolic/minimum"]) == "00 a3 03 61 3a 62 45"
    assert octets(cases["numeric/minimum"]) == "00 80 00 01 00 00 00 00 00 02 45"
    assert "symbolic/descriptor-ulong" not in cases
    assert "numeric/descriptor-symbol-sym8" not in cases
