"""The option ``--keylog``: keys with which TLS is decrypted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from amqp_codegen.support.command_line import refuse_input
from amqp_codegen.support.extras import refuse_without

if TYPE_CHECKING:
    from ..streams.tls.key_log import KeyLog

keylog_option = click.option(
    "--keylog",
    "keylog",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A key log with which TLS is decrypted (SSLKEYLOGFILE). Decryption Secrets Blocks of pcapng are used without it.",
)


def read_key_log(command: str, file: Path | None) -> KeyLog:
    """Return the key log of a command; end the program with one line if it cannot be used."""
    from ..streams.tls.key_log import MODULE, NO_KEYS, KeyLog, KeyLogError

    if file is None:
        return NO_KEYS
    refuse_without(f"{command} --keylog", "tls", MODULE)
    try:
        return KeyLog(file)
    except KeyLogError as error:
        refuse_input("keylog", str(error))
    except OSError as error:
        refuse_input("keylog", f"{file}: {error.strerror or error}")
