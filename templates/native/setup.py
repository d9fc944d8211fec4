"""Builds a wheel of the package with its core in C, or without it where that cannot be built."""

import sys
from pathlib import Path

from setuptools import find_packages, setup

sys.path.insert(0, str(Path(__file__).resolve().parent))

from build_core import PACKAGE, core_arguments

setup(
    packages=find_packages("..", include=[PACKAGE, f"{PACKAGE}.*"]),
    package_dir={PACKAGE: f"../{PACKAGE}"},
    package_data={PACKAGE: ["py.typed"]},
    **core_arguments(),
)
