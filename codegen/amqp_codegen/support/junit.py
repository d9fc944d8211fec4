"""JUnit XML, the format of test results for continuous integration."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

# XML 1.0 cannot contain these characters; texts of brokers and file names may.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal(text: str) -> str:
    """Replace each character that XML cannot contain."""
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


def junit_document(suites: Iterable[Element]) -> str:
    """Return the document with these ``testsuite`` elements."""
    root = Element("testsuites")
    root.extend(suites)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
