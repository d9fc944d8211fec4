# ``MethodSignature.of`` sets what it declares.
# pyright: reportUninitializedInstanceVariable=false
"""What ``inspect.signature`` and ``help`` say of the constructor of a method."""

from inspect import Parameter, Signature, signature
from typing import Any


class MethodSignature(Signature):
    """A signature whose text leaves out other names of reserved fields, which would come first in ``help``.

    ``parameters`` has them.
    """

    __slots__ = ("_hidden",)

    _hidden: frozenset[str]

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
            each for name, each in self.parameters.items() if name not in getattr(self, "_hidden", ())
        ]
        return Signature(parameters, return_annotation=self.return_annotation)

    def __str__(self) -> str:
        return str(self._shown())

    def format(self, **options: Any) -> str:
        """Return the text, as Python 3.13 and later ask for it."""
        shown: Any = self._shown()
        text: str = shown.format(**options)
        return text
