"""Build backends without plugins that generate: flit_core, poetry-core and uv_build, each with a step before.

``build-backend = "amqp_codegen.build.backends:flit"`` takes the place of ``flit_core.buildapi``, and so on. The
functions are those of PEP 517 and PEP 660.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from .project import generate_packages, require_in_wheel

_Settings: TypeAlias = "Mapping[str, Any] | None"


@dataclass(frozen=True)
class GeneratingBackend:
    """A build backend that generates before a wheel is built, and leaves the rest to another one.

    Attributes:
        module: The other backend.
        hint: What to do if its wheel lacks the packages.
    """

    module: str
    hint: str

    def build_wheel(
        self, wheel_directory: str, config_settings: _Settings = None, metadata_directory: str | None = None
    ) -> str:
        """Generate, build a wheel and check that it has the packages."""
        files = generate_packages()
        name: str = self._backend.build_wheel(wheel_directory, config_settings, metadata_directory)
        require_in_wheel(files, Path(wheel_directory, name), self.hint)
        return name

    def build_editable(
        self, wheel_directory: str, config_settings: _Settings = None, metadata_directory: str | None = None
    ) -> str:
        """Generate into the source tree, and build a wheel that leads there."""
        generate_packages()
        name: str = self._backend.build_editable(wheel_directory, config_settings, metadata_directory)
        return name

    def __getattr__(self, name: str) -> Any:
        """Return another function of the backend: sdist, metadata, requirements. Which there are differs."""
        return getattr(self._backend, name)

    @property
    def _backend(self) -> Any:
        return importlib.import_module(self.module)


_IN_PACKAGE = "generate them into the package that the backend packs: output in [tool.amqp-codegen]"

flit = GeneratingBackend("flit_core.buildapi", _IN_PACKAGE)
poetry = GeneratingBackend(
    "poetry.core.masonry.api",
    'poetry-core leaves out what git ignores: include = [{ path = "FOLDER", format = "wheel" }] in [tool.poetry]',
)
uv = GeneratingBackend("uv_build", _IN_PACKAGE)
