"""The body of a ``read_`` function: straight-line code, one read for each run of fixed-size fields."""

from __future__ import annotations

from ...model.layout import Atom, Octets, Run
from ...model.spec0 import Class, Field, Method, Property, WireType
from ...passes.amqp0.layout import method_layout
from ..python_layout import fold

# Columns that the statements of a function are indented by.
_INDENT = 4


def read_lines(method: Method) -> list[str]:
    """The statements that read a method's arguments from ``position`` to ``end``."""
    lines: list[str] = []
    length_at_position = False
    for step in method_layout(method.fields).steps:
        if isinstance(step, Run):
            length_at_position = step.letters == "B" and step.atoms[0].kind == "length"
            lines += [] if length_at_position else _read_run(step)
        elif isinstance(step, Octets):
            lines += _read_octets(step, length_at_position)
        else:
            name = "_" if step.field.reserved else step.field.local
            lines.append(f"{name}, position = read_table(buffer, position, end, tables)")
    lines += [
        "if position != end:",
        f'    raise Malformed("{method.class_name}: arguments and payload end differently")',
    ]
    arguments = [field.local for field in method.arguments]
    return [*lines, *fold(f"return {method.class_name}(", arguments, ")", _INDENT)]


def unpacked_letters(method: Method) -> list[str]:
    """The runs that reading a method needs a function for."""
    runs = method_layout(method.fields).runs
    return [run.letters for run in runs if run.letters != "B" and any(map(_is_used, run.atoms))]


def _read_run(run: Run) -> list[str]:
    if run.letters == "B":
        atom = run.atoms[0]
        if all(field.reserved for field in atom.fields):
            return ["position += 1"]
        return [f"{atom.local} = buffer[position]", "position += 1", *_bit_lines(atom)]
    targets = [atom.local if _is_used(atom) else "_" for atom in run.atoms]
    lines = []
    if any(target != "_" for target in targets):
        names = f"({targets[0]},)" if len(targets) == 1 else ", ".join(targets)
        lines.append(f"{names} = unpack_{run.letters}(buffer, position)")
    lines.append(f"position += {run.size}")
    for atom in run.atoms:
        lines += _bit_lines(atom)
    return lines


def _is_used(atom: Atom) -> bool:
    return atom.kind == "length" or any(not field.reserved for field in atom.fields)


def _bit_lines(atom: Atom) -> list[str]:
    if atom.kind != "bits":
        return []
    return [
        f"{field.local} = {atom.local} & {1 << shift} != 0"
        for shift, field in enumerate(atom.fields)
        if not field.reserved
    ]


def _read_octets(step: Octets, length_at_position: bool) -> list[str]:
    """Reads a string whose length the run before has read, or stands alone at ``position``."""
    field = step.field
    length = "1 + buffer[position]" if length_at_position else step.length_local
    if field.reserved:
        return [f"position += {length}"]
    octets = "buffer[position + 1 : stop]" if length_at_position else "buffer[position:stop]"
    if field.type is WireType.SHORTSTR:
        value = f"{octets}.decode()"
    elif field.type is WireType.CONTENT:
        value = f"Content({step.kind_local}, {octets})"
    else:
        value = octets
    return [f"stop = position + {length}", f"{field.local} = {value}", "position = stop"]


def read_properties_lines(entry: Class) -> list[str]:
    """The statements that read a property set: its flags and the values they announce."""
    words = entry.flag_words
    flags = ["flags"] + [f"flags_{number + 1}" for number in range(1, words)]
    lines = ["(flags,) = unpack_H(buffer, position)", "position += 2"]
    for number in range(1, words):
        lines += [
            f"{flags[number]} = 0",
            f"if {flags[number - 1]} & 1:",
            f"    ({flags[number]},) = unpack_H(buffer, position)",
            "    position += 2",
        ]
    for number, name in enumerate(flags):
        spare = 0xFFFF & ~sum(each.mask for each in entry.properties if each.word == number)
        if number < words - 1:
            spare &= ~1
        if spare:
            lines += [f"if {name} & {spare:#06x}:", '    raise Malformed("flags of no property")']
    for each in entry.properties:
        lines += _property_lines(each, flags[each.word])
    lines += ["if position != end:", '    raise Malformed("properties and payload end differently")']
    arguments = [each.field.local for each in entry.properties]
    return [*lines, *fold(f"return {entry.class_name}Properties(", arguments, ")", _INDENT)]


def _property_lines(entry: Property, flags: str) -> list[str]:
    field = entry.field
    test = f"{flags} & {entry.mask:#06x}"
    if field.type is WireType.BIT:  # the flag is the value
        return [f"{field.local} = {test} != 0"]
    lines = _property_value_lines(field)
    return [f"{field.local} = None", f"if {test}:", *(f"    {line}" for line in lines)]


def _property_value_lines(field: Field) -> list[str]:
    name = field.local
    if field.type is WireType.SHORTSTR:
        return [
            "stop = position + 1 + buffer[position]",
            f"{name} = buffer[position + 1 : stop].decode()",
            "position = stop",
        ]
    if field.type is WireType.LONGSTR:
        return [
            "(size,) = unpack_I(buffer, position)",
            "stop = position + 4 + size",
            f"{name} = buffer[position + 4 : stop]",
            "position = stop",
        ]
    if field.type is WireType.TABLE:
        return [f"{name}, position = read_table(buffer, position, end, tables)"]
    if field.type is WireType.OCTET:
        return [f"{name} = buffer[position]", "position += 1"]
    letter, width = {
        WireType.SHORT: ("H", 2),
        WireType.LONG: ("I", 4),
        WireType.LONGLONG: ("Q", 8),
        WireType.TIMESTAMP: ("Q", 8),
    }[field.type]
    return [f"({name},) = unpack_{letter}(buffer, position)", f"position += {width}"]
