"""Frames of zstd, made by what this Python has: the standard library from 3.14 on, else the package zstandard."""

from __future__ import annotations

import sys

import pytest


def compress(octets: bytes) -> bytes:
    """Return one frame with a checksum; skip the test if nothing here can make it."""
    if sys.version_info >= (3, 14):
        zstd = pytest.importorskip("compression.zstd", reason="needs compression.zstd")
        return bytes(zstd.compress(octets, options={zstd.CompressionParameter.checksum_flag: 1}))
    else:
        zstandard = pytest.importorskip("zstandard", reason="needs zstandard")
        return bytes(zstandard.ZstdCompressor(write_checksum=True).compress(octets))
