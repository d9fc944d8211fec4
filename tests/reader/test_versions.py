"""Which version a root element belongs to."""

from __future__ import annotations

import pytest
from amqp_codegen.model.problem import Problem
from amqp_codegen.reader.versions import KnownVersion, identify
from amqp_codegen.reader.xml_tree import read_xml


def identified(text: str) -> KnownVersion | str:
    found = identify(read_xml(text.encode(), "s.xml"))
    return str(found) if isinstance(found, Problem) else found


@pytest.mark.parametrize(
    ("attributes", "name", "family"),
    [
        ("major='8' minor='0'", "0-8", "amqp0"),
        ("major='0' minor='9'", "0-9", "amqp0"),
        ("major='0' minor='9' revision='0'", "0-9", "amqp0"),
        ("major='0' minor='9' revision='1'", "0-9-1", "amqp0"),
        ("major='0' minor='91'", "0-9-1", "amqp0"),
        ("name='types'", "1.0", "amqp1"),
        ("name='types' xmlns='http://www.amqp.org/schema/amqp.xsd'", "1.0", "amqp1"),
        ("name='types' xmlns='https://www.amqp.org/schema/amqp.xsd'", "1.0", "amqp1"),
    ],
)
def test_known_roots(attributes: str, name: str, family: str) -> None:
    version = identified(f"<amqp {attributes}/>")
    assert isinstance(version, KnownVersion)
    assert (version.name, version.family) == (name, family)


SUPPORTED = "supported are 0-8, 0-9, 0-9-1 and 1.0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<amqp major='0' minor='10' xmlns='http://www.amqp.org/schema/amqp.xsd'/>",
         f"AMQP 0-10 is not supported: it is described in another language ({SUPPORTED})"),
        ("<amqp major='0' minor='9' revision='2'/>", f"unknown version '0-9-2' ({SUPPORTED})"),
        ("<amqp major='1' minor='0'/>", f"unknown version '1-0-0' ({SUPPORTED})"),
        ("<amqp major='x' minor='9'/>", f"unknown version 'x-9-0' ({SUPPORTED})"),
        ("<amqp major='-0' minor='9'/>", f"unknown version '-0-9-0' ({SUPPORTED})"),
        ("<amqp/>", f"the root element does not say which version this is ({SUPPORTED})"),
        ("<amqp major='0'/>", f"the root element does not say which version this is ({SUPPORTED})"),
        ("<protocol major='0' minor='9'/>", f"the root element is <protocol>, not <amqp> ({SUPPORTED})"),
        ("<amqp major='0' minor='9' xmlns='urn:x'/>", f"a 0-9 file has no namespace, this has 'urn:x' ({SUPPORTED})"),
        ("<amqp major='0' minor='9' overlay='base.xml'/>",
         "this file is an overlay: it changes a specification and is none itself (give it as an overlay)"),
    ],
)  # fmt: skip
def test_other_roots_are_explained(text: str, message: str) -> None:
    assert identified(text) == f"s.xml:1:1: error: {message} [unsupported-version]"
