"""Tables that keep the octets they were decoded from."""

from collections.abc import Iterator

from ._arguments import octets
from ._table_reader import DEFAULT_READER, TableReader, stack_exhausted
from ._table_walker import Entry, plain_table, walk_table
from ._texts import shown
from ._values import FieldValue, SelfWritingTable
from .errors import DecodeError, EncodeError


class RawTable(SelfWritingTable):
    """A table that keeps its octets: letters, widths, order, duplicate keys, strings that are not UTF-8.

    It is a read-only mapping of the plain values (of duplicate keys the last); encoding it gives the same
    octets again. To change something, make a ``dict`` of it.
    """

    __slots__ = ("_is_checked", "_plain", "_raw", "_reader")

    def __init__(self, raw: bytes = b"", reader: TableReader = DEFAULT_READER) -> None:
        self._raw = octets(raw)
        self._reader = reader
        self._is_checked = False
        self._plain: dict[str, FieldValue] | None = None  # made when first needed

    @property
    def raw(self) -> bytes:
        """The octets of the entries, without the length before them."""
        return self._raw

    @property
    def entries(self) -> list[Entry]:
        """The entries as they stand on the wire, nested tables as lists of entries."""
        return self._walk(1)

    def _walk(self, depth: int) -> list[Entry]:
        data = len(self._raw).to_bytes(4, "big") + self._raw
        try:
            return walk_table(data, 0, len(data), self._reader, depth, "", True)[0]
        except RecursionError:
            raise stack_exhausted(0, "") from None

    def checked_octets(self, depth: int) -> bytes:
        """Return the octets of the entries, checked at this depth of nesting; EncodeError if they are invalid.

        Those that a decoder has read are valid as an outermost table, by its letters and limits.
        """
        if depth > 1 or not self._is_checked:
            try:
                self._walk(depth)
            except DecodeError as error:
                raise EncodeError(
                    f"the octets of the RawTable are not a table: {str(error).lstrip('.')}"
                ) from None
            self._is_checked = True
        return self._raw

    def to_dict(self) -> dict[str, FieldValue]:
        """Return the plain values, in a dictionary of their own."""
        return dict(self._values())

    def _values(self) -> dict[str, FieldValue]:
        if self._plain is None:
            entries = self.entries
            try:
                self._plain = plain_table(entries, self._reader)
            except RecursionError:
                raise stack_exhausted(0, "") from None
        return self._plain

    def __getitem__(self, key: str) -> FieldValue:
        return self._values()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RawTable):
            return self._raw == other._raw
        return self._values() == other

    def __hash__(self) -> int:
        return hash(self._raw)

    def __repr__(self) -> str:
        try:
            return f"RawTable({self._values()!r})"
        except DecodeError:
            return f"RawTable(raw={shown(self._raw)})"


def raw_table(buffer: bytes, position: int, end: int, reader: TableReader, path: str) -> tuple[RawTable, int]:
    """Check a table and keep its octets; see ``decode_table``."""
    try:
        stop = walk_table(buffer, position, end, reader, 1, path, True)[1]
    except RecursionError:
        raise stack_exhausted(position, path) from None
    table = RawTable(buffer[position + 4 : stop], reader)
    table._is_checked = True  # pyright: ignore[reportPrivateUsage]
    return table, stop
