"""The rules that cases decide: each is one of the standard, and each of its patterns fits cases."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from amqp_codegen.vectors.amqp1.cases import CODEC_RULES, codec_rules

from .built_in_specification import cases, spec

IDS = [case.id for case in cases() if case.way != "ask"]


@pytest.mark.parametrize("path", CODEC_RULES)
def test_a_rule_of_the_standard_with_cases(path: str) -> None:
    assert path in {rule.path for rule in spec().rules}
    for glob in CODEC_RULES[path]:
        assert any(fnmatchcase(name, glob) for name in IDS), glob


def test_a_rule_without_cases_is_not_decided() -> None:
    everything = codec_rules(spec(), cases())
    assert everything == CODEC_RULES
    frames = [case for case in cases() if case.kind == "frame"]
    some = codec_rules(spec(), frames)
    assert "transport/frame-size-minimum" in some
    assert "map/distinct-keys" not in some
