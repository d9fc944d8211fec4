"""What uses the generated packages runs on every interpreter; no more than pytest and the project is needed here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.live_runner.fake_broker import fake_broker

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "traffic" / "samples" / "rabbitmq-3.10.8" / "firehose.client.raw"


def command(*arguments: str | Path, **environment: str) -> list[str]:
    """Return what the command prints, if it ends well and without a warning."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "amqp_codegen", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "codegen"), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_traffic_is_shown() -> None:
    lines = "\n".join(command("traffic", "show", SAMPLE))
    assert "connection.start" in lines
    assert "basic.deliver" in lines


def test_a_broker_is_checked() -> None:
    with fake_broker() as fake:
        lines = command("conformance", fake.url, "--rules", "channel.open/state")
    assert lines[-2:] == ["1 passed", "as expected (nothing is known of this broker)"]


def test_octets_are_decoded_and_made() -> None:
    for spec, text in (("0-9-1-rabbitmq", "basic.ack delivery_tag=7"), ("1.0", "open container_id=c")):
        (octets,) = command("encode", spec, text)
        assert text.split()[0] in "\n".join(command("decode", spec, octets))
