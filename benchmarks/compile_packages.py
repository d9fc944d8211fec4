"""Compiles the generated packages with mypyc into a folder: the same files, as extension modules.

    python -m benchmarks.compile_packages build/compiled [PACKAGE...]

The packages never need this; it makes decoding several times faster where a compiler is at hand.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

GENERATED = Path(__file__).resolve().parent.parent / "generated"


def packages() -> list[str]:
    """The names of all generated packages."""
    return sorted(path.name for path in GENERATED.glob("amqp_*") if path.is_dir())


def compile_package(name: str, output: Path) -> None:
    """Copies a package to ``output`` and compiles every module of the copy beside its source.

    Raises:
        SystemExit: mypyc or the C compiler failed; their words have been printed.
    """
    copy = output / name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(GENERATED / name, copy, ignore=shutil.ignore_patterns("__pycache__"))
    modules = [str(path.relative_to(output)) for path in sorted(copy.rglob("*.py"))]
    for path in output.glob("*__mypyc*"):
        if name in path.name:
            path.unlink()
    process = subprocess.run(
        [sys.executable, "-m", "mypyc", *modules], cwd=output, capture_output=True, text=True, check=False
    )
    if process.returncode:
        sys.exit(f"{name} does not compile:\n{process.stdout}{process.stderr}")


def main(arguments: list[str]) -> None:
    """Compiles the named packages, or all."""
    if not arguments:
        sys.exit("usage: python -m benchmarks.compile_packages OUTPUT [PACKAGE...]")
    output = Path(arguments[0])
    output.mkdir(parents=True, exist_ok=True)
    for name in arguments[1:] or packages():
        print(f"compiling {name}", flush=True)
        compile_package(name, output)
    shutil.rmtree(output / "build", ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
