"""Recipes of rows: a column that copies something is one line in one file, for Python and for C."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

from amqp_traffic.messages.amqp0 import message
from amqp_traffic.messages.amqp0.message import METHODS, message_recipe
from amqp_traffic.recipes import EXCHANGES, MESSAGES0, MESSAGES1, NOTHING, Column, argument, own
from amqp_traffic.rows import recipe_maker
from amqp_traffic.schemas import table_columns

from tests.commands import run_command

WAYS = ["python", "native"]


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_column_is_one_line(way: str) -> None:
    done = run_command(
        [sys.executable, "-m", "tests.traffic.ingest.one_more_column"],
        env={
            **os.environ,
            "AMQP_PURE": "1" if way == "python" else "",
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
    )
    assert done.returncode == 0, done.stderr
    is_native, counts = json.loads(done.stdout)
    if way == "native" and not is_native:
        pytest.skip("needs the cores in C of this version: make native")
    assert is_native == (way == "native")
    found = {name: Counter(of_kind) for name, of_kind in counts.items()}
    of_all = found[""]
    # Only versions before 0-9-1 have the argument, and all their clients send it.
    assert +found["ticket"] == Counter(
        {"publish of amqp_0_8_rabbitmq": of_all["publish of amqp_0_8_rabbitmq"]}
    )
    assert +found["life"] and not any(" of amqp_1_0" in kind for kind in +found["life"])
    assert {"publish of amqp_0_8_rabbitmq", "transfer of amqp_1_0_rabbitmq"} <= set(+found["message_id_text"])
    for name in ("id_value", "media"):
        assert set(+found[name]) == {"transfer of amqp_1_0_rabbitmq"}


def test_values_stand_where_the_recipe_says() -> None:
    recipe = Column("a", "int8", own("x")), Column("b", "int8"), Column("c", "int8", own("y"))
    make = recipe_maker((*recipe, Column("d", "int8", own("x"))), {own("y"): 0, NOTHING: 1, own("x"): 2})
    assert make((5, None, 7)) == (7, None, 5, 7)
    with pytest.raises(ValueError, match="no values for these columns: b, c"):
        recipe_maker(recipe, {own("x"): 0})


def test_a_source_that_no_method_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message, "MESSAGES0", (Column("a", "int8", argument("no_such")), *MESSAGES0))
    with pytest.raises(ValueError, match="nothing has what these columns come from: a"):
        message.message_recipe.__wrapped__("publish")


def test_both_families_make_the_same_columns() -> None:
    columns = table_columns("messages")
    for recipe in (MESSAGES0, MESSAGES1, *map(message_recipe, METHODS)):
        assert tuple((column.name, column.type) for column in recipe) == columns
    assert tuple((column.name, column.type) for column in EXCHANGES) == table_columns("exchanges")


def test_a_column_of_an_argument_that_a_method_lacks_comes_from_nothing() -> None:
    with_source = {
        kind: {column.name for column in message_recipe(kind) if column.source.origin == "argument"}
        for kind in METHODS
    }
    assert with_source["publish"] == {"exchange", "routing_key", "mandatory", "immediate"}
    assert with_source["return"] == {"reply_code", "reply_text", "exchange", "routing_key"}
    assert "message_count" in with_source["get-ok"] and "consumer_tag" in with_source["deliver"]
