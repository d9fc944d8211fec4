"""The search of a site of guides: what it finds, in which order, and where unknown anchors lead; run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import lru_cache
from typing import Any

import pytest
from amqp_codegen.support.resources import templates_dir

from .site_pages import AMQP0, search_entries, site

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not there")

_CALL = """
const index = indexed(JSON.parse(require("fs").readFileSync(0, "utf8")));
const [name, ...rest] = JSON.parse(process.argv[1]);
const answer = { find, addressOf, nearby }[name](index, ...rest);
console.log(JSON.stringify(answer));
"""


@lru_cache
def _script() -> str:
    return (templates_dir() / "reference" / "search.js").read_text("utf-8") + _CALL


@lru_cache
def _entries() -> str:
    return json.dumps(search_entries(site(*AMQP0, "1.0")))


def call(name: str, *arguments: str) -> Any:
    done = subprocess.run(
        ["node", "-e", _script(), json.dumps([name, *arguments])],
        input=_entries(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def found(text: str, folder: str = "") -> list[str]:
    return [address for _, _, _, address in call("find", text, folder)["found"]]


@pytest.mark.parametrize(
    ("text", "folder", "expected"),
    [
        ("404", "0-9-1-rabbitmq/", "0-9-1-rabbitmq/index.html#constant.not-found"),
        ("404", "0-8/", "0-8/index.html#constant.not-found"),
        ("queue.declare", "0-9/", "0-9/index.html#queue.declare"),
        # On the first page, the last guide that has it.
        ("queue.declare", "", "0-9-1-rabbitmq/index.html#queue.declare"),
        ("attach", "0-9-1/", "1.0/transport.html#type.attach"),
        ("heartbeet", "0-9-1-rabbitmq/", "0-9-1-rabbitmq/index.html#connection.tune.heartbeat"),
        ("queue.delcare", "0-9-1/", "0-9-1/index.html#queue.declare"),
        ("Exchnage Declare", "0-9-1/", "0-9-1/index.html#exchange.declare"),
        ("disposiiton", "1.0/", "1.0/transport.html#type.disposition"),
    ],
)
def test_what_is_found_first(text: str, folder: str, expected: str) -> None:
    assert expected in found(text, folder)[:2]


def test_a_mended_word_is_said() -> None:
    answer = call("find", "heartbeet", "0-9-1/")
    assert (answer["words"], answer["mended"]) == (["heartbeat"], True)
    assert not call("find", "heartbeat", "0-9-1/")["mended"]


@pytest.mark.parametrize("text", ["qzxv", "zebra crossing", "", "   "])
def test_nothing_is_found(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("anchor", "folder", "expected"),
    [
        ("basic-publish", "0-9-1/", "0-9-1/index.html#basic.publish"),
        ("Basic.Publish", "0-8/", "0-8/index.html#basic.publish"),
        ("queue_declare_passive", "", "0-9-1-rabbitmq/index.html#queue.declare.passive"),
        ("queue.declare", "1.0/", "0-9-1-rabbitmq/index.html#queue.declare"),
        ("queue", "0-9-1/", "0-9-1/index.html#class.queue"),
        ("not-found", "0-9-1/", "0-9-1/index.html#constant.not-found"),
        ("attach", "1.0/", "1.0/transport.html#type.attach"),
        ("attach-role", "1.0/", "1.0/transport.html#attach.role"),
        ("nonsense", "1.0/", None),
        ("--", "", None),
    ],
)
def test_anchors_in_other_spellings(anchor: str, folder: str, expected: str | None) -> None:
    assert call("addressOf", anchor, folder) == expected


def test_what_is_near_an_unknown_anchor() -> None:
    near = call("nearby", "nonsens-queue.declare", "0-9-1/")
    assert near[0][3].startswith("0-9-1/index.html#")
    assert "declare" in near[0][1]
    assert call("nearby", "qzxv", "") == []
