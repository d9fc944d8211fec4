"""One direction of a TLS connection: its records, opened one after the other.

Theory of operation. Pieces wait in a queue as long as the other side has not said what the next record depends on. Their octets
are cut into records. A record is opened with the keys at hand and the next sequence number.

Where octets were lost, the side is lost, too: it looks for the head of a record that can be opened with one of the next sequence
numbers, or with the keys that would follow. The cipher itself tells that it is right. So nothing is made up.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from ...capture.quarantine import Reason
from ...capture.stream_data import Direction, StreamPiece
from ..wrappers import InnerStream, Place
from .handshake import TlsHandshake
from .hellos import CLIENT_HELLO, MESSAGE_HEAD, SERVER_HELLO, read_hello
from .key_log import APPLICATION, EARLY, HANDSHAKE, KeyLog
from .key_schedule import Protection
from .records import APPLICATION_DATA, CHANGE_CIPHER_SPEC, RECORD_HEAD, Record, is_record_head, record_size
from .records import HANDSHAKE as HANDSHAKE_RECORD

if TYPE_CHECKING:
    from .record_ciphers import OpenedRecord, RecordCipher

Found: TypeAlias = "list[tuple[Direction, StreamPiece]]"

_END_OF_EARLY_DATA, _ENCRYPTED_EXTENSIONS, _FINISHED, _KEY_UPDATE = 5, 8, 20, 24  # messages
# Messages after which the next keys protect a direction of TLS 1.3, with the labels of those before.
_ENDS_OF_KEYS = frozenset(
    (
        (_END_OF_EARLY_DATA, EARLY),
        *((_FINISHED, label) for label in HANDSHAKE),
        *((_KEY_UPDATE, label) for label in APPLICATION),
    )
)
_APPLICATION_DATA, _CHANGE_CIPHER_SPEC = bytes([APPLICATION_DATA]), bytes([CHANGE_CIPHER_SPEC])
_LONGEST_MESSAGE = 1 << 17
_MOST_WAITING_OCTETS = 1 << 18
_PIECE_OVERHEAD = 64  # octets of memory for each piece
_EXPLICIT_NONCE = 8
# The search after a gap: heads, the least octets of an encrypted record, sequence numbers tried for each head, and what all tries
# may cost until one succeeds, in tries of short records.
_HEAD = re.compile(rb"[\x14-\x17]\x03\x03[\x00-\x48]", re.DOTALL)
_SHORTEST_RECORD = 22
_MOST_NUMBERS = 4096
_MOST_COST = 8192
_COST_OCTETS = 1024  # of a record that cost as much as a try


class TlsSide:
    """One direction of a TLS connection."""

    def __init__(
        self, direction: Direction, inner: InnerStream, handshake: TlsHandshake, key_log: KeyLog, before: int
    ) -> None:
        """Begin; ``before`` octets stand before TLS. For ``inner`` see ``Wrapper``."""
        self._direction = direction
        self._is_client = direction is Direction.client_to_server
        self._inner = inner
        self._handshake = handshake
        self._key_log = key_log
        self._before = before
        self._queue: deque[StreamPiece] = deque()
        self._waiting_octets = 0
        self._held = bytearray()  # the beginning of a record
        self._place: Place = (0, 0, 0)  # of the last octets held
        self._message = bytearray()  # the beginning of a message of the handshake
        self._ignored = 0  # octets of a message that is too long
        self._protection: Protection | None = None
        self._number = 0  # of the next record
        self._nonce: int | None = None  # the explicit one of the record before, in TLS 1.2
        self._ciphers: dict[Protection, RecordCipher | None] = {}
        self._has_opened = False
        self._fault = ""
        self._is_lost = False
        self._lost_octets = 0
        self._cost = 0
        # Octets that are left out, and not told yet.
        self._skipped = 0
        self._skip: tuple[Reason, Place, str] = (Reason.TLS, (0, 0, 0), "")

    def take(self, piece: StreamPiece, found: Found) -> None:
        """Take the next piece; add what is within to ``found``."""
        self._queue.append(piece)
        self._waiting_octets += len(piece.data) + _PIECE_OVERHEAD
        self.advance(found)
        if self._waiting_octets > _MOST_WAITING_OCTETS:
            self._handshake.fail("a hello was not captured")
            self.advance(found)

    def advance(self, found: Found) -> None:
        """Go on as far as is known how."""
        while self._step(found):
            pass
        while self._queue and not self._must_wait:
            piece = self._queue.popleft()
            self._waiting_octets -= len(piece.data) + _PIECE_OVERHEAD
            self._place = piece[3:]
            if piece.gap:
                self._cross_gap(piece.gap, found)
            else:
                self._held += piece.data
            while self._step(found):
                pass

    def finish(self, found: Found) -> None:
        """Account for all that is held."""
        if self._queue:
            self._handshake.fail("a hello was not captured")
            self.advance(found)
        self._drain(found)
        self._leave_out(len(self._held), Reason.TAIL_INCOMPLETE)
        self._tell_skipped()

    def _drain(self, found: Found) -> None:
        """Take what can be had of the octets held, as those behind them are not there."""
        while self._step(found) or (self._is_lost and self._search(found, is_last=True)):
            pass

    # --- Records ---

    @property
    def _is_given_up(self) -> bool:
        return bool(self._fault or self._handshake.fault)

    @property
    def _must_wait(self) -> bool:
        """Whether the record that is held depends on what the other side has not said yet."""
        handshake, held = self._handshake, self._held
        if self._is_given_up or self._before:
            return False
        if not self._is_client:
            return not handshake.has_client_hello
        if handshake.awaits_server:
            return True
        if handshake.version == "1.3":
            return handshake.awaits_early_data and (self._is_lost or held[:1] == _APPLICATION_DATA)
        is_change = held[:1] == _CHANGE_CIPHER_SPEC and handshake.version == "1.2"
        return is_change and handshake.pending[self._direction] is None and not self._is_lost

    def _step(self, found: Found) -> bool:
        """Take what is next of the octets held; return False if more octets are needed, or the other side."""
        held = self._held
        if not held or self._must_wait:
            return False
        if self._is_given_up:
            self._leave_out(len(held), Reason.TLS, self._fault or self._handshake.fault)
        elif self._before:
            self._wrap(min(self._before, len(held)))
        elif self._is_lost:
            return self._search(found)
        elif len(held) < RECORD_HEAD:
            return False
        elif not is_record_head(held):
            self._lose(found)
        else:
            size = record_size(held)
            if len(held) < size:
                return False
            self._take_record(self._record(0), found)
        return True

    def _wrap(self, size: int) -> None:
        self._before -= size
        self._inner.wrapped += size
        del self._held[:size]

    def _record(self, at: int) -> Record:
        end = at + record_size(self._held, at)
        head, body = self._held[at : at + RECORD_HEAD], self._held[at + RECORD_HEAD : end]
        return Record(bytes(head), bytes(body), self._place)

    def _take_record(self, record: Record, found: Found) -> None:
        """Take the record at the beginning of the octets held."""
        if not self._is_protected(record):
            del self._held[: record.size]
            self._take_content(record, record.head[0], record.body, found)
            return
        opened = self._open(record, 1)
        if opened is not None:
            del self._held[: record.size]
            self._take_content(record, *opened, found)
        elif self._is_left_aside():
            del self._held[: record.size]
            self._tell_skipped()
            self._inner.wrapped += record.size
        elif self._has_opened:
            self._lose(found)
        else:
            self._fail(record, found)

    def _is_protected(self, record: Record) -> bool:
        if self._handshake.version == "1.3":
            if record.head[0] != APPLICATION_DATA:
                return False
            self._protection = self._protection or self._handshake.first_protection(self._direction)
            return True
        return self._protection is not None

    def _is_left_aside(self) -> bool:
        """Return whether a record that cannot be opened is not part of the conversation."""
        protection = self._protection
        if protection is None or protection.label not in HANDSHAKE or self._has_opened:
            return False
        if self._is_client and self._handshake.has_refused_early_data:
            return True
        # The handshake itself needs not be read, if what follows can be.
        following = protection.following
        assert following is not None
        return self._cipher_of(protection) is None and self._cipher_of(following) is not None

    def _fail(self, record: Record, found: Found) -> None:
        """Leave out the first record of a protection, which cannot be opened, and all that follow."""
        protection = self._protection
        assert protection is not None
        if self._cipher_of(protection) is not None:
            self._fault = "the keys in the key log do not fit"
            self._tell_keys()
        elif protection.label != EARLY:
            self._fault = f"the key log has no {protection.label} of this connection"
        else:  # what follows early data has other keys
            self._mark_gap(found)
            self._leave_out(record.size - 1, Reason.TLS, f"the key log has no {EARLY} of this connection")

    def _tell_keys(self) -> None:
        """Tell once that the keys do not fit."""
        if not self._handshake.has_told:
            self._handshake.has_told = True
            self._tell_skipped()
            detail = "the key log has keys of this connection, which do not fit"
            self._inner.skip(0, Reason.TLS_KEYS, self._place, detail)

    def _open(self, record: Record, numbers: int) -> OpenedRecord | None:
        """Open a record with one of the next sequence numbers, or with what may protect it else."""
        first = self._number
        if numbers > 1 and self._nonce is not None and record.size > RECORD_HEAD + _EXPLICIT_NONCE:
            # Most programs count the explicit nonces.
            distance = int.from_bytes(record.body[:_EXPLICIT_NONCE], "big") - self._nonce
            if 0 < distance < 1 << 32:
                opened = self._try(record, self._protection, first - 1 + distance, 1)
                if opened is not None:
                    return opened
        opened = self._try(record, self._protection, first, numbers)
        if opened is None:
            opened = self._try(record, self._following, 0, numbers)
        return opened

    @property
    def _following(self) -> Protection | None:
        if self._protection is not None and self._handshake.version == "1.3":
            return self._protection.following
        return self._handshake.pending[self._direction] or self._handshake.first_protection(self._direction)

    def _try(
        self, record: Record, protection: Protection | None, first: int, numbers: int
    ) -> OpenedRecord | None:
        cipher = None if protection is None else self._cipher_of(protection)
        if cipher is None:
            return None
        assert protection is not None
        for number in range(first, first + numbers):
            opened = cipher.open(record.head, record.body, number)
            if opened is not None:
                self._use(protection, number + 1)
                self._nonce = int.from_bytes(record.body[:_EXPLICIT_NONCE], "big")
                self._has_opened = True
                self._cost = 0
                return opened
        self._cost += numbers * (1 + record.size // _COST_OCTETS)
        return None

    def _use(self, protection: Protection | None, number: int) -> None:
        """Set what protects the next record, and its number."""
        if protection != self._protection:
            self._ciphers = {kept: cipher for kept, cipher in self._ciphers.items() if kept == protection}
            if protection == self._handshake.pending[self._direction]:
                self._handshake.pending[self._direction] = None
            self._protection, self._nonce, self._has_opened = protection, None, False
            if not self._is_client and protection is not None and protection.label in APPLICATION:
                self._handshake.end_flight()
        self._number = number

    def _cipher_of(self, protection: Protection) -> RecordCipher | None:
        from .record_ciphers import make_cipher

        if protection not in self._ciphers:
            self._ciphers[protection] = make_cipher(protection, self._key_log)
        return self._ciphers[protection]

    # --- What is in records ---

    def _take_content(self, record: Record, kind: int, content: bytes, found: Found) -> None:
        self._tell_skipped()
        if kind == APPLICATION_DATA and self._protection is not None:
            self._inner.wrapped += record.size - len(content)
            if content:
                found.append((self._direction, self._inner.data(content, record.place)))
            return
        self._inner.wrapped += record.size
        if kind == HANDSHAKE_RECORD:
            self._take_messages(content)
        elif kind == CHANGE_CIPHER_SPEC and self._handshake.version == "1.2":
            pending = self._handshake.pending[self._direction]
            if pending is not None:
                self._use(pending, 0)

    def _take_messages(self, content: bytes) -> None:
        """Take octets of the handshake."""
        message, ignored = self._message, min(self._ignored, len(content))
        self._ignored -= ignored
        message += content[ignored:]
        while len(message) >= MESSAGE_HEAD:
            size = MESSAGE_HEAD + int.from_bytes(message[1:MESSAGE_HEAD], "big")
            if size > _LONGEST_MESSAGE:
                self._ignored = max(size - len(message), 0)
                del message[:size]
            elif len(message) < size:
                return
            else:
                whole = bytes(message[:size])
                del message[:size]
                self._take_message(whole)

    def _take_message(self, message: bytes) -> None:
        kind, label = message[0], "" if self._protection is None else self._protection.label
        if kind == (CLIENT_HELLO if self._is_client else SERVER_HELLO):
            hello = read_hello(message)
            if hello is not None:
                self._handshake.take(hello)
        elif kind == _ENCRYPTED_EXTENSIONS and not self._is_client:
            self._handshake.take_extensions(message[MESSAGE_HEAD:])
        elif (kind, label) in _ENDS_OF_KEYS:
            self._use(self._following, 0)

    # --- What is lost ---

    def _cross_gap(self, octets: int, found: Found) -> None:
        self._drain(found)
        self._leave_out(len(self._held), Reason.FRAME_GAP)
        self._tell_skipped()
        found.append((self._direction, self._inner.gap(octets, self._place)))
        self._before = 0
        if not self._is_client and not self._handshake.version:
            self._handshake.fail("the ServerHello was not captured")
        self._begin_search(octets)

    def _lose(self, found: Found) -> None:
        """Begin to search, as what is held is no record, or was changed."""
        if self._protection is None:
            self._fault = "no record of TLS"
        else:
            self._mark_gap(found)
            self._begin_search(1)

    def _mark_gap(self, found: Found) -> None:
        """Count an octet that is held as lost: by this, who reads what is within gets to know that something is missing."""
        self._tell_skipped()
        del self._held[:1]
        found.append((self._direction, self._inner.gap(1, self._place)))

    def _begin_search(self, octets: int) -> None:
        self._is_lost = True
        self._lost_octets += octets
        self._message.clear()
        self._ignored = 0

    def _search(self, found: Found, is_last: bool = False) -> bool:
        """Search for a record that can be opened; return whether there is one."""
        held, at, version = self._held, 0, self._handshake.version
        if version == "1.3" and self._protection is None:
            self._protection = self._handshake.first_protection(self._direction)
        while match := _HEAD.search(held, at):
            at = match.start()
            if len(held) < at + RECORD_HEAD or len(held) < at + record_size(held, at):
                if not is_last:
                    break
                at += 1
                continue
            if version == "1.3" and held[at] != APPLICATION_DATA:
                at += 1
                continue
            numbers = min((self._lost_octets + at) // _SHORTEST_RECORD + 2, _MOST_NUMBERS)
            record = self._record(at)
            opened = self._open(record, numbers)
            if opened is not None:
                self._leave_out(at, Reason.FRAME_GAP)
                del held[: record.size]
                self._is_lost, self._lost_octets = False, 0
                self._take_content(record, *opened, found)
                return True
            if self._cost > _MOST_COST:
                self._fault = "no record is found again"
                return True
            at += 1
        else:
            at = len(held) if is_last else max(len(held) - RECORD_HEAD + 1, 0)
        self._lost_octets += at
        self._leave_out(at, Reason.FRAME_GAP)
        return False

    def _leave_out(self, size: int, reason: Reason, detail: str = "") -> None:
        """Leave out octets that are held. What is left out for one reason is told once."""
        if not size:
            return
        del self._held[:size]
        if self._skip[0] is not reason or self._skip[2] != detail:
            self._tell_skipped()
        if not self._skipped:
            self._skip = reason, self._place, detail
        self._skipped += size

    def _tell_skipped(self) -> None:
        if self._skipped:
            reason, place, detail = self._skip
            self._inner.skip(self._skipped, reason, place, detail)
            self._skipped = 0
