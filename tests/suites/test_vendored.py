"""A suite in somebody else's project: copied, under another name, with a peer and with drivers of their own."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conformance.amqp_0_9_1.deviations import read_deviations

from tests.shared_folders import Shared

from .suite_projects import Outcome, copy_package, keep_cases, run_pytest

ONE, RULE = "amqp_0_9_1", "queue.declare/default-binding"
OWN_PEER = """
import pytest
from myclient._vendor import wire
from wire_suite.package_peer import PackagePeer

@pytest.fixture(scope="session")
def peer():
    return PackagePeer(wire)
"""
DRIVER = """
from wire_suite import rules

@rules.implements("{path}")
def driver(peer):
    assert {condition}
"""


def vendor(source: str, folder: Path, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """The codec as ``myclient._vendor.wire``, and its suite with some of the cases as ``tests/wire_suite``."""
    copy_package(source, folder / "src/myclient/_vendor/wire")
    copy_package(f"conformance/{source}", folder / "tests/wire_suite")
    keep_cases(folder / "tests/wire_suite", wanted)
    (folder / "tests/conftest.py").write_text(OWN_PEER)


def run(project: Path, *arguments: str) -> Outcome:
    return run_pytest(project, *arguments, PYTHONPATH="src")


@pytest.fixture
def project(shared: Shared, tmp_path: Path) -> Path:
    """A project with the cases of one method and of the properties."""

    def fill(folder: Path) -> None:
        vendor(ONE, folder, lambda case: case["element"].startswith(("queue.declare", "basic.properties")))

    return Path(shutil.copytree(shared("vendored-suite", fill), tmp_path / "project"))


def test_a_suite_of_1_0(tmp_path: Path) -> None:
    vendor("amqp_1_0", tmp_path, lambda case: case["element"] in ("open", "properties", "list"))
    code, numbers, text = run(tmp_path, "tests", "--ignore", "tests/wire_suite/test_codec_rules.py")
    assert code == 0, text
    assert numbers["passed"] > 50
    assert numbers["pending"] > 100


def test_the_fixture_of_a_conftest_above_is_the_peer(project: Path) -> None:
    code, numbers, text = run(project, "tests", "-k", "queue.declare")
    assert code == 0, text
    assert numbers["passed"] > 50


def test_a_fault_of_the_vendored_codec_fails(project: Path) -> None:
    path = project / "src/myclient/_vendor/wire/methods/_queue.py"
    path.write_text(path.read_text().replace("passive = bits & 1 != 0", "passive = bits != 0"))
    code, numbers, text = run(project, "tests", "-k", "queue.declare")
    assert code == 1
    assert numbers["failed"] > 0
    assert "test_decode[queue.declare.durable/alone]" in text


def test_without_a_driver_a_rule_is_pending(project: Path) -> None:
    code, numbers, text = run(project, "tests/wire_suite/test_rules.py", "-v")
    assert code == 0, text
    assert numbers == {"passed": 1, "pending": 113}  # what passed is that drivers belong to rules
    assert len(re.findall(r"test_queue_declare_default_binding .*PENDING", text)) == 1
    assert "test_exchange_declare_exchange_syntax" not in text  # an assert says the same


@pytest.mark.parametrize(("condition", "outcome"), [("peer", "passed"), ("not peer", "failed")])
def test_a_driver_decides(project: Path, condition: str, outcome: str) -> None:
    conftest = project / "tests/conftest.py"
    conftest.write_text(OWN_PEER + DRIVER.format(path=RULE, condition=condition))
    code, numbers, text = run(project, "tests/wire_suite/test_rules.py", "-v")
    assert (code == 0) == (outcome == "passed"), text
    assert numbers["pending"] == 112
    assert len(re.findall(rf"test_queue_declare_default_binding .*{outcome.upper()}", text)) == 1


def test_a_driver_of_no_rule_is_a_mistake(project: Path) -> None:
    conftest = project / "tests/conftest.py"
    conftest.write_text(OWN_PEER + DRIVER.format(path="queue.declare/nosuch", condition="True"))
    code, numbers, text = run(project, "tests/wire_suite/test_rules.py")
    assert (code, numbers["failed"]) == (1, 1)
    assert "queue.declare/nosuch" in text


DEVIATING = OWN_PEER.replace("return PackagePeer(wire)", "return Deviating(wire)") + """
class Deviating(PackagePeer):
    def decode(self, kind, octets, options):
        if kind == "header" and any(octets[2:4]):
            raise KeyError("weight")
        return super().decode(kind, octets, options)
