"""Type checkers find no error in the packages under the settings of users, who have their own or none."""

from __future__ import annotations

from pathlib import Path

from tests.shared_folders import Shared
from tests.type_checks import run_basedpyright, run_mypy

GENERATED = Path(__file__).parents[2] / "generated"
# One of each family; the others have the same modules.
PACKAGES = ("amqp_0_9_1_rabbitmq", "amqp_1_0")


def test_no_errors_under_mypy_strict(shared: Shared, tmp_path: Path) -> None:
    options = [part for package in PACKAGES for part in ("-p", package)]
    done = run_mypy(shared, "--no-error-summary", *options, cwd=tmp_path, path=GENERATED)
    assert (done.stdout, done.stderr) == ("", "")


def test_no_errors_under_the_defaults_of_pyright(tmp_path: Path) -> None:
    assert run_basedpyright(*(GENERATED / package for package in PACKAGES), cwd=tmp_path) == []
