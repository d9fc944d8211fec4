"""The build hook ``amqp-codegen`` of hatchling: ``[tool.hatch.build.hooks.amqp-codegen]``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from .project import generate_packages, require_in_wheel

_HINT = "generate them into a package that [tool.hatch.build.targets.wheel] selects"


class HatchHook(BuildHookInterface[BuilderConfig]):
    """Generates before a wheel is built. An sdist has the specifications; its wheel generates again."""

    PLUGIN_NAME = "amqp-codegen"

    _files: tuple[Path, ...] = ()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate, and include what git ignores."""
        if self.target_name == "sdist":
            return
        self._files = tuple(generate_packages())
        build_data["artifacts"] += [f"/{path.as_posix()}" for path in self._files]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Check the wheel; an editable one has none of the files."""
        if self.target_name == "wheel" and version == "standard":
            require_in_wheel(self._files, Path(artifact_path), _HINT)


@hookimpl
def hatch_register_build_hook() -> type[HatchHook]:
    """Return the hook, which hatchling finds by the entry point ``hatch``."""
    return HatchHook
