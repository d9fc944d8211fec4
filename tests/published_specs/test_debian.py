"""The files of Debian's package amqp-specs, Qpid's and RabbitMQ's variants among them."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.model.problem import SpecError

from tests.reader.raw_models import load_amqp0

from .plain_model import differences, facts, without_rules
from .published_files import DEBIAN, needs_debian
from .spec_sources import ours, spec_of

pytestmark = needs_debian

# The version each folder's file is read as, and its methods.
KNOWN = {
    "0-8/amqp0-8.stripped.xml": ("0-8", 89),
    "0-8-qpid/amqp0-8-qpid.stripped.xml": ("0-8", 92),
    "0-9/amqp0-9.stripped.xml": ("0-9", 101),
    "0-9-qpid/amqp0-9-qpid.stripped.xml": ("0-9", 105),
    "0-9-1/amqp0-9-1.stripped.xml": ("0-9-1", 53),
    "0-9-1-qpid/amqp0-9-1.stripped.xml": ("0-9-1", 55),
    "0-9-1-rabbit/amqp0-9-1.stripped.extended.xml": ("0-9-1", 60),
}
REFUSED = ["0-10/amqp.0-10.stripped.xml", "0-10-qpid/amqp.0-10-qpid-errata.stripped.xml"]


def test_every_0_x_file_of_the_package_is_tested_here() -> None:
    found = {path.relative_to(DEBIAN).as_posix() for path in DEBIAN.glob("0-*/*.xml")}
    assert found == {*KNOWN, *REFUSED}


@pytest.mark.parametrize("file", KNOWN)
def test_a_known_version_is_read_and_resolved_without_a_problem(file: str) -> None:
    spec = spec_of(DEBIAN / file)
    assert (spec.version, len(list(spec.methods))) == KNOWN[file], file


@pytest.mark.parametrize("file", REFUSED)
def test_0_10_is_refused_with_a_clear_message(file: str) -> None:
    with pytest.raises(SpecError) as caught:
        load_amqp0(DEBIAN / file)
    [problem] = caught.value.problems
    assert str(problem) == (
        f"{DEBIAN / file}:35:1: error: AMQP 0-10 is not supported: it is described in another language "
        "(supported are 0-8, 0-9, 0-9-1 and 1.0) [unsupported-version]"
    )


@pytest.mark.parametrize("version", ["0-8", "0-9", "0-9-1"])
def test_ours_without_rules_is_debians_stripped_file(version: str) -> None:
    file = DEBIAN / version / f"amqp{version}.stripped.xml"
    assert differences(without_rules(facts(ours(version))), without_rules(facts(spec_of(file)))) == []


def test_qpid_means_its_domains_in_spite_of_other_separators() -> None:
    """Qpid's files declare ``queue-name`` and use ``queue name``."""
    file = DEBIAN / "0-9-1-qpid" / "amqp0-9-1.stripped.xml"
    assert "queue name" in Path(file).read_text(encoding="utf-8")
    declare = next(method for method in spec_of(file).methods if method.full_name == "queue.declare")
    assert [field.domain for field in declare.fields][1] == "queue-name"
