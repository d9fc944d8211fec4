"""The adapter of ``examples/aiormq_adapter.py`` against pamqp itself; with aiormq on top of it: ``tests/clients``."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pamqp.commands
import pamqp.frame
import pamqp.header
import pytest

from tests.commands import run_command

ROOT = Path(__file__).parents[2]
MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def adapter() -> Any:
    """The adapter, not installed."""
    spec = spec_from_file_location("aiormq_adapter", ROOT / "examples" / "aiormq_adapter.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_method_of_pamqp_is_there(adapter: Any) -> None:
    namespaces = adapter.command_namespaces()
    for command in pamqp.commands.__dict__.values():
        if not isinstance(command, type) or not hasattr(command, "frame_id"):
            continue
        for name, theirs in vars(command).items():
            if isinstance(theirs, type) and name != "Properties":
                ours = getattr(namespaces[command.__name__], name)
                assert f"{command.__name__}.{name}".lower() == ours.NAME.replace("-", "")
                answers = {answer.rpartition(".")[2].lower() for answer in theirs.valid_responses}
                assert answers <= {
                    reply.__name__.lower()[len(command.__name__) :] for reply in ours.RESPONSES
                }


# Class, method, arguments as aiormq gives them.
CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("Basic", "Publish", {"exchange": "e", "routing_key": "k", "mandatory": True, "immediate": False}),
    ("Basic", "Qos", {"prefetch_size": 0, "prefetch_count": 7, "global_": True}),
    ("Basic", "Ack", {"delivery_tag": 5, "multiple": True}),
    ("Basic", "Nack", {"delivery_tag": 5, "multiple": False, "requeue": True}),
    ("Basic", "Cancel", {"consumer_tag": "c", "nowait": True}),
    ("Exchange", "Declare", {"exchange": "e", "exchange_type": "topic", "durable": True, "nowait": False, "arguments": None}),
    ("Queue", "Bind", {"queue": "q", "exchange": "e", "routing_key": "r", "nowait": False, "arguments": {"x": "y"}}),
    ("Connection", "StartOk", {"client_properties": {"product": "p"}, "mechanism": "PLAIN", "response": "\0u\0p"}),
    ("Connection", "UpdateSecret", {"new_secret": "new", "reason": "why"}),
    ("Confirm", "Select", {"nowait": False}),
    ("Tx", "Commit", {}),
]  # fmt: skip


@pytest.mark.parametrize(("class_name", "name", "arguments"), CALLS)
def test_the_octets_are_those_of_pamqp(
    adapter: Any, class_name: str, name: str, arguments: dict[str, Any]
) -> None:
    ours = getattr(adapter.command_namespaces()[class_name], name)(**arguments)
    theirs = getattr(getattr(pamqp.commands, class_name), name)(**arguments)
    octets = pamqp.frame.marshal(theirs, 3)
    assert adapter.marshal(ours, 3) == octets
    assert adapter.frame_parts(octets) == pamqp.frame.frame_parts(octets)
    size, channel, again = adapter.unmarshal(octets + b"more")
    assert (size, channel, type(again)) == (len(octets), 3, type(ours))
    assert again.name == again.NAME
    if class_name != "Connection":
        assert again.synchronous == (theirs.synchronous and not arguments.get("nowait", False))


def test_a_header_and_a_body(adapter: Any) -> None:
    given: dict[str, Any] = {
        "content_type": "text/plain",
        "headers": {"list": [MOMENT, True], "when": MOMENT},
        "timestamp": MOMENT,
        "message_type": "t",
    }
    theirs = pamqp.header.ContentHeader(0, 5, pamqp.commands.Basic.Properties(**given))
    ours = adapter.ContentHeader(body_size=5, properties=adapter.Properties(**given))
    octets = pamqp.frame.marshal(theirs, 1)
    assert adapter.marshal(ours, 1) == octets
    header = adapter.unmarshal(octets)[2]
    assert isinstance(header, adapter.ContentHeader)
    assert isinstance(header.properties, adapter.Properties)
    assert {name: getattr(header.properties, name) for name in given} == given
    body = adapter.unmarshal(amqp.encode_frame(1, amqp.ContentBody(b"hello")))[2]
    assert (type(body), body.value) == (adapter.ContentBody, b"hello")
    naive = adapter.Properties(timestamp=MOMENT.replace(tzinfo=None))
    assert adapter.marshal(adapter.ContentHeader(properties=naive), 1) == adapter.marshal(
        adapter.ContentHeader(properties=adapter.Properties(timestamp=MOMENT)), 1
    )
    assert (type(naive), naive.timestamp) == (adapter.Properties, MOMENT.replace(tzinfo=None))


def test_octets_that_are_wrong(adapter: Any) -> None:
    for octets in (b"", b"\1", b"\1\0\1\0\0\0\4\0\x14\0", b"\x09\0\0\0\0\0\0\xce"):
        with pytest.raises(amqp.CodecError):
            adapter.unmarshal(octets)


TIMESTAMPS = [0, 1_700_000_000, 0xFFFFFFFF, 0x1_0000_0000, 1_700_000_000_000, 1_700_000_000_123]


@pytest.mark.parametrize("seconds", TIMESTAMPS)
def test_timestamps_in_milliseconds(adapter: Any, seconds: int) -> None:
    """What is above 2^32 - 1 is in milliseconds, as pamqp has it; in headers, too."""
    headers: dict[str, Any] = {"t": amqp.Timestamp(seconds), "a": [{"b": amqp.Timestamp(seconds)}]}
    octets = amqp.encode_frame(
        1, amqp.ContentHeader(amqp.BasicProperties(timestamp=seconds, headers=headers))
    )
    ours = adapter.unmarshal(octets)[2].properties
    theirs = pamqp.frame.unmarshal(octets)[2].properties
    for found in (ours.timestamp, ours.headers["t"], ours.headers["a"][0]["b"]):
        # pamqp computes with floats.
        assert abs(found - theirs.timestamp) < timedelta(microseconds=500)
        assert found.tzinfo is UTC
    assert type(theirs.headers["t"]) is datetime


def test_timestamps_that_no_datetime_holds(adapter: Any) -> None:
    """The message is delivered all the same, and the connection goes on."""
    last = 2**64 - 1
    properties = amqp.BasicProperties(timestamp=last, headers={"t": amqp.Timestamp(last)})
    found = adapter.unmarshal(amqp.encode_frame(1, amqp.ContentHeader(properties)))[2].properties
    assert (found.timestamp, found.headers) == (last, {"t": last})


def test_a_challenge_that_is_no_text(adapter: Any) -> None:
    octets = amqp.encode_frame(0, amqp.methods.ConnectionSecure(challenge=b"\xff\0text"))
    challenge = adapter.unmarshal(octets)[2].challenge
    assert challenge == "\udcff\0text"
    answer = adapter.command_namespaces()["Connection"].SecureOk(response=challenge)
    assert amqp.decode_frames(adapter.marshal(answer, 0))[0][0][1].response == b"\xff\0text"


@pytest.mark.parametrize(
    ("installed", "fits"),
    [
        ("7.2.0", True),
        ("7.30", True),
        ("7.1.6", False),
        ("7.2.4", True),
        ("6.9.2", False),
        ("8.0.0", False),
        ("70.1", False),
    ],
)
def test_versions_of_aiormq(
    adapter: Any, monkeypatch: pytest.MonkeyPatch, installed: str, fits: bool
) -> None:
    monkeypatch.setattr(adapter, "version", lambda name: installed)
    if fits:
        adapter.check_version()
        return
    for refused in (adapter.check_version, adapter.install):
        with pytest.raises(RuntimeError) as caught:
            refused()
        assert str(caught.value).splitlines() == [
            f"aiormq {installed} is installed; this adapter fits aiormq>=7.2,<8: pip install 'aiormq>=7.2,<8'"
        ]


@pytest.mark.parametrize(("first", "code"), [("", 0), ("import pamqp\n", 1)])
def test_it_comes_first_or_not_at_all(first: str, code: int) -> None:
    program = (
        f"{first}import aiormq_adapter as adapter\nadapter.install(); adapter.install()\n"
        "import pamqp.frame; from pamqp.header import ProtocolHeader\n"
        "assert ProtocolHeader().marshal() == pamqp.CODEC.PROTOCOL_HEADER"
    )
    path = f"{ROOT / 'examples'}:{ROOT / 'generated'}"
    done = run_command([sys.executable, "-c", program], env={"PYTHONPATH": path})
    assert done.returncode == code, done.stderr
    assert ("pamqp is imported already" in done.stderr) == bool(code)
