"""Opening a lake for commands that only read. They change nothing in it, and say so where somebody should."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from amqp_codegen.support.command_line import say

from .refusal import is_expected

if TYPE_CHECKING:
    from ..lake.folder import Lake


def lake_with_traffic(place: str) -> Lake:
    """Open a lake that has traffic in tables of this version.

    Raises:
        LakeError: See ``open_traffic``.
    """
    from ..lake.folder import open_traffic

    return _told(open_traffic(place))


def any_lake(place: str) -> Lake:
    """Open a lake, also one without traffic.

    Raises:
        LakeError: See ``open_lake``.
    """
    from ..lake.folder import open_lake

    return _told(open_lake(place))


@contextmanager
def rows_of(lake: Lake) -> Iterator[None]:
    """Read rows of a lake, which may be anybody's: any error that follows from them is one of the lake.

    Raises:
        LakeError: There was an error in the block that is not among the expected ones.
    """
    from ..capture.faults import describe_fault
    from ..lake.folder import LakeError

    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except MemoryError:
        raise LakeError(f"{lake.place}: there is not enough memory for its rows") from None
    except Exception as error:
        if is_expected(error):
            raise
        raise LakeError(
            f"{lake.place} has rows that cannot be read: unless another program has written them, this is {describe_fault(error)}"
        ) from error


def _told(lake: Lake) -> Lake:
    if lake.is_unfinished:
        say(
            f"note: {lake.place}: a commit is unfinished, so rows of its captures may be missing; an ingest is at work, or was "
            "killed: then the next ingest into this lake finishes it",
            error=True,
        )
    return lake
