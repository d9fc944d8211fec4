"""The dataclasses of generated packages are those of the standard library in all but how they are made."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from amqp_0_9_1_rabbitmq import _dataclass as thin
from amqp_0_9_1_rabbitmq.dialects import Dialect
from amqp_0_9_1_rabbitmq.methods import BasicAck, QueueDeclare

GENERATED = Path(__file__).resolve().parents[2] / "generated"
# Not amqp_1_0: its lossless message is derived from another dataclass, which the standard library does.
PACKAGES = ("amqp_0_8", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq")
NAN = float("nan")
dataclass: Any = thin.dataclass
field: Any = thin.field


class Plain:
    count: int
    name: str

    def __init__(self, count: int = 0, name: str = "x") -> None:
        self.count = count
        self.name = name


class Defaults:
    left: int
    right: int | None = None
    items: list[int] = field(default_factory=list)
    hidden: int = field(default=7, repr=False, compare=False)


class Frozen:
    name: str
    value: float = 1.5


class Empty:
    pass


class Checked:
    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("negative")


def made(decorator: Any, default: Any, kind: type, options: dict[str, bool]) -> Any:
    """A copy of a class, made into a dataclass by a decorator; the defaults are of its own kind."""
    body = {
        name: default(**value.options) if isinstance(value, thin._Field) else value
        for name, value in vars(kind).items()
        if name not in ("__dict__", "__weakref__")
    }
    return decorator(**options)(type(kind.__name__, (), body))


CASES = [
    (kind, {**options, "slots": slots}, arguments)
    for slots in (False, True)
    for kind, options, arguments in [
        (Plain, {"init": False}, [(1, "a"), (2, "a"), (1, "b")]),
        (Plain, {"init": False, "repr": False, "eq": False}, [(1, "a"), (2, "a")]),
        (Defaults, {}, [(1,), (1, 2), (1, 2, [3]), (1, 2, [3], 8)]),
        (Frozen, {"frozen": True}, [("a",), ("a", 1.5), ("b", NAN)]),
        (Empty, {}, [()]),
        (Checked, {}, [(1,), (2,)]),
    ]
]


@pytest.mark.parametrize(("kind", "options", "arguments"), CASES)
def test_it_is_as_the_standard_library_makes_it(
    kind: type, options: dict[str, bool], arguments: list[tuple[Any, ...]]
) -> None:
    ours: Any = made(dataclass, field, kind, options)
    theirs: Any = made(dataclasses.dataclass, dataclasses.field, kind, options)
    assert dataclasses.is_dataclass(ours) is True
    for name in ("name", "type", "default", "init", "repr", "compare", "kw_only"):
        assert [getattr(each, name) for each in dataclasses.fields(ours)] == [
            getattr(each, name) for each in dataclasses.fields(theirs)
        ]
    assert repr(ours.__dataclass_params__) == repr(theirs.__dataclass_params__)
    assert ours.__match_args__ == theirs.__match_args__
    assert hasattr(ours, "__slots__") is hasattr(theirs, "__slots__")
    if "init" not in options:
        signatures = [inspect.signature(each) for each in (ours, theirs)]
        assert [
            (parameter.name, parameter.annotation, parameter.kind)
            for parameter in signatures[0].parameters.values()
        ] == [
            (parameter.name, parameter.annotation, parameter.kind)
            for parameter in signatures[1].parameters.values()
        ]
    one, other = ([cls(*each) for each in arguments] for cls in (ours, theirs))
    assert [[a == b for a in one] for b in one] == [[a == b for a in other] for b in other]
    if "repr" not in options:
        assert list(map(repr, one)) == list(map(repr, other))
    assert list(map(dataclasses.asdict, one)) == list(map(dataclasses.asdict, other))
    for value in one:
        again = dataclasses.replace(value)
        assert type(again) is ours
        assert repr(copy.copy(value)) == repr(value) or "repr" in options
    assert (ours.__hash__ is None) is (theirs.__hash__ is None)
    if options.get("frozen"):
        assert hash(one[0]) == hash(one[1])
        with pytest.raises(dataclasses.FrozenInstanceError):
            one[0].name = "b"
        with pytest.raises(dataclasses.FrozenInstanceError):
            del one[0].name


def test_default_factories_are_called_each_time() -> None:
    cls = made(dataclass, field, Defaults, {"slots": True})
    assert cls(1).items is not cls(1).items


def test_post_init_is_called() -> None:
    cls = made(dataclass, field, Checked, {})
    with pytest.raises(ValueError, match="negative"):
        cls(-1)


def test_a_frozen_one_can_be_pickled() -> None:
    dialect = Dialect("own", {"I": "int32", "S": "longstr"}, ("I",), {})
    for again in (pickle.loads(pickle.dumps(dialect)), copy.deepcopy(dialect)):
        assert again == dialect
    with pytest.raises(dataclasses.FrozenInstanceError):
        dialect.name = "x"  # type: ignore[misc]


def test_a_value_that_is_not_equal_to_itself() -> None:
    cls = made(dataclass, field, Frozen, {})
    library = made(dataclasses.dataclass, dataclasses.field, Frozen, {})
    assert sys.version_info >= (3, 13) or (cls("a", NAN) == cls("a", NAN)) is (
        library("a", NAN) == library("a", NAN)
    )


def test_a_repr_of_itself() -> None:
    declared: Any = QueueDeclare()
    declared.arguments = {"self": declared}
    assert repr(declared).endswith("arguments={...})})")


@dataclasses.dataclass
class Counted(BasicAck):
    seen: int = 0


def test_the_standard_library_derives_from_it() -> None:
    with pytest.raises(TypeError):
        dataclasses.dataclass(frozen=True)(type("Wrong", (BasicAck,), {"__annotations__": {}}))
    assert [each.name for each in dataclasses.fields(Counted)][-1] == "seen"
    assert Counted.__match_args__[-1] == "seen"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_import_does_not_need_the_module(package: str) -> None:
    code = f"import sys; sys.path.insert(0, {str(GENERATED)!r}); import {package}; print('dataclasses' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-B", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
