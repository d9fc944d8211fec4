"""The resolved model in the form of the JSON files of rabbitmq-codegen, which many scripts read.

What those files have and no XML states stands in ``specs/rabbitmq-json.toml``.
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

_FILE = "rabbitmq-json.toml"
_NO_DEFAULT = "none"
_ERRORS = {"soft": "soft-error", "hard": "hard-error"}


@dataclass(frozen=True, slots=True)
class Conventions:
    """What the form has and no XML states; fields by their paths, with ``*`` for any class or method.

    Attributes:
        names: Field to the name it has there.
        defaults: Field to its default; ``none`` for no default.
        domains: The domains that are written as such, others as their elementary type.
        field_domains: Field to a domain that it has there in any case.
        asynchronous: Methods that have a reply and are not marked synchronous.
    """

    names: Mapping[str, str]
    defaults: Mapping[str, Any]
    domains: frozenset[str]
    field_domains: Mapping[str, str]
    asynchronous: frozenset[str]


def rabbitmq_text(specification: Specification) -> str:
    """The document; ends with a line break.

    Raises:
        SpecError: The specification is of AMQP 1.0, for which there is no such form.
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
    """The conventions for a version."""
    document = toml.loads((specs_dir() / _FILE).read_text(encoding="utf-8"))
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
    """The keys in the order of those files."""
    head: dict[str, Any] = {"name": "AMQP", "major-version": spec.major, "minor-version": spec.minor}
    if spec.revision:
        head["revision"] = spec.revision
    return {
        **head,
        "port": spec.port,
        "copyright": [f"{source.name}, sha256 {source.sha256}\n" for source in spec.sources],
        "domains": sorted([domain.name, domain.type.value] for domain in spec.domains),
        "constants": [_constant(each) for each in spec.constants],
        "classes": [_class(each, conventions) for each in spec.classes],
    }


def _constant(constant: Constant) -> dict[str, Any]:
    found: dict[str, Any] = {"name": constant.name.upper(), "value": constant.value}
    return {**found, "class": _ERRORS[constant.error]} if constant.error else found


def _class(each: Class, conventions: Conventions) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": each.index,
        "methods": [_method(method, each, conventions) for method in each.methods],
        "name": each.name,
    }
    # Scripts ask for the properties of connection, which has none, as of classes with content.
    if each.properties or each.name == "connection":
        fields = (entry.field for entry in each.properties)
        found["properties"] = [
            {"type": field.type.value, "name": _name(f"{each.name}.properties", field, conventions)}
            for field in fields
        ]
    return found


def _method(method: Method, owner: Class, conventions: Conventions) -> dict[str, Any]:
    found: dict[str, Any] = {"content": True} if method.has_content else {}
    found["id"] = method.index
    found["arguments"] = [_argument(method.full_name, field, conventions) for field in method.fields]
    found["name"] = method.name
    if _is_synchronous(method, owner, conventions):
        found["synchronous"] = True
    return found


def _is_synchronous(method: Method, owner: Class, conventions: Conventions) -> bool:
    """Who sends it waits for a reply. The XML marks replies as well, and forgets basic.recover."""
    if method.name.endswith("-ok") or method.full_name in conventions.asynchronous:
        return False
    return bool(method.responses) or any(each.name == f"{method.name}-ok" for each in owner.methods)


def _argument(owner: str, field: Field, conventions: Conventions) -> dict[str, Any]:
    domain = _look_up(conventions.field_domains, owner, field.name)
    if domain is None and field.domain in conventions.domains:
        domain = field.domain
    found: dict[str, Any] = {"domain": domain} if domain else {"type": field.type.value}
    found["name"] = _name(owner, field, conventions)
    default = _look_up(conventions.defaults, owner, field.name)
    if default is None and field.type.value == "bit":
        default = False
    if default is not None and default != _NO_DEFAULT:
        found["default-value"] = default
    return found


def _name(owner: str, field: Field, conventions: Conventions) -> str:
    return str(_look_up(conventions.names, owner, field.name) or field.name)


def _look_up(table: Mapping[str, Any], owner: str, field: str) -> Any:
    """What the table says of the field: the most exact path counts."""
    return next((table[path] for path in _paths(owner, field) if path in table), None)


def _paths(owner: str, field: str) -> Iterator[str]:
    class_name, _, method = owner.partition(".")
    yield f"{owner}.{field}"
    yield f"{class_name}.*.{field}"
    yield f"*.{method}.{field}"
    yield f"*.*.{field}"
