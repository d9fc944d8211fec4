"""What type checkers make of the packages: usual code passes mypy --strict, mistakes do not."""

from __future__ import annotations

from pathlib import Path

from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .packages import RABBITMQ

PREFACE = """
import dataclasses
from decimal import Decimal
import amqp_0_9_1_rabbitmq as amqp
import amqp_0_8 as oldest
from amqp_0_9_1_rabbitmq import methods as m
from amqp_0_9_1_rabbitmq.grammar import Conversation
from amqp_0_9_1_rabbitmq._method import Side
"""
FINE = [
    'm.QueueDeclare("q", arguments={"x-max-length": 10})',
    'limits = {"x-max-length": 10}; m.QueueDeclare("q", arguments=limits)',
    'm.QueueDeclare("q", arguments={"x": {"y": [1, "a", None, {"z": True}]}, "d": Decimal("1.5")}, nowait=True)',
    'amqp.encode_table({"a": [1, 2], "t": amqp.Tagged("b", 1)}, dialect="qpid")',
    'table: amqp.FieldTable = {"a": 1}; amqp.BasicProperties(headers=table, message_type="t")',
    "amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(priority=1), 5))",
    'value = amqp.decode_table(b"")[0]["a"]\nif isinstance(value, str):\n    value.upper()',
    "m.BasicAck(1, multiple=True)",
    'side: Side = "client"; Conversation(1).observe(side, m.ChannelOpen())',
    'amqp.validate(m.ChannelOpen(), "rabbitmq")',
    'm.BasicPublish("", "q", ticket=0)',
    "ack: m.BasicAck = dataclasses.replace(m.BasicAck(1), multiple=True); dataclasses.asdict(ack)",
    "match ack:\n    case m.BasicAck(tag, several):\n        number: int = tag; flag: bool = several",
]
WRONG = [
    ('m.QueueDeclare("q", arguments={"a": {1}})', "dict-item"),
    ('amqp.encode_table({"a": object()})', "dict-item"),
    ("s: str = amqp.ContentHeader(amqp.BasicProperties()).properties", "assignment"),
    ("amqp.ContentHeader(oldest.FileProperties())", "arg-type"),
    ("m.BasicAck()", "call-arg"),
    ("m.BasicNack(requeue=True)", "call-arg"),
    ("m.BasicReject()", "call-arg"),
    ("dataclasses.replace(m.BasicAck(1), mistake=True)", "call-arg"),
    ('Conversation(1).observe("broker", m.ChannelOpen())', "arg-type"),
    ('amqp.validate(m.ChannelOpen(), "strict")', "arg-type"),
    ('amqp.encode_table({}, dialect="rabit")', "arg-type"),
    ('m.QueueDeclare("q", no_wait="yes")', "arg-type"),
    ('m.QueueDeclare("q", nowait="yes")', "arg-type"),
]


def test_mypy(shared: Shared, tmp_path: Path) -> None:
    program = PREFACE + "\n".join([*FINE, *(text for text, _ in WRONG)]) + "\n"
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    packages = Path(RABBITMQ.__file__ or "").parent.parent
    result = run_mypy(shared, "--no-error-summary", path, cwd=tmp_path, path=packages)
    told = [line for line in result.stdout.splitlines() if ": error:" in line]
    first_wrong = len(program.splitlines()) - len(WRONG) + 1
    expected = [(first_wrong + number, f"[{code}]") for number, (_, code) in enumerate(WRONG)]
    found = [
        (int(line.split("program.py:")[1].split(":")[0]), f"[{line.rpartition('[')[2]}") for line in told
    ]
    assert found == expected, result.stdout + result.stderr
