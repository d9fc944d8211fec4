"""The Python types of 1.0 types, and the wire types that carry them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...model.amqp1.spec import (
    Archetype,
    Composite,
    Field,
    Kind,
    NamedType,
    Part,
    Restricted,
    Spec,
    TypeReference,
    Union,
)

# The Python type of each primitive type in a field.
PYTHON_TYPES = {name: facts.python for name, facts in PRIMITIVE_TYPES.items()}


@dataclass(frozen=True, slots=True)
class ValueType:
    """The Python type of the values of a type without class or enum, by its use.

    Attributes:
        attribute: For attributes.
        parameter: For parameters of constructors. A mapping is invariant in its keys; type variables let it have
            keys of a subclass all the same.
        alias: For users who annotate their own variables.
    """

    attribute: str
    parameter: str
    alias: str


# The types of the keys of a map, by the AMQP types that the standard allows: those of ``ValueType``, in order. A symbol may
# be given as a ``str``.
_KEYS = {
    ("symbol",): ("Any", "SymbolKey", "str"),
    ("symbol", "ulong"): ("Any", "AnnotationKey", "str | ULong"),
    ("string",): ("str", "str", "str"),
}
# The types besides those of ``SimpleValue``.
_COMPOUNDS = frozenset(("list", "map", "array", "described"))

# The type variables for keys, and how many a signature needs at least: a message has three maps of annotations.
KEY_TYPES = {"SymbolKey": 1, "AnnotationKey": 3}


def enum_base(restricted: Restricted) -> str:
    """Return the base class of the enum of a type's choices; empty if it has no enum."""
    if not restricted.choices or restricted.descriptors:
        return ""
    facts = PRIMITIVE_TYPES.get(restricted.primitive)
    return facts.choices if facts else ""


def enum_constant(restricted: Restricted) -> str:
    """Return the prefix of the names of the mappings for a type's enum."""
    return restricted.identifier.upper().rstrip("_")


@dataclass(frozen=True, slots=True)
class Carrier:
    """The wire type that carries the values of a type. Attributes that do not apply are empty.

    Attributes:
        described: The name of the type whose descriptor precedes the values.
        class_name: The class of that type.
        archetype: The constant of the archetype that the types of the values provide.
        enumeration: The class of the enum of the choices.
        constant: The prefix of the names of the mappings for that enum: ``SASL_CODE``.
        open: True if other values than the choices may occur.
    """

    primitive: str = ""
    described: str = ""
    class_name: str = ""
    archetype: str = ""
    enumeration: str = ""
    constant: str = ""
    open: bool = False

    @property
    def members(self) -> str:
        """The name of the mapping from values to members of the enum."""
        return f"{self.constant}_MEMBERS"

    @property
    def octets(self) -> str:
        """The name of the mapping from members of the enum to octets."""
        return f"{self.constant}_OCTETS"


def carrier(reference: TypeReference, spec: Spec) -> Carrier:
    """Return the carrier of the values of a type; a type with a descriptor carries its own values."""
    if reference.kind is Kind.ANY:
        return Carrier()
    if reference.kind is Kind.PRIMITIVE:
        return Carrier(primitive=reference.name)
    if reference.described or reference.kind is Kind.COMPOSITE:
        return Carrier(described=reference.name, class_name=reference.class_name)
    named = spec.type(reference.name)
    if isinstance(named, Union):
        return Carrier(archetype=archetype_constant((named.name,)) if named.members else "")
    assert isinstance(named, Restricted)
    if named.choices and enum_base(named):
        constant = enum_constant(named)
        return Carrier(named.primitive, enumeration=named.class_name, constant=constant, open=named.open)
    return carrier(named.source, spec)


def field_carrier(field: Field, spec: Spec) -> Carrier:
    """Return the carrier of the values of a field, with the archetypes that the field requires."""
    wire_type = carrier(field.type, spec)
    if not field.providers:
        return wire_type
    return replace(wire_type, archetype=archetype_constant(field.requires))


def archetype_constant(names: tuple[str, ...]) -> str:
    """Return the constant for archetypes of which one must be provided: ``DELIVERY_STATE``."""
    return "_OR_".join(name.upper().replace("-", "_") for name in names)


def annotation(field: Field, spec: Spec) -> str:
    """Return the type of the attribute that holds a field; it includes None if the field may be absent."""
    item = _item_type(field, spec).attribute
    return f"list[{item}]" if field.multiple else _or_none(item, field)


