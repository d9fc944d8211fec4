"""Key logs: the secrets of TLS connections, as programs write them for those who look at their traffic.

A line has a label, the random of the ClientHello and a secret (RFC 9850). Lines are in a file, and in Decryption Secrets Blocks
of pcapng files, which are read when the first connection needs a key. What a file does not have yet may be written to it later:
so it is read on where a key is missing.

Secrets leave this module for key schedules only. They are in no text and no error; ``state_classes`` leaves them out of states.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from amqp_codegen.support.extras import is_installed

from ...capture.decryption_secrets import read_decryption_secrets
from ...capture.files import Buffer, CaptureError, open_capture

MODULE = "cryptography"  # which decrypts

# Labels, and the sizes that their secrets may have: that of a hash function, or of a master secret of 1.2.
MASTER_SECRET = "CLIENT_RANDOM"
EARLY = "CLIENT_EARLY_TRAFFIC_SECRET"
HANDSHAKE = ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET")  # by direction
APPLICATION = ("CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0")
_SIZES = {MASTER_SECRET: (48,)} | dict.fromkeys((EARLY, *HANDSHAKE, *APPLICATION), (32, 48))
_RANDOM = 32  # octets
_MOST_CONNECTIONS = 1 << 20  # whose secrets are kept
_LONGEST_LINE = 1024
_LINE = re.compile(rb"\s*[A-Z][A-Z0-9_ ]+ [0-9A-Fa-f: ]*")


class KeyLogError(ValueError):
    """A file is no key log. The message says nothing of its content."""


class KeyLog:
    """The secrets of TLS connections, by label and the random of the ClientHello."""

    def __init__(self, file: Path | None = None) -> None:
        """Read a file, if there is one.

        Raises:
            KeyLogError: It has lines, but none of a key log.
            OSError: It cannot be read.
        """
        self._file = file
        self._position = 0  # up to which the file was read
        self._captures: tuple[Path | Buffer, ...] = ()  # not read yet
        self._secrets: dict[bytes, dict[str, bytes]] = {}
        if file is not None:
            with file.open("rb") as stream:
                begins = stream.read(_LONGEST_LINE).splitlines()
            if not all(map(_may_be_line, begins[:-1] or begins)):
                raise KeyLogError(f"{file}: is no key log of TLS: a line is a label, a random and a secret")
            self._read_on(file)

    def __repr__(self) -> str:
        """Return a text without secrets."""
        return f"<key log of {len(self._secrets)} connections>"

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing in which keys are looked for."""
        return not (self._file or self._captures or self._secrets)

    def require_module(self) -> None:
        """Raise ``ModuleNotFoundError`` if nothing can be decrypted here with the keys of a file."""
        if self._file is not None and not is_installed(MODULE):
            raise ModuleNotFoundError(f"No module named {MODULE!r}", name=MODULE)

    def with_captures(self, captures: Iterable[Path | Buffer]) -> KeyLog:
        """Return a key log that also has the secrets in captures: paths, or the octets of open files."""
        joined = KeyLog()
        joined.adopt(self)
        # A pipe can be read only once.
        joined._captures += tuple(
            capture for capture in captures if not isinstance(capture, Path) or capture.is_file()
        )
        return joined

    def adopt(self, other: KeyLog) -> None:
        """Take what another one has, and where it looks."""
        self._file, self._position, self._captures = other._file, other._position, other._captures
        self._secrets = {random: dict(secrets) for random, secrets in other._secrets.items()}

    def add_capture(self, capture: Path) -> None:
        """Look in another capture, too."""
        self._captures += (capture,)

    def knows(self, client_random: bytes) -> bool:
        """Return whether there is a secret of the connection that begins so."""
        if client_random not in self._secrets:
            self._look_on(client_random)
        return client_random in self._secrets

    def secret(self, label: str, client_random: bytes) -> bytes | None:
        """Return a secret; None if it is not there."""
        secrets = self._secrets.get(client_random)
        if secrets is None or label not in secrets:
            self._look_on(client_random)
        return self._secrets.get(client_random, {}).get(label)

    def _look_on(self, client_random: bytes) -> None:
        """Read what was not read yet. Nothing where it cannot be used."""
        if not is_installed(MODULE):
            return
        if self._file is not None:
            with suppress(OSError):
                self._read_on(self._file)
        captures, self._captures = self._captures, ()
        for capture in captures:
            with suppress(CaptureError, OSError):  # who reads the packets will say so
                self._read_capture(capture)

    def _read_on(self, file: Path) -> None:
        """Read whole lines that have come since the last time."""
        if os.stat(file).st_size == self._position:
            return
        with file.open("rb") as stream:
            if os.fstat(stream.fileno()).st_size < self._position:  # it was begun again
                self._position = 0
            stream.seek(self._position)
            while line := stream.readline(_LONGEST_LINE):
                # What is longer than a line with a secret is read in parts, none of which is one.
                if not (self._take(line) or line.endswith(b"\n") or len(line) == _LONGEST_LINE):
                    break  # the rest of it is still to come
                self._position += len(line)

    def _read_capture(self, capture: Path | Buffer) -> None:
        if isinstance(capture, Path):
            with open_capture(capture) as file:
                self._take_lines(read_decryption_secrets(file.buffer))
        else:
            self._take_lines(read_decryption_secrets(capture))

    def _take_lines(self, texts: Iterable[bytes]) -> None:
        for text in texts:
            for line in text.splitlines():
                self._take(line[:_LONGEST_LINE])

    def _take(self, line: bytes) -> bool:
        """Take a line; return False if it is none of a key log. What came first stays."""
        parts = line.decode("ascii", "replace").split()
        if len(parts) != 3 or parts[0] not in _SIZES:
            return False
        try:
            client_random, secret = map(bytes.fromhex, parts[1:])
        except ValueError:
            return False
        if len(client_random) != _RANDOM or len(secret) not in _SIZES[parts[0]]:
            return False
        if client_random in self._secrets or len(self._secrets) < _MOST_CONNECTIONS:
            self._secrets.setdefault(client_random, {}).setdefault(parts[0], secret)
        return True


def _may_be_line(line: bytes) -> bool:
    """Return whether a line of a key log may begin so: one of any label, a comment, or nothing."""
    return not line.strip() or line.lstrip().startswith(b"#") or _LINE.match(line) is not None


NO_KEYS = KeyLog()
