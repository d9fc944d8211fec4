"""The build hook of pdm-backend, for projects whose ``build-system.requires`` names the generator.

pdm-backend finds this module by the entry point ``pdm.build.hook`` and calls its functions.
"""

from __future__ import annotations

from pathlib import Path

from pdm.backend.hooks import Context

from .project import generate_packages, is_required_to_build, source_files, stop_outside


def pdm_build_hook_enabled(context: Context) -> bool:
    """Return whether the project asks for the generator."""
    return is_required_to_build()


def pdm_build_update_files(context: Context, files: dict[str, Path]) -> None:
    """Generate, and add the packages to a wheel; an sdist gets what they are generated from."""
    if context.target == "sdist":
        files.update((path.as_posix(), context.root / path) for path in source_files())
        return
    generated = generate_packages()
    if context.target == "wheel":  # an editable one leads to the source tree
        root = context.config.build_config.package_dir
        files.update((_place_in_wheel(path, root), context.root / path) for path in generated)


def _place_in_wheel(path: Path, root: str) -> str:
    if not path.is_relative_to(root):
        stop_outside(path.parent, [root])
    return path.relative_to(root).as_posix()
