"""What is in a delivery of AMQP 1.0: the sections before the body, how large the body is, and the footer."""

from __future__ import annotations

from functools import cache
from typing import Any

from amqp_codegen.support.packages import load_module, load_package

from ...decode.body_retention import MOST_KEPT, BodyRetention
from .sections import BodySections

# So much of a message may come before its body.
_MOST_BEFORE_BODY = 1 << 20
_SHORT_DATA = b"\x00\x53\x75\xa0"
_DATA = b"\x00\x53\x75\xb0"
# Of ``MessageColumns`` the rows end with these: data, amqp-sequence, amqp-value, footer.
_FOOTER = -1


class DeliveryContent:
    """The message that the transfers of a delivery make up.

    Attributes:
        head: The row of ``MessageColumns`` with the sections before the body; None if they cannot be read.
        kind: The kind of the body.
        size: How many octets of the body there are.
        footer: The footer, a VARIANT.
        is_complete: Whether all of the message was there, and could be read.
        kept: Digest and beginning of the body, see ``BodyRetention.keep``.
    """

    __slots__ = (
        "_body",
        "_held",
        "_pieces",
        "_retry",
        "footer",
        "head",
        "is_complete",
        "kept",
        "kind",
        "size",
    )

    def __init__(self) -> None:
        """Before the first transfer."""
        self.head: tuple[Any, ...] | None = None
        self.kind: str | None = None
        self.size = 0
        self.footer: tuple[bytes, bytes] | None = None
        self.is_complete = False
        self.kept: tuple[bytes | None, bytes | None] = (None, None)
        self._body: BodySections | None = None
        self._held = b""  # while the sections before the body are not all there
        self._retry = 0  # how much of it is worth another look
        self._pieces: list[bytes] | None = None

    def feed(self, payload: bytes, more: bool, bodies: BodyRetention) -> None:
        """Take the payload of the next transfer."""
        body = self._body
        if body is None:
            held = self._held = self._held + payload if self._held else payload
            if more and len(held) < self._retry:
                return
            start = self._read_head(held)
            if start < 0 or (more and start == len(held)):
                self._retry = 2 * len(held)
                if len(held) > _MOST_BEFORE_BODY:
                    self._held = b""
                    self._body = BodySections()
                    self._body.is_damaged = True
                return
            self._held = b""
            if not more and not bodies.wanted and self._read_small(held, start):
                return
            body = self._body = BodySections()
            payload = held[start:]
            if bodies.wanted:
                self._pieces = []
        pieces = self._pieces if body.size <= MOST_KEPT else None
        body.feed(payload, pieces)

    def feed_opaque(self, payload: bytes, bodies: BodyRetention) -> None:
        """Take the payload of the next transfer of a message that has another format than that of part 3."""
        if self._body is None:
            self._body = BodySections()
            self._pieces = [] if bodies.wanted else None
        self._body.size += len(payload)
        if self._pieces is not None and self._body.size <= MOST_KEPT + len(payload):
            self._pieces.append(payload)

    def end(self, complete: bool, bodies: BodyRetention) -> None:
        """Nothing more comes.

        Args:
            complete: Whether all transfers were there.
            bodies: What is kept of the body.
        """
        body = self._body
        if body is None:
            self.is_complete = self.is_complete and complete
            self._held = b""
            return
        self.kind, self.size = body.kind, body.size
        self.is_complete = complete and body.is_whole
        if body.footer and self.is_complete:
            self._read_footer(body.footer)
        if self._pieces is not None:
            self.kept = bodies.keep(self._pieces, body.size, self.is_complete)
        self._body = self._pieces = None

    def _read_head(self, octets: bytes) -> int:
        """Read the sections before the body. Return where that starts, -1 if they cannot be read."""
        columns = _columns()
        try:
            start: int = columns.append_head(octets)
        except load_package("amqp_1_0").errors.CodecError:
            return -1
        gathered = columns.gathered["message"]
        self.head = gathered.rows.pop()
        gathered.numbers.clear()
        return start

    def _read_small(self, octets: bytes, start: int) -> bool:
        """The usual body: one section of data, and nothing after it; or else none at all. Return whether it is that."""
        begins = octets[start : start + 4]
        if begins == _SHORT_DATA:
            first, size = start + 5, int.from_bytes(octets[start + 4 : start + 5], "big")
        elif begins == _DATA:
            first, size = start + 8, int.from_bytes(octets[start + 4 : start + 8], "big")
        elif not begins:
            self.is_complete = True
            return True
        else:
            return False
        if first + size != len(octets):
            return False
        self.kind, self.size, self.is_complete = "data", size, True
        return True

    def _read_footer(self, octets: bytes) -> None:
        columns = _columns()
        try:
            columns.append(octets)
        except load_package("amqp_1_0").errors.CodecError:
            self.is_complete = False
            return
        gathered = columns.gathered["message"]
        self.footer = gathered.rows.pop()[_FOOTER]
        gathered.numbers.clear()


@cache
def _columns() -> Any:
    """Reads sections. What it remembers only makes it faster, so it is no part of any state."""
    return load_module("amqp_1_0", "columns").MessageColumns()
