"""JUnit XML, the form of results that continuous integration reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

# XML 1.0 has no way to write these characters, and a broker or a file name may have any.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal(text: str) -> str:
    """The text with a replacement for each character that XML cannot carry."""
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


def junit_document(suites: Iterable[Element]) -> str:
    """The document with these ``testsuite`` elements."""
    root = Element("testsuites")
    root.extend(suites)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
