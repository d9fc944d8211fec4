"""The base of all method classes: facts of the specification, and encoding with readable errors."""

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

from ._wire import pack_HH
from .dialects import DEFAULT_DIALECT, Dialect, DialectName
from .errors import EncodeError
from .fields import FieldLayout, Residue, shown, write_fields
from .table_writer import ENCODE_FAULTS, TableWriter, table_writer

Side: TypeAlias = Literal["client", "server"]


class MethodBase:
    """A method: its arguments are the fields of the subclass.

    Attributes:
        CLASS_ID: The index of its class.
        METHOD_ID: The index of the method in its class.
        KEY: Both in one number, with which the payload starts: class index << 16 | method index.
        NAME: For example ``queue.declare``.
        SENT_BY: The sides that send it: "client", "server" or both.
        SYNCHRONOUS: True when the sender waits for a reply, or when it is such a reply.
        HAS_CONTENT: True when a content header and body frames follow.
        DEPRECATED: True when the specification advises against it.
        RESPONSES: The methods that may answer.
        FIELDS: All fields in wire order, reserved ones too.
        ALIASES: Other names of fields, which the constructor takes as keywords, and the fields they stand for.
        residue: What lossless decoding found besides the fields, or None; part of the method when it is
            compared, copied or replaced.
    """

    __slots__ = ("residue",)

    CLASS_ID: ClassVar[int]
    METHOD_ID: ClassVar[int]
    KEY: ClassVar[int]
    NAME: ClassVar[str]
    SENT_BY: ClassVar[frozenset[Side]]
    SYNCHRONOUS: ClassVar[bool]
    HAS_CONTENT: ClassVar[bool]
    DEPRECATED: ClassVar[bool]
    RESPONSES: ClassVar["tuple[type[MethodBase], ...]"]
    FIELDS: ClassVar[tuple[FieldLayout, ...]]
    ALIASES: ClassVar[Mapping[str, str]]

    residue: Residue | None

    def __repr__(self) -> str:
        return shown(self, self.FIELDS, self.residue)

    def encode(self, dialect: DialectName | Dialect = DEFAULT_DIALECT) -> bytes:
        """Return the payload of the method frame: class index, method index and arguments.

        Args:
            dialect: The field-table dialect, or its name.

        Raises:
            EncodeError: An argument does not fit its field; the error's ``path`` names it.
            ValueError: There is no dialect of that name.
        """
        return method_payload(self, table_writer(dialect))

    def pack(self, tables: TableWriter) -> bytes:
        """Encode without checks. Values that do not fit raise one of ``ENCODE_FAULTS``."""
        return pack_HH(self.CLASS_ID, self.METHOD_ID) + write_fields(
            self.FIELDS, self, None, tables, self.NAME
        )


def method_payload(method: MethodBase, tables: TableWriter) -> bytes:
    """Return the payload of a method frame; EncodeError when an argument does not fit."""
    try:
        if method.residue is None:
            return method.pack(tables)
    except ENCODE_FAULTS as fault:
        raise method_encode_error(method, tables, fault) from None
    head = pack_HH(method.CLASS_ID, method.METHOD_ID)
    return head + write_fields(method.FIELDS, method, method.residue, tables, method.NAME)


def method_encode_error(method: MethodBase, tables: TableWriter, fault: Exception) -> EncodeError:
    """Return what is wrong with a method that cannot be packed."""
    try:
        write_fields(method.FIELDS, method, None, tables, method.NAME)
    except EncodeError as error:
        return error
    return EncodeError(str(fault), method.NAME)


def describe(
    method: type[MethodBase],
    *,
    ids: tuple[int, int],
    name: str,
    sent_by: tuple[Side, ...],
    synchronous: bool = False,
    has_content: bool = False,
    deprecated: bool = False,
    responses: tuple[type[MethodBase], ...] = (),
    aliases: Mapping[str, str] | None = None,
    fields: tuple[FieldLayout, ...] = (),
) -> None:
    """Give a method class the facts that the specification states about it."""
    method.CLASS_ID, method.METHOD_ID = ids
    method.KEY = ids[0] << 16 | ids[1]
    method.NAME = name
    method.SENT_BY = frozenset(sent_by)
    method.SYNCHRONOUS = synchronous
    method.HAS_CONTENT = has_content
    method.DEPRECATED = deprecated
    method.RESPONSES = responses
    method.ALIASES = aliases or {}
    method.FIELDS = fields
