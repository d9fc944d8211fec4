"""Names: from the specification's words to Python identifiers that are safe and unique."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ..model.position import Position
from ..model.problem import Problem

_SEPARATORS = re.compile(r"[ _-]+")
_NAME = re.compile(r"[a-z][a-z0-9_]*")

# What a field's attribute must not be called: other attributes of the class, and the names that stand in
# annotations of its body (0-9 has a field ``bytes``). Such a field gets a trailing underscore.
METHOD_ATTRIBUTES = frozenset(
    {"encode", "pack", "residue", "self", "bool", "bytes", "int", "str", "datetime", "property"}
)

# Names that the generated decoders and encoders use for themselves; a field's local variable takes none.
DECODER_LOCALS = frozenset(
    {
        "buffer",
        "position",
        "end",
        "stop",
        "size",
        "tables",
        "flags",
        "words",
        "parts",
        "self",
        "bytes",
        "len",
        "type",
        "int",
        "octets",
    }
)
_HELPER_PREFIXES = ("pack_", "unpack_", "read_", "write_", "octets_")

# Exported by generated packages, whatever the specification says.
PACKAGE_NAMES = frozenset(
    {
        "CloseError",
        "ChannelError",
        "CodecError",
        "ConnectionError",
        "ContentBody",
        "ContentHeader",
        "DecodeError",
        "Dialect",
        "EncodeError",
        "Frame",
        "FrameDecoder",
        "Heartbeat",
        "LimitExceeded",
        "Malformed",
        "Method",
        "MethodBase",
        "OtherFrame",
        "RawTable",
        "ReplyCode",
        "Spec",
        "Timestamp",
        "Truncated",
        "Unknown",
        "ValidationError",
    }
)

Named = TypeVar("Named")


def normalise(name: str) -> str:
    """The comparable form of a name: blanks, underscores and hyphens are one hyphen, lower case.

    0-8 writes ``consumer tag``, 0-9 ``consumer-tag``; some files mix both.
    """
    return _SEPARATORS.sub("-", name.strip().lower())


def identifier(name: str) -> str:
    """A snake-case Python identifier; keywords get a trailing underscore; empty if there is none."""
    candidate = normalise(name).replace("-", "_")
    if not _NAME.fullmatch(candidate):
        return ""
    return f"{candidate}_" if keyword.iskeyword(candidate) else candidate


def class_name(*names: str) -> str:
    """The names joined in CamelCase: ``queue``, ``declare-ok`` gives ``QueueDeclareOk``."""
    parts = [part for name in names for part in normalise(name).split("-")]
    return "".join(part[:1].upper() + part[1:] for part in parts)


def bad_name(kind: str, name: str, position: Position) -> Problem:
    """The problem of a name that no identifier can be made of."""
    return Problem(
        "bad-name",
        f"the name {name!r} of this {kind} does not make a Python identifier",
        position,
        "use ASCII letters, digits, blanks, hyphens and underscores, a letter first",
    )


def suggest(name: str, known: Iterable[str]) -> str:
    """A hint ``did you mean '...'?`` for a misspelt name, or the known names, or nothing."""
    choices = sorted(set(known))
    close = difflib.get_close_matches(normalise(name), choices, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"known: {', '.join(choices)}" if 0 < len(choices) <= 12 else ""


def duplicates(
    entries: Sequence[Named],
    key: Callable[[Named], object],
    position: Callable[[Named], Position],
    kind: str,
    rule_id: str,
    describe: Callable[[Named], str],
) -> list[Problem]:
    """A problem for each entry whose key an earlier entry has, naming both places."""
    first: dict[object, Named] = {}
    problems = []
    for entry in entries:
        earlier = first.setdefault(key(entry), entry)
        if earlier is not entry:
            problems.append(
                Problem(
                    rule_id,
                    f"{describe(entry)} repeats the {kind} of {describe(earlier)} at {position(earlier)}",
                    position(entry),
                    "give each its own",
                )
            )
    return problems


def unique_local(name: str, taken: set[str]) -> str:
    """``name`` with as many underscores as make it new and no helper's name; adds it to ``taken``."""
    if name.startswith(_HELPER_PREFIXES):
        name = f"the_{name}"
    while name in taken:
        name += "_"
    taken.add(name)
    return name
