"""What Spark needs, checked before it starts: one line for each missing part says what to do.

Java is found as Spark finds it; Spark's own messages about Java are long and unclear.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from amqp_codegen.support.extras import install_line, is_installed

_OLDEST_PYSPARK = (4, 1)  # has table functions over Arrow
_CONNECT = ("pandas", "grpc", "grpc_status", "google.rpc")


class SparkUnavailable(Exception):
    """Spark cannot be used here. The message says in one line why, and what to install."""


def require_pyarrow() -> None:
    """Check that pyarrow, which tables need, is installed.

    Raises:
        SparkUnavailable: pyarrow is not installed.
    """
    if not is_installed("pyarrow"):
        raise SparkUnavailable(
            f"tables of traffic need pyarrow, which is not installed: {install_line('traffic')}"
        )


def require_pyspark() -> tuple[int, int]:
    """Return the version of PySpark installed.

    Raises:
        SparkUnavailable: PySpark is not installed, or too old.
    """
    if not is_installed("pyspark"):
        raise SparkUnavailable(f"this needs PySpark, which is not installed: {install_line('traffic')}")
    try:
        text = version("pyspark")
    except PackageNotFoundError:
        try:
            text = version("pyspark-client")  # Connect alone
        except PackageNotFoundError:  # the Spark of a cluster, on PYTHONPATH
            text = _own_version()
    numbers = tuple(int(number) for number in re.findall(r"\d+", text)[:2])
    if numbers < _OLDEST_PYSPARK:
        raise SparkUnavailable(
            f"PySpark {text} is too old, 4.1 or later is needed: {install_line('traffic')}"
        )
    return numbers[0], numbers[1]


def require_connect() -> None:
    """Check that the packages for Spark Connect are installed.

    Raises:
        SparkUnavailable: One is not.
    """
    missing = [name for name in _CONNECT if not is_installed(name)]
    if missing:
        hint = install_line("connect")
        raise SparkUnavailable(f"Spark Connect needs {missing[0]}, which is not installed: {hint}")


def _own_version() -> str:
    import pyspark

    return str(pyspark.__version__)


# The Java that Spark 4 is compiled for.
OLDEST = 17
# Hadoop in Spark before 4.2 needs the security manager, which later Java does not have.
_NEWEST_BEFORE_4_2 = 22
_INSTALL = "install Java 17 or 21 (on Debian: apt-get install openjdk-17-jre-headless; anywhere: https://adoptium.net)"
_VERSION = re.compile(r'version "(\d+)(?:\.(\d+))?')
_START_SECONDS = 30


def require_java(pyspark: tuple[int, int], environment: Mapping[str, str] = os.environ) -> int:
    """Return the version of the Java that Spark will use.

    Args:
        pyspark: The version of PySpark.
        environment: Variables ``JAVA_HOME`` and ``PATH``.

    Raises:
        SparkUnavailable: Java is missing, or Spark does not run on it.
    """
    java = _find(environment)
    found = _version_of(java)
    if found is None:
        raise SparkUnavailable(f"{java} does not start, and Spark needs Java: {_INSTALL}")
    if found < OLDEST:
        raise SparkUnavailable(f"{java} is Java {found}, and Spark needs 17 or later: {_hint(environment)}")
    if found > _NEWEST_BEFORE_4_2 and pyspark < (4, 2):
        number = ".".join(map(str, pyspark))
        raise SparkUnavailable(
            f"{java} is Java {found}, and PySpark {number} needs 17 or 21: {_hint(environment)}"
        )
    return found


def _find(environment: Mapping[str, str]) -> str:
    """Return the path of Java, as Spark finds it: ``JAVA_HOME`` first."""
    home = environment.get("JAVA_HOME")
    if home:
        java = Path(home, "bin", "java")
        if not java.is_file():
            raise SparkUnavailable(f"JAVA_HOME is {home}, which has no bin/java: correct it, or {_INSTALL}")
        return str(java)
    found = shutil.which("java", path=environment.get("PATH", ""))
    if found is None:
        raise SparkUnavailable(f"Spark needs Java, which is not installed: {_INSTALL}")
    return found


def _version_of(java: str) -> int | None:
    """Return the version; None if Java does not start, such as the placeholder of macOS."""
    try:
        done = subprocess.run(
            [java, "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_START_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(done.stderr + done.stdout)
    if done.returncode or match is None:
        return None
    return int(match[2] or 0) if match[1] == "1" else int(match[1])  # 1.8 is Java 8


def _hint(environment: Mapping[str, str]) -> str:
    return f"{'set JAVA_HOME to another one' if environment.get('JAVA_HOME') else 'set JAVA_HOME'}, or {_INSTALL}"
