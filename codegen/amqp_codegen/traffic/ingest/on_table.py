"""Who is given rows of tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pyarrow as pa

# Table, date, rows.
OnTable: TypeAlias = Callable[[str, str, pa.Table], None]
