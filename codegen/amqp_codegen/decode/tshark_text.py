"""Octets from what tshark and Wireshark print besides dumps: fields, JSON, PDML, and conversations that they follow."""

from __future__ import annotations

import re

from ..support.wording import quote
from .form_error import FormError, lines_with_offsets
from .hex_dump import dump_octets
from .hexadecimal import base64_octets, read_hexadecimal

_SHORTEST_FIELD = 8  # octets: shorter ones are numbers of frames, ports, times
_NEARLY_A_FIELD = 12  # digits
_COLUMN = re.compile(r"[\"0-9a-fA-F:,\s]+")
_NEARLY = re.compile(r"[\"0-9a-zA-Z:,]+")


def tshark_fields(text: str) -> bytes:
    """Return octets from ``tshark -T fields``: columns between tabs, of which those with octets are long hexadecimal.

    Raises:
        FormError: A column is hexadecimal but for some digits.
    """
    if "\t" not in text:
        return b""
    octets = b""
    wrong: FormError | None = None
    for place, line in lines_with_offsets(text):
        for column in line.split("\t"):
            read = read_hexadecimal(column) if _COLUMN.fullmatch(column) else b""
            octets += read if len(read) >= _SHORTEST_FIELD else b""
            digits = sum(character in "0123456789abcdefABCDEF" for character in column)
            is_long = digits >= _NEARLY_A_FIELD and digits * 10 >= len(column.replace(":", "")) * 8
            if is_long and not read and _NEARLY.fullmatch(column):
                wrong = wrong or FormError(
                    place + line.index(column), f"the field {quote(column)} is not hexadecimal"
                )
    if octets and wrong:
        raise wrong
    return octets


_PAYLOADS = (
    re.compile(r'"(?:tcp\.payload|tcp_tcp_payload)"\s*:\s*\[?\s*"([0-9a-fA-F:]+)"'),
    re.compile(r'"(?:tcp\.payload_raw|tcp_tcp_payload_raw)"\s*:\s*\[?\s*"([0-9a-fA-F:]+)"'),
    re.compile(r'<field\s[^>]*?\bname="tcp\.payload"[^>]*?\bvalue="([0-9a-fA-F:]+)"'),
)


def tshark_documents(text: str) -> bytes:
    """Return the payloads of TCP from ``tshark -T json``, ``jsonraw``, ``ek`` and ``pdml``."""
    for pattern in _PAYLOADS:
        payloads = pattern.findall(text)
        if payloads:
            return b"".join(map(read_hexadecimal, payloads))
    return b""


_RULE = re.compile(r"=+|Follow: .*|Filter: .*|Node \d: .*")
_YAML_DATA = re.compile(r"^(?P<indent>\s*)\S+:\s*!!binary\s*\|\s*$")


def followed(text: str) -> bytes:
    """Return octets from a conversation that tshark or Wireshark follows, as hexadecimal lines, a dump or YAML.

    Raises:
        FormError: It is printed as text, in which dots stand for octets.
    """
    if "!!binary" in text:
        return _yaml(text)
    if not re.search(r"^Follow: ", text, re.MULTILINE):
        return b""
    kept = [line for line in text.splitlines(keepends=True) if not _RULE.fullmatch(line.strip())]
    body = "".join(kept)
    lossy = re.search(r"^Follow: \w+,(?:ascii|utf-8|ebcdic)", text, re.MULTILINE)
    if lossy:
        hint = "follow with hex, raw or yaml"
        raise FormError(lossy.start(), "as a text, octets that are no characters are left out", hint)
    return dump_octets(body) or read_hexadecimal(body.strip())


def _yaml(text: str) -> bytes:
    """Return the binary values of a YAML document of which no other value is looked at."""
    octets = b""
    indent: int | None = None
    letters = ""
    for place, line in [*lines_with_offsets(text), (len(text), "")]:
        depth = len(line) - len(line.lstrip())
        if indent is not None and depth > indent:
            letters += line.strip()
            continue
        if letters:
            read = base64_octets([letters])
            if not read:
                raise FormError(place, f"what is before this line, {quote(letters)}, is not base64")
            octets += read
        found = _YAML_DATA.match(line)
        indent, letters = (len(found["indent"]) if found else None), ""
    return octets
