"""Builds the modules of this distribution, against the limited API: one binary each serves Python 3.11 and later."""

from collections.abc import Sequence
from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).parent


def files(pattern: str) -> list[str]:
    """Return sources or headers, relative to this folder."""
    return sorted(str(path.relative_to(HERE)) for path in HERE.glob(pattern))


# What both modules know: octets, field tables and values of 1.0 as VARIANT.
SHARED = [
    *("src/amqp0_kinds.c", "src/amqp0_variant.c", "src/amqp1_codes.c", "src/amqp1_variant.c"),
    *("src/octets.c", "src/utf8.c", "src/variant.c"),
]


def module(name: str, folder: str, shared: Sequence[str] = ()) -> Extension:
    """Return the module whose sources are in a folder."""
    return Extension(
        name,
        sources=[*files(f"{folder}/*.c"), *shared],
        depends=files("*/*.h"),
        extra_compile_args=["-O3", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"],
        py_limited_api=True,
    )


setup(
    ext_modules=[module("amqp_native", "src"), module("amqp_native_ingest", "ingest", SHARED)],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
