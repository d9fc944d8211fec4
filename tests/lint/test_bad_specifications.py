"""Every specification of the folder ``specs``: exactly what its comment says is found in it, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from .bad_specifications import BAD_SPECS, FOLDER, BadSpec


@pytest.mark.parametrize("spec", BAD_SPECS, ids=lambda spec: spec.path.stem)
def test_what_is_expected_is_found_and_says_what_to_do(spec: BadSpec) -> None:
    outcome = spec.lint()
    found = [
        f"{Path(finding.position.file).name}:{finding.position.line}:{finding.position.column} {finding.rule}"
        for finding in outcome.findings
    ]
    assert sorted(found) == sorted(spec.expected)
    assert outcome.unread == []
    for finding in outcome.findings:
        assert finding.hint, finding
        assert finding.message == finding.message.strip().rstrip(".")


def test_no_file_of_the_folder_is_left_out() -> None:
    used = {path for spec in BAD_SPECS for path in (spec.path, *spec.overlays, *spec.parts)}
    assert used == set(FOLDER.iterdir())
