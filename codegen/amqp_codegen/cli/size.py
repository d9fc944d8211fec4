"""Sizes as people write them: 200MB, 64KiB, 1448."""

from __future__ import annotations

import re

import click

_UNITS = {
    "": 1,
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KIB": 1 << 10,
    "MIB": 1 << 20,
    "GIB": 1 << 30,
}


def read_size(ctx: click.Context, param: click.Parameter, value: str) -> int:
    """The number of octets; to be the callback of an option.

    Raises:
        click.BadParameter: It is no size, or nothing.
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?([KMG]I?B|B|)", value.upper(), re.ASCII)
    size = int(float(found[1]) * _UNITS[found[2]]) if found else 0
    if size < 1:
        raise click.BadParameter(f"{value!r} is no size; write for example 64KB or 200MB", ctx, param)
    return size