def parameter_annotation(field: Field, spec: Spec) -> str:
    """Return the type of the constructor's parameter; a field with several values also takes an array, one value or none."""
    item = _item_type(field, spec).parameter
    if not field.multiple:
        return _or_none(item, field)
    if item == "Value":
        return "Any"
    single = "" if item == "str" else f" | {item}"
    none = "" if is_required(field) else " | None"
    return f"Iterable[{item}] | Array{single}{none}"


def parameter_annotations(composite: Composite, spec: Spec) -> list[str]:
    """Return the types of the constructor's parameters; each map in them has its own type of keys."""
    found = dict.fromkeys(KEY_TYPES, 0)
    annotations = []
    for field in composite.fields:
        text = parameter_annotation(field, spec)
        for name in found:
            if f"[{name}," in text:
                found[name] += 1
                text = text.replace(f"[{name},", f"[{key_type(name, found[name])},")
        annotations.append(text)
    return annotations


def key_type(name: str, number: int) -> str:
    """Return the type variable for the keys of a map, by its number in a signature."""
    return name if number == 1 else f"{name}{number}"


def key_types(name: str, spec: Spec) -> list[str]:
    """Return as many type variables for keys as any signature needs."""
    used = {text for composite in spec.composites for text in parameter_annotations(composite, spec)}
    most = KEY_TYPES[name]
    while any(f"[{key_type(name, most + 1)}," in text for text in used):
        most += 1
    return [key_type(name, number) for number in range(1, most + 1)]


def _or_none(item: str, field: Field) -> str:
    present = field.mandatory or field.default is not None or item in ("Value", "None")
    return item if present else f"{item} | None"


def _item_type(field: Field, spec: Spec) -> ValueType:
    named = spec.type(field.type.name)
    known = _known_type(field, spec)
    if not known and isinstance(named, Restricted) and not named.descriptors:
        return value_type(named, spec)
    return _same(known or PYTHON_TYPES.get(field_carrier(field, spec).primitive, "Value"))


def _known_type(field: Field, spec: Spec) -> str:
    """Return the classes, enums and unions that a field is annotated with; empty for a plain value."""
    wire_type = field_carrier(field, spec)
    if wire_type.enumeration:
        return (
            f"{wire_type.enumeration} | {PYTHON_TYPES[wire_type.primitive]}"
            if wire_type.open
            else wire_type.enumeration
        )
    if field.providers:
        archetypes = [archetype for name in field.requires if (archetype := spec.archetype(name))]
        return _union(archetypes, spec)
    if wire_type.archetype:
        union = spec.archetype(field.type.name)
        return _union([union], spec) if union else "Value"
    return _class(wire_type, spec)


def _union(archetypes: Iterable[Archetype], spec: Spec) -> str:
    """Return the union of the providers of archetypes, as the modules of types name them."""
    members = [member for archetype in archetypes for member in archetype_members(archetype, spec, _class)]
    return " | ".join(dict.fromkeys(members))


def _class(wire_type: Carrier, spec: Spec) -> str:
    """Return the class of a type with a descriptor, as the modules of types name it; empty if there is none.

    Types that hold each other cannot import each other's classes: they are named with the module of their part.
    """
    if wire_type.described in spec.recursive_types:
        return _class_in_part(wire_type, spec)
    return wire_type.class_name


def _class_in_part(wire_type: Carrier, spec: Spec) -> str:
    """Return the class of a type with a descriptor and the module of its part; empty if there is none."""
    if not wire_type.class_name:
        return ""
    named = spec.type(wire_type.described)
    module = next(part_module(part) for part in spec.parts if named in part.types)
    return f"{module_name(module, spec)}.{wire_type.class_name}"


def module_name(module: str, spec: Spec) -> str:
    """Return the name by which modules of types know a module; another one if an attribute has that name."""
    attributes = {field.identifier for composite in spec.composites for field in composite.fields}
    return f"{module}_" if module in attributes else module


