"""``amqp-codegen encode``: its output, and one line with the place for each mistake."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from amqp_codegen.cli.main import cli
from amqp_codegen.support.resources import specs_dir
from click.testing import CliRunner

from tests.cli.command_calls import call, place, refused_with_one_line
from tests.generated.amqp0.packages import RABBITMQ as rabbitmq
from tests.generated.amqp1.packages import amqp as amqp1

__all__ = ["place"]

ACK = "0100070000000d003c0050000000000000000100ce"


def test_formats() -> None:
    arguments = ("encode", "0-9-1", "basic.ack delivery-tag=1", "--channel", "7")
    assert call(*arguments).out == [ACK]
    assert call(*arguments, "--format", "base64").out == [base64.b64encode(bytes.fromhex(ACK)).decode()]
    assert call(*arguments, "--format", "python").out == [repr(bytes.fromhex(ACK))]
    raw = CliRunner().invoke(cli, [*arguments, "--raw"])
    assert raw.stdout_bytes == bytes.fromhex(ACK)


def test_a_message_is_a_line_for_each_frame(place: Path) -> None:
    (place / "body").write_bytes(b"octets\x00")
    publish = rabbitmq.methods.BasicPublish(routing_key="q", mandatory=True)
    properties = rabbitmq.BasicProperties(content_type="text/plain", headers={"n": rabbitmq.Tagged("b", 3)})
    header = rabbitmq.ContentHeader(properties, 7)
    expected = [
        rabbitmq.encode_frame(1, item).hex()
        for item in (publish, header, rabbitmq.ContentBody(b"octets\x00"))
    ]
    statements = (
        "basic.publish exchange= routing-key=q mandatory",
        "header content_type=text/plain headers={n: int8:3}",
    )
    assert call("encode", "0-9-1-rabbitmq", *statements, "body @body", "--channel", "1").out == expected


def test_frames_without_fields() -> None:
    assert call("encode", "0-9-1", "protocol-header", "heartbeat").out == [
        "414d515000000901",
        "08000000000000ce",
    ]
    expected = ["414d515003010000", amqp1.encode_frame(0, None).hex()]
    assert call("encode", "1.0", "protocol-header sasl", "heartbeat").out == expected


def test_tables_and_values() -> None:
    assert call("encode", "0-9-1", "--as", "table", '{"a": 1}').out == [rabbitmq.encode_table({"a": 1}).hex()]
    values = {
        "uint:5": "5205",
        "null": "40",
        'symbol:"a b"': "a303612062",
        "hex:00ff": "a00200ff",
        "accepted": "00532445",
    }
    assert call("encode", "1.0", "--as", "value", *values).out == list(values.values())


def test_times_where_any_type_may_stand() -> None:
    moment = 1_709_208_000
    table = {"t": rabbitmq.Timestamp(moment), "l": [rabbitmq.Timestamp(moment)], "d": "2024-02-29"}
    text = "{t: 2024-02-29T12:00:00Z, l: [2024-02-29T13:00:00+01:00], d: 2024-02-29}"
    assert call("encode", "0-9-1", "--as", "table", text).out == [rabbitmq.encode_table(table).hex()]
    [octets] = call("encode", "1.0", "--as", "value", "[2024-02-29T12:00:00.5Z]").out
    assert octets.endswith(f"83{moment * 1000 + 500:016x}")


@pytest.mark.parametrize(
    ("version", "text", "message"),
    [
        ("0-9-1", "queue.declar",
         "argument 1:1:1: error: there is no method 'queue.declar' (did you mean 'queue.declare'?)"),
        ("0-9-1", "queue.declare que=1", "1:15: error: queue.declare has no field 'que' (did you mean 'queue'?)"),
        ("0-9-1", "queue.declare orders", "1:15: error: a field is written as name=value"),
        ("0-9-1", "queue.declare durable=maybe", "1:23: error: durable takes true or false, not 'maybe'"),
        ("0-9-1", "queue.declare arguments={a 1}", "1:28: error: ':' and a value are missing after the key"),
        ("0-9-1", "queue.declare arguments=[1]", "1:25: error: arguments takes a table"),
        ("0-9-1", "queue.declare arguments={a: 1", "1:30: error: ',' or '}' is missing"),
        ("0-9-1", "queue.declare queue=a queue=b", "1:23: error: queue is given twice"),
        ("0-9-1", 'queue.declare queue="a', "1:21: error: not a text as in JSON"),
        ("0-9-1", 'queue.declare queue="a', "as in JSON: its closing quotation mark is missing [encode]"),
        ("0-9-1", 'queue.declare queue="a\\q"', "1:23: error: not a text as in JSON: \\q does not begin an escape ("),
        ("0-9-1", 'queue.declare queue="a\\u12"', "not a text as in JSON: \\u does not begin an escape ("),
        ("0-9-1", "queue.declare arguments={t: 2024-02-29T12:00:00}",
         "1:29: error: the time '2024-02-29T12:00:00' has no"),
        ("0-9-1", "queue.declare arguments={t: 2024-02-30T12:00:00Z}",
         "1:29: error: a time takes a number or a time such as"),
        ("0-9-1", "open", "there is no method 'open' (write a method, header, body, heartbeat or protocol-header)"),
        ("1.0", "protocol-header ssl", "there is no layer 'ssl' (there are amqp, tls and sasl)"),
        ("0-9-1", "basic.qos prefetch-count=99999", "1:26: error: basic.qos.prefetch_count: 99999 does not fit"),
        ("0-9-1", "basic.qos prefetch-count=x", "1:26: error: prefetch-count takes a number, not 'x'"),
        ("0-9-1", "basic.ack", "1:1: error: delivery-tag must be given"),
        ("0-9-1", "body hex:0", "1:6: error: 'hex:0' is not hexadecimal"),
        ("0-9-1", "body @nowhere", "1:6: error: cannot read 'nowhere': No such file"),
        ("0-8", "header", "1:1: error: a header follows the method whose content it is"),
        ("1.0", "opn", "1:1: error: 'opn' is not a performative (did you mean 'open'?)"),
        ("1.0", "open container=1", "1:6: error: open has no field 'container' (did you mean 'container-id'?)"),
        ("1.0", "open", "1:1: error: container-id must be given"),
        ("1.0", "open container-id=c channel-max=70000", "1:33: error: 70000 is not a UShort"),
        ("1.0", "attach name=l handle=0 role=foo", "1:29: error: role takes one of"),
        ("1.0", "attach name=l handle=0 role=sender target=targe(address=q)",
         "1:43: error: there is no type 'targe'"),
        ("1.0", "attach name=l handle=0 role=sender target=target(address=q",
         "')' is missing after the fields of target"),
        ("1.0", "data x", "1:1: error: 'data' is not the body of a frame"),
        ("0.9.1", "basic.ack",
         "error: there is no file, folder or built-in specification '0.9.1' (did you mean '0-9-1'?)"),
        ("0-9-1", f"queue.declare arguments={'{a: ' * 100}", "nested deeper than 60"),
        ("1.0", f"open container-id={'[' * 100}", "nested deeper than 60"),
    ],
)  # fmt: skip
def test_mistakes(place: Path, version: str, text: str, message: str) -> None:
    assert message in refused_with_one_line("encode", version, text)


OVERLAY = """<amqp major="0" minor="9" revision="1" overlay="amqp0-9-1.xml"><class name="queue">
<method name="peek" index="77" overlay="add" reason="r" source="s"><chassis name="server" implement="MUST"/>
<field name="queue" domain="queue-name"/></method></class></amqp>"""
PEEK = "0100010000000700" "32004d" "026f6bce"


def test_an_overlay_and_a_file_of_ones_own(place: Path) -> None:
    (place / "peek.xml").write_text(OVERLAY)
    own = ("encode", "0-9-1", "queue.peek queue=ok", "--overlay", "peek.xml", "--channel", "1")
    assert call(*own).out == [PEEK]
    assert call("decode", "0-9-1", "--overlay", "peek.xml", PEEK).code == 0
    assert "there is no method 'queue.peek'" in refused_with_one_line(
        "encode", "0-9-1", "queue.peek queue=ok"
    )
    file = str(specs_dir() / "amqp0-9-1.xml")
    assert call("encode", file, "basic.ack delivery-tag=1", "--channel", "7").out == [ACK]
    folder = str(specs_dir() / "amqp1-0")
    assert call("encode", folder, "--as", "value", "uint:5").out == ["5205"]


def test_a_dialect(place: Path) -> None:
    table = ("encode", "0-9-1", "--as", "table", "{a: hex:00}")
    assert call(*table, "--dialect", "rabbitmq").out == [rabbitmq.encode_table({"a": b"\0"}).hex()]
    assert "dialect" in refused_with_one_line(*table, "--dialect", "rabitmq")


def test_a_file_that_is_wrong(place: Path) -> None:
    (place / "wrong.xml").write_text("<amqp")
    assert refused_with_one_line("encode", "wrong.xml", "basic.ack").startswith("wrong.xml:1:")


def test_kinds(place: Path) -> None:
    assert "has frames, message and value" in refused_with_one_line("encode", "1.0", "--as", "method", "open")
    assert "is not a method" in refused_with_one_line("encode", "0-9-1", "--as", "method", "heartbeat")
    assert "is not a section" in refused_with_one_line(
        "encode", "1.0", "--as", "message", "open container-id=c"
    )
