"""The forms in which a secret could be in a file, and whether it is."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pyarrow as pa
import pyarrow.parquet as pq


def forms(secret: str) -> dict[str, bytes]:
    """The octets to look for, by what they are."""
    octets = secret.encode()
    found = {
        "plain": octets,
        "latin-1": secret.encode("latin-1"),
        "hex": octets.hex().encode(),
        "HEX": octets.hex().upper().encode(),
        "hex with spaces": octets.hex(" ").encode(),
        "percent": quote(secret, safe="").encode(),
        "percent lower": quote(secret, safe="").lower().encode(),
        "form": quote_plus(secret).encode(),
        "json": json.dumps(secret)[1:-1].encode(),
        "repr": repr(octets)[2:-1].encode(),
    }
    for order in ("le", "be"):
        found[f"utf-16-{order}"] = secret.encode(f"utf-16-{order}")
        found[f"base64 of utf-16-{order}"] = _base64(secret.encode(f"utf-16-{order}"), 0)
    # Base64 depends on what is before it: three ways. The ends, which depend on their neighbours, are left out.
    found.update({f"base64 {before}": _base64(octets, before) for before in range(3)})
    found.update({f"base64url {before}": _base64(octets, before, b"-_") for before in range(3)})
    return found


def _base64(octets: bytes, before: int, altchars: bytes = b"+/") -> bytes:
    text = base64.b64encode(bytes(before) + octets, altchars).rstrip(b"=")
    return text[(0, 2, 3)[before] : -1]


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """All octets of a folder: files as they are, and Parquet files also decoded."""
    for path in sorted(it for it in folder.rglob("*") if it.is_file()):
        yield str(path), path.name.encode() + path.read_bytes()
        if path.suffix == ".parquet":
            yield f"{path}, decoded", _decoded(path)


def _decoded(path: Path) -> bytes:
    table, octets = pq.ParquetFile(path).read(), io.BytesIO()
    with pa.ipc.new_stream(octets, table.schema) as stream:
        stream.write_table(table)
    return octets.getvalue()


def leaks(places: Iterator[tuple[str, bytes]], secrets: list[str]) -> list[str]:
    """Where any of these secrets is, and in which form."""
    wanted = {(secret, name): form for secret in secrets for name, form in forms(secret).items()}
    return [
        f"{place}: {secret} as {name}"
        for place, octets in places
        for (secret, name), form in wanted.items()
        if form in octets
    ]
