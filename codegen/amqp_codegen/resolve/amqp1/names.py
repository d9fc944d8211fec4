"""Names in AMQP 1.0 packages: the reserved ones, and the replacements of names that clash with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ..names import LONGEST_FILE_NAME, class_name, identifier


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The separators in symbols and names of registered extensions, where other names have hyphens.
_SEPARATORS = re.compile(r"[.:/ _-]+")

# Names that every generated package exports or uses in its modules.
PACKAGE_CLASSES = _words("""
    Any Archetype Array Body ChannelError ClassVar CodecError Composite Decimal Decimal128 Decimal32
    Decimal64 DecodeError Delivery Described DescribedType EncodeError Enum FieldLayout Final Frame
    FrameDecoder IntEnum IntegerChoice Iterable Iterator Layer LimitExceeded Limits Malformed Map Mapping Message
    None Optional Performative ProtocolHeader Sequence SimpleValue Spec Symbol SymbolChoice TextChoice
    TransferAssembler Truncated TypeAlias TypeWalker ULong UUID Union Unknown ValidationError Value ValueReader
    DeliveryIds FlowViolation NoFreeNumber NumberAllocator ReceiverCredit SenderCredit SessionWindow
    UnsettledDeliveries
    """)

# Modules that every package has; a part with the name of one gets another module.
PACKAGE_MODULES = _words("""
    archetypes array client columns constants decode decode_frames decode_message definitions described descriptors encode
    encode_frame encodings errors frames headers join_transfers message messages messaging performatives
    protocol_header reader recognise_header sasl spec split_transfer symbols transactions transfer transfers types
    validate validation value_walker writer
    anonymous_response choose_mechanism deliveries external_response link_credit numbers plain_response
    sasl_responses serial session_window
    """)

_PART_MODULES: Mapping[str, str] = {
    "types": "types",
    "transport": "performatives",
    "messaging": "messaging",
    "transactions": "transactions",
    "security": "sasl",
}

# Lower-case builtins that generated code uses.
_BUILTINS = _words("""
    bool bytes dict filter float format hash id int iter len list map max min next object open print
    property range repr set slice str sum tuple type zip
    """)

# The names of built-in classes and constants up to Python 3.15; a fixed list, or the output would depend on the
# Python that the generator runs on.
BUILTIN_CLASSES = _words("""
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError
    ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis
    EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportCycleError
    ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError
    KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
    PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
    StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True
    TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
    UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
    """)

# Names that a field's attribute must not have: methods of the class, decorators and annotations in its body.
FIELD_ATTRIBUTES = _words("""
    bool bytes classmethod cls datetime decode dict encode float from_list int list object pack property
    self several staticmethod str to_list tuple unpack validate
    """)

# Local names of the codecs; a field's local variable must differ from them.
CODEC_LOCALS = _words("""
    array bool buffer bytes choice code constructor count data decode depth descriptor dict encode end
    error errors fields flag float found index int item items isinstance len limit limits list map
    misfit_row moment octets parts path position read_any read_any_variant read_binary read_boolean
    read_described read_described_variant read_list read_map read_map_variant read_primitive
    read_primitive_variant read_required read_required_variant read_several read_several_variant
    read_string read_symbol read_timestamp read_ubyte read_uint read_ulong read_ushort read_value
    read_variant row self set size start stop str struct symbol symbol_of text_variant tuple type types
    value values variants width
    """)


def python_name(name: str) -> str:
    """Return a snake-case identifier, empty if there is none; keywords get a trailing underscore."""
    return identifier(_SEPARATORS.sub("-", name)) if name.isascii() else ""


def type_identifier(name: str) -> str:
    """Return ``python_name``; builtins get a trailing underscore: ``list_``."""
    candidate = python_name(name)
    return f"{candidate}_" if candidate in _BUILTINS else candidate


def field_identifier(name: str) -> str:
    """Return ``python_name``; attributes and annotations of the class get a trailing underscore."""
    candidate = python_name(name)
    return f"{candidate}_" if candidate in FIELD_ATTRIBUTES else candidate


def member_name(name: str) -> str:
    """Return the upper-case name of a constant or enum member; empty if there is none."""
    return python_name(name).rstrip("_").upper()


def primitive_class_name(name: str) -> str:
    """Return the CamelCase name of a primitive type."""
    facts = PRIMITIVE_TYPES.get(name)
    return facts.class_name if facts and facts.class_name else class_name(name)


def type_class_name(name: str, provides: Sequence[str] = ()) -> str:
    """Return the CamelCase name of any other type; names of the package get a trailing underscore.

    A name that hides a built-in gets the last word of the archetype that the type provides, or ``Type``: the
    error-condition ``connection-error`` is a ``ConnectionErrorCondition``.
    """
    candidate = class_name(_SEPARATORS.sub("-", name))
    if candidate in BUILTIN_CLASSES:
        archetype = python_name(provides[0]).rstrip("_").rpartition("_")[2] if provides else ""
        return f"{candidate}{class_name(archetype or 'type')}"
    return f"{candidate}_" if candidate in PACKAGE_CLASSES else candidate


def archetype_class_name(name: str, taken: set[str]) -> str:
    """Return the name of the union of an archetype's providers, and add it to ``taken``.

    It begins with ``Any`` if a type, the package or Python has the plain name: an archetype and its only provider
    often have the same name.
    """
    plain = class_name(_SEPARATORS.sub("-", name))
    candidate = f"Any{plain}" if plain in taken or plain in PACKAGE_CLASSES | BUILTIN_CLASSES else plain
    while candidate in taken:
        candidate += "_"
    taken.add(candidate)
    return candidate


def part_module(name: str, taken: set[str]) -> str:
    """Return the module for the types of a part, and add it to ``taken``; empty if the name makes none."""
    candidate = _PART_MODULES.get(name) or python_name(name)
    if not 0 < len(candidate) <= LONGEST_FILE_NAME:
        return ""
    if name not in _PART_MODULES and candidate in PACKAGE_MODULES:
        candidate += "_"
    while candidate in taken:
        candidate += "_"
    taken.add(candidate)
    return candidate
