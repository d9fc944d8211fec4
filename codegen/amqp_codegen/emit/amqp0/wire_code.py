"""The functions of ``_wire.py``: which runs of integers a package reads and writes, and their bodies."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.amqp0.layout import Layout, Run
from ...model.amqp0.spec import Spec
from ...resolve.amqp0.layout import method_layout
from .pack_code import packed_letters

# Runs that the hand-laid parts of a package use whatever the methods are.
_ALWAYS_UNPACKED = ("H", "I", "Q", "BHI", "HHQ")
_ALWAYS_PACKED = ("B", "H", "I", "Q", "BB", "BH", "BI", "BQ", "HH", "HHQ", "BHI", "BBHI")

_WIDTHS = {"B": 1, "H": 2, "I": 4, "Q": 8}
_MAXIMA = {"B": "0xFF", "H": "0xFFFF", "I": "0xFFFFFFFF", "Q": "0xFFFFFFFFFFFFFFFF"}


def needs_struct(run: Run) -> bool:
    """Whether a run is read by a function; a single octet is an index into the buffer."""
    return run.letters != "B"


def unpack_runs(spec: Spec) -> list[str]:
    """The letters of every run that is read, sorted by length."""
    layouts = [method_layout(method.fields) for method in spec.methods]
    return _sorted({*_ALWAYS_UNPACKED, *_letters(layouts)})


def _letters(layouts: Iterable[Layout]) -> set[str]:
    return {run.letters for layout in layouts for run in layout.runs if needs_struct(run)}


def pack_runs(spec: Spec) -> list[str]:
    """The letters of every run that is written, sorted by length."""
    used = {letters for method in spec.methods for letters in packed_letters(method)}
    return _sorted({*_ALWAYS_PACKED, *used})


def _sorted(runs: Iterable[str]) -> list[str]:
    return sorted(runs, key=lambda run: (len(run), run))


def run_types(letters: str) -> str:
    """The element types of the tuple that a run is read into."""
    return ", ".join("int" for _ in letters)


def run_reads(letters: str) -> str:
    """The tuple expression that reads a run."""
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
    """The parameters of the function that writes a run."""
    return ", ".join(f"{name}: int" for name in _names(letters))


def run_checks(letters: str) -> list[str]:
    """The range checks of the function that writes a run."""
    return [
        f"_check({name}, 0, {_MAXIMA[letter]})" for name, letter in zip(_names(letters), letters, strict=True)
    ]


# Compiled code holds integers of up to 62 bits in a register; what is packed at once stays below that.
_GROUP_SIZE = 7


def run_packs(letters: str) -> str:
    """The expression that writes a run: integers shifted together, as many octets at once as stay fast."""
    groups: list[list[tuple[str, int]]] = []
    for name, letter in zip(_names(letters), letters, strict=True):
        width = _WIDTHS[letter]
        if groups and sum(size for _, size in groups[-1]) + width <= _GROUP_SIZE:
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
