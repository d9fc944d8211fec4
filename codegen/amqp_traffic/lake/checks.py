"""What must hold in a lake that somebody else has made, before anything is read from it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pyarrow.parquet as pq
from pyarrow import ArrowException, fs

from .arrow_types import table_schema
from .layout import is_text


def entry_problem(root: str) -> str:
    """Return why the entries of a folder of this machine, at any depth, are not all those of a lake; empty if they are.

    There are folders and regular files alone: a link could lead out of the lake, and a pipe would never end. Their names are text.
    """
    for path in _foreign_entries(root):
        if not is_text(path):
            return f"{path!r} has a name that is not UTF-8, and a lake has no such names; remove it"
        return (
            f"{path} is neither a folder nor a file, and a lake has nothing else, as a link could lead out of it; remove it, "
            "or put there what it leads to"
        )
    return ""


def _foreign_entries(root: str) -> Iterator[str]:
    folders = [root]
    while folders:
        try:
            entries = os.scandir(folders.pop())
        except FileNotFoundError:  # another process has removed it meanwhile
            continue
        with entries:
            for entry in entries:
                if not is_text(entry.name):
                    yield entry.path
                elif entry.is_dir(follow_symlinks=False) and not _is_junction(entry.path):
                    folders.append(entry.path)
                elif not entry.is_file(follow_symlinks=False):
                    yield entry.path


def _is_junction(path: str) -> bool:
    """Return whether a folder of Windows leads to another one. Python 3.11 cannot tell."""
    return hasattr(os.path, "isjunction") and os.path.isjunction(path)


def table_problem(filesystem: fs.FileSystem, root: str, path: str, table: str) -> str:
    """Return why a file is not one of a table of this version; empty if it is.

    ``path`` is relative to the lake, whose path is ``root``.
    """
    wanted = table_schema(table)
    try:
        with filesystem.open_input_file(f"{root}/{path}") as stream:
            found = pq.read_schema(stream)
    except (ArrowException, OSError):
        return f"{path} is not a table; ingest its capture again"
    if len(set(found.names)) < len(found.names):
        return f"{path} has a column twice: another program has written it; ingest its capture again"
    missing = sorted(set(wanted.names) - set(found.names))
    if missing:
        return f"{path} has no column {missing[0]}: another version has written it; ingest into a new folder with this one"
    for column in wanted:
        kind = found.field(column.name).type
        if kind != column.type:
            return f"{path} has {column.name} as {kind}, not {column.type}: another program has written it; ingest its capture again"
    return ""
