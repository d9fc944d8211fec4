"""The pages of the site that are made: API from docstrings, commands from click, guides from specifications, pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
from amqp_codegen.reader.inputs import BUILT_IN

from tools.docs_site import markdown
from tools.docs_site.pictures import PICTURES

# The packages whose modules have a page each; those of the other versions are made like the first.
_PACKAGES = ("amqp_0_9_1_rabbitmq", "amqp_1_0")
# Where the guides lead back to, from their own folder.
_HOME = "../index.html"


def pages(root: Path, pictures: Sequence[Path]) -> dict[str, str]:
    """Return the Markdown of each made page by its path."""
    made = {
        "quickstart.md": markdown.from_root((root / "README.md").read_text("utf-8")),
        "changelog.md": (root / "CHANGELOG.md").read_text("utf-8"),
        "guides.md": _guides_page(),
        "gallery.md": _gallery({path.name for path in pictures}),
        "cli.md": _commands_page(),
        "api/amqp_codegen.api.md": _module("amqp_codegen.api"),
    }
    for package in _PACKAGES:
        made |= {f"api/{name}.md": _module(name) for name in modules(root, package)}
    return made


def navigation(root: Path) -> list[Any]:
    """Return the navigation of the made pages, as mkdocs wants it."""
    packages = [
        {package: [{name.removeprefix(f"{package}."): f"api/{name}.md"} for name in modules(root, package)]}
        for package in _PACKAGES
    ]
    return [
        {"Reference": ["guides.md", "cli.md", {"API": ["api/amqp_codegen.api.md", *packages]}]},
        "gallery.md",
        "changelog.md",
    ]


def guides() -> Mapping[str, str]:
    """Return the files of the guides of all versions, with what differs between them."""
    from amqp_codegen import api
    from amqp_codegen.reference.site import site_files

    return site_files([api.load(version) for version in BUILT_IN], lambda text: None, _HOME)


def modules(root: Path, package: str) -> Iterator[str]:
    """Yield the public modules of a generated package, the package itself first."""
    folder = root / "generated" / package
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if not any(part.startswith("_") for part in parts):
            yield ".".join(parts)


def _module(name: str) -> str:
    return f"# {name}\n\n::: {name}\n    options:\n      show_root_heading: false\n      heading_level: 2\n"


def _guides_page() -> str:
    from amqp_codegen import api
    from amqp_codegen.reference.about import about

    lines = [
        "# Reference guides",
        "",
        "Every class, method, type, field, rule and constant of each version: what it means, who may send it, its octets and",
        "states. The guides have a search of their own, which mends mistyped words. `amqp-codegen reference` makes them, also of",
        "a specification of yours: [reference.md](reference.md).",
        "",
        "| guide | what it is |",
        "| --- | --- |",
    ]
    for version in BUILT_IN:
        specification = api.load(version)
        lines.append(f"| [{specification.spec.title}](guide/{version}/index.html) | {about(specification)} |")
    lines += ["", "What differs:", ""]
    lines += [f"- [{old} to {new}](guide/changes-{old}-to-{new}.html)" for old, new in pairwise(BUILT_IN)]
    return "\n".join([*lines, "", "[All guides on one page](guide/index.html)", ""])


def _gallery(there: set[str]) -> str:
    about = "The pages that the commands write, as pictures. None needs a network; all are there in light and dark."
    lines = ["# Gallery", "", about, ""]
    for picture in PICTURES:
        if picture.file in there:
            lines += [
                f"## {picture.title}",
                "",
                f"{picture.text} More: [{picture.page}]({picture.page}).",
                "",
            ]
            lines += ["```sh", f"amqp-codegen {picture.commands[-1]}", "```", ""]
            lines += [f"![{picture.title}](pictures/{picture.file})", ""]
    return "\n".join(lines)


def _commands_page() -> str:
    from amqp_codegen.cli.main import cli

    about = "What `--help` says, command by command. How they are used: [command-line.md](command-line.md)."
    lines = ["# Commands", "", about, ""]
    for name, text in _help(cli, "amqp-codegen", None):
        lines += [f"## {name}", "", "```text", text, "```", ""]
    return "\n".join(lines)


def _help(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    """Yield a command and those below it, each with its help."""
    context = click.Context(
        command, info_name=name.rpartition(" ")[2], parent=parent, max_content_width=100, terminal_width=100,
        **command.context_settings,
    )  # fmt: skip
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from _help(found, f"{name} {below}", context)
