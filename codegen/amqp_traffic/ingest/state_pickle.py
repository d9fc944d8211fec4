"""Pickles the state of a reading, and reads it back; makes no objects but those of this program.

Methods of objects are in the state as callbacks. They are written as object and name, and only a few names are allowed, so
that a file that somebody has tampered with cannot call whatever it likes.
"""

from __future__ import annotations

import io
import pickle
from types import MethodType
from typing import Any

from amqp_codegen.support.packages import load_package

from ..frames.amqp0 import frame_format
from ..frames.amqp1 import frame_format as framing1

_MODULE = __name__
# The callbacks: who follows connections calls who follows conversations, and so on.
_METHODS = frozenset(("on_pieces", "on_end", "on_frames", "_on_begin", "_on_end", "_over", "_take_control"))
# Classes of others that are in states. Those of numbers, texts and containers need no name.
_FOREIGN = frozenset(
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
_OWN = "amqp_traffic."
_GENERATED = frozenset((*frame_format.PACKAGES, framing1.PACKAGE))


def pickle_state(state: Any) -> bytes:
    """The state as octets."""
    stream = io.BytesIO()
    _Pickler(stream, protocol=5).dump(state)
    return stream.getvalue()


def unpickle_state(octets: bytes) -> Any:
    """The state again.

    Raises:
        pickle.UnpicklingError: It names something that is in no state.
        Exception: Any other, where the octets are damaged or classes have changed.
    """
    return _Unpickler(io.BytesIO(octets)).load()


def bound(owner: Any, name: str) -> Any:
    """A callback."""
    if name not in _METHODS:
        raise pickle.UnpicklingError(f"{name} is no callback")
    return getattr(owner, name)


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        if type(obj) is MethodType:
            return bound, (obj.__self__, obj.__name__)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) == (_MODULE, bound.__name__):
            return bound
        if (module_name, global_name) in _FOREIGN:
            return super().find_class(module_name, global_name)
        package = module_name.partition(".")[0]
        if package in _GENERATED:
            load_package(package)
        if module_name.startswith(_OWN) or package in _GENERATED:
            found = super().find_class(module_name, global_name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is in no state")
