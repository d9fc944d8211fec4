"""Run a command, and tell at its end what it took and, of tests, which could not run for want of what.

    python -m tools.tally "make test" make test-parts

The first argument is how the command is called in the last lines. Processor time is that of the whole tree of processes:
what outlives its parent is adopted, and counted, too. Each pytest that runs below adds a line to the file that the
variable TEST_COUNTS names (tests/skip_counts.py). The exit code is that of the command.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

COUNTS_VARIABLE = "TEST_COUNTS"
# <linux/prctl.h>: orphans become children of this process, not of init.
_PR_SET_CHILD_SUBREAPER = 36
# Programs that notice that their parent has ended, as Java does below PySpark, get this many seconds to end, too.
_LAST_WORDS = 10


def main() -> None:
    title, *command = sys.argv[1:]
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        code = run(command, {**os.environ, COUNTS_VARIABLE: str(counts)})
        lines = counts.read_text(encoding="utf-8").splitlines() if counts.exists() else []
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    tests = summary([json.loads(line) for line in lines])
    outcome = "" if code == 0 else f"failed with exit code {code}, after "
    print(f"{title}: {tests}")
    print(
        f"{title}: {outcome}{clock(time.monotonic() - begin)}, {clock(used.ru_utime + used.ru_stime)} of processor time"
    )
    sys.exit(code)


def run(command: Sequence[str], environment: dict[str, str]) -> int:
    """Run a command and wait for it and for what it leaves behind; return its exit code."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command, env=environment)
    # Ctrl-C is for the command, which has the same terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = None
    while code is None:
        pid, status = os.wait()
        if pid == process.pid:
            code = os.waitstatus_to_exitcode(status)
            process.returncode = code
    _wait_for_orphans()
    return code if code >= 0 else 128 - code


def _wait_for_orphans() -> None:
    end = time.monotonic() + _LAST_WORDS
    while time.monotonic() < end:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            time.sleep(0.1)


def summary(counts: Sequence[dict[str, dict[str, int]]]) -> str:
    """Return what several runs of pytest counted, in one line."""
    outcomes: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for count in counts:
        outcomes.update(count["outcomes"])
        reasons.update(count["skipped"])
    if not outcomes:
        return "no tests were run"
    text = ", ".join(f"{number:,} {outcome}" for outcome, number in outcomes.items() if number)
    return f"{text}; {named(reasons)}" if reasons else text


def named(reasons: dict[str, int]) -> str:
    """Return why tests were skipped: what was missing first, the most first."""
    parts: dict[bool, list[str]] = {True: [], False: []}
    for reason, number in Counter(reasons).most_common():
        parts[reason.startswith("needs ")].append(f"{reason.removeprefix('needs ')} {number}")
    titles = {True: "skipped for want of", False: "skipped otherwise:"}
    return "; ".join(f"{titles[is_want]} {', '.join(found)}" for is_want, found in parts.items() if found)


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


if __name__ == "__main__":
    main()
