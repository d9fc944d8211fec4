"""The names that generated 0-x packages use themselves, so that names of a specification must differ."""

from __future__ import annotations

import re

# Other attributes of a method class, and the names in annotations of its body (0-9 has a field ``bytes``). A
# field with such a name gets a trailing underscore.
METHOD_ATTRIBUTES = frozenset(
    {
        *(
            "encode",
            "expects_reply",
            "pack",
            "residue",
            "self",
            "bool",
            "bytes",
            "int",
            "object",
            "str",
            "datetime",
        ),
        *("alias_value", "field", "property", "with_reserved"),
    }
)

# Local variables, parameters and functions of the generated readers and writers; a field's local variable
# gets trailing underscores until it differs from them.
LOCALS = frozenset(
    {
        *("buffer", "position", "end", "stop", "size", "tables", "parts", "data", "words", "flags", "self"),
        *(
            "bytes",
            "int",
            "len",
            "type",
            "octets",
            "epoch_seconds",
            "whole_number",
            "header",
            "misfit_row",
            "row",
        ),
        *("method", "new", "properties"),
    }
)
_LOCAL_PATTERN = re.compile(r"(pack|unpack|read|write)_.*|flags_\d+")

# Names in ``methods/__init__.py`` and ``columns/__init__.py``, and modules beside the latter, all after an underscore: a
# module for a class of methods gets a trailing underscore.
MODULES = frozenset(
    {
        *("find_method", "header_decode_error", "method_decode_error", "read_method_lossless"),
        *("rows",),
    }
)

# Classes of every package: a method or property set that would hide one is refused.
CLASSES = frozenset(
    {
        *("Any", "Callable", "ClassVar", "Final", "Mapping", "Struct", "TypeAlias", "TypeGuard"),
        *(
            "ChannelCloseError",
            "CloseError",
            "CodecError",
            "ConnectionCloseError",
            "DecodeError",
            "EncodeError",
        ),
        *("LimitExceeded", "Malformed", "ProtocolError", "Truncated", "Unknown", "ValidationError"),
        *("Content", "ContentBody", "ContentHeader", "LazyContentHeader", "PropertiesBase"),
        *(
            "Dialect",
            "DialectName",
            "Entry",
            "FieldTable",
            "FieldType",
            "FieldValue",
            "Literal",
            "ProfileName",
        ),
        *("RawTable", "Residue", "Scalar", "Side", "TypeVar"),
        *("TableReader", "TableWriter", "Tagged", "Timestamp", "Octets"),
        *(
            "FieldLayout",
            "Frame",
            "FrameDecoder",
            "Heartbeat",
            "Method",
            "MethodBase",
            "OtherFrame",
            "UnreadableMethod",
        ),
        *("ReplyCode", "Spec"),
        *("ContentAssembler", "ContentMethod", "Message", "Properties", "Received", "UnfinishedContent"),
    }
)

# Names in ``constants.py``: a constant gets a trailing underscore.
CONSTANTS = frozenset(
    {
        *("SPEC", "PORT", "PROTOCOL_HEADER", "OTHER_PROTOCOL_HEADERS", "FRAME_OVERHEAD", "HEARTBEAT_FRAME"),
        *("SOFT_ERRORS", "HARD_ERRORS"),
    }
)

# Words that are not class names, and names beside which templates write domains: a domain gets a trailing underscore.
DOMAINS = frozenset({"Any", "Content", "Mapping", "TypeAlias", "None", "True", "False"})


def is_reserved_local(name: str) -> bool:
    """Return whether a local variable with that name would clash."""
    return name in LOCALS or _LOCAL_PATTERN.fullmatch(name) is not None


def free_name(name: str, taken: frozenset[str]) -> str:
    """Return the name, with a trailing underscore if it is taken."""
    return f"{name}_" if name in taken else name
