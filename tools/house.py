"""Measure the structure of the code, and check it: arrows, circles and class names, in Python, in C and in what templates make.

    python tools/house.py              # the figures
    python tools/house.py --check      # and fail on what breaks a rule of the house

``tools/structure/`` has a file for each kind of rule. Its `arrows.py` says which folder may import which.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.structure.arrows import ARROWS, back_arrows, two_way_arrows
from tools.structure.circles import circles, room_circles
from tools.structure.class_names import KEPT, MOST_KEPT, repeated_names, shared_names
from tools.structure.generated_packages import package_circles, read_generated
from tools.structure.imports import House, read_house
from tools.structure.native import Sources, native_circles, read_sources, two_way_folders


def faults(house: House, generated: House, sources: Sources) -> dict[str, list[str]]:
    """Return the faults of the house, a line for each, by the rule that they break."""
    shared = shared_names(house, generated)
    return {
        "public class names with more than one meaning": _names(repeated_names(house)),
        "public class names that generated packages have, too": _names(
            {name: modules for name, modules in shared.items() if name not in KEPT}
        ),
        "names kept in spite of that which need not be": sorted(KEPT.keys() - shared)
        + sorted(KEPT)[MOST_KEPT:],
        "import circles": _circles(circles(house)),
        "circles of files and folders in a folder": room_circles(house),
        "arrows that run back": back_arrows(house),
        "folders that may import each other": two_way_arrows(ARROWS),
        "circles in generated packages": _circles(package_circles(generated)),
        "circles of includes and calls in C": _circles(native_circles(sources)),
        "folders in C that use each other": two_way_folders(sources),
    }


def _names(modules: Mapping[str, list[str]]) -> list[str]:
    return [f"{name}: {', '.join(places)}" for name, places in modules.items()]


def _circles(groups: list[list[str]]) -> list[str]:
    return [" <-> ".join(group) for group in groups]


def main() -> int:
    """Print the figures; with ``--check`` return 1 if the house is not in order."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="fail if a rule of the house is broken")
    arguments = parser.parse_args()
    house = read_house()
    lines = house.line_counts
    print(
        f"{len(lines)} files, {sum(lines)} lines, median {statistics.median(lines):g}, longest {max(lines)}"
    )
    print(
        f"{sum(count <= 60 for count in lines)} files of at most 60 lines, {sum(count > 400 for count in lines)} of more than 400"
    )
    broken = faults(house, read_generated(), read_sources())
    for rule, places in broken.items():
        print(f"{len(places)} {rule}", *(f"  {place}" for place in places), sep="\n")
    return int(arguments.check and any(broken.values()))


if __name__ == "__main__":
    sys.exit(main())
