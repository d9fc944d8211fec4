"""The live runner on RabbitMQ behind TLS: what it does without works with TLS, too."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.run_result import Verdict
from amqp_conformance.engine.tls import TlsOptions

from tests.live_runner.tls_front import make_certificates, server_context, tls_front

from .client import URL


@pytest.mark.parametrize(("spec", "rules", "wanted"), [("0-9-1", "queue.*", 10), ("0-8", "queue.*", 10)])
def test_rules_through_tls(tmp_path: Path, spec: str, rules: str, wanted: int) -> None:
    files = make_certificates(tmp_path)
    plain = urlsplit(URL)
    with tls_front(server_context(files.server), plain.port or 5672) as port:
        login = plain.netloc.rpartition("@")[0]
        target = read_target(f"amqps://{login}@localhost:{port}/", tls=TlsOptions(files.authority))
        run = carry_out(prepare(RunRequest(target, spec, rules)))
    assert run.target.startswith("amqps://")
    assert {result.rule.path: result.surprise for result in run.surprises} == {}
    assert run.count(Verdict.PASSED) + run.count(Verdict.DEVIATES) >= wanted
    assert run.remarks == ()
