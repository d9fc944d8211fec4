"""What the packages say about methods: facts checked by hand against the XML."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from .packages import (
    DRAFT,
    OLDEST,
    OLDEST_RABBITMQ,
    RABBITMQ,
    STANDARD,
    bare,
    each_package,
    method,
    methods_of,
)

CLIENT, SERVER, BOTH = {"client"}, {"server"}, {"client", "server"}
# package, method, class id, method id, sent by, synchronous, content, deprecated, replies, reserved fields
FACTS: list[tuple[Any, str, int, int, set[str], bool, bool, bool, list[str], list[str]]] = [
    (OLDEST, "connection.open", 10, 40, CLIENT, True, False, False, ["OpenOk", "Redirect"], []),
    (OLDEST, "connection.redirect", 10, 50, SERVER, True, False, False, [], []),
    (OLDEST, "connection.close", 10, 60, BOTH, True, False, False, ["CloseOk"], []),
    (OLDEST, "basic.publish", 60, 40, CLIENT, False, True, False, [], []),
    (OLDEST, "basic.recover", 60, 100, CLIENT, False, False, False, [], []),
    (OLDEST, "test.content", 120, 40, BOTH, True, True, False, ["ContentOk"], []),
    (OLDEST, "file.open-ok", 70, 41, BOTH, True, False, False, ["Stage"], []),
    (DRAFT, "connection.close", 10, 50, BOTH, True, False, False, ["CloseOk"], []),
    (DRAFT, "channel.ping", 20, 60, BOTH, False, False, False, ["Ok"], []),
    (DRAFT, "message.transfer", 120, 10, BOTH, False, False, False, ["Ok", "Reject"], []),
    (DRAFT, "queue.unbind", 50, 50, CLIENT, True, False, False, ["UnbindOk"], []),
    (STANDARD, "connection.start", 10, 10, SERVER, True, False, False, ["StartOk"], []),
    (STANDARD, "connection.start-ok", 10, 11, CLIENT, True, False, False, ["Secure", "Tune"], []),
    (STANDARD, "connection.open", 10, 40, CLIENT, True, False, False, ["OpenOk"], ["reserved_1", "reserved_2"]),
    (STANDARD, "channel.flow", 20, 20, BOTH, True, False, False, ["FlowOk"], []),
    (STANDARD, "exchange.declare", 40, 10, CLIENT, True, False, False, ["DeclareOk"], ["reserved_1", "reserved_2", "reserved_3"]),
    (STANDARD, "basic.get", 60, 70, CLIENT, True, False, False, ["GetOk", "GetEmpty"], ["reserved_1"]),
    (STANDARD, "basic.get-ok", 60, 71, SERVER, True, True, False, [], []),
    (STANDARD, "basic.get-empty", 60, 72, SERVER, True, False, False, [], ["reserved_1"]),
    (STANDARD, "basic.deliver", 60, 60, SERVER, False, True, False, [], []),
    (STANDARD, "basic.ack", 60, 80, CLIENT, False, False, False, [], []),
    (STANDARD, "basic.recover-async", 60, 100, CLIENT, False, False, True, [], []),
    (STANDARD, "basic.recover", 60, 110, CLIENT, False, False, False, ["RecoverOk"], []),
    (STANDARD, "tx.commit", 90, 20, CLIENT, True, False, False, ["CommitOk"], []),
    (RABBITMQ, "basic.ack", 60, 80, BOTH, False, False, False, [], []),
    (RABBITMQ, "basic.nack", 60, 120, BOTH, False, False, False, [], []),
    (RABBITMQ, "basic.cancel", 60, 30, BOTH, True, False, False, ["CancelOk"], []),
    (RABBITMQ, "exchange.unbind", 40, 40, CLIENT, True, False, False, ["UnbindOk"], ["reserved_1"]),
    (RABBITMQ, "exchange.unbind-ok", 40, 51, SERVER, True, False, False, [], []),
    (RABBITMQ, "exchange.declare", 40, 10, CLIENT, True, False, False, ["DeclareOk"], ["reserved_1"]),
    (RABBITMQ, "connection.blocked", 10, 60, BOTH, False, False, False, [], []),
    (RABBITMQ, "confirm.select", 85, 10, CLIENT, True, False, False, ["SelectOk"], []),
]  # fmt: skip


@pytest.mark.parametrize("facts", FACTS, ids=[f"{facts[0].SPEC.version}-{facts[1]}" for facts in FACTS])
def test_facts(facts: Any) -> None:
    amqp, name, class_id, method_id, sent_by, synchronous, content, deprecated, replies, reserved = facts
    cls = amqp.METHODS[class_id << 16 | method_id]
    assert (name, class_id, method_id) == (cls.NAME, cls.CLASS_ID, cls.METHOD_ID)
    assert sent_by == cls.SENT_BY
    assert synchronous is cls.SYNCHRONOUS
    assert content is cls.HAS_CONTENT
    assert deprecated is cls.DEPRECATED
    prefix = name.partition(".")[0].capitalize()
    assert tuple(getattr(amqp.methods, prefix + reply) for reply in replies) == cls.RESPONSES
    assert [field.name for field in cls.FIELDS if field.reserved] == reserved
    # The same on an object.
    assert name == bare(cls).NAME
    assert class_id == bare(cls).CLASS_ID


@each_package
def test_methods_are_found_by_their_key(amqp: Any) -> None:
    for key, cls in amqp.METHODS.items():
        assert key == cls.KEY == cls.CLASS_ID << 16 | cls.METHOD_ID
        assert bare(cls).encode()[:4] == key.to_bytes(4, "big")
        assert type(amqp.decode_method(bare(cls).encode())) is cls
    assert amqp.METHODS is amqp.methods.METHODS


@each_package
def test_layouts(amqp: Any) -> None:
    for cls in methods_of(amqp):
        assert isinstance(cls.FIELDS, tuple)
        assert isinstance(cls.RESPONSES, tuple)
        assert isinstance(cls.SENT_BY, frozenset)
        for field in cls.FIELDS:
            assert isinstance(field, amqp.FieldLayout)
    declare = method(amqp, "queue.declare")
    assert [field.name for field in declare.FIELDS if field.type == "bit"] == [
        "passive",
        "durable",
        "exclusive",
        "auto_delete",
        "nowait" if amqp in (OLDEST, OLDEST_RABBITMQ, DRAFT) else "no_wait",
    ]


def test_methods_of_rabbitmqs_0_8_alone() -> None:
    added = {cls.NAME for cls in methods_of(OLDEST_RABBITMQ)} - {cls.NAME for cls in methods_of(OLDEST)}
    assert added == {"queue.unbind", "queue.unbind-ok", "basic.recover-async", "basic.recover-ok"}
    keys = {cls.NAME: (cls.CLASS_ID, cls.METHOD_ID) for cls in methods_of(OLDEST_RABBITMQ)}
    assert (keys["queue.unbind"], keys["queue.unbind-ok"]) == ((50, 50), (50, 51))
    assert (keys["basic.recover"], keys["basic.recover-ok"]) == ((60, 110), (60, 111))
    assert keys["basic.recover-async"] == (60, 100)  # the recover of 0-8
    for code in (312, 313, 406, 505):
        assert code in OLDEST_RABBITMQ.CLOSE_ERRORS
        assert code not in OLDEST.CLOSE_ERRORS


def test_methods_of_rabbitmq_alone() -> None:
    added = {cls.NAME for cls in methods_of(RABBITMQ)} - {cls.NAME for cls in methods_of(STANDARD)}
    assert added == {
        "access.request",
        "access.request-ok",
        "connection.blocked",
        "connection.unblocked",
        "connection.update-secret",
        "connection.update-secret-ok",
        "exchange.bind",
        "exchange.bind-ok",
        "exchange.unbind",
        "exchange.unbind-ok",
        "basic.nack",
        "confirm.select",
        "confirm.select-ok",
    }


@each_package
def test_methods_have_a_documentation(amqp: Any) -> None:
    for cls in methods_of(amqp):
        text = inspect.getdoc(cls)  # Python 3.13 removes the indentation itself
        assert text is not None
        assert text.startswith(f"{cls.NAME} ({cls.CLASS_ID}, {cls.METHOD_ID}): ")
        for reply in cls.RESPONSES:
            assert f"``{reply.__name__}``" in text
        assert ("Deprecated" in text) is cls.DEPRECATED
        for field in cls.FIELDS:
            if not field.reserved:
                assert f"\n    {field.name}: " in text


@each_package
def test_the_public_names(amqp: Any) -> None:
    for name in amqp.__all__:
        assert hasattr(amqp, name)
    assert {
        "PROTOCOL_HEADER",
        "SPEC",
        "METHODS",
        "constants",
        "methods",
        "content",
        "frames",
        "table",
        "errors",
        "validate",
        "encode_frame",
        "encode_message",
        "decode_frames",
        "decode_method",
        "FrameDecoder",
        "encode_table",
        "decode_table",
        "CLOSE_ERRORS",
        "ReplyCode",
    } <= set(amqp.__all__)
    assert amqp.frames.encode_frame is amqp.encode_frame
    assert amqp.methods.decode_method is amqp.decode_method
    assert amqp.errors.CLOSE_ERRORS is amqp.CLOSE_ERRORS
    assert amqp.table.decode_table is amqp.decode_table
    for cls in methods_of(amqp):
        assert cls.__name__ in amqp.methods.__all__
        assert getattr(amqp.methods, cls.__name__) is cls
