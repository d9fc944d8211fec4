"""Runs the conformance of every specification on every broker that can be brought up here, against expectations/.

    python -m tools.conformance_brokers                        # all brokers
    python -m tools.conformance_brokers rabbitmq-4 --spec 1.0  # one of them, one specification
    python -m tools.conformance_brokers garagemq --write       # and write what is found to build/brokers/

A line for each run, and one for the tests of ours that are for it; reports are in build/brokers/reports. Exit code 0: all is as expected; 1: something is not;
2: no broker can be brought up. Every broker is stopped at the end, also after Ctrl-C and SIGTERM.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import subprocess
import sys
import time
from typing import Any

from ..debian_folder import NotHere
from .brokers import BROKERS, ROOT, USER, Broker, Start
from .running import RunningBroker

FOLDER = ROOT / "build" / "brokers"


def main() -> int:
    names = [broker.name for broker in BROKERS]
    parser = argparse.ArgumentParser(prog="python -m tools.conformance_brokers", description=__doc__)
    parser.add_argument("brokers", nargs="*", choices=[[], *names], metavar="BROKER")
    parser.add_argument("--spec", action="append", help="only this specification; can be repeated")
    parser.add_argument("--rules", default="*", help="only rules that fit this pattern")
    parser.add_argument(
        "--write", action="store_true", help="write new expectations to build/brokers/BROKER.toml"
    )
    parser.add_argument("--serve", action="store_true", help="only start the brokers, until Enter is pressed")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    brokers = [broker for broker in BROKERS if broker.name in (arguments.brokers or names)]
    codes = [code for broker in brokers for code in _try(broker, arguments)]
    if not codes:
        print("error: no broker can be brought up here", file=sys.stderr)
        return 2
    return int(any(codes))


def _end(number: int, frame: object) -> None:
    """End the program where it is: the broker and the run under way end with it."""
    sys.exit(128 + number)


def _try(broker: Broker, arguments: argparse.Namespace) -> list[int]:
    """Bring a broker up and run what it speaks; return the exit code of each run."""
    try:
        start = broker.prepare(FOLDER / broker.name)
        with RunningBroker(start, FOLDER / f"{broker.name}.run") as running:
            if arguments.serve:
                print(
                    f"{broker.name}: AMQP_PASSWORD={start.password} amqp://{USER}@127.0.0.1:{start.port}/",
                    flush=True,
                )
                # Again and again: a signal that comes just before a call that waits is handled after it.
                while not select.select([sys.stdin], [], [], 1)[0]:
                    pass
                return [0]
            specs = [spec for spec in broker.specs if not arguments.spec or spec in arguments.spec]
            codes = [_run(broker, spec, start, running, arguments) for spec in specs]
            return [*codes, *([_test(broker, start, running)] if broker.tests and not arguments.spec else [])]
    except NotHere as error:
        print(f"{broker.name}: not here: {error}", flush=True)
        return []


def _run(
    broker: Broker, spec: str, start: Start, running: RunningBroker, arguments: argparse.Namespace
) -> int:
    """Run the conformance of one specification, print its line and return its exit code."""
    report = FOLDER / "reports" / f"{broker.name}-{spec}.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "amqp_codegen", "conformance", f"amqp://{USER}@127.0.0.1:{start.port}/"]
    command += ["--spec", spec, "--rules", arguments.rules, "--format", "json", "--output", str(report)]
    command += ["--fail-on", "may", "--restart-cmd", running.restart_command, *broker.options]
    if arguments.write:
        command += ["--write-expectations", str(FOLDER / f"{broker.name}.toml")]
    begin = time.monotonic()
    done = subprocess.run(
        command,
        env={**os.environ, "AMQP_PASSWORD": start.password},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - begin
    if not report.is_file():
        print(f"{broker.name} {spec}: {(done.stderr.strip() or 'no report').splitlines()[-1]}", flush=True)
        return done.returncode or 1
    document = json.loads(report.read_text(encoding="utf-8"))
    print(f"{broker.name} {spec}: {_summary(document)}, {seconds:.0f} s", flush=True)
    # Not the exit code: it also counts what cannot be removed, and this broker is thrown away.
    return int(document["unexpected"] > 0)


def _test(broker: Broker, start: Start, running: RunningBroker) -> int:
    """Run the tests that are for such a broker, print a line, and what failed; return the exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "broker", *broker.tests],
        env={
            **os.environ,
            "AMQP_URL": f"amqp://{USER}:{start.password}@127.0.0.1:{start.port}/",
            "AMQP_KILL_COMMAND": running.kill_command,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    *before, last = (done.stdout.strip() or done.stderr.strip()).splitlines()
    failures = before if done.returncode else []
    print(*failures, f"{broker.name} {' '.join(broker.tests)}: {last}", sep="\n", flush=True)
    return done.returncode


def _summary(document: dict[str, Any]) -> str:
    counts = [
        f"{count} {verdict.replace('_', ' ')}" for verdict, count in document["counts"].items() if count
    ]
    against = document["expectations"] or "nothing is known of this broker"
    return f"{document['unexpected']} unexpected ({', '.join(counts)}; {against})"


if __name__ == "__main__":
    sys.exit(main())
