"""The structure of our code: arrows point one way, there are no circles, a class name means one thing."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tools.house import faults
from tools.house_picture import PICTURE, draw
from tools.structure.arrows import back_arrows, two_way_arrows
from tools.structure.circles import circles, room_circles
from tools.structure.class_names import KEPT, MOST_KEPT, repeated_names, shared_names
from tools.structure.generated_packages import package_circles, read_generated
from tools.structure.imports import House, Import, read_house
from tools.structure.layers import BOX_WIDTH, Place, arrange
from tools.structure.native import native_circles, read_sources, two_way_folders


@pytest.fixture(scope="module")
def house() -> House:
    return read_house()


@pytest.fixture(scope="module")
def broken(house: House) -> dict[str, list[str]]:
    return faults(house, read_generated(), read_sources())


def test_the_house_is_in_order(broken: dict[str, list[str]]) -> None:
    assert [line for places in broken.values() for line in places] == []


def test_few_class_names_are_those_of_generated_packages(house: House) -> None:
    assert shared_names(house, read_generated()).keys() == KEPT.keys()
    assert len(KEPT) <= MOST_KEPT == 3


def test_the_picture_is_current(house: House) -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw(house), "run: make house"


def crossed_boxes(picture: str) -> list[tuple[str, str]]:
    """The boxes of a picture that an arrow passes through, with the path of the arrow."""
    found = []
    for arrow in re.findall(r'<path class="arrow" d="([^"]+)"', picture):
        points = _points(arrow)
        for x, y, width, height, name in _BOX.findall(picture):
            left, top, right, bottom = float(x), float(y), float(x) + float(width), float(y) + float(height)
            if any(left < at < right and top < down < bottom for at, down in points):
                found.append((name, arrow))
    return found


_BOX = re.compile(
    r'<rect class="folder" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"[^>]*/><text[^>]*>(\w+)<'
)


def _points(arrow: str) -> list[tuple[float, float]]:
    """Points of a path, close to each other."""
    here: list[float] = []
    points = []
    for command, text in re.findall(r"([MCLV])([^MCLV]*)", arrow):
        numbers = [float(number) for number in text.split()]
        ends = [here[0], *numbers] if command == "V" else numbers
        steps = [number / 100 for number in range(101)]
        controls = (
            ends if command == "C" else [*(here or ends), *ends]
        )  # of a line: its beginning and its end
        for t in steps if here else []:
            if command == "C":
                weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
                at = [
                    sum(w * p for w, p in zip(weights, [here[axis], *controls[axis::2]], strict=True))
                    for axis in (0, 1)
                ]
            else:
                at = [controls[axis] * (1 - t) + controls[axis + 2] * t for axis in (0, 1)]
            points.append((at[0], at[1]))
        here = ends[-2:]
    return points


def test_no_arrow_of_the_picture_crosses_a_box() -> None:
    picture = PICTURE.read_text(encoding="utf-8")
    assert len(_BOX.findall(picture)) > 30
    assert picture.count('class="arrow"') > 50
    assert crossed_boxes(picture) == []


@pytest.mark.parametrize(
    "arrow", ["M60 0V200", "M60 0L60 200", "M0 0C0 100 60 100 60 190V200"], ids=["down", "line", "curve"]
)
def test_an_arrow_through_a_box_is_found(arrow: str) -> None:
    box = (
        '<rect class="folder" x="10" y="80" width="100" height="80" rx="6"/><text x="60" y="99">reader</text>'
    )
    beside = '<path class="arrow" d="M5 0V200"/><path class="arrow" d="M60 0V80"/>'
    assert crossed_boxes(f'{box}{beside}<path class="arrow" d="{arrow}"/>') == [("reader", arrow)]


def test_arrows_that_pass_a_row_of_boxes_get_a_lane_in_it() -> None:
    names = [("a", name) for name in ("top", "one", "two", "three", "low")]
    layers = arrange([names[:1], names[1:4], names[4:]], {names[0]: {*names[1:]}})
    assert Place(names[4], 1, is_lane=True) in layers.rows[1]
    middles = [layers.centres[place] for place in layers.rows[1]]
    assert middles == sorted(middles)
    half = [0 if place.is_lane else BOX_WIDTH / 2 for place in layers.rows[1]]
    sides = [(middle - part, middle + part) for middle, part in zip(middles, half, strict=True)]
    assert all(left[1] < right[0] for left, right in pairwise(sides))


def test_generated_packages_are_used_by_their_public_modules() -> None:
    """By name, as ``load_module(package, "columns")``: type checkers do not see this."""
    private = []
    for path in sorted((Path(__file__).parents[1] / "codegen").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "load_module":
                names = [str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)]
                private += [f"{path.name}: {name}" for name in names if "._" in f".{name}"]
    assert private == []


def files(folder: Path, texts: dict[str, str]) -> Path:
    """A folder with these files, by their paths."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def written(folder: Path, **texts: str) -> House:
    """A house of the modules given by their names, with two underscores for a dot."""
    return read_house(files(folder, {f"{name.replace('__', '/')}.py": text for name, text in texts.items()}))


