"""Builds the one module of this distribution, against the limited API: one binary serves Python 3.10 and later."""

from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).parent

setup(
    ext_modules=[
        Extension(
            "amqp_native",
            sources=sorted(str(path.relative_to(HERE)) for path in HERE.glob("src/*.c")),
            depends=sorted(str(path.relative_to(HERE)) for path in HERE.glob("src/*.h")),
            extra_compile_args=["-O3", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-parameter"],
            py_limited_api=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
