"""What Spark needs and is not there: one line that says what to do. No Spark is started here."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from amqp_traffic.tasks.spark import requirements
from amqp_traffic.tasks.spark import requirements as java
from amqp_traffic.tasks.spark.requirements import SparkUnavailable

# What `java -version` prints.
OPENJDK_17 = 'openjdk version "17.0.15" 2025-04-15'
OPENJDK_21 = 'openjdk version "21" 2023-09-19 LTS'
OPENJDK_25 = 'openjdk version "25.0.1" 2025-10-21'
OPENJDK_11 = 'openjdk version "11.0.2" 2019-01-15'
ORACLE_8 = 'java version "1.8.0_202"'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    return tmp_path


def install(home: Path, says: str, code: int = 0) -> str:
    path = home / "bin" / "java"
    path.write_text(f"#!/bin/sh\necho '{says}' >&2\necho 'more' >&2\nexit {code}\n")
    path.chmod(0o755)
    return str(path)


def refusal(pyspark: tuple[int, int], **environment: str) -> str:
    with pytest.raises(SparkUnavailable) as caught:
        java.require_java(pyspark, environment)
    line = str(caught.value)
    assert line.isprintable()
    assert "apt-get install openjdk-17-jre-headless" in line
    return line


@pytest.mark.parametrize(
    ("says", "pyspark", "version"),
    [(OPENJDK_17, (4, 1), 17), (OPENJDK_21, (4, 1), 21), (OPENJDK_25, (4, 2), 25), (OPENJDK_17, (4, 3), 17)],
)
def test_java_that_spark_runs_on(home: Path, says: str, pyspark: tuple[int, int], version: int) -> None:
    install(home, says)
    path = f"{home / 'bin'}:{os.environ['PATH']}"
    assert java.require_java(pyspark, {"JAVA_HOME": str(home), "PATH": os.environ["PATH"]}) == version
    assert java.require_java(pyspark, {"PATH": path}) == version


def test_wrong_java(home: Path) -> None:
    found = install(home, OPENJDK_11)
    line = refusal((4, 3), JAVA_HOME=str(home))
    assert line.startswith(
        f"{found} is Java 11, and Spark needs 17 or later: set JAVA_HOME to another one, or install"
    )
    install(home, ORACLE_8)
    assert "is Java 8, and Spark needs 17 or later: set JAVA_HOME, or install" in refusal(
        (4, 3), PATH=str(home / "bin")
    )
    install(home, OPENJDK_25)
    assert "is Java 25, and PySpark 4.1 needs 17 or 21: " in refusal((4, 1), JAVA_HOME=str(home))


def test_no_java(home: Path) -> None:
    assert refusal((4, 3), PATH=str(home / "bin")).startswith(
        "Spark needs Java, which is not installed: install Java 17"
    )
    assert refusal((4, 3)).startswith("Spark needs Java, which is not installed: ")
    assert refusal((4, 3), JAVA_HOME=str(home)).startswith(
        f"JAVA_HOME is {home}, which has no bin/java: correct it, or "
    )


@pytest.mark.parametrize(
    ("says", "code"), [("The operation couldn't be completed", 1), (OPENJDK_17, 1), ("hello", 0)]
)
def test_java_that_does_not_start(home: Path, says: str, code: int) -> None:
    found = install(home, says.replace("'", ""), code)
    assert refusal((4, 3), PATH=str(home / "bin")).startswith(
        f"{found} does not start, and Spark needs Java: "
    )


def test_java_that_is_no_program(home: Path) -> None:
    path = home / "bin" / "java"
    path.write_bytes(b"\x7fELF")
    path.chmod(0o755)
    assert "does not start" in refusal((4, 3), JAVA_HOME=str(home))


def test_the_java_of_this_machine() -> None:
    if shutil.which("java") is None or os.environ.get("JAVA_HOME"):
        pytest.skip("needs Java: none is on PATH, or another one is named")
    assert java.require_java((4, 3)) >= java.OLDEST


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "pyspark", "pyarrow", "pandas")
    with pytest.raises(SparkUnavailable) as caught:
        requirements.require_pyspark()
    assert (
        str(caught.value)
        == "this needs PySpark, which is not installed: pip install '.[traffic]' in the repository of amqp-codegen"
    )
    with pytest.raises(SparkUnavailable) as caught:
        requirements.require_pyarrow()
    assert str(caught.value) == (
        "tables of traffic need pyarrow, which is not installed: pip install '.[traffic]' in the repository of amqp-codegen"
    )
    with pytest.raises(SparkUnavailable) as caught:
        requirements.require_connect()
    assert (
        str(caught.value)
        == "Spark Connect needs pandas, which is not installed: pip install '.[connect]' in the repository of amqp-codegen"
    )


@pytest.mark.parametrize(
    ("version", "good"),
    [("3.5.6", False), ("4.0.1", False), ("4.1.0.dev1", True), ("4.3.0", True), ("10.0", True)],
)
def test_the_version_of_pyspark(monkeypatch: pytest.MonkeyPatch, version: str, good: bool) -> None:
    monkeypatch.setattr(requirements, "is_installed", lambda name: True)

    def client_only(name: str) -> str:
        if name == "pyspark":
            raise PackageNotFoundError(name)
        return version

    for installed in (lambda name: version, client_only):
        monkeypatch.setattr(requirements, "version", installed)
        if good:
            assert requirements.require_pyspark() >= (4, 1)
        else:
            with pytest.raises(
                SparkUnavailable, match=rf"^PySpark {version} is too old, 4\.1 or later is needed: pip"
            ):
                requirements.require_pyspark()
