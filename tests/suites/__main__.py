"""Run every suite on its generated package, in one process and without a test runner: for the other Pythons.

python -m tests.suites
"""

from __future__ import annotations

import sys
from collections import Counter

from .suite_runner import SUITES, checks_of, package_peer, verdict


def main() -> None:
    failures = 0
    for suite in SUITES:
        peer = package_peer(suite)
        verdicts = {check.name: verdict(check, peer) for check in checks_of(suite)}
        failed = {name: outcome for name, outcome in verdicts.items() if outcome not in ("passed", "skipped")}
        for name, outcome in failed.items():
            print(f"FAILED {suite} {name}: {outcome}")
        counts = Counter(verdicts.values())
        print(f"{suite}: {counts['passed']:,} passed, {counts['skipped']} skipped, {len(failed)} failed")
        failures += len(failed)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
