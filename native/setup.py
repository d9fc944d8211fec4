"""Builds the modules of this distribution, against the limited API: one binary each serves Python 3.11 and later."""

import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent
# By the name that setuptools has for a compiler; all others understand what gcc does.
FLAGS = {"msvc": ["/O2", "/std:c11", "/W3"]}
FLAGS_OF_GCC = ["-O3", "-std=c11", "-Wall", "-Wextra"]


class BuildModules(build_ext):
    """Gives each compiler its own flags."""

    def build_extensions(self) -> None:
        """Build the modules, now that the compiler is known."""
        for extension in self.extensions:
            extension.extra_compile_args = FLAGS.get(self.compiler.compiler_type, FLAGS_OF_GCC)
        super().build_extensions()


def files(pattern: str) -> list[str]:
    """Return sources or headers, relative to this folder."""
    return sorted(str(path.relative_to(HERE)) for path in HERE.glob(pattern))


# What both modules know: octets, field tables and values of 1.0 as VARIANT.
SHARED = [
    *("src/amqp0_kinds.c", "src/amqp0_variant.c", "src/amqp1_codes.c", "src/amqp1_variant.c"),
    *("src/octets.c", "src/variant.c"),
]


def module(name: str, folder: str, shared: Sequence[str] = ()) -> Extension:
    """Return the module whose sources are in a folder."""
    sources = [*files(f"{folder}/*.c"), *shared]
    return Extension(name, sources=sources, depends=files("*/*.h"), py_limited_api=True)


if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
    kind = "a free-threaded Python" if sys.implementation.name == "cpython" else sys.implementation.name
    sys.exit(
        f"error: amqp-codegen-native cannot be built for {kind}, which has no stable ABI (abi3); "
        "without it everything works the same, slower"
    )
setup(
    ext_modules=[module("amqp_native", "src"), module("amqp_native_ingest", "ingest", SHARED)],
    cmdclass={"build_ext": BuildModules},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
