"""Reads a file, and shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ..core.capture import recognise
from ..core.capture_file import CaptureError, CaptureFile, open_capture
from ..core.connections import AMQP_PORTS
from ..core.frame_reader import FrameReader
from ..core.raw_stream import is_raw_stream
from ..core.trace_log import recognise_log
from .line import Line
from .show import Show, Wanted

_STANDARD_INPUT = Path("/dev/stdin")


def show_file(
    path: Path, wanted: Wanted, write: Callable[[Line], None], server_ports: Sequence[int] = AMQP_PORTS
) -> bool:
    """Show the frames of a capture.

    Args:
        path: The capture: pcap or pcapng, compressed or not; a raw stream, the other direction of which is read, too,
            if it is beside it; ``-`` for standard input.
        wanted: What is shown.
        write: Takes lines.
        server_ports: Who has one of these is the broker, where it cannot be told otherwise.

    Returns:
        Whether all of it could be shown.

    Raises:
        CaptureError: It is no capture, or needs a package that is not there.
        OSError: It cannot be opened.
    """
    show = Show(wanted, write)
    reader = FrameReader(
        show.on_frames,
        show.on_end,
        on_begin=show.begin,
        server_ports=server_ports,
        quarantine=show.quarantine,
    )
    if is_raw_stream(path):
        for _ in reader.read_raw(_both(path)):
            pass
    else:
        with open_capture(_STANDARD_INPUT if str(path) == "-" else path) as file:
            _read_packets(path, file, reader, show)
    show.finish()
    return not show.is_partial


def _read_packets(path: Path, file: CaptureFile, reader: FrameReader, show: Show) -> None:
    try:
        capture = recognise(file.buffer, reader.quarantine, file.damage)
    except CaptureError as error:
        if recognise_log(file.buffer) is not None:
            raise CaptureError(f"{path}: is a log of rabbitmq_tracing, which can be read as it is") from None
        raise CaptureError(f"{path}: {error}") from None
    for _ in reader.read_packets(capture, at_once=1):  # frames of all connections in the order of packets
        show.notes()
        if show.is_done:
            return
    reader.finish()


def _both(path: Path) -> list[Path]:
    """A raw stream, and that of the other direction if there is one."""
    name = path.name
    for one, other in (("client", "server"), ("server", "client")):
        if name.endswith(f".{one}.raw"):
            sibling = path.with_name(f"{name.removesuffix(f'.{one}.raw')}.{other}.raw")
            return [path, sibling] if sibling.exists() else [path]
    return [path]
