"""What fields and methods mean beyond their octets: defaults, senders, text, moments, channels, and what ``help`` says first."""

from __future__ import annotations

import importlib
import inspect
import pydoc
from dataclasses import dataclass
from typing import Any

import pytest

from .packages import PACKAGES, RABBITMQ, each_package, method, methods_of


@each_package
def test_a_connection_opens_the_first_virtual_host(amqp: Any) -> None:
    open_ = method(amqp, "connection.open")
    assert open_().virtual_host == "/"
    assert amqp.decode_method(open_().encode()).virtual_host == "/"
    assert open_("").virtual_host == open_(virtual_host="").virtual_host == ""
    amqp.validate(open_())


def test_the_client_renews_its_secret() -> None:
    methods = RABBITMQ.methods
    senders = [
        set(item.SENT_BY) for item in (methods.ConnectionUpdateSecret, methods.ConnectionUpdateSecretOk)
    ]
    assert senders == [{"client"}, {"server"}]


# Where a published grammar lets nobody, or others, send what the chassis allows.
UNSAID = {
    "amqp_0_8": {"tunnel.request"},
    "amqp_0_8_rabbitmq": {"tunnel.request"},
    "amqp_0_9": {"tunnel.request", "message.empty"},
}


@pytest.mark.parametrize("name", PACKAGES)
def test_methods_are_sent_by_those_whom_the_grammar_names(name: str) -> None:
    amqp = PACKAGES[name]
    said: dict[Any, set[str]] = {}
    for side, cls in importlib.import_module(f"{name}.grammar").SYMBOLS:
        said.setdefault(cls, set()).add(side)
    contradictions = {cls.NAME for cls in methods_of(amqp) if said.get(cls, set()) != cls.SENT_BY}
    assert contradictions <= UNSAID.get(name, set())


@each_package
def test_which_long_strings_are_text(amqp: Any) -> None:
    kinds = {
        (cls, field.name): field.type
        for cls in methods_of(amqp)
        for field in cls.FIELDS
        if not field.reserved
    }
    texts = {(cls, name) for cls, names in amqp.TEXT_ARGUMENTS.items() for name in names}
    assert {kinds[text] for text in texts} == {"longstr"}
    assert amqp.TEXT_ARGUMENTS is amqp.methods.TEXT_ARGUMENTS
    assert amqp.TEXT_ARGUMENTS[method(amqp, "connection.start")] == ("mechanisms", "locales")
    assert amqp.TEXT_ARGUMENTS[method(amqp, "connection.start-ok")] == ("response",)
    octets = {cls.NAME for cls, name in kinds if kinds[cls, name] == "longstr" and (cls, name) not in texts}
    assert octets <= {
        *("channel.open-ok", "channel.resume", "message.append", "message.checkpoint", "message.close"),
        *("message.open", "message.resume", "message.transfer"),
    }


def test_the_new_secret_is_text() -> None:
    assert RABBITMQ.TEXT_ARGUMENTS[RABBITMQ.methods.ConnectionUpdateSecret] == ("new_secret",)


@each_package
def test_moments_that_python_does_not_have(amqp: Any) -> None:
    assert amqp.Timestamp(253_402_300_799).datetime.year == 9999
    for seconds in (253_402_300_800, 1_700_000_000_000, 2**64 - 1, -(10**14)):
        with pytest.raises(amqp.CodecError, match=rf"^{seconds} seconds from 1970 are beyond the years"):
            _ = amqp.Timestamp(seconds).datetime
    with pytest.raises(ValueError, match="milliseconds") as caught:
        _ = amqp.Timestamp(1_700_000_000_000).datetime
    assert isinstance(caught.value, OverflowError)  # as datetime itself says
    assert caught.value.__cause__ is None


@each_package
@pytest.mark.parametrize("channel", [1, 7, 65535])
def test_heartbeats_belong_to_the_connection(amqp: Any, channel: int) -> None:
    with pytest.raises(amqp.EncodeError, match=f"channel 0, not on {channel}$") as caught:
        amqp.encode_frame(channel, amqp.Heartbeat())
    assert caught.value.path == "channel"
    assert amqp.encode_frame(0, amqp.Heartbeat()) == amqp.constants.HEARTBEAT_FRAME
    for wrong in (-1, 65536, "1", None):
        with pytest.raises(amqp.EncodeError, match="not a channel number"):
            amqp.encode_frame(wrong, amqp.Heartbeat())


@each_package
def test_messages_say_an_octet(amqp: Any) -> None:
    with pytest.raises(amqp.EncodeError, match="300 does not fit an octet, 0 to 255"):
        amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(priority=300)))
    octets = amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(priority=3)))
    short = octets[:6] + bytes((octets[6] - 1,)) + octets[7:-2] + octets[-1:]
    with pytest.raises(amqp.DecodeError, match="an octet needs 1 octet, but only 0 are left"):
        _ = amqp.decode_frames(short)[0][0][1].properties


@each_package
def test_help_begins_with_the_arguments_of_this_version(amqp: Any) -> None:
    for cls in methods_of(amqp):
        reserved = {field.name for field in cls.FIELDS if field.reserved}
        hidden = {alias for alias, name in cls.ALIASES.items() if name in reserved}
        first = pydoc.plain(pydoc.render_doc(cls)).split("\n\n")[1]
        assert f"{cls.__name__}(" in first
        for alias in hidden:
            assert f"{alias}:" not in first.partition("->")[0], cls.NAME
            assert alias in inspect.signature(cls).parameters
        for alias in cls.ALIASES.keys() - hidden:
            assert f"{alias}:" in first, cls.NAME


def test_classes_derived_from_a_method() -> None:
    @dataclass
    class Sub(RABBITMQ.methods.BasicPublish):  # type: ignore[name-defined,misc]
        note: str = ""

    made = Sub("e", "r")
    assert (made.exchange, made.routing_key, made.mandatory, made.note) == ("e", "r", False, "")
    assert list(inspect.signature(Sub).parameters)[-1] == "note"
    assert RABBITMQ.encode_frame(1, made) == RABBITMQ.encode_frame(1, RABBITMQ.methods.BasicPublish("e", "r"))
