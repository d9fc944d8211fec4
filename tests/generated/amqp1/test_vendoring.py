"""The package works when its folder is copied elsewhere under another name, with the standard library alone."""

from __future__ import annotations

import ast
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

NAME = "amqp_1_0"
PROGRAM = """
import sys
sys.path[:0] = [sys.argv[1]]
from {package} import __name__ as name
import {package} as amqp

opening = amqp.performatives.Open("c", properties={{"product": "x"}})
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
for value in (amqp.types.UInt(7), [1, {{"a": None}}], amqp.Array([1]), amqp.Described(amqp.Symbol("x"), 1)):
    assert amqp.decode(amqp.encode(value))[0] == value
try:
    amqp.decode(b"")
except amqp.DecodeError as error:
    assert type(error).__module__ == name + ".errors", type(error).__module__
else:
    raise SystemExit("no error")
assert type(opening).__module__.startswith(name + ".")
foreign = sorted(
    module
    for module in sys.modules
    if module.partition(".")[0] not in sys.stdlib_module_names
    and module.partition(".")[0] not in (name.partition(".")[0], "__main__")
)
assert not foreign, foreign
print("fine")
"""


def folder() -> Path:
    spec = importlib.util.find_spec(NAME)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def sources() -> list[Path]:
    return sorted(folder().rglob("*.py"))


def run(program: str, place: Path) -> subprocess.CompletedProcess[str]:
    # -S: no site-packages; -E: no PYTHONPATH; -W error: not a warning.
    command = [sys.executable, "-S", "-E", "-B", "-W", "error", "-c", program, str(place)]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("package", ["vendored", "deep.er._vendor.amqp1"])
def test_a_copy_under_another_name(package: str, tmp_path: Path) -> None:
    place = tmp_path.joinpath(*package.split("."))
    shutil.copytree(folder(), place, ignore=shutil.ignore_patterns("__pycache__"))
    for parent in place.parents:
        if parent == tmp_path:
            break
        (parent / "__init__.py").touch()
    done = run(PROGRAM.format(package=package), tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("fine\n", "", 0)


def test_two_copies_do_not_know_each_other(tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(folder(), tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import sys; sys.path[:0] = [sys.argv[1]]; import one, two\n"
        "assert one.performatives.Open is not two.performatives.Open\n"
        "octets = one.encode_frame(0, one.performatives.Open('c'))\n"
        "assert two.decode_frames(octets)[0] == [(0, two.performatives.Open('c'), b'')]\n"
        "assert one.performatives.Open('c') != two.performatives.Open('c')\n"
        "assert type(two.decode(one.encode(one.types.UInt(1)))[0]) is two.types.UInt\n"
        "try: two.decode(b'')\n"
        "except one.CodecError: raise SystemExit('the wrong error')\n"
        "except two.CodecError: pass\n"
    )
    done = run(program, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_imports_are_relative_or_from_the_standard_library() -> None:
    root = folder()
    assert len(sources()) > 60
    for path in sources():
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


def test_nothing_mentions_the_name_of_the_package() -> None:
    # The header and the docstring of the package may: they are no code.
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, (ast.Name, ast.alias)):
                assert (node.id if isinstance(node, ast.Name) else node.name) != NAME, path
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
                assert NAME not in node.value, path


def test_the_package_is_typed() -> None:
    assert (folder() / "py.typed").is_file()


def test_files_are_small() -> None:
    for path in sources():
        code = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
        assert len(code) <= 420, path
