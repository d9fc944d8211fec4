"""Every input of ``regressions.toml`` has the outcome that the file says, and passes all oracles."""

from __future__ import annotations

from array import array
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.support import toml

from . import odd_values
from .amqp0.engine import Victim
from .case import Case
from .entries import run_case
from .oracles import check_encoding, is_error

CASES = toml.loads(Path(__file__).with_name("regressions.toml").read_text(encoding="utf-8"))
DECODERS = {
    "frames": "decode_frames",
    "method": "decode_method",
    "table": "decode_table",
    "value": "decode",
    "message": "decode_message",
}
# What the oracles of an entry need besides the options of a case.
STREAM_0 = {"lazy_properties": False, "max_frame_size": 0, "pieces": 0}
NEEDED: dict[str, list[dict[str, Any]]] = {
    "frames": [{**STREAM_0, "lossless": lossless} for lossless in (False, True)],
    "method": [{}],
    "table": [{"position": 0, "buffer": "bytes"}],
    "value": [{"position": 0, "buffer": "bytes"}],
    "message": [{}],
}


def named(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=f"{case['package']}: {case['name']}") for case in CASES[kind]]
    )


@named("decode")
def test_octets(case: dict[str, Any]) -> None:
    amqp: Any = import_module(case["package"])
    octets, options = bytes.fromhex(case["octets"]), case.get("options", {})
    strict = {} if hasattr(amqp, "performatives") else {"strict": True}
    try:
        found = getattr(amqp, DECODERS[case["entry"]])(octets, **options, **strict)
    except amqp.DecodeError as error:
        assert f"{type(error).__name__} at {error.path}" == case["gives"]
    else:
        assert case["gives"] == "accepted"
        assert "value" not in case or repr(found[0]) == case["value"]
    for needed in NEEDED[case["entry"]]:
        run_case(Case(case["package"], case["entry"], octets, {**needed, **options}))


@named("encode")
def test_values(case: dict[str, Any]) -> None:
    amqp: Any = import_module(case["package"])
    names = {**vars(odd_values), "amqp": amqp, "array": array, "Decimal": Decimal}
    encoded = check_encoding(amqp, lambda: eval(case["call"], names))
    assert ("EncodeError" if is_error(encoded) else encoded.hex()) == case["gives"]


@named("engine")
def test_peers(case: dict[str, Any]) -> None:
    amqp: Any = import_module(case["package"])
    octets, options = bytes.fromhex(case["octets"]), {"seed": 1, "is_open": True, "commands": 0.0}
    for side in ("client", "server"):
        victim = Victim(amqp, side, options)
        victim.suffer(octets)
        assert str(getattr(victim.error, "reply_code", "none")) == case[side]
    run_case(Case(case["package"], "engine", octets, {**options, "commands": 0.5}))


def test_names_are_unique() -> None:
    names = [(case["package"], case["name"]) for kind in CASES.values() for case in kind]
    assert len(names) == len(set(names))
