"""Drivers of a user's own: the Python modules of a folder, with functions declared as ours are."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import ModuleType

from amqp_codegen.model.problem import Position, Problem, Problems, SpecError
from amqp_codegen.support.wording import did_you_mean, listing, quote

from .registry import SPECS, Driver, drivers_of
from .spec_under_test import SpecUnderTest

_HOW = "a driver is a function with @rule or @amqp1_rule; amqp-codegen conformance new RULE writes one"

_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class _Found:
    """A driver, and where its function is."""

    driver: Driver
    position: Position


def find_user_drivers(folders: Sequence[Path], spec: SpecUnderTest) -> dict[str, Driver]:
    """Return path to driver, for the rules of a specification, from the modules of folders.

    Drivers for other specifications are passed over.

    Raises:
        SpecError: With every problem: a folder is missing or has no drivers, a module cannot be imported, a driver is for
            a rule that the specification does not have or that has another one.
    """
    problems = Problems()
    drivers: dict[str, _Found] = {}
    for folder in folders:
        before = len(problems)
        found = list(_drivers_in(folder, problems))
        fitting = [item for item in found if item.driver.paths_in(spec.base)]
        for item in found:
            problems.extend(_unknown_specs(item))
        if not fitting and len(problems) == before:
            where = f"for {spec.base} " if found else ""
            message = f"the folder {quote(str(folder))} has no drivers {where}".rstrip()
            problems.add(Problem("no-drivers", message, None, _HOW))
        for item in fitting:
            problems.extend(_claims(item, spec, drivers))
    if problems.has_errors:
        raise SpecError(problems)
    return {path: item.driver for path, item in drivers.items()}


def _claims(item: _Found, spec: SpecUnderTest, drivers: dict[str, _Found]) -> Iterator[Problem]:
    """Add a driver for each of its rules; yield what is wrong with them."""
    paths = spec.paths
    for path in item.driver.paths_in(spec.base):
        if path not in paths:
            hint = did_you_mean(path, paths) or "--spec and --overlay say which specification has it"
            yield Problem("no-such-rule", f"{spec.name} has no rule {quote(path)}", item.position, hint)
        elif path in drivers:
            message = f"the rule {path} has a driver already, at {drivers[path].position}"
            yield Problem("two-drivers", message, item.position, "a rule takes only one")
        else:
            drivers[path] = item


def _unknown_specs(item: _Found) -> Iterator[Problem]:
    for name in item.driver.paths:
        if name not in SPECS:
            message = f"{quote(str(name))} is not a built-in specification"
            hint = did_you_mean(str(name), SPECS) or f"there are {listing(SPECS)}"
            yield Problem("no-such-spec", message, item.position, hint)


# --- modules ---


def _drivers_in(folder: Path, problems: Problems) -> Iterator[_Found]:
    """Yield the drivers of a folder, each once; add what is wrong with it and its modules."""
    if not folder.is_dir():
        problems.add(Problem("no-such-folder", f"there is no folder {quote(str(folder))}"))
        return
    package = _make_package(folder)
    importlib.invalidate_caches()  # the files may have been written just now
    seen: set[int] = set()
    for file in sorted(folder.glob("*.py")):
        try:
            module = importlib.import_module(f"{package}.{file.stem}")
        except KeyboardInterrupt:
            raise
        except (
            BaseException
        ) as error:  # also sys.exit(): whatever a module does, it must not look like a fault of ours
            problems.add(_not_imported(folder, file, error))
            continue
        for driver in drivers_of(module):
            if id(driver) not in seen:  # one module may import that of another
                seen.add(id(driver))
                yield _Found(driver, _position(driver, folder, file))


def _make_package(folder: Path) -> str:
    """Make a package of a folder that only we know, so that its modules hide no others; return its name.

    Modules of a folder import each other by ``from .other import ...``.
    """
    name = f"drivers_{next(_NUMBERS)}"
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [str(folder)]
    return name


def _not_imported(folder: Path, file: Path, error: BaseException) -> Problem:
    """Return the problem of a module that cannot be imported, at the last line in the folder that had to do with it."""
    position = Position(str(file), 1, 1)
    for frame in traceback.extract_tb(error.__traceback__):
        if Path(frame.filename).parent.resolve() == folder.resolve():
            position = Position(str(folder / Path(frame.filename).name), frame.lineno or 1, 1)
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        position = Position(str(folder / Path(error.filename).name), error.lineno, error.offset or 1)
        text = error.msg
    else:
        text = " ".join(str(error).split())
    reason = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return Problem("wrong-driver", f"the module cannot be imported: {reason}", position)


def _position(driver: Driver, folder: Path, file: Path) -> Position:
    """Return where the function of a driver is."""
    code = getattr(driver.function, "__code__", None)
    if code is None or Path(code.co_filename).parent.resolve() != folder.resolve():
        return Position(str(file), 1, 1)
    return Position(str(folder / Path(code.co_filename).name), code.co_firstlineno, 1)
