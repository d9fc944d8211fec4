"""Work grows with the octets and no faster, whatever they are: a fitted exponent, of lines and of time."""

from __future__ import annotations

import pytest

from tests.growth import LARGEST_EXPONENT, line_exponent, time_exponent

from .hostile import nested_arrays, nested_tables
from .packages import RABBITMQ, method
from .reference_codec import frame, longstr
from .test_time_and_memory import CASES as TIMED
from .test_time_and_memory import FREE, Case, decode_frames, decode_table, encode_table, feed

DEEP = {"max_depth": 200}
# So many are quickly counted, and enough to tell the square from the line; of single octets it takes more.
LINES = 40

COUNTED: dict[str, Case] = {
    **{name: (make, call, max(LINES, size // 1000)) for name, (make, call, size) in TIMED.items()},
    "depth of tables": (nested_tables, decode_table(False, **DEEP), 24),
    "depth of tables, lossless": (nested_tables, decode_table(True, **DEEP), 24),
    "depth of arrays": (nested_arrays, decode_table(False, **DEEP), 24),
    "depth of arrays, lossless": (nested_arrays, decode_table(True, **DEEP), 24),
    "depth of tables, broken": (lambda n: nested_tables(n)[:-4] + b"\0\0\0\1", decode_table(False, **DEEP), 24),
    "width of keys": (lambda n: longstr(b"".join(b"\4%04dV" % k for k in range(n))), decode_table(False), LINES),
    "a key again and again": (lambda n: longstr(b"\1kV" * n), decode_table(True, **FREE), LINES),
    "arrays side by side": (lambda n: longstr(b"\1kA\0\0\0\1V" * n), decode_table(False), LINES),
    "small frames of methods": (lambda n: frame(1, 1, method(RABBITMQ, "queue.declare")().encode()) * n,
                                decode_frames, LINES),
    "small frames, octet by octet": (lambda n: frame(3, 1, b"x") * n, feed(1), LINES),
    "encoding nested tables": (lambda n: {"k": [{"k": [{"k": [{}] * n}]}]}, encode_table, LINES),
}  # fmt: skip


@pytest.mark.skipif(
    RABBITMQ.ACCELERATED, reason="lines of Python tell nothing about the core in C: AMQP_PURE=1"
)
@pytest.mark.parametrize("name", COUNTED)
def test_lines_grow_with_the_input(name: str) -> None:
    assert line_exponent(*COUNTED[name]) <= LARGEST_EXPONENT


@pytest.mark.full
@pytest.mark.parametrize("name", TIMED)
def test_time_grows_with_the_input(name: str) -> None:
    make, call, size = TIMED[name]
    assert time_exponent(make, call, size // 32) <= LARGEST_EXPONENT
