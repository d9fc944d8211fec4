"""Ids are given out once, whatever is wanted."""

from __future__ import annotations

import re

from amqp_codegen.reference.page_plan import Ids
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.text(max_size=4) | st.sampled_from(["a", "a-2", "a-2-2", "A", "a "])))
def test_no_id_twice(wanted: list[str]) -> None:
    ids = Ids()
    given_out = [ids.take(item) for item in wanted]
    assert len(set(given_out)) == len(given_out)
    assert all(re.fullmatch(r"[a-z0-9.-]+", item) for item in given_out)


def test_what_is_fit_stays_as_it_is() -> None:
    ids = Ids()
    assert [ids.take(text) for text in ("queue.declare", "queue.declare", "queue.declare")] == [
        "queue.declare",
        "queue.declare-2",
        "queue.declare-3",
    ]
