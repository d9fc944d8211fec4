"""No index has the project, so nothing we print or write tells to install it by its name: that could be anybody's."""

from __future__ import annotations

import re

import pytest

from tests.commands import run_command

from .projects import ROOT

# Right after the options, or in quotes; a wheel's path has a slash or a version around the name, a requirement an @.
BY_NAME = re.compile(
    r"""(?:pip|uv|pipx) +(?:tool +)?install(?:(?: +-\S+)* +["']?|\b[^\n]*?["'])amqp[-_.]codegen(?![-_/\w]| @)""", re.I
)
REQUIRED_BY_NAME = re.compile(r"""requires\s*=\s*\[[^\]]*["']amqp[-_.]codegen(?:\[\w+\])?["']""", re.I)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pip install amqp-codegen", True),
        ("pip install 'amqp-codegen[traffic]', or", True),
        ("python -m pip install -U amqp_codegen==0.1", True),
        ("pip install venv-pack 'amqp-codegen[traffic]'", True),
        ("uv tool install amqp-codegen", True),
        ("pip install .", False),
        ("pip install '.[traffic]' in the repository of amqp-codegen", False),
        ("pip install ./amqp-codegen", False),
        ("pip install dist/amqp_codegen-0.1.0-py3-none-any.whl", False),
        ("pip install 'amqp-codegen @ file:///x'", False),
    ],
)
def test_what_is_looked_for(text: str, found: bool) -> None:
    assert bool(BY_NAME.search(text)) is found


def test_no_file_says_it() -> None:
    listed = run_command(["git", "ls-files"], cwd=ROOT)
    if listed.returncode:
        pytest.skip("needs a git checkout")
    found = []
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if name.startswith(("tests/build/", "generated/")) or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{name}: {match[0]}" for item in (BY_NAME, REQUIRED_BY_NAME) for match in item.finditer(text)]
    assert found == []
