"""What is public in a generated package: modules without an underscore, and in them the names in ``__all__``."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NAMES_0 = ("amqp_0_8", "amqp_0_8_rabbitmq", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq")
NAMES = (*NAMES_0, "amqp_1_0", "amqp_1_0_rabbitmq")
# What is not the thing itself: the rest of the parameters with defaults are fields of what is made or sent.
OPTIONS = re.compile(r"max_.*|lazy_.*|dialect|lossless|lenient|raw|sasl|multiple|earlier|connection")
# The content of a table of octets, and what is looked for.
NOT_OPTIONS = {"RawTable.raw", "find_dialect.dialect"}


def sources(package: str) -> Iterator[tuple[str, Path]]:
    """Yield the name and file of each module."""
    (folder,) = map(Path, import_module(package).__path__)
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        yield ".".join((package, *(part for part in parts if part != "__init__"))), path


def public_modules(package: str) -> Iterator[tuple[ModuleType, Path]]:
    for name, path in sources(package):
        if not re.search(r"\._", name):
            yield import_module(name), path


def defined(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements at the top of a module bind, imports aside."""
    for statement in statements:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield statement.name
        targets = getattr(statement, "targets", [getattr(statement, "target", ast.Pass())])
        for target in targets if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.For)) else ():
            yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
        for field in ("body", "orelse", "finalbody"):
            if isinstance(statement, (ast.If, ast.Try, ast.For, ast.With)):
                yield from defined(getattr(statement, field, []))


@pytest.mark.parametrize("package", NAMES)
def test_public_modules_say_what_is_public(package: str) -> None:
    for module, path in public_modules(package):
        names: list[str] = module.__all__
        bound = set(defined(ast.parse(path.read_text()).body)) - {"__all__"}
        assert {name for name in bound if not name.startswith("_")} <= set(names), module.__name__
        assert len(set(names)) == len(names), module.__name__
        assert [
            name for name in names if name.startswith("_") or not hasattr(module, name)
        ] == [], module.__name__


@pytest.mark.parametrize("package", NAMES)
def test_no_module_that_begins_with_an_underscore_is_exported(package: str) -> None:
    for module, _ in public_modules(package):
        for name in module.__all__:
            value = getattr(module, name)
            assert not (isinstance(value, ModuleType) and re.search(r"\._", value.__name__)), name


def public_callables(package: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the functions and classes of a package and the methods of these; not the types of the specification."""
    for module, _ in public_modules(package):
        for name in module.__all__:
            value = getattr(module, name)
            if not callable(value) or not getattr(value, "__module__", "").startswith(package):
                continue
            yield name, value
            if inspect.isclass(value):
                for attribute, member in inspect.getmembers(value, inspect.isroutine):
                    if not attribute.startswith("_"):
                        yield f"{name}.{attribute}", member


def is_record(value: object) -> bool:
    """Return whether a class is made from its fields: a type of the specification, or a named tuple."""
    return inspect.isclass(value) and (hasattr(value, "FIELDS") or hasattr(value, "_fields"))


@pytest.mark.parametrize("package", NAMES)
def test_options_are_keyword_only(package: str) -> None:
    seen = set()
    for name, function in public_callables(package):
        if is_record(function):
            continue
        try:
            parameters = inspect.signature(function).parameters.values()
        except ValueError:  # of a built-in base
            continue
        for parameter in parameters:
            if OPTIONS.fullmatch(parameter.name) and f"{name}.{parameter.name}" not in NOT_OPTIONS:
                seen.add(parameter.name)
                assert parameter.kind is parameter.KEYWORD_ONLY, f"{name}({parameter})"
    assert {"max_frames", "max_frame_size", "lossless", "max_depth", "max_elements"} <= seen


@pytest.mark.parametrize("package", NAMES)
def test_the_limit_of_a_frame_has_one_name(package: str) -> None:
    for name, function in public_callables(package):
        if not is_record(function):
            try:
                names = set(inspect.signature(function).parameters)
            except ValueError:
                continue
            assert not names & {"frame_max", "max_frame", "frame_size"}, name


def frames_of(package: Any) -> bytes:
    """Return the octets of three frames on channels 1 to 3."""
    frame = package.ContentBody() if hasattr(package, "ContentBody") else None
    return b"".join(package.encode_frame(channel, frame) for channel in (1, 2, 3))


@pytest.mark.parametrize("package", NAMES)
def test_decoding_stops_after_so_many_frames(package: str) -> None:
    amqp: Any = import_module(package)
    octets = frames_of(amqp)
    size = len(octets) // 3
    for lossless in (False, True):
        for count in (1, 2, 3, 4):
            found, position = amqp.decode_frames(b"??" + octets, 2, max_frames=count, lossless=lossless)
            assert [frame[0] for frame in found] == [1, 2, 3][:count]
            assert position == 2 + min(count, 3) * size
    assert amqp.decode_frames(octets + octets[:4], max_frames=9)[1] == len(octets)
    assert amqp.decode_frames(memoryview(octets), size, max_frames=1)[1] == 2 * size


@pytest.mark.parametrize("package", NAMES)
def test_what_comes_after_so_many_frames_is_not_read(package: str) -> None:
    amqp: Any = import_module(package)
    octets = frames_of(amqp)
    # An end octet that is not 0xCE; of 1.0, a frame of four gigabytes.
    broken = octets + (b"\x08" + bytes(7) if hasattr(amqp, "Heartbeat") else b"\xff" * 8)
    assert len(amqp.decode_frames(broken, max_frames=3)[0]) == 3
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode_frames(broken, len(octets) // 3, max_frames=3)
    assert len(caught.value.frames) == 2
    assert caught.value.offset >= len(octets)


@pytest.mark.parametrize("package", NAMES)
@pytest.mark.parametrize("count", [0, -1])
def test_less_than_one_frame_is_refused(package: str, count: int) -> None:
    amqp: Any = import_module(package)
    with pytest.raises(ValueError, match="max_frames"):
        amqp.decode_frames(b"", max_frames=count)
