"""The build step ``amqp_codegen`` of setuptools, for projects whose ``build-system.requires`` names the generator.

Setuptools looks for packages before it builds, so a step that only generates comes too late: the wheel would lack the
packages, and nothing would say so. This one comes before all other steps, and adds them to the packages of the distribution.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Distribution

from .project import generate_packages, is_required_to_build, source_files, stop_outside, stop_without_step

_NAME = "amqp_codegen"


def finalize_distribution(distribution: Distribution) -> None:
    """Add the step to ``build``; called for every distribution (``setuptools.finalize_distribution_options``).

    The project's own commands are not known yet: ``[tool.setuptools.cmdclass]`` is read later and takes the place of
    all that stands in ``cmdclass``. So the step is added to whatever ``build`` is when it is asked for.
    """
    if not is_required_to_build() or "get_command_class" in vars(distribution):  # setuptools may call it twice
        return
    find = distribution.get_command_class
    with_step: dict[type[Command], type[Command]] = {}

    def get_command_class(command: str) -> type[Command]:
        if command == _NAME:
            return GenerateCommand
        found = find(command)
        return with_step.setdefault(found, _with_step(found)) if command == "build" else found

    vars(distribution)["get_command_class"] = get_command_class


def _with_step(base: type[Command]) -> type[Command]:
    """Return a command ``build`` that generates first, and ends the build if it did not."""

    def run(self: Command) -> None:
        base.run(self)
        if not self.distribution.have_run.get(_NAME):
            stop_without_step(f"{base.__module__}.{base.__qualname__}")

    return type(base.__name__, (base,), {"sub_commands": [(_NAME, None), *base.sub_commands], "run": run})


class GenerateCommand(Command):
    """Generates before ``build_py`` copies the packages; see ``setuptools.command.build.SubCommand``."""

    description = "generate the packages of [tool.amqp-codegen]"
    user_options: ClassVar[list[tuple[str, str | None, str]]] = []
    editable_mode = False  # packages are generated into the source tree in either mode

    def initialize_options(self) -> None:
        """Do nothing: there are no options."""

    def finalize_options(self) -> None:
        """Do nothing: there are no options."""

    def run(self) -> None:
        """Generate, and add the packages to those of the distribution."""
        distribution, build_py = self.distribution, self.get_finalized_command("build_py")
        names = set(distribution.packages or ())
        data = {name: list(globs) for name, globs in (distribution.package_data or {}).items()}
        for path in generate_packages():
            name = _package_name(path.parent, distribution.package_dir or {})
            names.add(name)
            if path.suffix != ".py":
                data.setdefault(name, []).append(path.name)
        distribution.packages = build_py.packages = sorted(names)
        distribution.package_data = build_py.package_data = data
        # Computed from the packages, if another command asked for it already.
        vars(build_py).pop("data_files", None)

    def get_source_files(self) -> list[str]:
        """Return what the packages are generated from; setuptools adds it to an sdist."""
        return [path.as_posix() for path in source_files()]

    def get_outputs(self) -> list[str]:
        """Return nothing: ``build_py`` has the files."""
        return []

    def get_output_mapping(self) -> dict[str, str]:
        """Return nothing: ``build_py`` has the files."""
        return {}


def _package_name(folder: Path, package_dir: Mapping[str, str]) -> str:
    """Return the dotted name of the package in a folder."""
    roots = {name: Path(root) for name, root in {"": "", **package_dir}.items()}
    # The deepest folder that holds it: packages may have folders of their own.
    for name, root in sorted(roots.items(), key=lambda item: -len(item[1].parts)):
        if folder.is_relative_to(root):
            return ".".join([*filter(None, [name]), *folder.relative_to(root).parts])
    stop_outside(folder, sorted(map(str, roots.values())))
