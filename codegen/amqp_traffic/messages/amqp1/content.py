"""The content of an AMQP 1.0 delivery: the sections before the body, the size of the body, the footer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from amqp_codegen.support.resources import load_module, load_package

from ...decode.body_retention import MOST_KEPT, BodyRetention
from ...dialogue.amqp1.performatives import Variant
from ...schemas import PACKAGE1
from ...secret_names import MARKER, is_secret_body, is_secret_request
from ...variant_redaction import redacted_row
from ...variant_values import variant_value
from .sections import BINARY8, BINARY32, DESCRIBED, SMALL_ULONG, BodySections

_MOST_BEFORE_BODY = 1 << 20  # octets of sections before the body


class MessageSections(NamedTuple):
    """A row of ``MessageColumns``: the fields of all sections."""

    durable: bool | None
    priority: int | None
    ttl: int | None
    first_acquirer: bool | None
    delivery_count: int | None
    delivery_annotations: Variant | None
    message_annotations: Variant | None
    message_id: Variant | None
    user_id: bytes | None
    to: Variant | None
    subject: str | None
    reply_to: Variant | None
    correlation_id: Variant | None
    content_type: str | None
    content_encoding: str | None
    absolute_expiry_time: int | None
    creation_time: int | None
    group_id: str | None
    group_sequence: int | None
    reply_to_group_id: str | None
    misfits: Variant | None
    application_properties: Variant | None
    data: bytes | None
    amqp_sequence: Variant | None
    amqp_value: Variant | None
    footer: Variant | None


@dataclass(slots=True, eq=False)
class DeliveryContent:
    """The message that the transfers of a delivery make up.

    Attributes:
        head: The sections before the body, as ``MessageSections`` names them; None if they are unreadable.
        kind: ``data``, ``amqp-sequence`` or ``amqp-value``; None without a body.
        size: Octets of the body so far.
        footer: The footer, a VARIANT.
        is_complete: True if all of the message was captured and could be read.
        is_beyond_limit: True if it could not be read because of a limit of this program, not of the protocol.
        kept: Digest and beginning of the body, see ``BodyRetention.keep``.
    """

    head: tuple[Any, ...] | None = None
    kind: str | None = None
    size: int = 0
    footer: tuple[bytes, bytes] | None = None
    is_complete: bool = False
    is_beyond_limit: bool = False
    kept: tuple[bytes | None, bytes | None] = (None, None)
    _body: BodySections | None = None
    _held: bytes = b""  # the sections before the body, until they are complete
    _retry: int = 0  # the size of ``_held`` at which to try again
    _pieces: list[bytes] | None = None

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
                    self._body.stop()
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
        """Take the payload of the next transfer, of a message in another format than that of part 3."""
        if self._body is None:
            self._body = BodySections()
            self._pieces = [] if bodies.wanted else None
        self._body.size += len(payload)
        if self._pieces is not None and self._body.size <= MOST_KEPT + len(payload):
            self._pieces.append(payload)

    def end(self, complete: bool, bodies: BodyRetention, is_secret: bool = False) -> None:
        """End the message.

        Args:
            complete: Whether all transfers were captured.
            bodies: What is kept of the body.
            is_secret: Whether the body is secret by the link.
        """
        body = self._body
        if body is None:
            self.is_complete = self.is_complete and complete
            self._held = b""
            return
        self.kind, self.size = body.kind, body.size
        self.is_complete = complete and body.is_whole
        self.is_beyond_limit = body.is_beyond_limit
        if body.footer and self.is_complete:
            self._read_footer(body.footer)
        if self._pieces is not None:
            pieces = (MARKER.encode(),) if is_secret or self._is_secret() else self._pieces
            self.kept = bodies.keep(pieces, body.size, self.is_complete)
        self._body = self._pieces = None

    def _is_secret(self) -> bool:
        """Return whether the body is secret by what the message says of itself, or by how it begins."""
        if is_secret_body(b"".join(self._pieces or ())):
            return True
        if self.head is None:
            return False
        head = MessageSections._make(self.head)
        properties = head.application_properties and variant_value(head.application_properties)
        said = properties if isinstance(properties, dict) else {}
        to = head.to and variant_value(head.to)
        return is_secret_request(to, head.subject, said.get("operation"), said.get("type"))

    def _read_head(self, octets: bytes) -> int:
        """Read the sections before the body. Return where the body starts; -1 if they are unreadable."""
        columns = _columns()
        try:
            start: int = columns.append_head(octets)
        except load_package(PACKAGE1).errors.CodecError as error:
            self._note_limit(error)
            return -1
        gathered = columns.gathered["message"]
        # Left bare: a record for every message takes time, and only ``row`` reads it.
        self.head = redacted_row(gathered.rows.pop())
        gathered.numbers.clear()
        return start

    def _read_small(self, octets: bytes, start: int) -> bool:
        """Read the usual body: one data section and no footer, or no body. Return False for any other."""
        begins = octets[start : start + 4]
        short, long = _data_prefixes()
        if begins == short:
            first, size = start + 5, int.from_bytes(octets[start + 4 : start + 5], "big")
        elif begins == long:
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
        except load_package(PACKAGE1).errors.CodecError as error:
            self._note_limit(error)
            self.is_complete = False
            return
        gathered = columns.gathered["message"]
        self.footer = MessageSections._make(redacted_row(gathered.rows.pop())).footer
        gathered.numbers.clear()

    def _note_limit(self, error: Exception) -> None:
        self.is_beyond_limit = isinstance(error, load_package(PACKAGE1).errors.LimitExceeded)


@cache
def _data_prefixes() -> tuple[bytes, bytes]:
    """Return how a data section begins: its descriptor, and the constructor of a short and of a long binary."""
    code = load_package(PACKAGE1).messaging.Data.CODE
    return bytes((DESCRIBED, SMALL_ULONG, code, BINARY8)), bytes((DESCRIBED, SMALL_ULONG, code, BINARY32))


@cache
def _columns() -> Any:
    """Return the reader of sections. It caches only for speed, so it belongs to no checkpoint."""
    return load_module(PACKAGE1, "columns").MessageColumns()
