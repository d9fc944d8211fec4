"""Dataclasses that are made without the module ``dataclasses``, whose import takes as long as that of a whole package.

Type checkers see the decorator of the standard library. When a package is imported, this one gives classes slots,
equality, ``repr`` and ``__match_args__``. What ``dataclasses.fields``, ``replace`` and ``asdict`` need is made when one
of them asks for it; their callers have imported ``dataclasses`` already.
"""

from collections.abc import Callable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

_CLASS_VARIABLES = ("typing.ClassVar", "ClassVar")
_LAZY = ("__dataclass_fields__", "__dataclass_params__")
_OPTIONS = frozenset(("eq", "frozen", "init", "repr", "slots"))

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
else:

    def dataclass(cls=None, /, **options):
        """Make a class a dataclass; the options are those of ``dataclasses.dataclass``.

        With options that are not handled here, or a base that the standard library made, the library makes it.
        """
        if cls is None:
            return lambda made: dataclass(made, **options)
        foreign = any(isinstance(vars(base).get(_LAZY[0]), dict) for base in cls.__mro__[1:])
        return _of_the_library(cls, options) if foreign or set(options) - _OPTIONS else _made(cls, options)

    def field(**options):
        """Return the default of a field; the options are those of ``dataclasses.field``."""
        return _Field(options)


class _Field:
    """The options of a field."""

    __slots__ = ("options",)

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


class _Lazy:
    """An attribute of a dataclass that is made when it is first asked for."""

    __slots__ = ("annotations", "declared", "name", "options", "owner")

    def __init__(
        self,
        name: str,
        owner: type,
        annotations: dict[str, Any],
        declared: dict[str, Any],
        options: dict[str, Any],
    ) -> None:
        self.name = name
        self.owner = owner
        self.annotations = annotations
        self.declared = declared
        self.options = options

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner = owner  # the class with slots is another one than the decorator was given

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        cls = self.owner
        body = {"__module__": cls.__module__, "__annotations__": self.annotations, **self.declared}
        like = _of_the_library(type(cls.__name__, (), body), {**self.options, "slots": False})
        value = getattr(like, self.name)
        setattr(cls, self.name, value)
        return value


def _of_the_library(cls: type, options: dict[str, Any]) -> Any:
    """Return what ``dataclasses.dataclass`` makes of a class."""
    import dataclasses

    for name, value in list(vars(cls).items()):
        if isinstance(value, _Field):
            setattr(cls, name, dataclasses.field(**value.options))
    decorator: Any = dataclasses.dataclass
    return decorator(**options)(cls)


def _made(cls: Any, options: dict[str, Any]) -> Any:
    made: type = cls
    own = made.__dict__
    bases: tuple[type, ...] = cls.__mro__[1:]
    annotations: dict[str, Any] = {}
    declared: dict[str, Any] = {}
    for base in reversed(bases):
        inherited: object = vars(base).get(_LAZY[0])
        if isinstance(inherited, _Lazy):
            annotations |= inherited.annotations
            declared |= inherited.declared
    annotations |= own.get("__annotations__", {})
    names = [name for name, kind in annotations.items() if not str(kind).startswith(_CLASS_VARIABLES)]
    declared |= {name: own[name] for name in names if name in own}
    settings = {
        name: value.options if isinstance(value := declared.get(name), _Field) else {} for name in names
    }
    arguments = [name for name in names if settings[name].get("init", True)]
    compared = [name for name in names if settings[name].get("compare", True)]
    if options.get("init", True):
        cls.__init__ = _initialiser(cls, names, arguments, declared, bool(options.get("frozen")))
    if options.get("eq", True):
        cls.__eq__ = _equality(compared)
        cls.__hash__ = _hash(compared) if options.get("frozen") else None
    if options.get("repr", True) and "__repr__" not in own:
        cls.__repr__ = _representation([name for name in names if settings[name].get("repr", True)])
    if options.get("frozen"):
        cls.__setattr__, cls.__delattr__ = _refuse_change, _refuse_change
        cls.__getstate__, cls.__setstate__ = _state(names)
    attributes = {
        "__match_args__": tuple(arguments),
        "__replace__": _replaced,
        **{name: _Lazy(name, cls, annotations, declared, options) for name in _LAZY},
    }
    for name, value in attributes.items():
        setattr(cls, name, value)
    return _with_slots(cls, names) if options.get("slots") else cls


