"""Builds the modules of this distribution, against the limited API: one binary each serves Python 3.10 and later."""

from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).parent


def files(pattern: str) -> list[str]:
    """Return sources or headers, relative to this folder."""
    return sorted(str(path.relative_to(HERE)) for path in HERE.glob(pattern))


def module(name: str, folder: str) -> Extension:
    """Return the module whose sources are in a folder."""
    return Extension(
        name,
        sources=files(f"{folder}/*.c"),
        depends=files("*/*.h"),
        extra_compile_args=["-O3", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"],
        py_limited_api=True,
    )


setup(
    ext_modules=[module("amqp_native", "src"), module("amqp_native_ingest", "ingest")],
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
