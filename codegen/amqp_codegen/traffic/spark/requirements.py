"""What Spark needs, found out before it is started: for each thing that is missing one line that says what to do."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

EXTRA = "pip install 'amqp-codegen[traffic]'"
_OLDEST_PYSPARK = (4, 0)
_CONNECT = ("pandas", "grpc", "grpc_status", "google.rpc")


class SparkUnavailable(Exception):
    """Spark cannot be used here; says in one line why, and what to install."""


def require_pyarrow() -> None:
    """Tables are Arrow and Parquet.

    Raises:
        SparkUnavailable: pyarrow is not installed.
    """
    if find_spec("pyarrow") is None:
        raise SparkUnavailable(f"tables of traffic need pyarrow, which is not installed: {EXTRA}")


def require_pyspark() -> tuple[int, int]:
    """The version of PySpark that is installed.

    Raises:
        SparkUnavailable: There is none, or one that is too old.
    """
    if find_spec("pyspark") is None:
        raise SparkUnavailable(f"this needs PySpark, which is not installed: {EXTRA}")
    try:
        text = version("pyspark")
    except PackageNotFoundError:
        try:
            text = version("pyspark-client")  # Connect alone
        except PackageNotFoundError:  # that of a cluster's own Spark, on PYTHONPATH
            text = _own_version()
    numbers = tuple(int(number) for number in re.findall(r"\d+", text)[:2])
    if numbers < _OLDEST_PYSPARK:
        raise SparkUnavailable(f"PySpark {text} is too old, 4.0 or later is needed: {EXTRA}")
    return numbers[0], numbers[1]


def require_connect() -> None:
    """What Spark Connect needs besides PySpark.

    Raises:
        SparkUnavailable: It is not installed.
    """
    missing = [name for name in _CONNECT if not _is_there(name)]
    if missing:
        hint = "pip install 'amqp-codegen[connect]'"
        raise SparkUnavailable(f"Spark Connect needs {missing[0]}, which is not installed: {hint}")


def _own_version() -> str:
    import pyspark

    return str(pyspark.__version__)


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # not even the package it is in
        return False
