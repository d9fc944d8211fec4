"""The dataclasses of generated packages are those of the standard library in all but how they are made.

Objects are made from the type hints of constructors alone, so that these are proven, too.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import types
import typing
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import amqp_0_9
import amqp_0_9_1_rabbitmq as rabbitmq
import amqp_1_0
import amqp_1_0_rabbitmq
import pytest

from .test_public_names import NAMES, public_modules, sources

GENERATED = Path(__file__).resolve().parents[2] / "generated"
NAN = float("nan")
SAMPLES: dict[Any, Any] = {bool: True, int: 7, str: "x", bytes: b"x", type(None): None, Any: "any"}


def dataclasses_of(package: str) -> Iterator[Any]:
    for name, _ in sources(package):
        module = import_module(name)
        if vars(module).get("dataclass", dataclasses.dataclass) is not dataclasses.dataclass:
            for value in vars(module).values():
                if (
                    inspect.isclass(value)
                    and value.__module__ == name
                    and "__dataclass_fields__" in vars(value)
                ):
                    yield value


ONES: tuple[Any, ...] = (amqp_1_0, amqp_1_0_rabbitmq)
each_package = pytest.mark.parametrize("package", NAMES)


def sample(hint: Any) -> Any:
    """Return a value of a type."""
    if hint in SAMPLES:
        return SAMPLES[hint]
    if isinstance(hint, typing.TypeVar):
        return sample(hint.__bound__)
    arguments = typing.get_args(hint)
    origin: Any = typing.get_origin(hint) or hint
    if origin in (typing.Union, types.UnionType):
        return sample(arguments[0])
    if issubclass(origin, Enum):
        return next(iter(origin))
    if issubclass(origin, tuple):
        return origin(*map(sample, hints_of(origin).values()))
    if dataclasses.is_dataclass(origin):
        return made(origin)
    if issubclass(origin, typing.Mapping):
        return {}
    if issubclass(frozenset, origin):
        return frozenset()
    return []


def hints_of(of: Any) -> dict[str, Any]:
    return typing.get_type_hints(of)


def parameters(cls: Any) -> dict[str, inspect.Parameter]:
    """Return the parameters of a constructor, without other names for them."""
    found = inspect.signature(cls).parameters
    return {name: found[name] for name in (field.name for field in dataclasses.fields(cls)) if name in found}


def made(cls: Any) -> Any:
    """Return an object with only what the constructor requires."""
    for amqp in ONES:
        if cls is amqp.Delivery:
            return cls(amqp.performatives.Transfer(0, 1, b"tag"), b"payload")
    hints = hints_of(cls.__init__) if "__init__" in vars(cls) else {}
    required = [name for name, parameter in parameters(cls).items() if parameter.default is parameter.empty]
    return cls(**{name: sample(hints[name]) for name in required})


def values(owner: Any) -> dict[str, Any]:
    return {field.name: getattr(owner, field.name) for field in dataclasses.fields(owner)}


@each_package
def test_fields_say_what_the_constructor_stores(package: str) -> None:
    for cls in dataclasses_of(package):
        value = made(cls)
        required = {
            name for name, parameter in parameters(cls).items() if parameter.default is parameter.empty
        }
        for field in dataclasses.fields(cls):
            default = (
                field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
            )
            assert (default is dataclasses.MISSING) is (field.name in required), field.name
            if field.name not in required:
                assert default == getattr(value, field.name), field.name
                assert type(default) is type(getattr(value, field.name)), field.name
            assert field.init
            assert field.type == hints_of(cls)[field.name], field.name


@each_package
def test_it_is_as_the_standard_library_makes_it(package: str) -> None:
    for cls in dataclasses_of(package):
        frozen = cls.__dataclass_params__.frozen
        specs = [
            (
                field.name,
                field.type,
                dataclasses.field(
                    default=field.default, default_factory=field.default_factory, kw_only=bool(field.kw_only)
                ),
            )
            for field in dataclasses.fields(cls)
        ]
        theirs: Any = dataclasses.make_dataclass(cls.__name__, specs, frozen=frozen)
        assert set(theirs.__match_args__) <= set(cls.__match_args__)
        assert (cls.__hash__ is None) is (theirs.__hash__ is None)
        one, other = made(cls), made(cls)
        assert one == other
        assert one != object()
        assert one != theirs(**values(one))
        assert "__dict__" not in dir(one) or cls.__name__ == "Dialect"
        if frozen:
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(one, specs[0][0], 1)
            with pytest.raises(dataclasses.FrozenInstanceError):
                delattr(one, specs[0][0])
        elif specs:
            setattr(other, specs[0][0], NAN)
            assert one != other
            setattr(one, specs[0][0], NAN)
            assert one == other, "one NaN is equal to itself, as it is in a tuple"


@each_package
def test_copies(package: str) -> None:
    for cls in dataclasses_of(package):
        value = made(cls)
        copies = [copy.copy(value), copy.deepcopy(value), dataclasses.replace(value)]
        copies += [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(6)]
        if sys.version_info >= (3, 13):
            copies.append(copy.replace(value))
        for again in copies:
            assert again == value
            assert type(again) is cls
            assert repr(again) == repr(value)
        assert list(dataclasses.asdict(value)) == [field.name for field in dataclasses.fields(cls)]


@each_package
def test_replace_changes_one_field(package: str) -> None:
    for cls in dataclasses_of(package):
        value = made(cls)
        for field in dataclasses.fields(cls):
            if cls.__name__ not in ("Delivery", "LosslessMessage") and cls.__name__ != "Dialect":
                changed = values(dataclasses.replace(value, **{field.name: ["changed"]}))
                assert changed.pop(field.name) == ["changed"]
                assert changed == {name: item for name, item in values(value).items() if name != field.name}


@each_package
@pytest.mark.parametrize("kw_only", [False, True])
def test_the_standard_library_derives_from_it(package: str, kw_only: bool) -> None:
    for cls in dataclasses_of(package):
        frozen = cls.__dataclass_params__.frozen
        namespace = {"__annotations__": {"note": "str"}, "note": "new"}
        derived: Any = dataclasses.dataclass(frozen=frozen, kw_only=kw_only)(
            type("Derived", (cls,), namespace)
        )
        base = values(made(cls))
        required = {
            name: base[name]
            for name, parameter in parameters(cls).items()
            if parameter.default is parameter.empty
        }
        if cls.__name__ != "Delivery":  # whose constructor has more to do
            value = derived(**required)
            assert values(value) == {**base, "note": "new"}
            assert value == derived(**required)
            assert value != derived(**required, note="other")
            other = dataclasses.replace(value, note="other")
            for again in (other, copy.copy(other), copy.deepcopy(other)):
                assert values(again) == {**base, "note": "other"}
        with pytest.raises(TypeError):
            dataclasses.dataclass(frozen=not frozen)(type("Wrong", (cls,), {}))


@dataclasses.dataclass
class Counted(rabbitmq.methods.BasicPublish):
    seen: int = 0


@dataclasses.dataclass
class Noted(amqp_1_0.performatives.Disposition):
    note: str = ""


def test_what_is_derived_can_be_sent_and_pickled() -> None:
    # Type checkers do not see the defaults of a class with slots, and ask for all fields.
    any_counted: Any = Counted
    any_noted: Any = Noted
    counted = any_counted("e", "r", seen=3)
    assert counted.encode() == rabbitmq.methods.BasicPublish("e", "r").encode()
    noted = any_noted(amqp_1_0.performatives.Role.RECEIVER, 5, note="n")
    assert noted.encode() == amqp_1_0.performatives.Disposition(noted.role, 5).encode()
    assert pickle.loads(pickle.dumps([counted, noted])) == [counted, noted]
    assert pickle.loads(pickle.dumps(noted)).note == "n"


def test_mutable_defaults_are_made_anew() -> None:
    for cls in (rabbitmq.methods.QueueDeclare, amqp_1_0.messaging.Source):
        factories = [
            field.default_factory
            for field in dataclasses.fields(cls)
            if field.default_factory is not dataclasses.MISSING
        ]
        assert factories
        assert set(factories) <= {dict, list}
    content = next(
        field for field in dataclasses.fields(amqp_0_9.methods.MessageTransfer) if field.name == "body"
    )
    assert content.default_factory is amqp_0_9.Content


def test_lossless_composites() -> None:
    octets = amqp_1_0.performatives.Open("c").encode()
    unusual = octets[:3] + b"\xd0" + (4 + octets[4] - 1).to_bytes(4, "big") + bytes(3) + octets[5:]
    value: Any
    ((_, value, _),) = amqp_1_0.FrameDecoder(lossless=True).feed(
        (8 + len(unusual)).to_bytes(4, "big") + b"\x02\x00\x00\x00" + unusual
    )
    assert value.original.octets == unusual
    names = [field.name for field in dataclasses.fields(amqp_1_0.performatives.Open)]
    assert [field.name for field in dataclasses.fields(value)] == [*names, "original"]
    assert type(value)("c").original is None
    assert dataclasses.fields(value)[-1].default is None
    changed = dataclasses.replace(value, hostname="h")
    assert (changed.original, changed.hostname) == (value.original, "h")
    for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert again == value
        assert again.encode() == unusual


def test_a_repr_of_itself() -> None:
    declared: Any = rabbitmq.methods.QueueDeclare()
    declared.arguments = {"self": declared}
    assert repr(declared).endswith("arguments={...})})")
    detach: Any = amqp_1_0.performatives.Detach(0)
    detach.error = detach
    assert repr(detach) == "Detach(handle=0, closed=False, error=...)"
    body: Any = rabbitmq.ContentBody()
    body.payload = body
    assert repr(body) == "ContentBody(payload=...)"


def annotated(package: str) -> Iterator[Any]:
    """Yield every public class and function, and the methods of the classes."""
    for module, _ in public_modules(package):
        for public in (getattr(module, name) for name in module.__all__):
            if inspect.isfunction(public):
                yield public
            if inspect.isclass(public):
                yield public
                for member in vars(public).values():
                    functions = (member.fget, member.fset) if isinstance(member, property) else (member,)
                    yield from filter(inspect.isfunction, functions)
                    if isinstance(member, (classmethod, staticmethod)):
                        yield member.__func__


@each_package
def test_type_hints_can_be_read(package: str) -> None:
    hints = [hints_of(item) for item in annotated(package)]
    assert len(hints) > 500
    # A name is looked up outside of the class: ``Timestamp.datetime`` gives a ``datetime``, not a property.
    assert not [hint for found in hints for hint in found.values() if isinstance(hint, property)]


def test_type_hints_of_a_user_can_be_read() -> None:
    """Types that refer to themselves need no other name in the module that uses them."""

    def table(entries: rabbitmq.FieldTable, value: rabbitmq.FieldValue) -> None: ...

    def values(entries: list[amqp_1_0.Value], state: amqp_1_0.archetypes.DeliveryState) -> None: ...

    assert set(typing.get_type_hints(table)) == {"entries", "value", "return"}
    states = typing.get_args(typing.get_type_hints(values)["state"])
    assert amqp_1_0.messaging.Received in states
    hint = typing.get_type_hints(amqp_1_0.performatives.Attach)["source"]
    assert set(typing.get_args(hint)) == {amqp_1_0.messaging.Source, amqp_1_0.Described, type(None)}


@each_package
def test_nothing_is_compiled_and_no_annotation_is_read_at_import(package: str) -> None:
    for _, path in sources(package):
        text = path.read_text()
        assert [
            word for word in ("exec(", "eval(", "__annotations__", "__annotate") if word in text
        ] == [], path


@each_package
def test_the_import_does_not_need_the_module(package: str) -> None:
    code = f"import sys; sys.path.insert(0, {str(GENERATED)!r}); import {package}; print('dataclasses' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-B", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
