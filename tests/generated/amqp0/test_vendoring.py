"""A package works when its folder is copied elsewhere under another name, with the standard library alone."""

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

from .packages import NAMES

PROGRAM = """
import sys
sys.path[:0] = [sys.argv[1]]
import vendored as amqp
import vendored.table, vendored.validation, vendored.errors

method = next(cls for cls in amqp.METHODS.values() if cls.NAME == "basic.publish")
sent = method(routing_key="q")
stream = amqp.encode_message(1, sent, amqp.BasicProperties(headers={"k": 1}), b"body" * 50, max_frame_size=64)
decoder = amqp.FrameDecoder()
frames = [frame for octet in stream for frame in decoder.feed(bytes((octet,)))]
assert frames[0] == (1, sent), frames[0]
assert frames[1][1].properties.headers == {"k": 1}
assert b"".join(frame.payload for _, frame in frames[2:]) == b"body" * 50
table = amqp.decode_table(amqp.encode_table({"k": "v"}), lossless=True)[0]
assert table == {"k": "v"}
amqp.validate(sent, "wire")
try:
    amqp.decode_method(b"")
except amqp.DecodeError as error:
    assert type(error).__module__ == "vendored.errors"
else:
    raise SystemExit("no error")
assert type(sent).__module__.startswith("vendored.methods")
foreign = sorted(
    name
    for name in sys.modules
    if name.partition(".")[0] not in sys.stdlib_module_names and name.partition(".")[0] not in ("vendored", "__main__")
)
assert not foreign, foreign
print("fine")
"""


def folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def sources(name: str) -> list[Path]:
    return sorted(folder(name).rglob("*.py"))


each_name = pytest.mark.parametrize("name", NAMES)


@each_name
def test_a_copy_under_another_name(name: str, tmp_path: Path) -> None:
    shutil.copytree(folder(name), tmp_path / "vendored", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    # -S: no site-packages; -E: no PYTHONPATH; -W error: not a warning.
    command = [sys.executable, "-S", "-E", "-B", "-W", "error", str(tmp_path / "program.py"), str(tmp_path)]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (done.stdout, done.stderr) == ("fine\n", "")


@each_name
def test_two_copies_do_not_know_each_other(name: str, tmp_path: Path) -> None:
    for copy in ("one", "two"):
        shutil.copytree(folder(name), tmp_path / copy, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import sys; sys.path[:0] = [sys.argv[1]]; import one, two\n"
        "assert one.METHODS is not two.METHODS\n"
        "frame = one.encode_frame(0, one.Heartbeat())\n"
        "assert two.decode_frames(frame)[0] == [(0, two.Heartbeat())]\n"
        "assert one.Heartbeat() != two.Heartbeat()\n"
        "try: two.decode_method(b'')\n"
        "except one.CodecError: raise SystemExit('the wrong error')\n"
        "except two.CodecError: pass\n"
    )
    command = [sys.executable, "-S", "-E", "-B", "-W", "error", "-c", program, str(tmp_path)]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@each_name
def test_imports_are_relative_or_from_the_standard_library(name: str) -> None:
    root = folder(name)
    assert sources(name)
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
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
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
