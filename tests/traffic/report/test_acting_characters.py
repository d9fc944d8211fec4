"""No text of a peer has a character in a report that acts instead of being seen: on a terminal, or on the direction of writing."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_codegen.support.json_text import json_text
from amqp_codegen.support.page import page_environment, shown_visibly
from amqp_codegen.support.wording import visible_lines

from tests.cli.command_calls import call
from tests.traffic.capture_builder import Conversation, captured, pcap

# Controls, marks of format, surrogates, separators of lines and paragraphs.
ACTING = "".join(
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in "\n\t"
)
SENT = [character for character in ACTING if not 0xD800 <= ord(character) < 0xE000]
PIECES = ["".join(SENT[at : at + 40]) for at in range(0, len(SENT), 40)]


def acting(text: str) -> list[str]:
    return sorted(set(text) & set(ACTING))


def capture() -> bytes:
    """A connection whose names have all of these characters."""
    talk = Conversation().open()

    def say(direction: int, frame: Any, channel: int = 1) -> None:
        talk.send(direction, amqp.encode_frame(channel, frame), 10_000)

    methods, text = amqp.methods, "".join(SENT)
    properties = {name: f"{name}{text}" for name in ("product", "version", "platform", "connection_name")}
    talk.send(0, amqp.PROTOCOL_HEADER)
    say(1, methods.ConnectionStart(server_properties={"product": f"RabbitMQ{text}", "version": text}), 0)
    login = f"\0{PIECES[0]}\0p".encode()
    say(0, methods.ConnectionStartOk(client_properties=properties, mechanism="PLAIN", response=login), 0)
    say(0, methods.ConnectionOpen(virtual_host=f"v{PIECES[1]}"), 0)
    say(0, methods.ChannelOpen())
    for piece in PIECES:
        say(0, methods.QueueDeclare(queue=f"q{piece}", arguments={f"x{piece}": 1}))
        say(0, methods.BasicConsume(queue=f"q{piece}", consumer_tag=f"c{piece}"))
        say(0, methods.BasicPublish(exchange=f"e{piece}", routing_key=f"r{piece}", mandatory=True))
        say(
            0,
            amqp.ContentHeader(
                amqp.content.BasicProperties(user_id=piece, app_id=piece, headers={piece: 1}), 0
            ),
        )
        say(1, methods.BasicReturn(312, f"NO_ROUTE{piece}", f"e{piece}", f"r{piece}"))
        say(1, amqp.ContentHeader(amqp.content.BasicProperties(), 0))
    say(1, methods.ChannelClose(404, f"NOT_FOUND{PIECES[2]}", 50, 10))
    return pcap(captured(talk.close().packets))


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("acting")
    (folder / "a.pcap").write_bytes(capture())
    assert (
        call("traffic", "ingest", folder / "a.pcap", "--out", folder / "lake", "--engine", "local").code == 0
    )
    return folder / "lake"


def test_report(lake: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert call("traffic", "report", lake, "-o", page, "--title", f"t{PIECES[0]}").code == 0
    text = page.read_text(encoding="utf-8")
    # The chart library, a script, is no text of a peer.
    own = "".join(part.partition("</script>")[2] for part in text.split("<script"))
    assert not acting(own)
    data = [
        part.partition(">")[2].partition("</script>")[0] for part in text.split('type="application/json"')[1:]
    ]
    assert data
    for item in data:
        assert not acting("".join(_texts(json.loads(item))))
    assert "\\u202e" in own or any("\\\\u202e" in item for item in data)


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*map(str, value), *(text for inner in value.values() for text in _texts(inner))]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_audit(form: str, lake: Path) -> None:
    result = call("traffic", "audit", lake, "--format", form)
    assert result.out and not acting("".join(result.out))


def test_shown_frames(lake: Path) -> None:
    result = call("traffic", "show", lake.parent / "a.pcap", "-v", "--bodies")
    assert len(result.out) > 100 and not acting("".join(result.out))


def test_what_expressions_give() -> None:
    """What an expression gives is made visible, in text and attributes; markup of the page stays."""
    template = page_environment({}, shown_visibly).from_string(
        "<p title='{{ text }}'>{{ text }}\n{{ [text] | join }}</p>"
    )
    page = template.render(text=f"a<{ACTING}\n\tb\xa0")
    assert not acting(page)
    assert "a&lt;\\x00" in page and "\\ud800" in page and "\n\tb\xa0" in page


def test_json() -> None:
    characters = "".join(SENT) + "\ud800 \udfff"  # a pair of surrogates is one character in JSON
    value = {"a": characters, f"b{characters}": [f"\n\t{characters}ä"]}
    for ascii_only in (False, True):
        text = json_text(value, indent=1, ascii_only=ascii_only)
        assert not acting(text) and json.loads(text) == value
    assert "ä" in json_text(value, ascii_only=False)


def test_lines_stay() -> None:
    assert visible_lines("a\n\tb\xa0c\r\x1b") == "a\n\tb\xa0c\\r\\x1b"
