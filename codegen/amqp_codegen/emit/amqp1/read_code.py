"""The statements that read a 1.0 type with a descriptor, field by field.

These are functions, not macros. Reading a field is nested in up to three tests: the field is sent, it has the
commonest constructor, it is null. Each test is optional, and the rows of ``column_code`` nest other statements in
the same tests. A macro would have to carry these three optional levels for both users.
"""

from __future__ import annotations

from ...model.amqp1.spec import Composite, Field, Restricted, Spec
from .python_types import (
    Carrier,
    annotation,
    carrier,
    default_expression,
    field_carrier,
    positional_fields,
    provider_primitives,
)

# Types with their own function in ``field_reader``; ``read_primitive`` reads the others.
_TYPES_WITH_READER = frozenset(
    ["boolean", "ubyte", "ushort", "uint", "ulong", "timestamp", "binary", "string", "symbol"]
)
Codes = dict[str, str]


def composite_read_lines(composite: Composite, spec: Spec, codes: Codes) -> list[str]:
    """Return the statements that read a composite, from ``position`` at the constructor of its list."""
    lines = list_start_lines(codes)
    leading = leading_fields(composite)
    for field in composite.fields[:leading]:
        lines += _read_leading(field, spec, codes)
    lines += _new_object(composite, leading)
    for number, field in enumerate(composite.fields[leading:], leading):
        body = _read_or_null(field, f"value.{field.identifier}", spec, codes)
        lines += [f"if count > {number}:", *(f"    {line}" for line in body)]
    return [*lines, *list_end_lines(composite), "return value, position"]


def _new_object(composite: Composite, leading: int) -> list[str]:
    """Return the statements that make the object from its leading fields; the others have their defaults."""
    if leading <= positional_fields(composite):
        arguments = ", ".join(field.local for field in composite.fields[:leading])
        return [f"value = {composite.class_name}({arguments})"]
    name = composite.class_name
    lines = [f"value = {name}.__new__({name})  # a call with keywords would take as long as all the rest"]
    for number, field in enumerate(composite.fields):
        default = "[]" if field.multiple else default_expression(field)
        lines.append(f"value.{field.identifier} = {field.local if number < leading else default}")
    return lines


def list_start_lines(codes: Codes) -> list[str]:
    """Return the statements that read the size and count of the list of a composite."""
    return [
        f"if buffer[position] == {codes['LIST_LIST8']}:  # list8",
        "    end = position + 2 + buffer[position + 1]",
        "    count = buffer[position + 2]",
        "    position += 3",
        "else:",
        "    count, position, end = read_list(buffer, position)",
    ]


def list_end_lines(composite: Composite) -> list[str]:
    """Return the statements that check the end of the list of a composite, and the number of its items."""
    wrong = _wrong_count(leading_fields(composite), len(composite.fields))
    return [f"if position != end or {wrong}:", f'    raise Malformed("{composite.name}")']


def leading_fields(composite: Composite) -> int:
    """Return the number of fields that are always sent: those up to the last mandatory one."""
    return max((number for number, field in enumerate(composite.fields, 1) if field.mandatory), default=0)


def _wrong_count(least: int, most: int) -> str:
    if most == 0:
        return "count"
    if least == most:
        return f"count != {most}"
    return f"not {least} <= count <= {most}" if least else f"count > {most}"


def _read_leading(field: Field, spec: Spec, codes: Codes) -> list[str]:
    """Return the statements that read a field that is always sent, perhaps as null, into a local variable."""
    if field.mandatory:
        return _read(field, field.local, spec)
    if field.multiple:
        return [
            f"{field.local}: {annotation(field, spec)} = []",
            *_read_or_null(field, field.local, spec, codes),
        ]
    default = "None" if field.default is None else field.default.expression
    return [
        f"{field.local}: {annotation(field, spec)} = {default}",
        *_read_or_null(field, field.local, spec, codes),
    ]


def _read_or_null(field: Field, target: str, spec: Spec, codes: Codes) -> list[str]:
    """Return the statements that read a field that may be null; its target then keeps its default."""
    return null_or_lines(fast_path(field, target, spec, codes), _read(field, target, spec), codes)


def null_or_lines(fast: list[str], slow: list[str], codes: Codes) -> list[str]:
    """Return the statements that read a value that may be null; ``fast`` ones are for its commonest constructor."""
    if not fast:
        return [
            f"if buffer[position] == {codes['NULL']}:  # null",
            "    position += 1",
            "else:",
            *(f"    {line}" for line in slow),
        ]
    return [
        "code = buffer[position]",
        *fast,
        f"elif code == {codes['NULL']}:  # null",
        "    position += 1",
        "else:",
        *(f"    {line}" for line in slow),
    ]