def _initialiser(
    cls: type, names: list[str], arguments: list[str], declared: dict[str, Any], frozen: bool
) -> Any:
    """Return ``__init__``, which is compiled from its source as the standard library does; only few classes need it."""
    scope: dict[str, Any] = {"_set": object.__setattr__}
    parameters = ["self"]
    statements: list[str] = []
    for name in names:
        value: Any = f"_default_{name}" if name in declared else None
        default = declared.get(name)
        if isinstance(default, _Field):
            factory = default.options.get("default_factory")
            value = f"_default_{name}" if factory or "default" in default.options else None
            default = default.options.get("default", factory)
            if factory:
                value += "()"
        scope[f"_default_{name}"] = default
        given = value
        if name in arguments:
            parameters.append(name if value is None else f"{name}=_default_{name}")
            given = name
            if value and value.endswith("()"):
                given = f"{value} if {name} is _default_{name} else {name}"
        if given is not None:
            statements.append(f"_set(self, {name!r}, {given})" if frozen else f"self.{name} = {given}")
    if hasattr(cls, "__post_init__"):
        statements.append("self.__post_init__()")
    body = "\n    ".join(statements or ["pass"])
    exec(f"def __init__({', '.join(parameters)}):\n    {body}", scope)
    made = scope["__init__"]
    made.__annotations__ = {**{name: cls.__annotations__[name] for name in arguments}, "return": None}
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _with_slots(cls: type, names: list[str]) -> type:
    """Return the class with slots for its fields, but for those that a base has; slots cannot be added to a class."""
    inherited = {slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    body = {
        name: value
        for name, value in vars(cls).items()
        if name not in names and name not in ("__dict__", "__weakref__")
    }
    body["__slots__"] = tuple([name for name in names if name not in inherited])
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _equality(names: list[str]) -> Callable[[Any, object], bool]:
    """Return ``__eq__``: the same class, and equal fields. One NaN is equal to itself, as it is in a tuple.

    The standard library compiles it when the class is made; here that is done when two objects are first compared.
    """

    def __eq__(self: Any, other: object) -> bool:
        scope: dict[str, Any] = {}
        equal = [f"(self.{name} is other.{name} or self.{name} == other.{name})" for name in names]
        exec(
            "def __eq__(self, other):\n"
            "    if other.__class__ is not self.__class__:\n"
            "        return NotImplemented\n"
            f"    return {' and '.join(equal) or 'True'}",
            scope,
        )
        compiled: Callable[[Any, object], bool] = scope["__eq__"]
        for kind in type(self).__mro__:
            if vars(kind).get("__eq__") is __eq__:
                type.__setattr__(kind, "__eq__", compiled)
        return compiled(self, other)

    return __eq__


def _hash(names: list[str]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(tuple([getattr(self, name) for name in names]))

    return __hash__


def _refuse_change(self: Any, name: str, value: object = None) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _state(names: list[str]) -> tuple[Callable[[Any], list[Any]], Callable[[Any, list[Any]], None]]:
    """Return ``__getstate__`` and ``__setstate__`` of a class whose attributes cannot be set."""

    def __getstate__(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return __getstate__, __setstate__


def _representation(names: list[str]) -> Callable[[Any], str]:
    """Return ``__repr__``: the name of the class, and the names and values of its fields."""

    @recursive_repr()
    def __repr__(self: Any) -> str:
        shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _replaced(self: Any, /, **changes: Any) -> Any:
    import dataclasses

    return dataclasses.replace(self, **changes)
