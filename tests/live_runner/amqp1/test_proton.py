"""The live runner on a container of python-qpid-proton: every rule of AMQP 1.0 that has a driver."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.run_result import Verdict

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install '.[peers]'")

import proton

from .proton_broker import running

pytestmark = pytest.mark.slow

# A sasl-init without a mechanism ends the process of a container of proton 0.40 with a segmentation fault. Here it is ours.
DEADLY = ("framing.sasl/mechanism-null", "framing.sasl/mechanism-missing")


@pytest.mark.skipif(
    proton.VERSION[:2] != (0, 40),
    reason="needs python-qpid-proton 0.40, of which expectations/ has what it does",
)
def test_every_rule_that_has_a_driver() -> None:
    with running() as url:
        check = prepare(RunRequest(read_target(url), "1.0"))
        assert str(check.broker) == "qpid-proton 0.40.0"
        survived = tuple(trial for trial in check.plan if trial.rule.path not in DEADLY)
        run = carry_out(replace(check, plan=survived))
    assert {result.rule.path: result.surprise for result in run.surprises} == {}
    assert run.remarks == ()
    executed = [result for result in run.results if result.verdict in (Verdict.PASSED, Verdict.DEVIATES)]
    assert len(executed) >= 300
    assert run.count(Verdict.PASSED) >= 250
    for result in executed:
        assert result.evidence, result.rule.path
