"""The keys of 0-x methods, class id << 16 | method id, come from the generated classes."""

from __future__ import annotations

from functools import cache

from amqp_codegen.support.packages import load_package

# This package has every method of the versions that brokers speak.
_MOST_METHODS = "amqp_0_9_1_rabbitmq"

# The first octets of all methods of class connection.
CONNECTION_CLASS = b"\x00\x0a"


@cache
def method_key(name: str, package: str = _MOST_METHODS) -> int:
    """Return the key of a method.

    Args:
        name: The generated class, such as ``BasicPublish``.
        package: The generated package. It is needed for connection.close, connection.close-ok and basic.recover, whose
            keys differ between versions.

    Raises:
        AttributeError: There is no such method.
    """
    key: int = getattr(load_package(package).methods, name).KEY
    return key


def method_octets(name: str) -> bytes:
    """Return the first octets of the payload of a method."""
    return method_key(name).to_bytes(4, "big")
