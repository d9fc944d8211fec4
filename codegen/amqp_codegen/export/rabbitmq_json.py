"""The resolved model in the format of rabbitmq-codegen's JSON files, which many scripts read.

``specs/rabbitmq-json.toml`` has what those files state and the XML does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..model.amqp0.spec import Class, Constant, Field, Method, Spec
from ..model.problem import Problem, SpecError
from ..resolve.specification import Specification
from ..support import toml
from ..support.resources import specs_dir

_CONVENTIONS_FILE = "rabbitmq-json.toml"
_NO_DEFAULT = "none"
_ERROR_CLASSES = {"soft": "soft-error", "hard": "hard-error"}


@dataclass(frozen=True, slots=True)
class Conventions:
    """The facts of the format that the XML does not state; a field is a path, with ``*`` for any class or method.

    Attributes:
        names: Field to its name in the format.
        defaults: Field to its default, where the model has none; ``none`` for no default.
        domains: The domains that are written by name; others are written as their elementary type.
        field_domains: Field to its domain in the format, whatever the XML says.
        asynchronous: Methods that have a reply but are not marked as synchronous.
    """

    names: Mapping[str, str]
    defaults: Mapping[str, Any]
    domains: frozenset[str]
    field_domains: Mapping[str, str]
    asynchronous: frozenset[str]


def rabbitmq_text(specification: Specification) -> str:
    """Return the document as text that ends with a line break.

    Raises:
        SpecError: The specification is AMQP 1.0, which the format does not support.
    """
    spec = specification.spec
    if not isinstance(spec, Spec):
        raise SpecError(
            [
                Problem(
                    "no-rabbitmq-json",
                    "rabbitmq-codegen has no JSON for AMQP 1.0",
                    None,
                    "take --format json",
                )
            ]
        )
    return (
        json.dumps(rabbitmq_document(spec, read_conventions(spec.version)), indent=4, ensure_ascii=False)
        + "\n"
    )


def read_conventions(version: str) -> Conventions:
    """Return the conventions for a version."""
    document = toml.loads((specs_dir() / _CONVENTIONS_FILE).read_text(encoding="utf-8"))
    own = document["versions"].get(version, {})
    domains = dict(own.get("domains", document["domains"]))
    return Conventions(
        document["names"],
        document["defaults"] | own.get("defaults", {}),
        frozenset(domains.pop("all")),
        domains,
        frozenset(document["asynchronous"]["methods"]),
    )


def rabbitmq_document(spec: Spec, conventions: Conventions) -> dict[str, Any]:
    """Return the document, with its keys in the order of rabbitmq-codegen's files."""
    head: dict[str, Any] = {"name": "AMQP", "major-version": spec.major, "minor-version": spec.minor}
    if spec.revision:
        head["revision"] = spec.revision
    return {
        **head,
        "port": spec.port,
        "copyright": [f"{source.name}, sha256 {source.sha256}\n" for source in spec.sources],
        "domains": sorted([domain.name, domain.type.value] for domain in spec.domains),
        "constants": [_constant(constant) for constant in spec.constants],
        "classes": [_class(entry, conventions) for entry in spec.classes],
    }


def _constant(constant: Constant) -> dict[str, Any]:
    record: dict[str, Any] = {"name": constant.name.upper(), "value": constant.value}
    return {**record, "class": _ERROR_CLASSES[constant.error]} if constant.error else record


def _class(class_: Class, conventions: Conventions) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": class_.index,
        "methods": [_method(method, class_, conventions) for method in class_.methods],
        "name": class_.name,
    }
    # Scripts read the properties of connection too, although it has none.
    if class_.properties or class_.name == "connection":
        fields = (entry.field for entry in class_.properties)
        record["properties"] = [
            {"type": field.type.value, "name": _name(f"{class_.name}.properties", field, conventions)}
            for field in fields
        ]
    return record


def _method(method: Method, owner: Class, conventions: Conventions) -> dict[str, Any]:
    record: dict[str, Any] = {"content": True} if method.has_content else {}
    record["id"] = method.index
    record["arguments"] = [_argument(method.full_name, field, conventions) for field in method.fields]
    record["name"] = method.name
    if _is_synchronous(method, owner, conventions):
        record["synchronous"] = True
    return record


def _is_synchronous(method: Method, owner: Class, conventions: Conventions) -> bool:
    """Return whether the sender waits for a reply; the XML marks replies too, and omits basic.recover."""
    if method.name.endswith("-ok") or method.full_name in conventions.asynchronous:
        return False
    return bool(method.responses) or any(other.name == f"{method.name}-ok" for other in owner.methods)


def _argument(owner: str, field: Field, conventions: Conventions) -> dict[str, Any]:
    domain = _look_up(conventions.field_domains, owner, field.name)
    if domain is None and field.domain in conventions.domains:
        domain = field.domain
    record: dict[str, Any] = {"domain": domain} if domain else {"type": field.type.value}
    record["name"] = _name(owner, field, conventions)
    default = _look_up(conventions.defaults, owner, field.name)
    if default is None:
        default = field.default
    if default is None and field.type.value == "bit":
        default = False
    if default is not None and default != _NO_DEFAULT:
        record["default-value"] = default
    return record


def _name(owner: str, field: Field, conventions: Conventions) -> str:
    return str(_look_up(conventions.names, owner, field.name) or field.name)


def _look_up(table: Mapping[str, Any], owner: str, field: str) -> Any:
    """Return the entry of a field in a table; the most specific path counts."""
    return next((table[path] for path in _paths(owner, field) if path in table), None)


def _paths(owner: str, field: str) -> Iterator[str]:
    class_name, _, method = owner.partition(".")
    yield f"{owner}.{field}"
    yield f"{class_name}.*.{field}"
    yield f"*.{method}.{field}"
    yield f"*.*.{field}"
