"""The packages under test, imported by name from sys.path.

Put copies first on sys.path (a tree generated elsewhere) and the same tests run against them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from inspect import signature
from types import ModuleType
from typing import Any

import pytest

from tests.many_cases import by_id, in_one_test

NAMES = ("amqp_0_8", "amqp_0_8_rabbitmq", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq")
PACKAGES: dict[str, Any] = {name: import_module(name) for name in NAMES}
OLDEST = PACKAGES["amqp_0_8"]
OLDEST_RABBITMQ = PACKAGES["amqp_0_8_rabbitmq"]
DRAFT = PACKAGES["amqp_0_9"]
STANDARD = PACKAGES["amqp_0_9_1"]
RABBITMQ = PACKAGES["amqp_0_9_1_rabbitmq"]

# The dialect that each package uses unless told otherwise.
DIALECTS = {
    "amqp_0_8": "spec-0-8",
    "amqp_0_8_rabbitmq": "rabbitmq",
    "amqp_0_9": "spec-0-9",
    "amqp_0_9_1": "spec-0-9-1",
    "amqp_0_9_1_rabbitmq": "rabbitmq",
}


def name_of(package: ModuleType) -> str:
    return package.__name__


def dialect_of(package: ModuleType) -> str:
    return DIALECTS[package.__name__]


def methods_of(package: Any) -> list[Any]:
    return list(package.METHODS.values())


def properties_of(package: Any) -> list[Any]:
    return list(package.content.PROPERTIES.values())


def method(package: Any, name: str) -> Any:
    """The class of the method with that name, for example ``queue.declare``."""
    return next(cls for cls in package.METHODS.values() if name == cls.NAME)


def required_of(cls: Any) -> list[str]:
    """The fields for which the constructor has no default: delivery tags."""
    parameters = signature(cls).parameters.values()
    return [parameter.name for parameter in parameters if parameter.default is parameter.empty]


def bare(cls: Any, **values: Any) -> Any:
    """A method or property set in which nothing else is set, required fields to 0."""
    return cls(**{**dict.fromkeys(required_of(cls), 0), **values})


def plain_fields(cls: Any) -> list[Any]:
    """The fields that the Python class has: all but the reserved ones."""
    return [field for field in cls.FIELDS if not field.reserved]


def distinct(classes_of: Callable[[Any], list[Any]]) -> list[Any]:
    """Each class once: what is equal in several packages is tried in the latest of them.

    Classes are equal if name, ids, fields and replies are. Those with tables are not: each package has its own dialect.
    """
    found = {}
    for name, package in PACKAGES.items():
        for cls in classes_of(package):
            has_tables = any(field.type == "table" for field in cls.FIELDS)
            key = (cls.NAME, *vars_of(cls), name if has_tables else "")
            found[key] = pytest.param(package, cls, id=f"{name}-{cls.NAME}")
    return list(found.values())


def vars_of(cls: Any) -> tuple[Any, ...]:
    names = ("CLASS_ID", "METHOD_ID", "SYNCHRONOUS", "HAS_CONTENT", "SENT_BY", "DEPRECATED")
    replies = [reply.NAME for reply in getattr(cls, "RESPONSES", ())]
    return (
        *(getattr(cls, name, None) for name in names),
        str(replies),
        repr(cls.FIELDS),
        str([field.name for field in fields(cls)]),
    )


each_package = pytest.mark.parametrize("amqp", [pytest.param(PACKAGES[name], id=name) for name in NAMES])
each_method = in_one_test("amqp, cls", by_id(distinct(methods_of)))
each_property_set = pytest.mark.parametrize(("amqp", "cls"), distinct(properties_of))
each_dialect = pytest.mark.parametrize("dialect", sorted(RABBITMQ.dialects.DIALECTS))
