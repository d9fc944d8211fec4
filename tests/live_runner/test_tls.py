"""amqps: which certificates are taken, and what the command says of a handshake that fails."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command_calls import call, refused
from tests.patience import PATIENCE

from .fake_broker import FakeBroker, fake_broker
from .tls_front import Certificates, make_certificates, server_context, tls_front

RULE = ("--rules", "channel.open/state")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def fake() -> Iterator[FakeBroker]:
    with fake_broker() as broker:
        yield broker


@pytest.fixture
def port(files: Certificates, fake: FakeBroker) -> Iterator[int]:
    with tls_front(server_context(files.server), fake.port) as port:
        yield port


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@contextmanager
def silent_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield int(listener.getsockname()[1])


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_broker_with_a_certificate_of_that_authority(files: Certificates, port: int, host: str) -> None:
    result = call("conformance", f"amqps://guest:secret@{host}:{port}/", *RULE, "--ca", files.authority)
    assert (result.code, result.err) == (0, [])
    assert result.out[0].startswith(f"Fake 1.2.3 at amqps://guest@{host}:{port}/, ")
    assert "1 passed" in result.out


def test_the_authority_must_be_named(port: int) -> None:
    (line,) = refused("conformance", f"amqps://guest:secret@localhost:{port}/", *RULE)
    assert line.startswith(
        f"error: no connection to amqps://guest@localhost:{port}/: the broker's certificate is not trusted: "
    )
    assert line.endswith(" (--ca FILE names its authority) [no-broker]")


def test_another_authority(files: Certificates, port: int, tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    other = make_certificates(tmp_path / "others")
    arguments = ("conformance", f"amqps://guest:secret@localhost:{port}/", *RULE, "--ca", other.authority)
    (line,) = refused(*arguments)
    assert "the broker's certificate is not trusted: " in line


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_certificate_for_another_name(files: Certificates, fake: FakeBroker, host: str) -> None:
    with tls_front(server_context(files.stranger), fake.port) as port:
        url = f"amqps://guest:secret@{host}:{port}/"
        (line,) = refused("conformance", url, *RULE, "--ca", files.authority)
        insecure = call("conformance", url, *RULE, "--insecure")
    assert f": the broker's certificate is not for {host} (name the host as the certificate does)" in line
    assert insecure.code == 0


def test_insecure_takes_any_certificate(port: int) -> None:
    assert call("conformance", f"amqps://guest:secret@localhost:{port}/", *RULE, "--insecure").code == 0


def test_a_broker_that_speaks_no_tls(files: Certificates, fake: FakeBroker) -> None:
    """It answers the handshake with connection.start."""
    url = f"amqps://guest:secret@localhost:{fake.port}/"
    (line,) = refused("conformance", url, *RULE, "--ca", files.authority)
    assert line == (
        f"error: no connection to amqps://guest@localhost:{fake.port}/: "
        "it does not speak TLS at this port (amqp:// is without TLS) [no-broker]"
    )


def test_what_answers_no_handshake(files: Certificates) -> None:
    with silent_port() as port:
        url = f"amqps://guest:secret@127.0.0.1:{port}/"
        (line,) = refused("conformance", url, *RULE, "--ca", files.authority, "--timeout", "0.4")
    assert line.endswith(": no answer to TLS (amqp:// is without TLS) [no-broker]")


def test_what_hangs_up_during_the_handshake(files: Certificates) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hang_up() -> None:
            connection, _ = listener.accept()
            connection.recv(4096)
            connection.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        url = f"amqps://guest:secret@127.0.0.1:{listener.getsockname()[1]}/"
        (line,) = refused("conformance", url, *RULE, "--ca", files.authority)
        thread.join(PATIENCE)
    assert "the broker closed the socket during the TLS handshake (amqp:// is without TLS)" in line


def test_tls_without_asking_for_it(port: int) -> None:
    (line,) = refused("conformance", f"amqp://guest:secret@localhost:{port}/", *RULE, "--timeout", "2")
    assert line.startswith(f"error: amqp://guest@localhost:{port}/ does not let us in: ")
    assert line.endswith(f"(this port speaks TLS: amqps://localhost:{port}/) [no-broker]")


def test_a_certificate_of_ours(files: Certificates, fake: FakeBroker, tmp_path: Path) -> None:
    """With its key in another file, with both in one, and none though the broker asks for one.

    The alert comes, or is lost when the broker resets the connection.
    """
    both = tmp_path / "both.pem"
    both.write_bytes(files.client.read_bytes() + files.client_key.read_bytes())
    with tls_front(server_context(files.server, files.authority), fake.port) as port:
        arguments = (
            "conformance",
            f"amqps://guest:secret@localhost:{port}/",
            *RULE,
            "--ca",
            files.authority,
        )
        assert call(*arguments, "--cert", files.client, "--key", files.client_key).code == 0
        assert call(*arguments, "--cert", both).code == 0
        both.unlink()
        (line,) = refused(*arguments)
    assert any(
        line.endswith(f"{end} [no-broker]")
        for end in (
            "TLS failed: tlsv13 alert certificate required (--cert FILE names our certificate)",
            "the broker closed the socket (if it asks clients for a certificate: --cert FILE)",
        )
    ), line


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--ca", "{none}"], "--ca none.pem: No such file or directory"),
        (["--ca", "{key}"], "no certificate in it (it is a PEM file)"),
        (["--cert", "{none}"], "--cert none.pem: No such file or directory"),
        (["--cert", "{client}"], "not a certificate and its key (PEM files; without --key"),
        (["--cert", "{client}", "--key", "{ca}"], "not a certificate and its key (PEM files; without --key"),
        (["--key", "{key}"], "--key without --cert (--cert FILE names the certificate"),
        (["--ca", "{ca}", "--insecure"], "--ca and --insecure exclude each other"),
    ],
)
def test_files_that_are_wrong(files: Certificates, options: list[str], says: str) -> None:
    names = {"none": "none.pem", "key": files.client_key, "client": files.client, "ca": files.authority}
    given = [option.format(**names) for option in options]
    (line,) = refused("conformance", "amqps://localhost/", *given)
    assert says in line
    assert line.endswith("[wrong-tls-option]")


def test_a_key_with_a_password(files: Certificates, tmp_path_factory: pytest.TempPathFactory) -> None:
    """OpenSSL would ask for it on the terminal."""
    locked = tmp_path_factory.mktemp("locked") / "locked.key"
    subprocess.run(
        ["openssl", "pkey", "-in", files.client_key, "-aes256", "-passout", "pass:x", "-out", locked],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    (line,) = refused("conformance", "amqps://localhost/", "--cert", files.client, "--key", locked)
    assert ": the key is encrypted (openssl pkey -in" in line


@pytest.mark.parametrize("option", [("--ca", os.devnull), ("--insecure",), ("--cert", os.devnull)])
def test_certificates_without_tls(option: tuple[str, ...]) -> None:
    (line,) = refused("conformance", "amqp://guest:secret@localhost/", *option)
    assert line == (
        f"error: {option[0]} is for TLS, but 'amqp://guest:***@localhost/' asks for none "
        "(amqps:// asks for TLS) [no-tls]"
    )
