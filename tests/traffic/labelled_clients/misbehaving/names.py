"""Clients whose names and tables are not within their domains."""

from __future__ import annotations

import struct

import amqp_0_9_1_rabbitmq as amqp

from ..actor import Actor, method

methods = amqp.methods
DECLARE, EXCLUSIVE = (50, 10), b"\x04"


def _declares(client: Actor, name: bytes, table: bytes = b"") -> None:
    """Declare an exclusive queue with these octets as name and arguments, without the length of the table."""
    arguments = b"\0\0" + bytes([len(name)]) + name + EXCLUSIVE + struct.pack(">I", len(table)) + table
    client.ready().send_octets(method(DECLARE, arguments))
    client.expect(methods.QueueDeclareOk)


# --- Names ---


def queue_name_with_odd_characters(client: Actor) -> None:
    """The name of a queue has characters that the specification does not allow."""
    _declares(client, f"{client.name()} <*>".encode())


def exchange_name_with_odd_characters(client: Actor) -> None:
    """The name of an exchange has characters that the specification does not allow."""
    name = f"{client.name()} <*>"
    client.ready().call(methods.ExchangeDeclare(name, "direct", arguments={}))
    client.call(methods.ExchangeDelete(name))


def queue_name_too_long(client: Actor) -> None:
    """The name of a queue has 128 octets, one more than it may."""
    _declares(client, client.name().ljust(128, "x").encode())


def exchange_name_too_long(client: Actor) -> None:
    """The name of an exchange has 128 octets, one more than it may."""
    name = client.name().ljust(128, "x")
    client.ready().call(methods.ExchangeDeclare(name, "direct"))
    client.call(methods.ExchangeDelete(name))


def queue_name_reserved(client: Actor) -> None:
    """Declares a queue whose name begins with amq."""
    client.ready().call(methods.QueueDeclare(f"amq.{client.name()}"))


def exchange_name_reserved(client: Actor) -> None:
    """Declares an exchange whose name begins with amq."""
    client.ready().call(methods.ExchangeDeclare(f"amq.{client.name()}", "direct"))


def queue_name_no_utf_8(client: Actor) -> None:
    """The name of a queue has octets that are no UTF-8."""
    _declares(client, client.name().encode() + b"\xff\xfe")


def shortstr_past_the_end(client: Actor) -> None:
    """The length of a shortstr goes beyond the end of the frame."""
    client.ready().send_octets(method(DECLARE, b"\0\0\xffshort"))
    client.next()


# --- Tables ---


def table_value_of_unknown_type(client: Actor) -> None:
    """A value with a letter that is in no dialect."""
    _declares(client, client.name().encode(), b"\x01k?\x00")


def table_longer_than_the_frame(client: Actor) -> None:
    """The length of the arguments goes beyond the end of the frame."""
    name = client.name().encode()
    octets = b"\0\0" + bytes([len(name)]) + name + EXCLUSIVE + struct.pack(">I", 1000) + b"\x01kt\x01"
    client.ready().send_octets(method(DECLARE, octets))
    client.next()


def table_in_a_table_cut_off(client: Actor) -> None:
    """The length of a nested table goes beyond the end of the outer one."""
    _declares(client, client.name().encode(), b"\x01kF" + struct.pack(">I", 100) + b"\x01it\x01")


def array_past_the_end(client: Actor) -> None:
    """The length of an array goes beyond the end of its table."""
    _declares(client, client.name().encode(), b"\x01kA" + struct.pack(">I", 100) + b"t\x01")


def longstr_in_a_table_past_the_end(client: Actor) -> None:
    """The length of a long string goes beyond the end of its table."""
    _declares(client, client.name().encode(), b"\x01kS" + struct.pack(">I", 100) + b"short")


def table_key_twice(client: Actor) -> None:
    """Two entries of a table have the same name."""
    _declares(client, client.name().encode(), b"\x04somet\x01" * 2)


def table_key_is_odd(client: Actor) -> None:
    """The name of a field begins with a digit; it has to be a letter, $ or #."""
    _declares(client, client.name().encode(), b"\x031stt\x01")


def table_key_is_empty(client: Actor) -> None:
    """The name of a field has no octets."""
    _declares(client, client.name().encode(), b"\x00t\x01")
