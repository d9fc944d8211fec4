"""Finds Java as Spark will, before it is started: its own messages about this are long and unclear."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .requirements import SparkUnavailable

# What Spark 4 is compiled for.
OLDEST = 17
# Before 4.2 Spark comes with a Hadoop that does not start on later ones: they have no security manager.
_NEWEST_BEFORE_4_2 = 22
_INSTALL = "install Java 17 or 21 (on Debian: apt-get install openjdk-17-jre-headless; anywhere: https://adoptium.net)"
_VERSION = re.compile(r'version "(\d+)(?:\.(\d+))?')
_SECONDS = 30


def require_java(pyspark: tuple[int, int], environment: Mapping[str, str] = os.environ) -> int:
    """The version of the Java that Spark is going to use.

    Args:
        pyspark: The version of PySpark.
        environment: Where ``JAVA_HOME`` and ``PATH`` are looked up.

    Raises:
        SparkUnavailable: There is none, or not one that Spark runs on.
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
    """``JAVA_HOME`` comes first, as for Spark."""
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
    """The version; None if it does not start, like the placeholder that macOS has."""
    try:
        done = subprocess.run(
            [java, "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
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