def value_type(restricted: Restricted, spec: Spec) -> ValueType:
    """Return the Python types of the values of a restricted type, apart from its own descriptor and choices."""
    wire_type = carrier(restricted.source, spec)
    if wire_type.primitive != "map":
        if wire_type.class_name:
            own = _class(wire_type, spec)
            return ValueType(own, own, _class_in_part(wire_type, spec))
        return _same(PYTHON_TYPES.get(wire_type.primitive, "Value"))
    value = "SimpleValue" if set(restricted.excluded) >= _COMPOUNDS else "Value"
    keys = _KEYS.get(restricted.keys, ("Any", "Any", "Any"))
    return ValueType(*(f"Mapping[{key}, {value}]" for key in keys))


def _same(name: str) -> ValueType:
    """Return a type that is the same in all uses."""
    return ValueType(name, name, name)


def archetype_members(
    archetype: Archetype,
    spec: Spec,
    class_of: Callable[[Carrier, Spec], str] = lambda wire_type, _: wire_type.class_name,
) -> list[str]:
    """Return the Python types of an archetype's providers, each once.

    ``Described`` stands for providers outside the specification; fields with a type of their own take none.
    """
    carriers = [carrier(reference, spec) for reference in archetype.providers]
    names = [
        wire_type.enumeration or class_of(wire_type, spec)
        for wire_type in carriers
        if wire_type.enumeration or wire_type.class_name
    ]
    for wire_type in carriers:
        if not wire_type.class_name and (wire_type.open or not wire_type.enumeration):
            names.append(PYTHON_TYPES.get(wire_type.primitive, "Value"))
    fields = [
        field
        for composite in spec.composites
        for field in composite.fields
        if archetype.name in field.requires
    ]
    if not fields or any(field.type.kind is Kind.ANY for field in fields):
        names.append("Described")
    return list(dict.fromkeys(names))


def provider_primitives(names: tuple[str, ...], spec: Spec) -> list[str]:
    """Return the primitive types of the archetypes' providers that have no descriptor."""
    providers = [
        provider for name in names if (archetype := spec.archetype(name)) for provider in archetype.providers
    ]
    return list(
        dict.fromkeys(
            wire_type.primitive for provider in providers if (wire_type := carrier(provider, spec)).primitive
        )
    )


def is_required(field: Field) -> bool:
    """Return whether the constructor cannot do without a field: it is mandatory and has no default."""
    return field.mandatory and field.default is None


def default_expression(field: Field) -> str:
    """Return the default of the constructor's parameter; empty if it has none."""
    if is_required(field):
        return ""
    return "None" if field.multiple or field.default is None else field.default.expression


def positional_fields(composite: Composite) -> int:
    """Return the number of fields that the constructor also takes by position.

    They end before the first required field that follows one with a default: no Python signature can have that
    order otherwise.
    """
    optional = next(
        (number for number, field in enumerate(composite.fields) if not is_required(field)),
        len(composite.fields),
    )
    return next(
        (number for number, field in enumerate(composite.fields) if number > optional and is_required(field)),
        len(composite.fields),
    )


def constructor_arguments(composite: Composite, values: Iterable[str]) -> list[str]:
    """Return the arguments that give the first fields these values: by position, as far as that goes."""
    positional = positional_fields(composite)
    return [
        value if number < positional else f"{composite.fields[number].identifier}={value}"
        for number, value in enumerate(values)
    ]


def is_described(named: object) -> bool:
    """Return whether a type has a descriptor, and so a module and class."""
    return isinstance(named, Composite) or (isinstance(named, Restricted) and bool(named.descriptors))


def restricted_types(parts: Iterable[Part]) -> list[Restricted]:
    """Return the restricted types without descriptor; an alias follows the types that it uses."""
    types = [
        own_type
        for part in parts
        for own_type in part.types
        if isinstance(own_type, Restricted) and not own_type.descriptors
    ]
    return sorted(types, key=lambda restricted: not enum_base(restricted))


def has_class(named: object) -> bool:
    """Return whether a type has a class in the package of its part: it has a descriptor, or is an enum."""
    return is_described(named) or (isinstance(named, Restricted) and bool(enum_base(named)))


def part_module(part: Part) -> str:
    """Return the module for the types of a part; ``types`` is already a module of the generated package."""
    return "types_" if part.module == "types" else part.module


def plain_name(named: NamedType) -> str:
    """Return the identifier of a type for places where it may hide a builtin: ``open``."""
    return named.identifier.rstrip("_")


def type_module(named: NamedType) -> str:
    """Return the module of a type with a descriptor; ``_restricted`` is the module of the others."""
    name = plain_name(named)
    return "_restricted_" if name == "restricted" else f"_{name}"
