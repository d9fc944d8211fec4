"""TLS to the broker: which certificates count, and what went wrong in words."""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

from amqp_codegen.model.problem import Problem, SpecError

# OpenSSL's X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH.
_OTHER_NAME = (62, 64)
_CERTIFICATE_ASKED = ("TLSV13_ALERT_CERTIFICATE_REQUIRED", "SSLV3_ALERT_HANDSHAKE_FAILURE")


@dataclass(frozen=True, slots=True)
class TlsOptions:
    """What the user says about certificates; the default verifies against the system's authorities.

    Attributes:
        authorities: A file of the certificates that count as authorities, instead of the system's.
        certificate: Our own, for a broker that asks its clients for one, as PEM; it may hold the key, too.
        key: The key of our certificate, if it is in a file of its own.
        insecure: Take any certificate of the broker.
    """

    authorities: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    insecure: bool = False

    @property
    def first_given(self) -> str:
        """The name of an option that was given; empty if none was."""
        given = {
            "--ca": self.authorities,
            "--cert": self.certificate,
            "--key": self.key,
            "--insecure": self.insecure,
        }
        return next((name for name, value in given.items() if value), "")


def make_context(options: TlsOptions) -> ssl.SSLContext:
    """Return what connections are made with.

    Raises:
        SpecError: A file is missing or is not what it should be, or the options contradict each other.
    """
    if options.insecure and options.authorities:
        raise _wrong("--ca and --insecure exclude each other", "--insecure takes any certificate")
    if options.key and not options.certificate:
        raise _wrong("--key without --cert", "--cert FILE names the certificate that belongs to the key")
    context = ssl.create_default_context()
    if options.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif options.authorities:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            context.load_verify_locations(options.authorities)
        except ssl.SSLError:
            raise _wrong(f"--ca {options.authorities}: no certificate in it", "it is a PEM file") from None
        except OSError as error:
            raise _wrong(f"--ca {options.authorities}: {error.strerror}") from None
    if options.certificate:
        _load_own_certificate(context, options.certificate, options.key)
    return context


def _load_own_certificate(context: ssl.SSLContext, certificate: Path, key: Path | None) -> None:
    asked_for_password = False

    def refuse_password() -> bytes:  # without this OpenSSL would ask on the terminal
        nonlocal asked_for_password
        asked_for_password = True
        return b""

    named = f"--cert {certificate}" + (f" --key {key}" if key else "")
    try:
        context.load_cert_chain(certificate, key, password=refuse_password)
    except ssl.SSLError:
        if asked_for_password:
            raise _wrong(f"{named}: the key is encrypted", "openssl pkey -in KEY -out PLAIN_KEY") from None
        hint = "PEM files; without --key the file of the certificate holds the key, too"
        raise _wrong(f"{named}: not a certificate and its key", hint) from None
    except OSError as error:
        raise _wrong(f"{named}: {error.strerror}") from None


def _wrong(what: str, hint: str = "") -> SpecError:
    return SpecError([Problem("wrong-tls-option", what, None, hint)])


def start_tls(plain: socket.socket, context: ssl.SSLContext, host: str) -> ssl.SSLSocket:
    """Do the TLS handshake on a connected socket; its timeout is the limit of every wait.

    Raises:
        ConnectionError: It failed; the message says why and what to do. The socket is closed.
    """
    try:
        return context.wrap_socket(plain, server_hostname=host)
    except OSError as error:
        plain.close()
        raise ConnectionError(_explain(error, host)) from None


def _explain(error: OSError, host: str) -> str:
    """Return why a handshake failed, and what to do."""
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code in _OTHER_NAME:
            return f"the broker's certificate is not for {host} (name the host as the certificate does)"
        message = error.verify_message
        return f"the broker's certificate is not trusted: {message} (--ca FILE names its authority)"
    if isinstance(error, TimeoutError):
        return "no answer to TLS (amqp:// is without TLS)"
    # OpenSSL calls it an unexpected end, or the end.
    if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        if error.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
            return "it does not speak TLS at this port (amqp:// is without TLS)"
        return f"TLS failed: {explain_alert(error)}"
    return "the broker closed the socket during the TLS handshake (amqp:// is without TLS)"


def explain_alert(error: ssl.SSLError) -> str:
    """Return what the other side, or OpenSSL, says about a failure of TLS."""
    reason = error.reason or ""
    words = reason.lower().replace("_", " ") or "unknown reason"
    asked = reason in _CERTIFICATE_ASKED
    return f"{words} (--cert FILE names our certificate)" if asked else words


def speaks_tls(host: str, port: int, patience: float) -> bool:
    """Return whether something there answers a TLS handshake, whatever its certificate."""
    context = make_context(TlsOptions(insecure=True))
    try:
        with socket.create_connection((host, port), patience) as plain:
            context.wrap_socket(plain).close()
    except OSError as error:  # an alert is an answer, too
        return isinstance(error, ssl.SSLError) and "ALERT" in (error.reason or "")
    return True
