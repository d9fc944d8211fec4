"""What is in a picture, read back from its SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cache
from typing import Any

from amqp_codegen.model.amqp0 import spec
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.reference.layouts.pieces import OctetRun
from amqp_codegen.reference.layouts.svg import text_width

from ..site_pages import read

NASTY = "\"q\" 'a' & <script>alert(1)</script> ]]> {{ 7 }} \\ \u2028 \u202e </svg> --> é 漢字 " + "x" * 90


@cache
def spec_of(name: str) -> Any:
    return read(name)[0].spec


def spec0_of(name: str) -> spec.Spec:
    found = spec_of(name)
    assert isinstance(found, spec.Spec)
    return found


def spec1_of(name: str = "1.0") -> spec1.Spec:
    found = spec_of(name)
    assert isinstance(found, spec1.Spec)
    return found


@dataclass(frozen=True)
class Drawn:
    """A picture that has been read: it is well-formed, and all of it is inside its box."""

    root: ET.Element

    @property
    def texts(self) -> list[str]:
        return [element.text or "" for element in self.root.iter("text")]

    @property
    def description(self) -> str:
        return self.root.findtext("desc") or ""

    @property
    def title(self) -> str:
        return self.root.findtext("title") or ""

    @property
    def ids(self) -> list[str]:
        return [element.attrib["id"] for element in self.root.iter() if "id" in element.attrib]

    def boxes(self) -> list[tuple[float, float, float, float]]:
        """Left, top, right and bottom of every rectangle."""
        found = []
        for element in self.root.iter("rect"):
            x, y, width, height = (float(element.attrib[name]) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + width, y + height))
        return found

    def lines(self) -> list[list[tuple[float, float]]]:
        """The points of every line."""
        return [
            [
                (float(x), float(y))
                for x, y in (point.split(",") for point in element.attrib["points"].split())
            ]
            for element in self.root.iter("polyline")
        ]


def drawn(svg: str) -> Drawn:
    """Reads a picture; fails if it is not what every picture has to be."""
    picture = Drawn(ET.fromstring(svg))
    root = picture.root
    assert root.tag == "svg"
    assert root.attrib["role"] == "img"
    assert [item.tag for item in root][:2] == ["title", "desc"]
    assert picture.title and picture.description
    assert root.attrib["aria-labelledby"] == root[0].attrib["id"]
    assert root.attrib["aria-describedby"] == root[1].attrib["id"]
    assert len(set(picture.ids)) == len(picture.ids) == 3
    assert all(not set(item) & set(" \t\n\"'&<>") for item in picture.ids)
    assert {element.tag for element in root.iter()} <= {
        "svg", "title", "desc", "rect", "text", "polyline", "polygon"
    }  # fmt: skip
    for element in root.iter():
        for name in ("fill", "stroke"):
            colour = element.attrib.get(name, "none")
            assert colour == "none" or colour.startswith("var(--"), "a colour of the page"
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for left, top, right, bottom in picture.boxes():
        assert left >= 0 and top >= 0 and right <= width + 0.2 and bottom <= height + 0.2
    for line in picture.lines():
        assert all(0 <= x <= width + 0.2 and 0 <= y <= height + 0.2 for x, y in line)
    for element in root.iter("text"):
        x, long = float(element.attrib["x"]), text_width(
            element.text or "", float(element.attrib["font-size"])
        )
        left = x - {"start": 0, "middle": long / 2, "end": long}[element.attrib.get("text-anchor", "start")]
        assert left >= -0.5 and left + long <= width + 0.5, element.text
        assert 0 < float(element.attrib["y"]) <= height
    return picture


def shows(picture: Drawn, run: OctetRun) -> None:
    """The picture shows every piece of the run, its offset and its octets; what is said adds up."""
    assert run.pieces
    position = 0
    for piece, offset in zip(run.pieces, run.offsets, strict=False):
        assert offset == position
        assert piece.width in (None, len(piece.octets)), piece
        position += len(piece.octets)
        assert f"@{offset}" in picture.texts
        assert f"At {offset} {piece.name}" in picture.description
        if piece.octets:
            assert piece.octets.hex(" ") in picture.description
    assert run.offsets[-1] == position == len(run.octets)
    shown = " ".join(picture.texts)
    for piece in run.pieces:
        lines = [piece.octets[:8].hex(" "), piece.octets[:12].hex(" ")]
        assert any(line in shown for line in lines), piece
