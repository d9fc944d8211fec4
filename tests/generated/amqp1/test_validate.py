"""``validate`` checks what the specification states about fields and entries of maps; ``Message.encode`` types of keys."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from amqp_1_0.errors import ValidationError
from amqp_1_0.validation import FIELD_RULES, MAP_RULES, violations

from .packages import BY_NAME, amqp
from .specification import FILES, FOLDER

m, p, types = amqp.messaging, amqp.performatives, amqp.types
Symbol, ULong, Described, Map = amqp.Symbol, types.ULong, amqp.Described, amqp.Map
BODY = m.AmqpValue("x")


def message(**sections: Any) -> Any:
    return amqp.Message(**{"body": BODY, **sections})


def attach(**source: Any) -> Any:
    return p.Attach(name="l", handle=0, role=p.Role.RECEIVER, source=m.Source(**source))


def flow(**fields: Any) -> Any:
    return p.Flow(**{"incoming_window": 1, "next_outgoing_id": 0, "outgoing_window": 1, **fields})


def failed(**fields: Any) -> Any:
    return amqp.sasl.SaslOutcome(**{"code": amqp.sasl.SaslCode.AUTH, **fields})


FILTER = Described(Symbol("apache.org:selector-filter:string"), "a = 1")
GOOD: list[Any] = [
    message(application_properties={"a": 1, "b": None, "c": Symbol("s"), "d": b"x"}),
    message(message_annotations={"x-opt-a": [1, {2: 3}], Symbol("x-b"): {}}),
    message(delivery_annotations={"rejected": p.Error(condition="amqp:internal-error")}),
    message(footer={"x-opt-hash": b"1"}),
    message(application_properties={}, footer={}),
    message(body=[m.Data(b"a"), m.Data(b"b")]),
    p.Open(container_id="c", properties={"product": "x", Symbol("version"): [1]}),
    attach(filter={"selector": FILTER, "none": None}),
    attach(dynamic=True, dynamic_node_properties={"lifetime-policy": m.DeleteOnClose()}),
    attach(dynamic=True, dynamic_node_properties={"supported-dist-modes": Symbol("move")}),
    attach(dynamic=True, dynamic_node_properties={"supported-dist-modes": amqp.Array([Symbol("copy")])}),
    p.Open(container_id="c", max_frame_size=512),
    p.Attach(name="l", handle=0, role=p.Role.SENDER, initial_delivery_count=0),
    flow(handle=0, delivery_count=1, link_credit=2, available=0, drain=True, properties={}),
    flow(drain=False),
    p.Transfer(handle=0, delivery_tag=bytes(32)),
    amqp.transactions.Declared(txn_id=bytes(32)),
    amqp.sasl.SaslOutcome(code=amqp.sasl.SaslCode.OK, additional_data=b"x"),
    failed(),
    m.Properties(content_encoding="gzip"),
    message(properties=m.Properties(content_encoding="gzip"), body=m.Data(b"")),
    message(properties=m.Properties(content_encoding="gzip"), body=[m.Data(b""), m.Data(b"")]),
    message(properties=m.Properties(content_type="text/plain")),
    message(body=m.AmqpValue([m.Properties(content_encoding="gzip")])),
    p.Attach(name="l", handle=0, role=p.Role.RECEIVER, unsettled={b"1": None, "2": m.Accepted()}),
    {1: 2, None: [3]},
    m.ApplicationProperties({"a": 1}),
    5,
]
BAD: list[tuple[Any, str, str]] = [
    (message(application_properties={"l": [1]}), "application-properties.l", "application-properties/simple-values"),
    (message(application_properties={"m": {}}), "application-properties.m", "application-properties/simple-values"),
    (message(application_properties={"a": amqp.Array([1])}), "application-properties.a",
     "application-properties/simple-values"),
    (message(application_properties={"d": Described(Symbol("x"), 1)}), "application-properties.d",
     "application-properties/simple-values"),
    (message(message_annotations={"mine": 1}), "message-annotations.mine", "annotations/reserved-keys"),
    (message(footer={ULong(5): 1}), "footer.ULong(5)", "annotations/reserved-keys"),
    (message(delivery_annotations={"rejected": 1}), "delivery-annotations.rejected", "rejected-key"),
    (p.Open(container_id="c", properties={1: 2}), "open.properties.1", "fields/symbol-keys"),
    (p.Open(container_id="c", properties=Map([([], 2)])), "open.properties.<list>", "fields/symbol-keys"),
    (attach(filter={"f": "plain"}), "attach.source.filter.f", "filter-set/value-type"),
    (attach(filter={1: FILTER}), "attach.source.filter.1", "filter-set/key-type"),
    (attach(filter={"f": m.Accepted()}), "attach.source.filter.f", "filter-set/value-type"),
    (attach(dynamic=True, dynamic_node_properties={"lifetime-policy": "short"}),
     "attach.source.dynamic-node-properties.lifetime-policy", "node-properties/lifetime-policy"),
    (attach(dynamic=True, dynamic_node_properties={1: 2}), "attach.source.dynamic-node-properties.1",
     "fields/symbol-keys"),
    (attach(dynamic=True, dynamic_node_properties={"supported-dist-modes": "move"}),
     "attach.source.dynamic-node-properties.supported-dist-modes", "node-properties/supported-dist-modes-form"),
    (attach(dynamic_node_properties={}), "attach.source.dynamic-node-properties",
     "source.dynamic-node-properties/unset-without-dynamic"),
    (m.Target(dynamic_node_properties={}), "target.dynamic-node-properties",
     "target.dynamic-node-properties/unset-without-dynamic"),
    (p.Open(container_id="c", max_frame_size=511), "open.max-frame-size", "accept-minimum"),
    (p.Attach(name="l", handle=0, role=p.Role.SENDER), "attach.initial-delivery-count",
     "attach.initial-delivery-count/set-by-sender"),
    (flow(delivery_count=0), "flow.delivery-count", "flow.delivery-count/not-without-handle"),
    (flow(link_credit=0), "flow.link-credit", "flow.link-credit/not-without-handle"),
    (flow(available=0), "flow.available", "flow.available/not-without-handle"),
    (flow(drain=True), "flow.drain", "flow.drain/not-without-handle"),
    (flow(properties={}), "flow.properties", "flow.properties/not-without-handle"),
    (p.Transfer(handle=0, delivery_tag=memoryview(bytes(66)).cast("H")), "transfer.delivery-tag",
     "delivery-tag/at-most-32-octets"),
    (p.Disposition(p.Role.SENDER, 0, state=amqp.transactions.TransactionalState(txn_id=bytes(33))),
     "disposition.state.txn-id", "transaction-id/at-most-32-octets"),
    (failed(additional_data=b"x"), "sasl-outcome.additional-data", "unset-on-failure"),
    (message(properties=m.Properties(content_encoding="identity"), body=m.Data(b"")), "properties.content-encoding",
     "properties.content-encoding/no-identity"),
    *(
        (
            message(properties=m.Properties(content_encoding="gzip"), body=body),
            "properties.content-encoding",
            "properties.content-encoding/only-with-data",
        )
        for body in (BODY, m.AmqpSequence([1]), [m.AmqpSequence([1]), m.AmqpSequence([2])])
    ),
    *(
        (
            p.Attach(name="l", handle=0, role=p.Role.RECEIVER, unsettled=unsettled),
            "attach.unsettled.None",
            "attach.unsettled/no-null-keys",
        )
        for unsettled in ({b"1": None, None: m.Accepted()}, Map([(None, None)]))
    ),
    (m.ApplicationProperties({1: 2}), "application-properties.1", "application-properties/string-keys"),
    ([{"k": p.Error(condition="x", info={2: 3})}], "[0].k.info.2", "fields/symbol-keys"),
    (Described(1, m.ApplicationProperties({"a": []})), "application-properties.a", "simple-values"),
    (message(body=m.AmqpValue(m.Footer({"a": 1}))), "amqp-value.a", "annotations/reserved-keys"),
]  # fmt: skip


@pytest.mark.parametrize("value", GOOD, ids=lambda value: type(value).__name__)
def test_what_is_right_passes(value: Any) -> None:
    amqp.validate(value)
    assert violations(value) == []


@pytest.mark.parametrize(("value", "path", "rule"), BAD, ids=[f"{rule} {path}" for _, path, rule in BAD])
def test_what_breaks_a_rule_is_named(value: Any, path: str, rule: str) -> None:
    with pytest.raises(ValidationError) as caught:
        amqp.validate(value)
    (found,) = caught.value.violations
    assert found.startswith(f"{path} "), found
    assert found.endswith(f"{rule})"), found
    assert str(caught.value) == found
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.violations) == (ValidationError, caught.value.violations)


def test_what_cannot_be_encoded_is_a_violation() -> None:
    assert violations(p.Open(container_id=5)) == ["open.container-id: 5 is not a string: it is not a str"]
    assert violations(message(properties=m.Properties(user_id=1)))[0].startswith("properties.user-id: ")


def test_a_message_without_a_body_breaks_a_rule() -> None:
    for value in (amqp.Message(), message(properties=m.Properties(content_encoding="gzip"), body=None)):
        (found,) = violations(value)
        assert found.startswith("body is missing: ")
        assert found.endswith("(part 3, section 3.2)")
    assert violations(amqp.Message(body=[]))[0].startswith("body: ")
    assert violations(amqp.Message(body=m.AmqpValue(None))) == []
    # It is a rule about meaning: such messages are encoded and decoded.
    assert amqp.decode_message(amqp.Message().encode()) == amqp.Message()


def test_objects_of_subclasses_are_checked_as_their_base() -> None:
    mine = type("Mine", (p.Open,), {"__slots__": ()})(container_id="c", properties={1: 2})
    assert violations(mine) == violations(p.Open(container_id="c", properties={1: 2}))


def test_every_rule_of_the_tables_is_in_the_specification_and_its_types_obey_it() -> None:
    stated = set(stated_rules())
    used = {rule.path for rules in (*MAP_RULES.values(), *FIELD_RULES.values()) for rule in rules}
    assert used <= stated
    assert len(used) == 11 + 14
    assert {rule.path for rule in MAP_RULES["footer"]} == {
        "annotations/key-types",
        "annotations/reserved-keys",
    }
    assert {rule.path for rule in MAP_RULES["node-properties"]} >= {"fields/symbol-keys"}
    assert set(MAP_RULES) >= {name for name, kind in BY_NAME.items() if kind.SOURCE == "map"}
    fields = {f"{name}.{field.name}" for name, kind in BY_NAME.items() for field in kind.FIELDS}
    assert set(FIELD_RULES) <= fields


def stated_rules() -> Iterator[str]:
    """The paths of the rules of types and of their fields."""
    for name in FILES:
        for kind in ElementTree.parse(FOLDER / f"{name}.xml").findall(".//{*}type"):
            owners = {kind.get("name"): kind}
            owners |= {
                f"{kind.get('name')}.{element.get('name')}": element for element in kind.findall("{*}field")
            }
            for path, owner in owners.items():
                for rule in owner.findall("{*}rule"):
                    yield f"{path}/{rule.get('name')}"


KEYS: list[tuple[dict[str, Any], str]] = [
    ({"application_properties": {1: "a"}}, "application-properties.1"),
    ({"application_properties": {"ok": 1, None: "a"}}, "application-properties.None"),
    ({"application_properties": {Symbol("s"): "a"}}, "application-properties.s"),
    ({"application_properties": {types.Char("c"): "a"}}, "application-properties.c"),
    ({"application_properties": {b"b": "a"}}, "application-properties.b'b'"),
    ({"application_properties": Map([("a", 1), ([], 2)])}, "application-properties.<list>"),
    ({"message_annotations": {1: "a"}}, "message-annotations.1"),
    ({"message_annotations": {None: "a"}}, "message-annotations.None"),
    ({"delivery_annotations": {True: "a"}}, "delivery-annotations.True"),
    ({"footer": Map([(types.Char("c"), 1)])}, "footer.c"),
    ({"footer": {types.UInt(5): 1}}, "footer.UInt(5)"),
    ({"message_annotations": Map([("b", 1), (Symbol("b"), 2)])}, "message-annotations.b"),
]


@pytest.mark.parametrize(("sections", "path"), KEYS, ids=[path for _, path in KEYS])
def test_a_message_with_keys_of_other_types_is_not_encoded(sections: dict[str, Any], path: str) -> None:
    with pytest.raises(amqp.EncodeError) as caught:
        message(**sections).encode()
    assert caught.value.path == path
    assert "not of the type" in caught.value.message
    assert violations(message(**sections)) == [str(caught.value)]


def test_keys_of_the_right_types_are_encoded() -> None:
    class Name(str):
        __slots__ = ()

    for sections in (
        {"application_properties": {"a": 1, Name("b"): 2}},
        {"application_properties": Map([("a", 1)])},
        {"message_annotations": {"a": 1, Symbol("b"): 2, ULong(3): 3}},
        {"footer": Map([(Symbol("a"), 1), (ULong(1), 2)])},
    ):
        ((name, value),) = sections.items()
        again = getattr(amqp.decode_message(message(**sections).encode()), name)
        assert list(again) == list(dict(value.pairs) if isinstance(value, Map) else value)
