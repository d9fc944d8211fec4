"""One Spark session for all tests in this folder: it takes ten seconds to start. `make test-spark` runs them in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.tasks.spark.requirements import SparkUnavailable

_HERE = Path(__file__).parent
SHUFFLE_PARTITIONS = "2"
# Tables here have few rows: to plan again while they are read, or to compile a program for each query, takes longer.
_SETTINGS = {
    "spark.sql.shuffle.partitions": SHUFFLE_PARTITIONS,
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever is in here needs Spark, or is about it."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session on two cores; what Java writes is in ``spark.log``, in the folder of pytest's temporary files."""
    from amqp_traffic.tasks.spark.session import make_session, stop_session

    folder = tmp_path_factory.mktemp("spark")
    settings = {**_SETTINGS, "spark.sql.warehouse.dir": str(folder / "warehouse")}
    with (folder / "spark.log").open("w+b") as log:
        try:
            session = make_session("local[2]", settings, log)
        except SparkUnavailable as reason:
            pytest.skip(f"needs Java: {reason}")
        yield session
        stop_session(session)


@pytest.fixture
def answer(spark: Any, lake: Any) -> Callable[[str], list[tuple[Any, ...]]]:
    """Asks the views of the module's lake."""
    from amqp_traffic.lake.spark_query import ask

    return lambda query: list(ask(spark, query).rows)
