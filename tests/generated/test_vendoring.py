"""A package works when its folder is copied elsewhere under another name, with the standard library alone."""

from __future__ import annotations

import ast
import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import run_command

from .test_public_names import NAMES

USE0 = """
method = next(cls for cls in amqp.METHODS.values() if cls.NAME == "basic.publish")
sent = method(routing_key="q")
stream = amqp.encode_message(1, sent, amqp.BasicProperties(headers={"k": 1}), b"body" * 50, max_frame_size=64)
decoder = amqp.FrameDecoder()
frames = [frame for octet in stream for frame in decoder.feed(bytes((octet,)))]
assert frames[0] == (1, sent), frames[0]
assert frames[1][1].properties.headers == {"k": 1}
assert b"".join(frame.payload for _, frame in frames[2:]) == b"body" * 50
table = amqp.table.decode_table(amqp.encode_table({"k": "v"}), lossless=True)[0]
assert table == {"k": "v"}
amqp.validation.validate(sent, "wire")
decode = amqp.decode_method
assert type(sent).__module__.startswith(name + ".methods")
"""
USE1 = """
opening = amqp.performatives.Open("c", properties={"product": "x"})
stream = amqp.PROTOCOL_HEADERS["amqp"] + amqp.encode_frame(0, opening)
decoder = amqp.FrameDecoder()
frames = [frame for octet in stream for frame in decoder.feed(bytes((octet,)))]
assert frames[0][1].layer == "amqp", frames
assert frames[1] == (0, opening, b""), frames
message = amqp.Message(properties=amqp.messaging.Properties(subject="s"), body=amqp.messaging.Data(b"x" * 2000))
transfer = amqp.performatives.Transfer(0, 0, b"tag", 0)
pieces = [amqp.decode_frames(piece)[0][0] for piece in amqp.split_transfer(transfer, message.encode(), max_frame_size=512)]
delivery = amqp.join_transfers([(piece, payload) for _, piece, payload in pieces])
assert amqp.decode_message(delivery.payload) == message
for value in (amqp.types.UInt(7), [1, {"a": None}], amqp.Array([1]), amqp.Described(amqp.Symbol("x"), 1)):
    assert amqp.decode(amqp.encode(value))[0] == value
decode = amqp.decode
assert type(opening).__module__.startswith(name + ".")
"""
# Around what a package is used for: its errors are its own, and nothing foreign is imported.
PROGRAM = """
import sys
sys.path[:0] = [sys.argv[1]]
from {package} import __name__ as name
import {package} as amqp
{use}
try:
    decode(b"")
except amqp.DecodeError as error:
    assert type(error).__module__ == name + ".errors", type(error).__module__
else:
    raise SystemExit("no error")
own = (name.partition(".")[0], "__main__")
roots = {{module.partition(".")[0] for module in sys.modules}}
foreign = sorted(root for root in roots if root not in sys.stdlib_module_names and root not in own)
assert not foreign, foreign
print("fine")
"""
TWO0 = """
assert one.METHODS is not two.METHODS
frame = one.encode_frame(0, one.Heartbeat())
assert two.decode_frames(frame)[0] == [(0, two.Heartbeat())]
assert one.Heartbeat() != two.Heartbeat()
decode = two.decode_method
"""
TWO1 = """
assert one.performatives.Open is not two.performatives.Open
octets = one.encode_frame(0, one.performatives.Open('c'))
assert two.decode_frames(octets)[0] == [(0, two.performatives.Open('c'), b'')]
assert one.performatives.Open('c') != two.performatives.Open('c')
assert type(two.decode(one.encode(one.types.UInt(1)))[0]) is two.types.UInt
decode = two.decode
"""
TWO_PROGRAM = """
import sys; sys.path[:0] = [sys.argv[1]]; import one, two
{use}
try: decode(b'')
except one.CodecError: raise SystemExit('the wrong error')
except two.CodecError: pass
"""
each_name = pytest.mark.parametrize("name", NAMES)


def folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def sources(name: str) -> list[Path]:
    return sorted(folder(name).rglob("*.py"))


def copy(name: str, place: Path) -> None:
    shutil.copytree(folder(name), place, ignore=shutil.ignore_patterns("__pycache__"))


def run(program: str, place: Path) -> tuple[str, str, int]:
    # -S: no site-packages; -E: no PYTHONPATH; -W error: not a warning.
    command = [sys.executable, "-S", "-E", "-B", "-W", "error", "-c", program, str(place)]
    done = run_command(command, cwd=place)
    return done.stdout, done.stderr, done.returncode


@each_name
@pytest.mark.parametrize("package", ["vendored", "deep.er._vendor.wire"])
def test_a_copy_under_another_name(name: str, package: str, tmp_path: Path) -> None:
    copy(name, tmp_path.joinpath(*package.split(".")))
    for number in range(1, package.count(".") + 1):
        tmp_path.joinpath(*package.split(".")[:number], "__init__.py").touch()
    use = USE1 if name.startswith("amqp_1_0") else USE0
    assert run(PROGRAM.format(package=package, use=use), tmp_path) == ("fine\n", "", 0)


@each_name
def test_two_copies_do_not_know_each_other(name: str, tmp_path: Path) -> None:
    for other in ("one", "two"):
        copy(name, tmp_path / other)
    use = TWO1 if name.startswith("amqp_1_0") else TWO0
    assert run(TWO_PROGRAM.format(use=use), tmp_path) == ("", "", 0)


@each_name
def test_imports_are_relative_or_from_the_standard_library(name: str) -> None:
    root = folder(name)
    assert len(sources(name)) > 40
    for path in sources(name):
        depth = len(path.relative_to(root).parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                modules: list[Any] = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                # A relative import does not leave the package.
                assert node.level <= depth, path
                modules = [] if node.level else [node.module]
            else:
                continue
            for module in modules:
                assert str(module).partition(".")[0] in sys.stdlib_module_names, (path, module)


@each_name
def test_nothing_mentions_the_name_of_the_package(name: str) -> None:
    # The header and the docstring of the package may: they are no code.
    for path in sources(name):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, (ast.Name, ast.alias)):
                found = node.id if isinstance(node, ast.Name) else node.name
                assert found != name, path
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                assert name not in node.value, path


@each_name
def test_the_package_is_typed(name: str) -> None:
    assert (folder(name) / "py.typed").is_file()
    for path in sources(name):
        compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)


def test_files_of_1_0_are_small() -> None:
    for path in sources("amqp_1_0"):
        code = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
        assert len(code) <= 420, path
