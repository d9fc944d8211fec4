"""Makes classes dataclasses without the module ``dataclasses``, whose import takes as long as that of this package.

Type checkers see the decorator of the standard library. The methods of a dataclass stand in its class. What
``dataclasses.fields``, ``replace`` and ``asdict`` read is made when one of them asks for it: their callers have
imported ``dataclasses`` already. It follows from ``__init__``: which fields there are, and what each is by default.
"""

from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False):
        """Make a class a dataclass; of one that is frozen, attributes can be set by ``object.__setattr__`` alone."""
        if cls is None:
            return lambda decorated: dataclass(decorated, frozen=frozen)
        for name in _DESCRIPTIONS:
            setattr(cls, name, _Description(name, cls, frozen))
        cls.__replace__ = _replaced
        cls.__getstate__ = _state
        if frozen:
            cls.__setattr__ = cls.__delattr__ = _refuse_change
            cls.__getstate__, cls.__setstate__ = _frozen_state, _restore
        return cls


@recursive_repr()
def attributes_text(owner: Any) -> str:
    """Return the ``repr`` of an object: its class, and its attributes in the order of the constructor."""
    attributes = ", ".join([f"{name}={getattr(owner, name)!r}" for name in owner.__match_args__])
    return f"{type(owner).__qualname__}({attributes})"


_DESCRIPTIONS = ("__dataclass_fields__", "__dataclass_params__")


class _Description:
    """An attribute of a dataclass by which the standard library knows it; made when it is first asked for."""

    __slots__ = ("frozen", "name", "owner")

    def __init__(self, name: str, owner: type, frozen: bool) -> None:
        self.name = name
        self.owner = owner
        self.frozen = frozen

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        described = _described(self.owner, self.frozen)
        value = getattr(described, self.name)
        setattr(self.owner, self.name, value)
        return value


def _described(cls: Any, frozen: bool) -> type:
    """Return a class that the standard library makes, with the fields of the bases and of the constructor."""
    from dataclasses import MISSING, field, make_dataclass
    from inspect import signature
    from typing import get_type_hints

    hints = get_type_hints(cls, include_extras=True)
    fields = {
        name: (inherited.type, inherited)
        for base in reversed(cls.__mro__[1:])
        for name, inherited in getattr(base, "__dataclass_fields__", {}).items()
    }
    # Other names of fields are parameters, too.
    own = {
        name: parameter
        for name, parameter in signature(cls).parameters.items()
        if name in cls.__match_args__ or parameter.kind is parameter.KEYWORD_ONLY
    }
    defaults = {
        name: parameter.default for name, parameter in own.items() if parameter.default is not parameter.empty
    }
    if None in defaults.values():
        # It may stand for something else, which only the constructor knows.
        required = [name for name in own if name not in defaults]
        required += [
            name
            for name, (_, inherited) in fields.items()
            if inherited.default is MISSING is inherited.default_factory
        ]
        made = cls(**dict.fromkeys(required))
        defaults = {name: getattr(made, name) for name in defaults}
    for name, parameter in own.items():
        options: dict[str, Any] = {"kw_only": parameter.kind is parameter.KEYWORD_ONLY}
        if name in defaults:
            is_mutable = type(defaults[name]).__hash__ is None
            options |= (
                {"default_factory": type(defaults[name])} if is_mutable else {"default": defaults[name]}
            )
        fields[name] = (hints[name], field(**options))
    return make_dataclass(
        cls.__name__, [(name, *described) for name, described in fields.items()], frozen=frozen
    )


def _replaced(self: Any, /, **changes: Any) -> Any:
    from dataclasses import replace

    return replace(self, **changes)


def _state(self: Any) -> Any:
    """Return the attributes; pickle wants a method of the class for it, in its protocols 0 and 1."""
    return object.__getstate__(self)


def _frozen_state(self: Any) -> dict[str, Any]:
    return {name: getattr(self, name) for name in self.__dataclass_fields__}


def _restore(self: Any, state: dict[str, Any]) -> None:
    for name, value in state.items():
        object.__setattr__(self, name, value)


def _refuse_change(self: Any, name: str, value: object = None) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")
