"""What the files of AMQP 1.0 do not state (the ``amqp-1-0`` table of ``specs/wire.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HeaderLayout:
    """A protocol header.

    Attributes:
        id: The octet after the letters.
        version: The names of the three constants whose values come next.
    """

    id: int
    version: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wire1:
    """The whole of the table.

    Attributes:
        headers: Layer (``amqp``, ``tls``, ``sasl``) to its protocol header.
        frames: What a frame carries (``amqp``, ``sasl``) to its type code.
        symbol_keys: The types over maps whose keys are symbols.
    """

    headers: Mapping[str, HeaderLayout]
    frames: Mapping[str, int]
    symbol_keys: tuple[str, ...]
