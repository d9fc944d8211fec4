"""Columns of methods and properties that no published specification has."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from .synthetic_specification import amqp, folder
from .test_synthetic_methods import values_of

__all__ = ["amqp", "folder"]

LARGEST = 2**63 - 1
LAST_SECOND = 253_402_300_799


def columns_of(amqp: ModuleType) -> Any:
    return import_module(f"{amqp.__name__}.columns")


def expected(fields: Any, source: Any, several: set[str]) -> dict[str, Any]:
    """Column to value, for all types but tables; what does not fit is None."""
    found: dict[str, Any] = {}
    for field in fields:
        value = getattr(source, field.name)
        name = f"{field.name}_{field.type}" if field.name in several else field.name
        if field.type == "content":
            found |= {f"{name}_kind": value.kind, name: value.data}
        elif field.type == "timestamp" and value is not None:
            found[name] = value * 1_000_000 if value <= LAST_SECOND else None
        elif field.type == "longlong" and value is not None:
            found[name] = value if value <= LARGEST else None
        elif field.type != "table":
            found[name] = value
    return found


def several_types(classes: Any, taken: dict[str, str]) -> set[str]:
    types = {name: {kind} for name, kind in taken.items()}
    for class_ in classes:
        for field in class_.FIELDS:
            if not getattr(field, "reserved", False):
                types.setdefault(field.name, set()).add(field.type)
    return {name for name, found in types.items() if len(found) > 1}


def tables_of(fields: Any, several: set[str]) -> set[str]:
    return {
        f"{field.name}_table" if field.name in several else field.name
        for field in fields
        if field.type == "table"
    }


def check(taken: dict[str, list[Any]], values: dict[str, Any], tables: set[str]) -> None:
    row = {name: column[0] for name, column in taken.items()}
    assert {name: value for name, value in values.items() if value is not None} == {
        name: value for name, value in row.items() if name not in tables
    }


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_method(amqp: ModuleType, number: int) -> None:
    columns = columns_of(amqp).MethodColumns()
    several = several_types(amqp.METHODS.values(), {"method": "", "misfits": ""})
    for key, cls in amqp.METHODS.items():
        plain = [field for field in cls.FIELDS if not field.reserved]
        method: Any = cls(**{field.name: values_of(amqp, field.type)[number] for field in plain})
        columns.append(key, method.encode())
        values = {**expected(plain, method, several), "method": cls.NAME}
        check(columns.take(), values, {*tables_of(plain, several), "misfits"})


@pytest.mark.parametrize("number", [0, 1, 2])
def test_every_property_set(amqp: ModuleType, number: int) -> None:
    columns = columns_of(amqp).HeaderColumns()
    kinds = amqp.content.PROPERTIES.values()
    several = several_types(kinds, {"class_id": "", "body_size": "", "misfits": ""})
    for cls in kinds:
        properties = cls(**{field.name: values_of(amqp, field.type)[number] for field in cls.FIELDS})
        header = amqp.ContentHeader(properties, 7)
        columns.append(amqp.encode_frame(1, header)[7:-1])
        values = {**expected(cls.FIELDS, properties, several), "class_id": cls.CLASS_ID, "body_size": 7}
        check(columns.take(), values, {*tables_of(cls.FIELDS, several), "misfits"})
        columns.append(amqp.encode_frame(1, amqp.ContentHeader(cls(), 7))[7:-1])
        check(
            columns.take(),
            {**expected(cls.FIELDS, cls(), several), "class_id": cls.CLASS_ID, "body_size": 7},
            set(),
        )


def test_reserved_fields_of_every_type(amqp: ModuleType) -> None:
    columns = columns_of(amqp).MethodColumns()
    kinds = set()
    for key, cls in amqp.METHODS.items():
        reserved = [field for field in cls.FIELDS if field.reserved and field.type != "bit"]
        for field in reserved:
            method: Any = cls()
            columns.append(key, method.encode())
            assert "misfits" not in columns.take()
            method.residue = amqp.Residue({field.name: values_of(amqp, field.type)[2]}, {})
            columns.append(key, method.encode())
            (variant,) = columns.take()["misfits"]
            names = [f"{field.name}_kind", field.name] if field.type == "content" else [field.name]
            assert variant[1].endswith("".join(names).encode())
            kinds.add(field.type)
    assert kinds >= {
        "octet",
        "short",
        "long",
        "longlong",
        "shortstr",
        "longstr",
        "timestamp",
        "table",
        "content",
    }
