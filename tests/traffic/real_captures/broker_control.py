"""What only the administrator of the broker can do: users, and the firehose."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator

import pytest

from tests.commands import run_command


def control(*arguments: str) -> None:
    """Call rabbitmqctl; the test is skipped where that is not possible."""
    program = shutil.which("rabbitmqctl")
    if program is None:
        pytest.skip("needs rabbitmqctl")
    done = run_command([program, *arguments])
    if done.returncode:
        pytest.skip(f"needs rabbitmqctl: {arguments[0]}: {(done.stderr or done.stdout).strip()}")


@contextlib.contextmanager
def user(name: str, password: str) -> Iterator[None]:
    """A user who may do everything, and is gone in the end."""
    control("add_user", name, password)
    try:
        control("set_permissions", name, ".*", ".*", ".*")
        yield
    finally:
        control("delete_user", name)


@contextlib.contextmanager
def firehose() -> Iterator[None]:
    """Every message is traced, in the virtual host ``/``."""
    control("trace_on")
    try:
        yield
    finally:
        control("trace_off")
