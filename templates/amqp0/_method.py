"""The base of all method classes: facts of the specification, and encoding with readable errors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from ._fields import FieldLayout, Residue, fields_text, write_fields
from ._native import CORE
from ._table_writer import ENCODE_FAULTS, TableWriter, table_writer, unexplained
from ._values import pack_HH
from .dialects import DEFAULT_DIALECT, Dialect, DialectName
from .errors import EncodeError

if TYPE_CHECKING:
    from inspect import Signature

Side: TypeAlias = Literal["client", "server"]


@cache
def _signature_class() -> type[Any]:
    """Return the class of signatures of constructors; made when it is asked for, as ``inspect`` is slow to import."""
    from inspect import Parameter, Signature, signature

    class MethodSignature(Signature):
        """A signature whose text leaves out other names of reserved fields, which would come first in ``help``.

        ``parameters`` has them.
        """

        _hidden: frozenset[str] = frozenset()

        @classmethod
        def of(cls, method: Any) -> Signature:
            """Return the signature of the class of a method, or of one that is derived from it."""
            whole = signature(method.__init__)
            made = cls(list(whole.parameters.values())[1:], return_annotation=whole.return_annotation)
            reserved = {field.name for field in method.FIELDS if field.reserved}
            aliases = {alias for alias, name in method.ALIASES.items() if name in reserved}
            made._hidden = frozenset(aliases.difference(method.__match_args__))
            return made

        def _shown(self) -> Signature:
            parameters: list[Parameter] = [
                parameter for name, parameter in self.parameters.items() if name not in self._hidden
            ]
            return Signature(parameters, return_annotation=self.return_annotation)

        def __str__(self) -> str:
            return str(self._shown())

        def format(self, **options: Any) -> str:
            """Return the text, as Python 3.13 and later ask for it."""
            shown: Any = self._shown()
            text: str = shown.format(**options)
            return text

    return MethodSignature


class _SignatureOfClass:
    """The attribute by which ``inspect`` knows a signature; made when it is asked for, as ``inspect`` is slow to import."""

    __slots__ = ()

    def __get__(self, instance: object, owner: Any) -> Signature:
        if owner.__init__ is object.__init__:
            raise AttributeError("__signature__")
        made: Signature = _signature_class().of(owner)
        return made


class MethodBase:
    """A method: its arguments are the fields of the subclass.

    Attributes:
        CLASS_ID: The index of its class.
        METHOD_ID: The index of the method in its class.
        KEY: Both in one number, with which the payload starts: class index << 16 | method index.
        NAME: For example ``queue.declare``.
        SENT_BY: The sides that send it: "client", "server" or both.
        SYNCHRONOUS: As marked in the specification: true of a request that the peer must answer, and of the reply.
            ``expects_reply`` tells whether an object waits for one.
        HAS_CONTENT: True when a content header and body frames follow.
        DEPRECATED: True when the specification advises against it.
        RESPONSES: The methods that may answer. Any request may be answered by a close of the channel or connection
            instead; ``replies.is_reply`` takes that into account.
        NO_WAIT: The field that asks for no reply; empty when there is none.
        FIELDS: All fields in wire order, reserved ones too.
        ALIASES: Other names of fields, which the constructor takes as keywords, and the fields they stand for.
        residue: What lossless decoding found besides the fields, or None; part of the method when it is
            compared, copied or replaced.
    """

    __slots__ = ()

    CLASS_ID: ClassVar[int]
    METHOD_ID: ClassVar[int]
    KEY: ClassVar[int]
    NAME: ClassVar[str]
    SENT_BY: ClassVar[frozenset[Side]]
    SYNCHRONOUS: ClassVar[bool]
    HAS_CONTENT: ClassVar[bool]
    DEPRECATED: ClassVar[bool]
    RESPONSES: ClassVar[tuple[type[MethodBase], ...]]
    NO_WAIT: ClassVar[str]
    FIELDS: ClassVar[tuple[FieldLayout, ...]]
    ALIASES: ClassVar[Mapping[str, str]]
    __signature__: ClassVar[_SignatureOfClass] = _SignatureOfClass()

    residue: Residue | None = None

    def __repr__(self) -> str:
        return fields_text(self, self.FIELDS, self.residue)

    @property
    def expects_reply(self) -> bool:
        """True if the sender waits for one of ``RESPONSES``: there are some, and no-wait is not set."""
        return bool(self.RESPONSES) and not (self.NO_WAIT and getattr(self, self.NO_WAIT))

    def encode(self, *, dialect: DialectName | Dialect = DEFAULT_DIALECT) -> bytes:
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
    if tables.native is not None:
        payload: bytes | None = CORE.write_method(tables.native, method)
        if payload is not None:
            return payload
    try:
        if method.residue is None:
            try:
                return method.pack(tables)
            except UnicodeEncodeError:  # surrogate escapes: octets that were not UTF-8
                pass
        head = pack_HH(method.CLASS_ID, method.METHOD_ID)
        return head + write_fields(method.FIELDS, method, method.residue, tables, method.NAME)
    except ENCODE_FAULTS as fault:
        error = method_encode_error(method, tables, fault)
        raise error from error.__cause__


def method_encode_error(method: MethodBase, tables: TableWriter, fault: Exception) -> EncodeError:
    """Return what is wrong with a method that cannot be packed."""
    if isinstance(fault, EncodeError) and fault.path:
        return fault
    try:
        write_fields(method.FIELDS, method, None, tables, method.NAME)
    except ENCODE_FAULTS as again:
        return unexplained(again, method.NAME)
    return unexplained(fault, method.NAME)


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
    no_wait: str = "",
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
    method.NO_WAIT = no_wait
    method.ALIASES = aliases or {}
    method.FIELDS = fields
