"""Key logs: what is a line, what is read later, and that no text shows a secret."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="needs cryptography: the extra tls")

from amqp_traffic.streams.tls.key_log import KeyLog, KeyLogError

RANDOM, SECRET = "ab" * 32, "cd" * 48
LINE = f"CLIENT_RANDOM {RANDOM} {SECRET}\n"


def of(folder: Path, text: str) -> KeyLog:
    file = folder / "keys"
    file.write_text(text)
    return KeyLog(file)


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        LINE.removesuffix("\n"),
        LINE.replace("\n", "\r\n"),
        LINE.upper(),
        f"# a comment\n\nRSA 00 11\nEXPORTER_SECRET {RANDOM} 00\n{LINE}",
        f"{LINE}CLIENT_RANDOM {RANDOM} {'ef' * 48}\n",
        f"ECH_CONFIG {RANDOM} {'00' * 3000}\n{LINE}",
    ],
)
def test_lines(text: str, tmp_path: Path) -> None:
    found = of(tmp_path, text)
    assert found.secret("CLIENT_RANDOM", bytes.fromhex(RANDOM)) == bytes.fromhex(SECRET)
    assert found.secret("CLIENT_TRAFFIC_SECRET_0", bytes.fromhex(RANDOM)) is None
    assert not found.knows(bytes(32))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "CLIENT_RANDOM",
        f"CLIENT_RANDOM {RANDOM}",
        f"CLIENT_RANDOM {RANDOM[2:]} {SECRET}",
        f"CLIENT_RANDOM {RANDOM} {SECRET[2:]}",
        f"OTHER {RANDOM} {SECRET}",
        f"CLIENT_RANDOM {RANDOM} {SECRET} 00",
    ],
)
def test_lines_that_have_no_secret(line: str, tmp_path: Path) -> None:
    assert not of(tmp_path, f"# keys\n{line}\n").knows(bytes.fromhex(RANDOM))


@pytest.mark.parametrize(
    "text", ["my password is secret\n", "\x7fELF\0\0\n\n", '{"a": 1}\n', LINE + "something else\n"]
)
def test_other_files(text: str, tmp_path: Path) -> None:
    with pytest.raises(KeyLogError) as caught:
        of(tmp_path, f"{text}{LINE}")
    assert str(caught.value).startswith(f"{tmp_path / 'keys'}: is no key log of TLS")
    assert "secret\n" not in str(caught.value) and SECRET not in str(caught.value)


def test_a_file_that_is_still_written(tmp_path: Path) -> None:
    found, file = of(tmp_path, ""), tmp_path / "keys"
    randoms = [f"{number:02x}" * 32 for number in range(5)]
    for random in randoms:
        assert not found.knows(bytes.fromhex(random))
        with file.open("a") as stream:
            stream.write(f"CLIENT_RANDOM {random} {SECRET[:50]}")
        assert not found.knows(bytes.fromhex(random))
        with file.open("a") as stream:
            stream.write(f"{SECRET[50:]}\n")
        assert found.knows(bytes.fromhex(random))
    file.write_text(LINE)  # begun again
    assert found.knows(bytes.fromhex(RANDOM)) and found.knows(bytes.fromhex(randoms[0]))
    file.unlink()
    assert not found.knows(bytes(range(32)))


def test_no_text_has_secrets(tmp_path: Path) -> None:
    found = of(tmp_path, LINE)
    assert repr(found) == str(found) == "<key log of 1 connections>"
    copied = pickle.loads(pickle.dumps(found))
    assert copied.secret("CLIENT_RANDOM", bytes.fromhex(RANDOM)) == bytes.fromhex(SECRET)