def _read(field: Field, target: str, spec: Spec) -> list[str]:
    """Return the statements that read a value other than null."""
    wire_type = field_carrier(field, spec)
    if field.multiple:
        return _read_several(field, target, wire_type, spec)
    if wire_type.enumeration:
        return _read_choice(field, target, wire_type, spec)
    lines = [f"{target}, position = {reader_call(field, wire_type)}"]
    if wire_type.archetype and wire_type.primitive == "symbol":
        constant = wire_type.archetype
        return [
            "symbol, position = read_symbol(buffer, position)",
            f"{target} = {constant}.members.get(symbol, symbol)",
        ]
    return lines


def reader_call(field: Field, wire_type: Carrier) -> str:
    """Return the call that reads a value of a field."""
    if wire_type.described:
        return f'read_described(buffer, position, limits, "{wire_type.described}")'
    if wire_type.primitive in _TYPES_WITH_READER:
        return f"read_{wire_type.primitive}(buffer, position)"
    if wire_type.primitive == "map":
        return "read_map(buffer, position, limits)"
    if wire_type.primitive:
        return f'read_primitive(buffer, position, limits, "{wire_type.primitive}")'
    if wire_type.archetype:
        return f"read_required(buffer, position, limits, {wire_type.archetype})"
    return f"read_{'any' if field.mandatory else 'value'}(buffer, position, limits)"


def _read_several(field: Field, target: str, wire_type: Carrier, spec: Spec) -> list[str]:
    kind = wire_type.described or wire_type.primitive or "*"
    archetype = f", {wire_type.archetype}" if wire_type.archetype else ""
    lines = [f'{target}, position = read_several(buffer, position, limits, "{kind}"{archetype})']
    if wire_type.enumeration and wire_type.open:
        lines.append(f"{target} = [{wire_type.members}.get(item, item) for item in {target}]")
    elif wire_type.enumeration:
        lines.append(f"{target} = [{wire_type.enumeration}(item) for item in {target}]")
    if field.mandatory:
        lines += [f"if not {target}:", f'    raise Malformed("{field.name}")']
    return lines


def _read_choice(field: Field, target: str, wire_type: Carrier, spec: Spec) -> list[str]:
    name = {"symbol": "symbol", "boolean": "flag"}.get(wire_type.primitive, "choice")
    plain = Carrier(primitive=wire_type.primitive)
    lines = [f"{name}, position = {reader_call(field, plain)}"]
    if wire_type.open:
        return [*lines, f"{target} = {wire_type.members}.get({name}, {name})"]
    return [*lines, f"{target} = {wire_type.enumeration}({name})"]


def fast_path(field: Field, target: str, spec: Spec, codes: Codes) -> list[str]:
    """Return inline code for the commonest constructor of a common type: a call would cost more than the rest."""
    wire_type = field_carrier(field, spec)
    if field.multiple or wire_type.enumeration or wire_type.described:
        return []
    kind = wire_type.primitive
    if wire_type.archetype:
        if kind or "string" not in provider_primitives(field.requires or (field.type.name,), spec):
            return []
        kind = "string"
    if kind in ("string", "symbol", "binary"):
        octets = "buffer[start:position]"
        value = {"string": f"{octets}.decode()", "symbol": f"symbol_of({octets})", "binary": octets}[kind]
        code, name = {
            "string": (codes["STRING_STR8_UTF8"], "str8"),
            "symbol": (codes["SYMBOL_SYM8"], "sym8"),
            "binary": (codes["BINARY_VBIN8"], "vbin8"),
        }[kind]
        return [
            f"if code == {code}:  # {name}",
            "    start = position + 2",
            "    position = start + buffer[position + 1]",
            f"    {target} = {value}",
        ]
    if kind in ("uint", "ubyte"):
        code, name = (codes["UINT_SMALLUINT"], "smalluint") if kind == "uint" else (codes["UBYTE"], "ubyte")
        return [f"if code == {code}:  # {name}", f"    {target} = buffer[position + 1]", "    position += 2"]
    if kind == "boolean":
        return [
            f"if code == {codes['BOOLEAN_TRUE']}:  # true",
            f"    {target} = True",
            "    position += 1",
            f"elif code == {codes['BOOLEAN_FALSE']}:  # false",
            f"    {target} = False",
            "    position += 1",
        ]
    return []


def restricted_reader(restricted: Restricted, spec: Spec) -> str:
    """Return the call that reads the value of a restricted type with a descriptor."""
    wire_type = carrier(restricted.source, spec)
    if wire_type.described:
        return f'read_described(buffer, position, limits, "{wire_type.described}")'
    if wire_type.primitive in _TYPES_WITH_READER:
        return f"read_{wire_type.primitive}(buffer, position)"
    if wire_type.primitive == "map":
        return "read_map(buffer, position, limits)"
    if wire_type.primitive:
        return f'read_primitive(buffer, position, limits, "{wire_type.primitive}")'
    return "read_value(buffer, position, limits)"
