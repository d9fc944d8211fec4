"""The expressions of functions that read; ``templates/amqp0/read.jinja`` puts them into statements."""

from __future__ import annotations

from ...model.amqp0.layout import Atom, Run
from ...model.amqp0.spec import Class, Method
from ...resolve.amqp0.layout import method_layout


def run_locals(run: Run, with_reserved: bool) -> list[str]:
    """Return the variables that the integers of a run are read into; ``_`` for unused reserved ones."""
    return [atom.local if _is_used(atom, with_reserved) else "_" for atom in run.atoms]


def _is_used(atom: Atom, with_reserved: bool) -> bool:
    return atom.kind == "length" or with_reserved or not atom.is_reserved


def unpacked_letters(method: Method, with_reserved: bool = False) -> list[str]:
    """Return the runs for which reading a method needs a function; a single octet needs none."""
    return [
        run.letters
        for run in method_layout(method.fields).runs
        if run.letters != "B" and any(_is_used(atom, with_reserved) for atom in run.atoms)
    ]


def flag_names(entry: Class) -> list[str]:
    """Return the local variables that hold the words of a class's property flags."""
    return ["flags", *(f"flags_{number}" for number in range(1, entry.flag_words))]


def spare_flags(entry: Class) -> list[tuple[str, int]]:
    """Return the words with flags that belong to no property, and these flags."""
    words = []
    for number, name in enumerate(flag_names(entry)):
        spare = 0xFFFF & ~sum(each.mask for each in entry.properties if each.word == number)
        if number < entry.flag_words - 1:
            spare &= ~1
        if spare:
            words.append((name, spare))
    return words