def test_an_arrow_that_runs_back_is_found(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        amqp_codegen__model__problem="from ..reader.load import x\n",
        amqp_codegen__reader__load="x = 1\n",
        amqp_traffic__lake__folder="from amqp_codegen.support.page import y\nfrom amqp_codegen.emit.render import z\n",
        amqp_codegen__support__page="y = 1\n",
        amqp_codegen__emit__render="import amqp_traffic.lake.folder\nz = 1\n",
    )
    assert [line.rpartition(": ")[2] for line in back_arrows(found)] == [
        "amqp_codegen/emit imports amqp_traffic.lake.folder; this arrow runs back",
        "amqp_codegen/model imports amqp_codegen.reader.load; this arrow runs back",
        "amqp_traffic/lake imports amqp_codegen.emit.render; this arrow runs back",
    ]


def test_a_circle_is_found_and_one_that_waits_for_a_call_is_none(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        a__one="from .two import f\n",
        a__two="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .three import g\ndef f(): ...\n",
        a__three="from .one import f\ndef g(): ...\n",
        a__four="from .five import h\n",
        a__five="def h():\n    from .four import h\n",
    )
    assert circles(found) == [["a.one", "a.three", "a.two"]]
    assert Import("a.five", "a.four", 2, lazy=True) in found.imports


def test_repeated_names_are_found_but_for_twins(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        a__amqp0__channel="class Twin: ...\nclass Run: ...\n",
        a__amqp1__channel="class Twin: ...\n",
        b__engine="class Run: ...\nclass _Private: ...\n",
        b__other="class _Private: ...\n",
    )
    assert repeated_names(found) == {"Run": ["a.amqp0.channel", "b.engine"]}


def test_two_folders_that_may_import_each_other_are_found() -> None:
    arrows = {"a": {"one": "two three", "two": "three one", "three": ""}, "b": {"one": "", "two": "one"}}
    assert two_way_arrows(arrows) == ["a: one and two may import each other"]


def test_a_room_that_imports_upwards_is_found_though_its_modules_form_no_circle(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        a__rules__rule="x = 1\n",
        a__rules__catalogue="from ..topics import queues\n",
        a__topics__queues="from ..rules.rule import x\n",
        a__report="from .rules import catalogue\n",
    )
    assert circles(found) == []
    assert room_circles(found) == ["a.rules <-> a.topics: a.rules.catalogue, line 1; a.topics.queues, line 1"]


def test_a_file_that_imports_upwards_inside_a_function_is_found(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        a__b__high="from .low import x\n",
        a__b__low="def x():\n    from .high import y\n",
        a__c__other="from ..b.high import y\n",
    )
    assert room_circles(found) == ["a.b.high <-> a.b.low: a.b.high, line 1; a.b.low, line 2"]


def test_a_package_and_what_is_in_it_are_no_circle_of_rooms(tmp_path: Path) -> None:
    found = files(
        tmp_path, {"a/b/__init__.py": "from .c import x\n", "a/b/c.py": "from . import d\n", "a/b/d.py": ""}
    )
    assert room_circles(read_house(found)) == []


