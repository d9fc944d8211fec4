"""Every query of docs/traffic-questions.md is asked of the capture, and answers what the clients did."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

pytest.importorskip("pyspark", reason="needs PySpark")

from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.lake.spark_catalog import register_for
from amqp_traffic.lake.spark_query import ask

from ..spark import conftest as of_spark
from .amqp0.misbehaving import MANY, TOO_MANY
from .conftest import Lake
from .labels import read_labels

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "traffic-questions.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
BLOCK = re.compile(r"^```(sql|text|py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PIKA = "Pika Python Client Library"

spark = of_spark.spark  # the fixture

Rows: TypeAlias = list[dict[str, Any]]


class Question(NamedTuple):
    """A question of the document.

    Attributes:
        query: What is asked.
        columns: Those that the document shows.
        products: The clients that it shows.
    """

    query: str
    columns: tuple[str, ...]
    products: set[str]


def question(title: str) -> Question:
    """What the document has of a question."""
    found = dict(BLOCK.findall(SECTIONS[title]))
    lines = found["text"].splitlines()
    columns = tuple(lines[0].split())
    shown = [dict(zip(columns, re.split(r"  +", line), strict=False)) for line in lines[2:]]
    return Question(found["sql"], columns, {row["product"] for row in shown if "product" in row})


QUESTIONS = {title: question(title) for title, text in SECTIONS.items() if "```sql" in text}


def only(rows: Rows, **values: Any) -> dict[str, Any]:
    """The row with these values."""
    (row,) = (row for row in rows if values.items() <= row.items())
    return row


def pairs(rows: Iterable[dict[str, Any]], *columns: str) -> set[tuple[Any, ...]]:
    return {tuple(row[column] for column in columns) for row in rows}


# --- What the clients did, and the answers so have to say ---


def _uses(rows: Rows) -> None:
    """Whoever is labelled by such a rule is there, by that rule."""
    features = {row["feature"] for row in rows}
    assert features <= RULES.keys()
    labelled = {
        (label.id, rule) for label in read_labels().values() for rule in label.rules if rule in features
    }
    assert len(labelled) >= 8
    assert labelled <= pairs(rows, "product", "feature")


def _in_the_way_of_rabbitmq_4(rows: Rows) -> None:
    expected = {
        "transient-queue": "permitted for now",
        "global-qos": "permitted for now",
        "queue-mode": "ignored",
        "queue-version-1": "refused from 4.3 on",
        "mirrored-queue": "ignored",
        "frame-max-below-8192": "refused from 4.1 on",
        "address-of-version-1": "denied from 4.3 on",
        "client-flow": "refused, as before",
        "immediate-publish": "refused, as before",
    }
    assert {row["feature"]: row["rabbitmq_4"] for row in rows} == expected
    assert only(rows, feature="global-qos")["for_example"] == "global-qos"
    assert only(rows, feature="frame-max-below-8192")["clients"] >= 2


def _slow_acks(rows: Rows) -> None:
    assert [row["p95_us"] for row in rows if row["p95_us"] is not None] == sorted(
        (row["p95_us"] for row in rows if row["p95_us"] is not None), reverse=True
    )
    cancels = only(rows, product="cancels-and-settles-later")
    assert (cancels["messages"], cancels["unanswered"]) == (3, 0)
    assert cancels["queue"].startswith("amq.gen-")
    settles = only(rows, product="settles-out-of-order-1")
    assert settles["messages"] == 5 and settles["queue"].startswith("/amq/queue/settles-out-of-order-1")
    # Ten deliveries, of which two are left alone.
    assert (10, 2) in pairs((row for row in rows if row["product"] == PIKA), "messages", "unanswered")


def _to_nowhere(rows: Rows) -> None:
    assert len(rows) == 3 and sum(row["returned"] for row in rows) == 3
    assert pairs(rows, "product", "exchange", "reply_text") == {("publishes-to-nowhere", "", "NO_ROUTE")}


def _confirms(rows: Rows) -> None:
    thousand = only(rows, product="publishes-a-thousand")
    assert (thousand["messages"], thousand["refused"]) == (1000, 0)
    assert 0 < thousand["p50_us"] <= thousand["p95_us"]
    refused = only(rows, product="refused-confirms")
    assert (refused["messages"], refused["refused"]) == (3, 2)


def _closed_channels(rows: Rows) -> None:
    """As the labels have it: ``channel 406``."""
    codes = pairs(rows, "product", "reply_code")
    labelled = {
        (label.id, int(label.reaction.removeprefix("channel ")))
        for label in read_labels().values()
        if label.version != "1.0" and label.reaction.startswith("channel ")
    }
    assert len(labelled) > 5
    assert labelled <= codes
    assert only(rows, product="ack-twice")["reason"] == "PRECONDITION_FAILED"


def _unconfirmed(rows: Rows) -> None:
    row = only(rows, product="publishes-without-confirms")
    assert row["messages"] == MANY and row["routing_key"].startswith("publishes-without-confirms")
    assert rows[0] == row


def _headers(rows: Rows) -> None:
    types = {
        "text": "STRING", "large": "BIGINT", "yes": "BOOLEAN", "bytes": "BINARY", "decimal": "DECIMAL",
        "moment": "TIMESTAMP", "list": "ARRAY", "table": "OBJECT", "nothing": "VOID",
    }  # fmt: skip
    by_pika = pairs((row for row in rows if PIKA in row["products"]), "header", "type")
    assert set(types.items()) <= by_pika
    assert only(rows, header="deeper") == {
        "header": "deeper", "type": "OBJECT", "messages": 2, "products": ["headers-in-headers"],
    }  # fmt: skip
    assert {row["type"] for row in rows if row["header"] == "d"} == {"BIGINT", "DOUBLE"}


def _polling(rows: Rows) -> None:
    assert pairs(rows[:1], "product", "gets", "in_vain") == {("polls", TOO_MANY, TOO_MANY)}
    assert only(rows, product=PIKA)["in_vain"] == 1


def _declared_differently(rows: Rows) -> None:
    found = {(row["kind"], tuple(row["settings"]), tuple(row["clients"])) for row in rows}
    assert found == {
        ("queue", ("durable=1", "durable=1 auto-delete=1"), ("queue-declared-differently",)),
        (
            "exchange",
            ("type=direct durable=1", "type=fanout durable=1"),
            ("exchange-declared-differently",),
        ),
    }


def _connects_again(rows: Rows) -> None:
    """In two minutes, if the capture was made in the last second of one."""
    counts: dict[str, tuple[int, int]] = {}
    for row in rows:
        one, other = counts.get(row["product"], (0, 0))
        counts[row["product"]] = one + row["connections"], other + row["without_close"]
    many, none = counts["connection-for-each-message"]
    assert 20 < many <= 65 and none == 0
    if "reconnect-storm" in counts:  # else it is in two minutes, and not above the limit in any of them
        assert counts["reconnect-storm"][0] == counts["reconnect-storm"][1] <= MANY
    assert counts.keys() <= {"connection-for-each-message", "reconnect-storm", "amqp-codegen broker tests"}


def _again(rows: Rows) -> None:
    found = {row["product"]: (row["deliveries"], row["again"], row["percent"]) for row in rows}
    assert found["redelivered-to-the-same-channel"] == (6, 5, 83.3)
    assert found["nacks-many-to-get-them-again"] == (6, 3, 50.0)
    assert found["recovers"] == (6, 3, 50.0)
    assert rows[0]["product"] == "redelivered-to-the-same-channel"


def _sizes(rows: Rows) -> None:
    megabyte = only(rows, product="body-of-a-megabyte")
    assert (megabyte["largest"], megabyte["frames"], megabyte["frame_max"]) == (1 << 20, 9, 131_072)
    assert only(rows, product=PIKA)["largest"] == 3_072_000
    assert only(rows, product="tunes-down")["frames"] == 3


def _credit(rows: Rows) -> None:
    release = only(rows, product="releases-1")
    assert (release["most_credit"], release["flows"], release["messages"], release["ran_out"]) == (1, 2, 2, 2)
    assert release["without_credit_us"] is not None
    many = only(rows, product="settles-many-at-once-1", client_role="receives")
    assert (many["most_credit"], many["ran_out"], many["without_credit_us"]) == (5, 1, None)
    assert only(rows, product="transfer-without-credit-1")["ran_out"] >= 1


CHECKS: dict[str, Callable[[Rows], None]] = {
    "Which clients still use what is deprecated?": _uses,
    "What stands in the way of RabbitMQ 4?": _in_the_way_of_rabbitmq_4,
    "Which queue has the slowest acknowledgements?": _slow_acks,
    "Whose messages go nowhere?": _to_nowhere,
    "Which publishers wait longest for confirms?": _confirms,
    "Why are channels closed?": _closed_channels,
    "Who loses messages when the broker restarts?": _unconfirmed,
    "Which headers carry which types?": _headers,
    "Who polls instead of consuming?": _polling,
    "Who declares the same thing differently?": _declared_differently,
    "Who connects again and again?": _connects_again,
    "What share of messages is delivered more than once?": _again,
    "How large are messages, compared with frames?": _sizes,
    "Which links run out of credit?": _credit,
}


def test_every_question_is_checked() -> None:
    assert QUESTIONS.keys() == CHECKS.keys()


@pytest.mark.parametrize("title", CHECKS)
def test_question(spark: Any, lake: Lake, title: str) -> None:
    asked = QUESTIONS[title]
    register_for(spark, open_lake(str(lake.folder)), asked.query)
    answer = ask(spark, asked.query)
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    assert answer.columns == asked.columns  # as the document shows them
    # Whom the document shows is there; long names are cut.
    assert {product for product in asked.products if "..." not in product} <= {
        row.get("product") for row in rows
    }
    CHECKS[title](rows)


def test_notebook(spark: Any, lake: Lake) -> None:
    """The Python of the document, in a session."""
    (code,) = (text for kind, text in BLOCK.findall(SECTIONS["In a notebook"]) if kind == "py")
    names: dict[str, Any] = {"spark": spark}
    exec(code.replace('open_lake("lake")', f"open_lake({str(lake.folder)!r})"), names)
    blockers = {(row["product"], row["feature"]): row["count"] for row in names["blockers"].collect()}
    assert blockers["global-qos", "global-qos"] == 1
    waits = names["waits"].collect()
    thousand = [row for row in waits if row["product"] == "publishes-a-thousand"]
    assert sum(row["messages"] for row in thousand) == 1000 and all(row["p95_ms"] > 0 for row in thousand)
    nested = names["nested"].where("header = 'deeper'").collect()
    assert len(nested) == 2 and nested[0]["value"].count("deeper") == 29
    headers = spark.table("messages").where("headers is not null").select("headers").first()
    assert isinstance(headers["headers"].toPython(), dict)
