"""A build hook of hatchling, which puts the core in C into the package; without a compiler the wheel is pure.

In your ``pyproject.toml``, with ``setuptools`` in ``build-system.requires``, and the path as your project has it::

    [tool.hatch.build.hooks.custom]
    path = "hatch_build.py"
"""

from __future__ import annotations

import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from build_core import MODULE, build_into_package


class CoreHook(BuildHookInterface[Any]):
    """Builds before a wheel is put together; one wheel serves every CPython from 3.11."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the core; if that was possible, the wheel is one for this platform."""
        if self.target_name == "wheel" and build_into_package():
            build_data["artifacts"].append(f"{MODULE}.*")  # git may ignore it
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{re.sub('[.-]', '_', sysconfig.get_platform())}"
