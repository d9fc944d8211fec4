"""Type checkers find no error in the packages under the settings of users, who have their own or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared_folders import Shared
from tests.type_checks import run_basedpyright, run_mypy

from .test_public_names import NAMES

# What users write with the types of arguments; each of the last three lines is an error.
CALLS = """\
import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq import methods
from amqp_0_9_1_rabbitmq.client import ClassicQueueArguments, QuorumQueueArguments

quorum: QuorumQueueArguments = {"x-queue-type": "quorum", "x-overflow": "drop-head"}
methods.QueueDeclare("q", durable=True, arguments=quorum)
methods.QueueDeclare("s", arguments=amqp.StreamArguments({"x-queue-type": "stream", "x-max-age": "1h"}))
methods.QueueDeclare("q", arguments={"x-max-length": 1})
methods.BasicConsume("s", arguments=amqp.StreamConsumerArguments({"x-stream-offset": "first"}))
methods.ExchangeDeclare("x", arguments=amqp.ExchangeArguments({"alternate-exchange": "y"}))
methods.QueueBind("q", "amq.headers", arguments=amqp.BindingArguments({"x-match": "any"}))
amqp.BasicProperties(headers=amqp.MessageHeaders({"CC": ["a"]}))
table: amqp.FieldTable = methods.QueueDeclare("q", arguments=quorum).arguments
unknown_value: QuorumQueueArguments = {"x-overflow": "drop"}
other_queue: ClassicQueueArguments = {"x-max-age": "1h"}
methods.QueueDeclare("q", arguments={"x-max-length": object()})
"""
ERRORS = CALLS.count("\n") - 2, CALLS.count("\n") - 1, CALLS.count("\n")

GENERATED = Path(__file__).parents[2] / "generated"
# One of each family; the others have the same modules.
PACKAGES = ("amqp_0_9_1_rabbitmq", "amqp_1_0")


def test_no_errors_under_mypy_strict(shared: Shared, tmp_path: Path) -> None:
    options = [part for package in PACKAGES for part in ("-p", package)]
    done = run_mypy(shared, "--no-error-summary", *options, cwd=tmp_path, path=GENERATED)
    assert (done.stdout, done.stderr) == ("", "")


def test_no_errors_under_the_defaults_of_pyright(tmp_path: Path) -> None:
    assert run_basedpyright(*(GENERATED / package for package in PACKAGES), cwd=tmp_path) == []


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    (tmp_path / "calls.py").write_text(CALLS)
    return tmp_path / "calls.py"


def test_typed_arguments_fit_methods_under_mypy_strict(shared: Shared, tmp_path: Path, calls: Path) -> None:
    done = run_mypy(shared, "--no-error-summary", calls, cwd=tmp_path, path=GENERATED)
    assert [int(line.split(":")[1]) for line in done.stdout.splitlines()] == [*ERRORS], done.stdout


def test_typed_arguments_fit_methods_under_the_defaults_of_pyright(tmp_path: Path, calls: Path) -> None:
    (tmp_path / PACKAGES[0]).symlink_to(GENERATED / PACKAGES[0])  # packages are found beside the module
    found = run_basedpyright(calls, cwd=tmp_path)
    assert [int(line.split(":")[1]) for line in found] == [*ERRORS], found


@pytest.mark.parametrize("package", NAMES)
def test_no_comments_for_pyright_are_needed(package: str) -> None:
    texts = [path.read_text() for path in (GENERATED / package).rglob("*.py")]
    assert texts and not any("pyright:" in text for text in texts)
