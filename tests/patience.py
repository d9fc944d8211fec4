"""How long a test waits for what will come: it ends a hang, and nothing else."""

from __future__ import annotations

# Seconds. A machine may be a hundred times as busy as ours and the test still passes.
PATIENCE = 1800
