"""Decryption Secrets Blocks of pcapng: what decrypts the packets around them, here key logs of TLS.

They may stand behind the packets that need them, so they are read before. Files without them cost one search.
"""

from __future__ import annotations

import re

from .file_octets import find_each
from .files import Buffer
from .ledgers import FileLedger
from .pcapng import PcapngSection, byte_order_of, read_pcapng_packets
from .quarantine import Quarantine

_TYPE = re.compile(rb"TLSK|KSLT")  # the type of secrets, in either order of octets
_TYPE_SIZE = 4


def read_decryption_secrets(buffer: Buffer) -> list[bytes]:
    """Return the key logs of TLS in a capture file; none if it is no pcapng file."""
    order = byte_order_of(buffer)
    if not order or next(find_each(_TYPE, buffer, 0, _TYPE_SIZE), None) is None:
        return []
    secrets: list[bytes] = []
    section = PcapngSection(order, secrets=secrets)
    for _ in read_pcapng_packets(buffer, section, FileLedger(len(buffer)), Quarantine(most=0)):
        pass
    return secrets
