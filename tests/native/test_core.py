"""The core is used where it can be, and only there."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from tests.fuzz.suite_octets import suite_octets

from .samples import message, transfers

amqp_native = pytest.importorskip("amqp_native", reason="needs the cores in C: make native")
from .processes import run  # noqa: E402 (it imports the cores, too)

PACKAGES = ("amqp_0_8", "amqp_0_8_rabbitmq", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq")
each_package = pytest.mark.parametrize("package", PACKAGES)


@each_package
def test_it_takes_every_method(package: str) -> None:
    amqp = import_module(package)
    core, reading, writing = core_of(amqp)
    taken = set()
    for payload in suite_octets(package)["method"]:
        method = core.read_method(reading, payload)
        if method is not None and core.write_method(writing, method) == payload:
            taken.add(type(method))
    # The type content of 0-9 is the only one that the core leaves to Python.
    left = {cls for cls in amqp.METHODS.values() if any(field.type == "content" for field in cls.FIELDS)}
    assert set(amqp.METHODS.values()) - taken == left


@each_package
def test_it_takes_whole_messages(package: str) -> None:
    amqp = import_module(package)
    core, reading, _ = core_of(amqp)
    stream, frames = message(amqp), []
    assert core.read_frames(reading, stream, 0, 4096, frames) == len(stream)
    assert [type(frame).__name__ for _, frame in frames] == ["BasicPublish", "ContentHeader", "ContentBody"]


def test_it_takes_whole_messages_of_1_0() -> None:
    amqp = import_module("amqp_1_0")
    core, stream, frames = amqp._native.CORE, transfers(amqp), []
    levels, count = amqp._native.levels_of(amqp._limits.DEFAULT_LIMITS), 100
    assert core.read_frames(levels, count, stream, 0, 4096, frames) == len(stream)
    assert [type(frame).__name__ for _, frame, _ in frames] == ["Transfer"] * 3
    channel, transfer, payload = frames[0]
    message = core.read_message(levels, count, payload, 0)
    assert core.write_message(message) == payload
    assert core.write_frame(channel, transfer, payload, 4096) * 3 == stream


@each_package
def test_a_residue_is_written_by_python(package: str) -> None:
    amqp = import_module(package)
    core, _, writing = core_of(amqp)
    method = next(cls for cls in amqp.METHODS.values() if cls.NAME == "basic.publish")()
    assert core.write_method(writing, method) is not None
    method.residue = amqp.Residue({}, {})
    assert core.write_method(writing, method) is None


def test_a_subclass_is_written_by_python() -> None:
    amqp = import_module("amqp_0_9_1")
    core, _, writing = core_of(amqp)

    own: Any = type("Own", (amqp.methods.BasicPublish,), {})
    assert core.write_method(writing, own()) is None
    assert own().encode() == amqp.methods.BasicPublish().encode()


def test_a_number_is_not_a_choice_of_a_boolean_type() -> None:
    amqp = import_module("amqp_1_0")
    disposition = amqp.performatives.Disposition
    for role in (1, 0):
        with pytest.raises(amqp.EncodeError, match="neither a Role nor a bool"):
            amqp.encode_frame(0, disposition(role=role, first=0))
        octets = amqp.encode_frame(0, disposition(role=amqp.performatives.Role(role), first=0))
        assert octets == amqp.encode_frame(0, disposition(role=bool(role), first=0))


def test_the_environment_switches_it_off() -> None:
    program = "import amqp_0_9_1 as amqp; print(amqp.ACCELERATED)"
    for environment, expected in (({}, "True"), ({"AMQP_PURE": "1"}, "False"), ({"AMQP_PURE": ""}, "True")):
        assert run(program, environment) == expected


def test_another_version_of_layouts_is_not_used() -> None:
    program = """
import amqp_native
amqp_native.LAYOUT_VERSION += 1
import amqp_0_9_1 as amqp
print(amqp.ACCELERATED, amqp.encode_frame(0, amqp.Heartbeat()).hex())
"""
    assert run(program, {}) == "False 08000000000000ce"


def test_wrong_calls_raise_and_nothing_else() -> None:
    core = amqp_native.Core0(int, float, repr)
    settings = amqp_native.reading({"S": "longstr"}, 64, 100)
    for call in (
        core.read_frames,
        lambda: core.read_frames(None, b"", 0, 0, []),
        lambda: core.read_frames(settings, "text", 0, 0, []),
        lambda: core.read_frames(settings, b"", 1, 0, []),
        lambda: core.read_method(settings, None),
        lambda: core.read_table(settings, b"", -1),
        lambda: core.write_table(settings, {}),
        lambda: core.add_method(1, 2, 3, 4, 5),
        lambda: core.add_content(int, int, 1),
        lambda: amqp_native.reading({"S": "unknown"}, 1, 1),
        lambda: amqp_native.reading({"long": "longstr"}, 1, 1),
        lambda: amqp_native.writing({"text": "S"}, (), 1, 1),
        amqp_native.Core0,
    ):
        with pytest.raises((TypeError, ValueError)):
            call()
    assert core.add_method(int, 1, (), 5, True) is False


def core_of(amqp: Any) -> tuple[Any, Any, Any]:
    return amqp._native.CORE, amqp.frames.DEFAULT_READER.native, amqp.frames.DEFAULT_WRITER.native


@pytest.mark.parametrize("wrong", [bytes, amqp_native.Core1, None])
def test_a_class_that_is_not_derived_from_pythons_own(wrong: Any) -> None:
    """Its instances have no room for a number."""
    native = import_module("amqp_1_0")._native
    classes = {name: vars(native.types)[found] for name, found in native._CLASSES.items()}
    with pytest.raises(TypeError, match="there is no class for uint"):
        amqp_native.Core1({**classes, "uint": wrong}, native.Array, print, print, 8, 8)
