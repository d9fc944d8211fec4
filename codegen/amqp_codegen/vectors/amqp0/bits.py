"""Each bit alone and all bits together: bits next to each other share octets, lowest bit first."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Spec, WireType
from ..case import Case
from .methods import method_case, values_without_tables


def bit_cases(spec: Spec) -> Iterator[Case]:
    """The cases of every method that has bits."""
    for method in spec.methods:
        bits = [field.name for field in method.arguments if field.type is WireType.BIT]
        clear = {**values_without_tables(spec, method), **dict.fromkeys(bits, False)}
        for bit in bits:
            yield method_case(spec, method, f"{method.full_name}.{bit}", "alone", {**clear, bit: True})
        if len(bits) > 1:
            everything = dict.fromkeys(bits, True)
            yield method_case(spec, method, method.full_name, "all-bits", {**clear, **everything})
            yield method_case(spec, method, method.full_name, "no-bits", clear)
