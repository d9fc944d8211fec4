"""Pickles of the state of a reading, restricted to the classes of this program.

A state contains bound methods as callbacks. They are written as object and name, and only a few names are allowed, so that a
manipulated file cannot call anything else.
"""

from __future__ import annotations

import io
import pickle
from enum import Enum
from types import MethodType
from typing import Any

from amqp_codegen.support.resources import load_package

from ..frames.amqp0 import frame_format
from ..frames.amqp1 import frame_format as framing1

_MODULE = __name__
# Callbacks between the parts of a reading, such as from streams to conversations.
_CALLBACKS = frozenset(("on_pieces", "on_end", "on_frames", "_on_begin", "_on_end", "_over", "take_control"))
# Classes of the standard library in states. Numbers, texts and plain containers need no class.
_FOREIGN_CLASSES = frozenset(
    (
        ("collections", "Counter"),
        ("collections", "OrderedDict"),
        ("collections", "defaultdict"),
        ("collections", "deque"),
        ("datetime", "datetime"),
        ("datetime", "timedelta"),
        ("datetime", "timezone"),
        ("decimal", "Decimal"),
        ("functools", "partial"),
        ("uuid", "UUID"),
    )
)
_OWN_MODULES = "amqp_traffic."
_GENERATED_PACKAGES = frozenset((*frame_format.PACKAGES, framing1.PACKAGE))


def pickle_state(state: Any) -> bytes:
    """Return the state as octets."""
    stream = io.BytesIO()
    _Pickler(stream, protocol=5).dump(state)
    return stream.getvalue()


def unpickle_state(octets: bytes) -> Any:
    """Return the state in the octets.

    Raises:
        pickle.UnpicklingError: They name something that a state never contains.
        Exception: Any other, if the octets are damaged or classes have changed.
    """
    return _Unpickler(io.BytesIO(octets)).load()


def bound(owner: Any, name: str) -> Any:
    """Return a bound method that may be a callback."""
    if name not in _CALLBACKS:
        raise pickle.UnpicklingError(f"{name} is not a callback")
    return getattr(owner, name)


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        if type(obj) is MethodType:
            return bound, (obj.__self__, obj.__name__)
        # Python 3.11.0 to 3.11.3 would write ``getattr`` of the class.
        if isinstance(obj, Enum):
            return type(obj), (obj.value,)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) == (_MODULE, bound.__name__):
            return bound
        if (module_name, global_name) in _FOREIGN_CLASSES:
            return super().find_class(module_name, global_name)
        package = module_name.partition(".")[0]
        if package in _GENERATED_PACKAGES:
            load_package(package)
        if module_name.startswith(_OWN_MODULES) or package in _GENERATED_PACKAGES:
            named = super().find_class(module_name, global_name)
            if isinstance(named, type):
                return named
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is in no state")