"""
KNOWN = """
from pathlib import Path

@pytest.fixture(scope="session")
def deviations():
    return Path(__file__).parent / "deviations.toml"
"""
ENTRY = """
[[deviation]]
checks = ["test_decoding_is_refused basic.properties/weight"]
outcome = "KeyError: *"
why = "A weight is not looked for."
"""


@pytest.fixture
def deviating(project: Path) -> Path:
    """A project whose codec has one fault, which a file of known deviations explains."""
    (project / "tests/conftest.py").write_text(DEVIATING + KNOWN)
    (project / "tests/deviations.toml").write_text(ENTRY)
    return project


def test_a_known_deviation_is_no_failure(deviating: Path) -> None:
    code, numbers, text = run(deviating, "tests", "-rx")
    assert code == 0, text
    assert numbers["xfailed"] == 1
    assert "A weight is not looked for." in text


def test_without_the_file_it_is_one(deviating: Path) -> None:
    (deviating / "tests/conftest.py").write_text(DEVIATING)
    code, numbers, text = run(deviating, "tests")
    assert (code, numbers["failed"]) == (1, 1), text


def test_another_outcome_than_the_known_one_fails(deviating: Path) -> None:
    (deviating / "tests/deviations.toml").write_text(ENTRY.replace("KeyError: *", "accepted"))
    code, numbers, text = run(deviating, "tests")
    assert (code, numbers["failed"]) == (1, 1), text


def test_a_deviation_that_occurs_no_more_fails_a_whole_run(deviating: Path) -> None:
    entry = ENTRY.replace("weight", "no-such-case")
    (deviating / "tests/deviations.toml").write_text(ENTRY + entry)
    code, numbers, text = run(deviating, "tests")
    assert (code, numbers.get("failed", 0), numbers["error"]) == (1, 0, 1), text
    assert "these deviations occur no more:" in text
    assert "A no-such-case is not looked for." in text
    # A part of the suite cannot tell.
    for part in (["tests", "-k", "not test_every_prefix"], ["tests/wire_suite/test_methods.py"]):
        code, numbers, text = run(deviating, *part)
        assert code == 0, text


def test_a_check_that_takes_too_long_is_not_run(deviating: Path) -> None:
    entry = ENTRY.replace('outcome = "KeyError: *"', "run = false")
    (deviating / "tests/deviations.toml").write_text(entry)
    fatal = DEVIATING.replace('raise KeyError("weight")', "import os; os._exit(3)")
    (deviating / "tests/conftest.py").write_text(fatal + KNOWN)
    code, numbers, text = run(deviating, "tests")
    assert (code, numbers["xfailed"]) == (0, 1), text


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('[[deviations]]\nwhy = "x"', "only [[deviation]] is known, not deviations"),
        (
            '[[deviation]]\nchecks = "test_encode *"\nwhy = "x"',
            "deviation 1: checks must be a list of patterns",
        ),
        (
            '[[deviation]]\nchecks = ["*"]',
            "deviation 1: outcome and why must be texts, and why must not be empty",
        ),
        (
            '[[deviation]]\nchecks = ["*"]\nwhy = "x"\nreason = "y"',
            "deviation 1: unknown key reason; known: checks",
        ),
        ('[[deviation]]\nchecks = ["*"]\nwhy = "x"\nrun = 0', "deviation 1: run must be true or false"),
    ],
)
def test_a_file_of_another_form_is_refused(entry: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "deviations.toml"
    path.write_text(entry)
    with pytest.raises(ValueError, match=re.escape(f"{path}: {message}")):
        read_deviations(path)


def test_what_a_peer_does_not_have_is_skipped(project: Path) -> None:
    conftest = project / "tests/conftest.py"
    half = "    def check(self, kind, value, options):\n        not_supported('asserts')\n"
    conftest.write_text(
        OWN_PEER.replace("return PackagePeer(wire)", "return Half(wire)")
        + f"from wire_suite.peer import not_supported\nclass Half(PackagePeer):\n{half}"
    )
    code, numbers, text = run(project, "tests/wire_suite/test_asserts.py")
    assert code == 0, text
    assert numbers["skipped"] > 25
