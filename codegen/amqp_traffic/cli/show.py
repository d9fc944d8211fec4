"""``amqp-codegen traffic show``: print the frames of a capture."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click
from amqp_codegen.model.problem import Problem
from amqp_codegen.support.command_line import print_problems, server_port_option

from .keylog import keylog_option, read_key_log
from .output import line_writer


@click.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--connection", type=click.IntRange(1), metavar="N", help="Show only the connection with this number."
)
@click.option(
    "--frame",
    type=click.IntRange(0),
    metavar="N",
    help="Show only the frame with this number in its connection.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every field with its octets.")
@click.option("--bodies", is_flag=True, help="Show message bodies, not only their sizes.")
@keylog_option
@server_port_option
def command(
    file: Path,
    connection: int | None,
    frame: int | None,
    verbose: bool,
    bodies: bool,
    keylog: Path | None,
    server_ports: tuple[int, ...],
) -> None:
    """Show the frames of a capture, one a line.

    FILE is pcap or pcapng, compressed or not, or a raw stream; - is standard input. Passwords are never shown, bodies
    only with --bodies. Lines are printed while the file is read.

    \b
    amqp-codegen traffic show a.pcapng | less
    amqp-codegen traffic show a.pcapng --connection 3
    amqp-codegen traffic show a.pcapng --connection 3 --frame 12 -v
    tcpdump -i lo -w - port 5672 | amqp-codegen traffic show -

    Exit codes: 0 success; 2 the call is wrong, or something that is to be shown could not be read.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    # Imported late: --help must be fast.
    from ..capture.files import CaptureError
    from ..show.capture import Wanted, show_file
    from ..show.octets import WIDTH
    from ..streams.connections import AMQP_PORTS

    width = shutil.get_terminal_size().columns if _is_terminal() else WIDTH
    wanted = Wanted(connection, frame, verbose, bodies, width)
    key_log = read_key_log("traffic show", keylog)
    try:
        whole = show_file(file, wanted, line_writer(_is_terminal()), server_ports or AMQP_PORTS, key_log)
    except BrokenPipeError:
        raise
    except CaptureError as error:
        print_problems([Problem("traffic-input", str(error))])
        sys.exit(2)
    except OSError as error:
        print_problems([Problem("traffic-input", f"{file}: {error.strerror or error}")])
        sys.exit(2)
    sys.stdout.flush()
    sys.exit(0 if whole else 2)


def _is_terminal() -> bool:
    return sys.stdout.isatty()
