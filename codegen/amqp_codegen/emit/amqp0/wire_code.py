"""The functions of the generated ``_wire.py``: the runs of integers that it reads and writes, and their bodies."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.amqp0.layout import Layout, Run
from ...model.amqp0.spec import Spec
from ...resolve.amqp0.layout import method_layout
from .pack_code import packed_letters

# Runs that the fixed modules of a package use, whatever its methods are.
_ALWAYS_UNPACKED = ("H", "I", "Q", "BHI", "HHQ")
_ALWAYS_PACKED = ("B", "H", "I", "Q", "BB", "BH", "BI", "BQ", "HH", "HHQ", "BHI", "BBHI")

_WIDTHS = {"B": 1, "H": 2, "I": 4, "Q": 8}
_MAXIMA = {"B": "0xFF", "H": "0xFFFF", "I": "0xFFFFFFFF", "Q": "0xFFFFFFFFFFFFFFFF"}


def needs_struct(run: Run) -> bool:
    """Return whether a function reads the run; a single octet is read by indexing the buffer."""
    return run.letters != "B"


def unpack_runs(spec: Spec) -> list[str]:
    """Return the letters of every run that is read, sorted by length."""
    layouts = [method_layout(method.fields) for method in spec.methods]
    return _sorted({*_ALWAYS_UNPACKED, *_letters(layouts)})


def _letters(layouts: Iterable[Layout]) -> set[str]:
    return {run.letters for layout in layouts for run in layout.runs if needs_struct(run)}


def pack_runs(spec: Spec) -> list[str]:
    """Return the letters of every run that is written, sorted by length."""
    used = {letters for method in spec.methods for letters in packed_letters(method)}
    return _sorted({*_ALWAYS_PACKED, *used})


def _sorted(runs: Iterable[str]) -> list[str]:
    return sorted(runs, key=lambda run: (len(run), run))


def run_types(letters: str) -> str:
    """Return the element types of the tuple that a run is read into."""
    return ", ".join("int" for _ in letters)


def run_reads(letters: str) -> str:
    """Return the tuple expression that reads a run."""
    parts = []
    offset = 0
    for letter in letters:
        place = f"position + {offset}" if offset else "position"
        width = _WIDTHS[letter]
        parts.append(f"buffer[{place}]" if width == 1 else f"_read_{width}(buffer, {place})")
        offset += width
    return f"({', '.join(parts)},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _names(letters: str) -> list[str]:
    return [f"v{number}" for number in range(len(letters))]


def run_parameters(letters: str) -> str:
    """Return the parameters of the function that writes a run."""
    return ", ".join(f"{name}: int" for name in _names(letters))


def run_checks(letters: str) -> list[str]:
    """Return the range checks of the function that writes a run."""
    return [
        f"_check({name}, 0, {_MAXIMA[letter]})" for name, letter in zip(_names(letters), letters, strict=True)
    ]


# In octets: compiled code (mypyc) holds integers of up to 62 bits in a register.
_MAX_GROUP_SIZE = 7


def run_packs(letters: str) -> str:
    """Return the expression that writes a run: it shifts integers together, up to seven octets at once."""
    groups: list[list[tuple[str, int]]] = []
    for name, letter in zip(_names(letters), letters, strict=True):
        width = _WIDTHS[letter]
        if groups and sum(size for _, size in groups[-1]) + width <= _MAX_GROUP_SIZE:
            groups[-1].append((name, width))
        else:
            groups.append([(name, width)])
    return " + ".join(map(_pack_group, groups))


def _pack_group(group: list[tuple[str, int]]) -> str:
    size = sum(width for _, width in group)
    shift = 8 * size
    parts = []
    for name, width in group:
        shift -= 8 * width
        parts.append(f"{name} << {shift}" if shift else name)
    value = f"({' | '.join(parts)})" if len(parts) > 1 else parts[0]
    return f'{value}.to_bytes({size}, "big")'
