"""What type checkers make of the package in the code of its users: the right types, and complaints about wrong ones."""

from __future__ import annotations

import re

import pytest

from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from ..test_vendoring import folder

SIMPLE = (
    "None | bool | int | float | Decimal | Decimal32 | Decimal64 | Decimal128 | str | bytes | bytearray"
    " | memoryview[int] | UUID | datetime"
)
# Expressions and the types that they have.
REVEALED = {
    "amqp.performatives.Open('c').container_id": "str",
    "amqp.performatives.Open('c').max_frame_size": "int",
    "amqp.performatives.Open('c').hostname": "str | None",
    "amqp.performatives.Open('c').idle_time_out": "int | None",
    "amqp.performatives.Open('c').offered_capabilities": "list[str]",
    "list(amqp.performatives.Open('c').properties or {})": "list[Any]",
    "amqp.Message().application_properties": f"Mapping[str, {SIMPLE}] | None",
    "amqp.constants.recognise_header(b'')": "Literal['amqp'] | Literal['tls'] | Literal['sasl'] | None",
    "amqp.performatives.Attach('n', 0, amqp.performatives.Role.SENDER).role": "Role",
    "amqp.performatives.Attach('n', 0, amqp.performatives.Role.SENDER).snd_settle_mode": "SenderSettleMode",
    "amqp.performatives.Attach('n', 0, amqp.performatives.Role.SENDER).source": "Source | Described | None",
    "amqp.performatives.Attach('n', 0, amqp.performatives.Role.SENDER).target": "Target | Coordinator | Described | None",
    "amqp.performatives.Transfer(0).state": "Received | Accepted | Rejected | Released | Modified | Declared"
    " | TransactionalState | Described | None",
    "amqp.performatives.Error('x').condition": "AmqpError | ConnectionErrorCondition | SessionError | LinkError"
    " | TransactionError | str",
    "amqp.performatives.Close().error": "Error | None",
    "amqp.messaging.Source().default_outcome": "Accepted | Rejected | Released | Modified | Declared | Described | None",
    "amqp.messaging.Source().expiry_policy": "TerminusExpiryPolicy",
    "amqp.messaging.Source().distribution_mode": "StdDistMode | str | None",
    "amqp.messaging.Properties().message_id": "int | UUID | bytes | str | Described | None",
    "amqp.messaging.Properties().creation_time": "int | datetime | None",
    "amqp.messaging.Data(b'').value": "bytes",
    "amqp.sasl.SaslOutcome(amqp.sasl.SaslCode.OK).code": "SaslCode",
    "amqp.decode_message(b'')": "Message",
    "dataclasses.replace(amqp.performatives.Close(), error=None)": "Close",
    "dataclasses.fields(amqp.messaging.Source)[0].name": "str",
    "amqp.decode_message(b'').body": "Data | list[Data] | AmqpSequence | list[AmqpSequence] | AmqpValue | None",
    "amqp.encode(1)": "bytes",
    "amqp.types.UInt(1)": "UInt",
    "amqp.types.Timestamp(1).datetime": "datetime",
    "amqp.FrameDecoder().feed(b'')[0][0]": "int",
    "amqp.FrameDecoder().feed(b'')[0][1]": "Open | Begin | Attach | Flow | Transfer | Disposition | Detach | End | Close"
    " | SaslMechanisms | SaslInit | SaslChallenge | SaslResponse | SaslOutcome | Described | ProtocolHeader"
    " | EmptyFrame | None",
    "amqp.TransferAssembler().add(amqp.performatives.Transfer(0), b'')": "Delivery | None",
    "amqp.PROTOCOL_HEADERS['amqp']": "bytes",
}
# What must be complained about.
WRONG = [
    "amqp.performatives.Open()",
    "amqp.performatives.Transfer()",
    "amqp.performatives.Begin(None, 0, 10, 10)",
    "amqp.performatives.Flow(incoming_window=1, outgoing_window=1)",
    "amqp.sasl.SaslMechanisms()",
    "amqp.encode({1, 2})",
    "amqp.encode({'key': object()})",
    "amqp.encode([{'key': [{1}]}])",
    "amqp.messaging.AmqpValue({1})",
    "amqp.Described(amqp.Symbol('x'), object())",
    "amqp.Message(application_properties={1: 'key'})",
    "amqp.Message(application_properties={'list': [1]})",
    "amqp.Message(message_annotations={b'octets': 1})",
    "amqp.performatives.Open('c', properties={1: 2})",
    "amqp.performatives.Open('c', properties={'key': object()})",
    "amqp.PROTOCOL_HEADERS['tcp']",
    "amqp.decode(b'')[0].value",
    "amqp.performatives.Open(container_id=1)",
    "amqp.performatives.Open('c', nonsense=1)",
    "amqp.performatives.Attach('n', 0, True)",
    "amqp.performatives.Attach('n', 0, amqp.performatives.Role.SENDER, snd_settle_mode=1)",
    "amqp.performatives.Attach('n', 0, amqp.performatives.Role.SENDER, source=amqp.messaging.Target())",
    "amqp.performatives.Transfer(0, state=amqp.messaging.Source())",
    "amqp.performatives.Close('error')",
    "dataclasses.replace(amqp.performatives.Close(), mistake=None)",
    "amqp.messaging.Source(expiry_policy='tomorrow')",
    "amqp.messaging.Source(default_outcome=amqp.messaging.Received(0, 0))",
    "amqp.messaging.Data('text')",
    "amqp.Message(header=amqp.messaging.Properties())",
    "amqp.Message(body=b'octets')",
    "amqp.encode_frame(0, amqp.messaging.Source())",
    "amqp.FrameDecoder().feed('text')",
]
# What must be fine.
RIGHT = """
from collections.abc import Mapping
def count(value: amqp.Value) -> int:
    if isinstance(value, amqp.Array):
        return sum(count(item) for item in value)
    if isinstance(value, amqp.Map):
        return sum(count(key) + count(item) for key, item in value.pairs)
    if isinstance(value, amqp.Described):
        return count(value.value)
    if isinstance(value, list):
        return sum(count(item) for item in value)
    if isinstance(value, Mapping):
        return sum(count(item) for item in value.values())
    return 1
counted = count(amqp.decode(amqp.encode([1, {"a": [b"2", amqp.types.UInt(3)], amqp.Symbol("b"): None}]))[0])
numbers, texts, symbols = [1, 2], {"a": "x"}, {amqp.Symbol("a"): "x"}
amqp.encode(numbers)
amqp.encode(texts)
amqp.encode([numbers, (texts, symbols), {1: numbers, b"octets": {2.5: None}}])
amqp.encode(amqp.messaging.AmqpValue([texts]))
amqp.Message(message_annotations=texts, delivery_annotations=symbols, application_properties=texts, footer=symbols)
amqp.Message(message_annotations={"x-a": [1, "b"], amqp.Symbol("x-b"): 1.5, amqp.types.ULong(1): None})
amqp.performatives.Open("c", properties=symbols)
amqp.messaging.Source("q", dynamic_node_properties=symbols, filter=texts)
told: dict[str, amqp.Value] = {"product": "x", "capabilities": {"basic.nack": True}}
fields: amqp.performatives.Fields = told
amqp.performatives.Open("c", properties=told)
amqp.performatives.Open("c", properties=fields)
begin = amqp.performatives.Begin(next_outgoing_id=0, incoming_window=10, outgoing_window=10)
answer = amqp.performatives.Begin(7, next_outgoing_id=0, incoming_window=10, outgoing_window=10)
received = amqp.decode_message(b"")
for key, item in (received.application_properties or {}).items():
    both: tuple[str, amqp.SimpleValue] = key, item
if received.message_annotations is not None and received.message_annotations["x-opt-a"] == 1:
    received.message_annotations = {**received.message_annotations, "x-opt-b": 2}
def last(frames: list[amqp.Frame]) -> amqp.Performative | None:
    for _, performative, _ in frames:
        if isinstance(performative, amqp.performatives.Close):
            return performative
    return None
opening = amqp.performatives.Open("c", outgoing_locales="en", offered_capabilities=["a", "b"])
opening.properties = {"product": "x", amqp.Symbol("n"): amqp.types.UInt(1)}
attach = amqp.performatives.Attach(
    "n", 0, amqp.performatives.Role.SENDER, source=amqp.messaging.Source("q"), target=amqp.transactions.Coordinator()
)
attach.source = amqp.Described(amqp.Symbol("x:source"), [])
error = amqp.performatives.Error(amqp.performatives.AmqpError.NOT_FOUND)
other = amqp.performatives.Error("com.example:condition", info={"key": 1})
message = amqp.Message(body=[amqp.messaging.Data(b"1"), amqp.messaging.Data(b"2")], footer={"x": 1})
for channel, performative, payload in amqp.FrameDecoder().feed(amqp.encode_frame(0, opening)):
    if isinstance(performative, amqp.performatives.Open):
        name: str = performative.container_id
    elif isinstance(performative, amqp.ProtocolHeader):
        layer: str | None = performative.layer
"""
ERROR = re.compile(r"^user\.py:(\d+): error: ")
NOTE = re.compile(r'^user\.py:(\d+): note: Revealed type is "(.*)"$')


