"""The body of a ``read_`` function: straight-line code, one read for each run of fixed-size fields."""

from __future__ import annotations

from ...model.amqp0.layout import Atom, Octets, Run
from ...model.amqp0.spec import Class, Field, Method, Property, WireType
from ...resolve.amqp0.layout import method_layout


def read_lines(method: Method) -> list[str]:
    """The statements that read a method from ``position`` to ``end``."""
    lines = field_lines(method, "read_table")
    arguments = ", ".join(field.local for field in method.arguments)
    return [*lines, f"return {method.class_name}({arguments})"]


def field_lines(method: Method, table_reader: str, with_reserved: bool = False) -> list[str]:
    """The statements that read the fields of a method into local variables.

    Args:
        method: The method.
        table_reader: The function that reads a field table.
        with_reserved: Do not pass over reserved fields; strings and tables among them are left as octets.
    """
    lines: list[str] = []
    length_at_position = False
    for step in method_layout(method.fields).steps:
        if isinstance(step, Run):
            length_at_position = step.letters == "B" and step.atoms[0].kind == "length"
            lines += [] if length_at_position else _read_run(step, with_reserved)
        elif isinstance(step, Octets):
            lines += _read_octets(step, length_at_position, with_reserved)
        elif step.field.reserved and with_reserved:
            lines.append(f"_, stop = {table_reader}(buffer, position, end, tables)")
            lines += [f"{step.field.local} = buffer[position + 4 : stop]", "position = stop"]
        else:
            name = "_" if step.field.reserved else step.field.local
            lines.append(f"{name}, position = {table_reader}(buffer, position, end, tables)")
    return [
        *lines,
        "if position != end:",
        f'    raise Malformed("{method.class_name}: arguments and payload end differently")',
    ]


def unpacked_letters(method: Method, with_reserved: bool = False) -> list[str]:
    """The runs that reading a method needs a function for; see ``field_lines``."""
    runs = method_layout(method.fields).runs
    return [
        run.letters
        for run in runs
        if run.letters != "B" and any(_is_used(atom, with_reserved) for atom in run.atoms)
    ]


def _read_run(run: Run, with_reserved: bool) -> list[str]:
    if run.letters == "B":
        atom = run.atoms[0]
        if not _is_used(atom, with_reserved):
            return ["position += 1"]
        return [f"{atom.local} = buffer[position]", "position += 1", *_bit_lines(atom)]
    targets = [atom.local if _is_used(atom, with_reserved) else "_" for atom in run.atoms]
    lines = []
    if any(target != "_" for target in targets):
        names = f"({targets[0]},)" if len(targets) == 1 else ", ".join(targets)
        lines.append(f"{names} = unpack_{run.letters}(buffer, position)")
    lines.append(f"position += {run.size}")
    for atom in run.atoms:
        lines += _bit_lines(atom)
    return lines


def _is_used(atom: Atom, with_reserved: bool) -> bool:
    return atom.kind == "length" or with_reserved or any(not field.reserved for field in atom.fields)


def _bit_lines(atom: Atom) -> list[str]:
    if atom.kind != "bits":
        return []
    return [
        f"{field.local} = {atom.local} & {1 << shift} != 0"
        for shift, field in enumerate(atom.fields)
        if not field.reserved
    ]


def _read_octets(step: Octets, length_at_position: bool, with_reserved: bool) -> list[str]:
    """Reads a string whose length the run before has read, or stands alone at ``position``."""
    field = step.field
    length = "1 + buffer[position]" if length_at_position else step.length_local
    if field.reserved and not with_reserved:
        return [f"position += {length}"]
    octets = "buffer[position + 1 : stop]" if length_at_position else "buffer[position:stop]"
    if field.type is WireType.SHORTSTR and not field.reserved:
        value = f"{octets}.decode()"
    elif field.type is WireType.CONTENT and not field.reserved:
        value = f"Content({step.kind_local}, {octets})"
    else:
        value = octets
    return [f"stop = position + {length}", f"{field.local} = {value}", "position = stop"]


def read_properties_lines(entry: Class) -> list[str]:
    """The statements that read a property set."""
    arguments = ", ".join(each.field.local for each in entry.properties)
    return [*property_lines(entry, "read_table"), f"return {entry.class_name}Properties({arguments})"]


def property_lines(entry: Class, table_reader: str) -> list[str]:
    """The statements that read the flags of a property set and the values they announce into local variables."""
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
            lines += [f"if {name} & 0x{spare:04X}:", '    raise Malformed("flags of no property")']
    for each in entry.properties:
        lines += _property_lines(each, flags[each.word], table_reader)
    return [*lines, "if position != end:", '    raise Malformed("properties and payload end differently")']


def _property_lines(entry: Property, flags: str, table_reader: str) -> list[str]:
    field = entry.field
    test = f"{flags} & {entry.mask:#06x}"
    if field.type is WireType.BIT:  # the flag is the value
        return [f"{field.local} = {test} != 0"]
    lines = _property_value_lines(field, table_reader)
    return [f"{field.local} = None", f"if {test}:", *(f"    {line}" for line in lines)]


def _property_value_lines(field: Field, table_reader: str) -> list[str]:
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
        return [f"{name}, position = {table_reader}(buffer, position, end, tables)"]
    if field.type is WireType.OCTET:
        return [f"{name} = buffer[position]", "position += 1"]
    letter, width = {
        WireType.SHORT: ("H", 2),
        WireType.LONG: ("I", 4),
        WireType.LONGLONG: ("Q", 8),
        WireType.TIMESTAMP: ("Q", 8),
    }[field.type]
    return [f"({name},) = unpack_{letter}(buffer, position)", f"position += {width}"]
