"""The search of a site of guides: what it finds, in which order, and where unknown anchors lead; run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from amqp_codegen.support.resources import templates_dir

from .site_pages import AMQP0, search_entries, site

Call = Callable[..., Any]

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")

_ANSWER = """
const lines = require("readline").createInterface({ input: process.stdin });
let index;
lines.on("line", (line) => {
  const value = JSON.parse(line);
  if (!index) index = indexed(value);
  else console.log(JSON.stringify({ find, addressOf, nearby }[value[0]](index, ...value.slice(1))));
});
"""


@pytest.fixture(scope="module")
def node() -> Iterator[subprocess.Popen[str]]:
    """The search, which reads its entries and then a call a line, and answers each with a line."""
    script = (templates_dir() / "reference" / "search.js").read_text("utf-8") + _ANSWER
    command = ["node", "-e", script]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1
    ) as process:
        assert process.stdin
        process.stdin.write(json.dumps(search_entries(site(*AMQP0, "1.0"))) + "\n")
        yield process


@pytest.fixture
def call(node: subprocess.Popen[str]) -> Call:
    def answer(name: str, *arguments: str) -> Any:
        assert node.stdin and node.stdout
        node.stdin.write(json.dumps([name, *arguments]) + "\n")
        return json.loads(node.stdout.readline())

    return answer


def found(call: Call, text: str, folder: str = "") -> list[str]:
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
def test_what_is_found_first(call: Call, text: str, folder: str, expected: str) -> None:
    assert expected in found(call, text, folder)[:2]


def test_a_mended_word_is_said(call: Call) -> None:
    answer = call("find", "heartbeet", "0-9-1/")
    assert (answer["words"], answer["mended"]) == (["heartbeat"], True)
    assert not call("find", "heartbeat", "0-9-1/")["mended"]


@pytest.mark.parametrize("text", ["qzxv", "zebra crossing", "", "   "])
def test_nothing_is_found(call: Call, text: str) -> None:
    assert found(call, text) == []


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
def test_anchors_in_other_spellings(call: Call, anchor: str, folder: str, expected: str | None) -> None:
    assert call("addressOf", anchor, folder) == expected


def test_what_is_near_an_unknown_anchor(call: Call) -> None:
    near = call("nearby", "nonsens-queue.declare", "0-9-1/")
    assert near[0][3].startswith("0-9-1/index.html#")
    assert "declare" in near[0][1]
    assert call("nearby", "qzxv", "") == []