def test_class_names_of_generated_packages_are_found(tmp_path: Path) -> None:
    ours = written(tmp_path / "ours", a__one="class Transfer: ...\nclass _Open: ...\nclass Mine: ...\n")
    suite = "class Mine: ...\n"
    theirs = {
        "amqp_1/_transfer.py": "class Transfer: ...\nclass _Open: ...\n",
        "conformance/amqp_1/x.py": suite,
    }
    assert shared_names(ours, read_generated(files(tmp_path / "theirs", theirs))) == {"Transfer": ["a.one"]}


def test_a_circle_in_a_generated_package_is_found_though_it_waits_for_a_call(tmp_path: Path) -> None:
    generated = files(
        tmp_path,
        {
            "amqp_1/__init__.py": "",
            "amqp_1/checker.py": "from .described import x\n",
            "amqp_1/described.py": "def x():\n    from .checker import y\n",
            "amqp_1/values.py": "from .containers import z\n",
            "amqp_1/containers.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .values import Z\n",
            "amqp_1/archetypes.py": "from .messaging import source\n",
            "amqp_1/messaging/__init__.py": "",
            "amqp_1/messaging/source.py": "from .. import archetypes\n",
        },
    )
    assert package_circles(read_generated(generated)) == [["amqp_1.checker", "amqp_1.described"]]


SOUND = {
    "src/texts.h": '/* #include "core.h" */\nint find_text(const char *text);\n',
    "src/texts.c": '#include "texts.h"\n\nint find_text(const char *text) {\n    return helper("new_core()");\n}\n',
    "src/core.h": '#include "texts.h"\nint new_core(void);\nextern int cores;\n',
    "src/core.c": '#include "core.h"\n\nint cores = 0;\n\nint new_core(void) { return find_text("a"); }\n',
    "ingest/ingest.c": '#include "../src/core.h"\n\nstatic int find(void) { return new_core() + cores; }\n',
}


def test_sound_sources_have_no_circle(tmp_path: Path) -> None:
    sources = read_sources(files(tmp_path, SOUND))
    assert sources.calls == {
        "ingest/ingest.c": {"src/core.c"},
        "src/core.c": {"src/texts.c"},
        "src/texts.c": set(),
    }
    assert native_circles(sources) == []
    assert two_way_folders(sources) == []


@pytest.mark.parametrize(
    ("path", "text", "circle"),
    [
        (
            "src/texts.c",
            "int find_text(const char *text) {\n    return new_core();\n}\n",
            ["src/core.c", "src/texts.c"],
        ),
        (
            "src/texts.c",
            "int find_text(const char *text) {\n    return cores;\n}\n",
            ["src/core.c", "src/texts.c"],
        ),
        ("src/texts.h", '#include "core.h"\n', ["src/core.h", "src/texts.h"]),
    ],
    ids=["a call", "a variable", "an include"],
)
def test_a_circle_in_c_is_found(tmp_path: Path, path: str, text: str, circle: list[str]) -> None:
    assert native_circles(read_sources(files(tmp_path, SOUND | {path: text}))) == [circle]


def test_a_recursion_of_what_is_read_is_allowed_and_a_third_file_in_it_is_not(tmp_path: Path) -> None:
    recursion = {
        "src/amqp1_read_value.c": "int read_value(int depth) { return read_composite(depth); }\n",
        "src/amqp1_read_composite.c": "int read_composite(int depth) {\n    return read_value(depth - 1);\n}\n",
    }
    assert native_circles(read_sources(files(tmp_path, recursion))) == []
    third = {"src/amqp1_read_value.c": "int read_value(int depth) { return other(depth); }\n"} | {
        "src/other.c": "int other(int depth) { return read_composite(depth); }\n"
    }
    assert len(native_circles(read_sources(files(tmp_path, third)))) == 1


def test_folders_in_c_that_use_each_other_are_found(tmp_path: Path) -> None:
    upwards = {
        "src/core.c": '#include "../ingest/ingest.h"\nint new_core(void) { return 1; }\n',
        "ingest/ingest.h": "",
    }
    assert two_way_folders(read_sources(files(tmp_path, SOUND | upwards))) == [
        "ingest and src use each other"
    ]