@pytest.fixture(scope="module")
def report(
    shared: Shared, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[str], dict[int, str], set[int]]:
    """The lines of a program, the types revealed by line, and the lines that are complained about."""
    lines = [
        "import dataclasses",
        "import amqp_1_0 as amqp",
        *RIGHT.splitlines(),
        *(f"reveal_type({item})" for item in REVEALED),
        *WRONG,
    ]
    place = tmp_path_factory.mktemp("user")
    (place / "user.py").write_text("\n".join(lines) + "\n", "utf-8")
    done = run_mypy(shared, "--no-error-summary", "user.py", cwd=place, path=folder("amqp_1_0").parent)
    revealed, errors = {}, set()
    for line in done.stdout.splitlines():
        if found := NOTE.match(line):
            revealed[int(found[1])] = found[2]
        elif found := ERROR.match(line):
            errors.add(int(found[1]))
        else:
            assert line.startswith("user.py:"), line
    assert done.stderr == ""
    return ["", *lines], revealed, errors


def plain(text: str) -> str:
    """A type as mypy writes it, without the names of modules."""
    text = re.sub(r"\b(?:\w+\.)+(?=\w)", "", text)
    return re.sub(r"tuple\[[^][]*fallback=(\w+)\]", r"\1", text)  # a named tuple


def test_types(report: tuple[list[str], dict[int, str], set[int]]) -> None:
    lines, revealed, _ = report
    found = {lines[number]: plain(kind) for number, kind in revealed.items()}
    assert found == {f"reveal_type({item})": kind for item, kind in REVEALED.items()}


def test_complaints(report: tuple[list[str], dict[int, str], set[int]]) -> None:
    lines, _, errors = report
    assert [lines[number] for number in sorted(errors)] == WRONG
