"""Which octets of a frame are which field."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Some octets of a payload.

    Attributes:
        start: Where they begin.
        end: Where they end.
        depth: How deep they are in compound values; 0 for fields.
        name: What they are: a field, a key, a length.
        type: Their type, if there is one.
        value: What they mean, as text.
        is_hidden: They are not to be shown.
    """

    start: int
    end: int
    depth: int
    name: str
    type: str = ""
    value: str = ""
    is_hidden: bool = False
