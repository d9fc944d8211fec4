"""Responses of a client in SASL: PLAIN, ANONYMOUS and EXTERNAL, and the choice among what is offered.

    >>> choose_mechanism(["ANONYMOUS", "PLAIN"], allowed=["EXTERNAL", "PLAIN"])
    'PLAIN'
    >>> plain_response("guest", "secret")
    b'\\x00guest\\x00secret'

The octets are the response of start-ok (0-x) and the initial-response of sasl-init (1.0). All three
mechanisms need one response and no challenge. PLAIN shows the password to everyone on the way: allow it only
within TLS or on the same machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..errors import EncodeError

__all__ = ["anonymous_response", "choose_mechanism", "external_response", "plain_response"]

# The longest trace of ANONYMOUS, in characters (RFC 4505, section 2).
_LONGEST_TRACE: Final = 255


def plain_response(user: str, password: str, authorization: str = "") -> bytes:
    """Return the response of PLAIN (RFC 4616): authorization, user and password, with NUL between them.

    Args:
        user: Who logs in (authcid).
        password: The password. No error message repeats it.
        authorization: As whom to act (authzid); empty for the user.

    Raises:
        EncodeError: User or password is empty, or one of the three has a NUL or is not valid Unicode.
    """
    if not user:
        raise EncodeError("PLAIN needs a user", "user")
    if not password:
        raise EncodeError("PLAIN needs a password", "password")
    parts = (("authorization", authorization), ("user", user), ("password", password))
    return b"\0".join(_octets_without_nul(text, name) for name, text in parts)


def anonymous_response(trace: str = "") -> bytes:
    """Return the response of ANONYMOUS (RFC 4505).

    Args:
        trace: What the server may log: an e-mail address, or any text without ``@``; may be empty.

    Raises:
        EncodeError: The trace has more than 255 characters, or is not valid Unicode.
    """
    if len(trace) > _LONGEST_TRACE:
        raise EncodeError(
            f"has {len(trace)} characters, more than {_LONGEST_TRACE}", "trace", code="too-large"
        )
    return _octets(trace, "trace")


def external_response(authorization: str = "") -> bytes:
    """Return the response of EXTERNAL (RFC 4422, appendix A): TLS, for example, has told who the client is.

    Args:
        authorization: As whom to act (authzid); empty for whom the server takes the client.

    Raises:
        EncodeError: The authorization has a NUL, or is not valid Unicode.
    """
    return _octets_without_nul(authorization, "authorization")


def choose_mechanism(offered: Iterable[str], allowed: Iterable[str]) -> str | None:
    """Return the first allowed mechanism that the server offers; None if there is none.

    The order of the client counts, not that of the server: nobody on the way can bring the client to a weaker
    mechanism than it allows.

    Args:
        offered: What the server offers.
        allowed: What the client is ready to use, the best first. PLAIN only counts if it is named here.
    """
    names = {str(name) for name in offered}
    return next((name for name in allowed if name in names), None)


def _octets_without_nul(text: str, name: str) -> bytes:
    if "\0" in text:
        raise EncodeError("a NUL is not allowed", name)
    return _octets(text, name)


def _octets(text: str, name: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Without the original error, which has the whole text in it.
        raise EncodeError("is not valid Unicode", name, code="not-unicode") from None
