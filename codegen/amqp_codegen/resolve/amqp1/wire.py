"""The reader of the ``amqp-1-0`` table of ``wire.toml``."""

from __future__ import annotations

from typing import Any

from ...model.amqp1.spec import HeaderLayout, Wire, WireFieldRule, WireMapRule, WireNames
from ...model.problem import Position, Problem, SpecError
from ...support import toml


def read_wire1(data: bytes, file: str) -> Wire:
    """Read the table.

    Raises:
        SpecError: The file is not TOML, or a key is missing or has the wrong form.
    """
    try:
        table = toml.loads(data.decode())["amqp-1-0"]
        return Wire(
            headers={
                name: HeaderLayout(int(entry["id"]), tuple(entry["version"]))
                for name, entry in table["headers"].items()
            },
            frames={name: int(code) for name, code in table["frames"].items()},
            map_rules=tuple(
                WireMapRule(path, **_values(entry)) for path, entry in table["map-rules"].items()
            ),
            field_rules=tuple(
                WireFieldRule(path, **_values(entry)) for path, entry in table["field-rules"].items()
            ),
            names={part: WireNames(**entry) for part, entry in table["parts"].items()},
        )
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(
            [Problem("wire-file", f"not readable as TOML: {error}", Position(file, 1, 1))]
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"a key is missing or has the wrong form: {error}"
        raise SpecError([Problem("wire-file", message, Position(file, 1, 1))]) from None


def _values(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        name.replace("-", "_"): tuple(value) if isinstance(value, list) else value
        for name, value in entry.items()
    }
