"""Tables and views of a lake in Spark."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.lake import spark_catalog
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.lake.spark_catalog import lake_tables, register, register_for, spark_type
from amqp_traffic.lake.spark_query import QueryError, ask
from amqp_traffic.lake.views import all_views

from .lakes import DAY, TEN, add_captures, frame, make_lake


def answer(spark: Any, query: str) -> list[tuple[Any, ...]]:
    return list(ask(spark, query).rows)


def test_types() -> None:
    assert [spark_type(kind) for kind in ("int8", "int64", "string", "variant", "timestamp[us]", "bool")] == [
        "tinyint", "bigint", "string", "variant", "timestamp", "boolean"
    ]  # fmt: skip
    assert spark_type("list<int32>") == "array<int>"
    assert spark_type("map<string,int64>") == "map<string,bigint>"


def test_everything_is_there_without_any_rows(spark: Any, tmp_path: Path) -> None:
    lake = create_lake(str(tmp_path / "lake"))
    register(spark, lake)
    for table, columns in lake_tables().items():
        found = spark.table(table)
        assert found.dtypes == [(name, spark_type(kind)) for name, kind in columns]
    counts = " union all ".join(f"select count(*) from {table}" for table in lake_tables())
    assert set(answer(spark, counts)) == {(0,)}
    for view in all_views():
        assert tuple(spark.table(view.name).columns) == view.columns
    for name in ("v_queue_declare", "v1_transfer", "v_ledger", "spec_diff_rules"):
        assert answer(spark, f"select * from {name}") == []


def test_folders_without_files(spark: Any, tmp_path: Path) -> None:
    lake = create_lake(str(tmp_path / "lake"))
    for table in lake_tables():
        Path(lake.root, table).mkdir()
    register_for(spark, lake, "frames v_basic_ack spec_diff_rules")
    for name in ("frames", "v_basic_ack", "spec_diff_rules"):
        assert answer(spark, f"select * from {name}") == []


def test_rows_have_their_types(spark: Any, tmp_path: Path) -> None:
    moment = datetime.datetime(2026, 11, 21, 18, 9, 31, 123456, datetime.UTC)
    lake = make_lake(
        tmp_path / "a [lake] {with}, 100% *?",
        {
            "7": {
                "connections": [
                    {"conn_id": "c1", "start_ts": moment, "client_properties": TEN},
                    {"conn_id": "c2"},
                ],
                "captures": [
                    {"file": "a.pcap", "link_types": [1, 113], "size": 2**40, "ignored": [("udp", 3)]}
                ],
                "methods": [frame(1, method="queue.declare", queue="q", arguments=TEN, raw=b"\x00\xff")],
            },
            "0042-trace.pcap": {"captures": [{"file": "b.pcap"}]},
        },
    )
    register_for(spark, lake, "captures connections methods v_queue_declare v_queue_bind")
    assert answer(spark, "select file, capture_id, date, link_types, size from captures order by file") == [
        ("a.pcap", "7", DAY.isoformat(), [1, 113], 2**40),
        ("b.pcap", "0042-trace.pcap", DAY.isoformat(), None, None),
    ]
    assert answer(spark, "select conn_id, start_ts, client_properties from connections order by 1") == [
        ("c1", "2026-11-21T18:09:31.123456Z", {"x-max-length": 10}),
        ("c2", None, None),
    ]
    assert answer(spark, "select ignored, ignored['udp'] from captures where file = 'a.pcap'") == [
        ({"udp": 3}, 3)
    ]
    assert answer(
        spark, "select queue, variant_get(arguments, '$[\"x-max-length\"]', 'int'), raw from methods"
    ) == [("q", 10, "00ff")]
    assert answer(spark, "select queue, arguments from v_queue_declare") == [("q", {"x-max-length": 10})]
    assert answer(spark, "select count(*) from v_queue_bind") == [(0,)]


def test_staged_files_are_not_read(spark: Any, tmp_path: Path) -> None:
    lake = make_lake(tmp_path, {"a": {"frames": [frame(1)]}})
    run = lake.new_run()
    Path(lake.staged_folder(run, "frames", DAY, "b")).mkdir(parents=True)
    register_for(spark, lake, "frames")
    assert answer(spark, "select count(*) from frames") == [(1,)]
    add_captures(lake, {"a": {"frames": [frame(1), frame(2)]}, "b": {"frames": [frame(1)]}})
    register_for(spark, lake, "frames")
    assert answer(spark, "select capture_id, count(*) from frames group by 1 order by 1") == [
        ("a", 2),
        ("b", 1),
    ]


def test_only_what_a_query_names_is_registered(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = make_lake(tmp_path, {"a": {"methods": [frame(1, method="tx.select")]}})
    for view in spark.catalog.listTables():
        spark.catalog.dropTempView(view.name)
    register_for(spark, lake, "SELECT * FROM V_TX_SELECT")
    assert {table.name for table in spark.catalog.listTables()} == {"methods", "v_tx_select"}
    asked = []
    monkeypatch.setattr(spark_catalog, "register", lambda *arguments: asked.append(arguments))
    register_for(spark, lake, "show views")
    assert asked == [(spark, lake)]


def test_nobody_writes_into_the_lake(spark: Any, tmp_path: Path) -> None:
    lake = make_lake(tmp_path, {"a": {"frames": [frame(1)]}})
    register_for(spark, lake, "frames")
    for query in ("insert into frames select * from frames", "insert overwrite frames select * from frames"):
        with pytest.raises(QueryError):
            ask(spark, query)
    assert lake.files("frames") == [f"frames/date={DAY}/capture_id=a/part-0.parquet"]


@pytest.mark.parametrize(
    ("query", "message", "condition"),
    [
        ("selec 1", "Syntax error at or near 'selec' (line 1, pos 0)", "PARSE_SYNTAX_ERROR"),
        (
            "select\n  x from frames",
            "A column, variable, or function parameter with name `x` cannot be resolved. Did you mean one of the following? "
            "[`ns`, `ts`, `dir`, `err`, `date`]; line 2 pos 2",
            "UNRESOLVED_COLUMN.WITH_SUGGESTION",
        ),
        (
            "select * from nothing_like_it",
            "The table or view `nothing_like_it` cannot be found",
            "TABLE_OR_VIEW_NOT_FOUND",
        ),
        ("select 1/(select count(*) from frames)", "Division by zero", "DIVIDE_BY_ZERO"),
        ("select raise_error('a\nb')", "a", "USER_RAISED_EXCEPTION"),
    ],
)
def test_errors_are_one_line(
    spark: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], query: str, message: str, condition: str
) -> None:
    register_for(spark, create_lake(str(tmp_path)), "frames")
    with pytest.raises(QueryError) as caught:
        list(ask(spark, query).rows)
    assert str(caught.value).startswith(message)
    assert str(caught.value).isprintable() and "SQLSTATE" not in str(caught.value)
    assert caught.value.condition == condition
    assert capfd.readouterr() == ("", "")


def test_damaged_files_are_an_error_of_the_query(spark: Any, tmp_path: Path) -> None:
    lake = make_lake(tmp_path, {"a": {"frames": [frame(1)]}})
    [path] = lake.files("frames")
    Path(lake.root, path).write_bytes(b"PAR1 no more PAR1")
    register_for(spark, lake, "frames")
    with pytest.raises(QueryError, match=r"part-0\.parquet"):
        list(ask(spark, "select * from frames").rows)


def test_values_of_every_type(spark: Any) -> None:
    query = """
    select true, 1Y, 1.5D, double('NaN'), 1.50BD, 'x', X'00ff', date'2026-11-21',
      timestamp'2026-07-01 00:00:00', timestamp_ntz'2026-07-01 00:00:00', interval '1' day,
      array(1, null), map(1, X'01'), named_struct('t', timestamp'2026-01-01 00:00:00'),
      parse_json('{"a": [1, 2.5, null, "x"]}'), null
    """
    [row] = answer(spark, query)
    assert row == (
        True, 1, 1.5, "nan", "1.50", "x", "00ff", "2026-11-21",
        "2026-07-01T00:00:00Z", "2026-07-01T00:00:00", "1 day, 0:00:00",
        [1, None], {"1": "01"}, {"t": "2026-01-01T00:00:00Z"},
        {"a": [1, 2.5, None, "x"]}, None,
    )  # fmt: skip
    json.dumps(row, allow_nan=False)
