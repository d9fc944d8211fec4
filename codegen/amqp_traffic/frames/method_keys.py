"""The keys of methods of 0-x, class id << 16 | method id, from the generated classes instead of as numbers."""

from __future__ import annotations

from functools import cache

from amqp_codegen.support.packages import load_package

# It has every method of the versions that brokers speak.
_MOST_METHODS = "amqp_0_9_1_rabbitmq"

# How the payloads of all methods of class connection begin.
CONNECTION_CLASS = b"\x00\x0a"


@cache
def method_key(name: str, package: str = _MOST_METHODS) -> int:
    """Return the key of a method.

    Args:
        name: Of the generated class, such as ``BasicPublish``.
        package: The generated package. Where it is not given, the method must be one whose key is the same in all
            versions; those of connection.close, close-ok and basic.recover are not.

    Raises:
        AttributeError: There is no such method.
    """
    key: int = getattr(load_package(package).methods, name).KEY
    return key


def method_octets(name: str) -> bytes:
    """Return the octets that the payload of such a method begins with."""
    return method_key(name).to_bytes(4, "big")
