"""``--keylog`` of ``traffic``: what it changes, and every error; what is printed has no key and no password."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")
pytest.importorskip("cryptography", reason="needs cryptography: the extra tls")

from tests.cli.command_calls import call, refused_with_one_line

from ..made_tls import MadeTls, made_wrap
from ..synth.made_captures import make
from ..wrapped_captures import plain, wrapped
from .test_missing_extras import run

SYNTHETIC = make(seed=31, size=40_000, mix={"0-9-1-rabbitmq": 1}, connections=2).capture


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of ``keys``, with which ``tls.pcap`` is read as ``plain.pcap``, in the current folder."""
    monkeypatch.chdir(tmp_path)
    found: list[str] = []
    seeds = iter(range(9))
    make_wrap = lambda: made_wrap(MadeTls("1.3", 0x1301, next(seeds), key_log=found))  # noqa: E731
    Path("tls.pcap").write_bytes(wrapped(SYNTHETIC, make_wrap))
    Path("plain.pcap").write_bytes(wrapped(SYNTHETIC, lambda: plain))
    Path("keys").write_text("".join(f"{line}\n" for line in found))
    return found


def spread(lines: list[str]) -> None:
    """Keys that do not fit."""
    changed = [" ".join((*line.split()[:2], line.split()[2][::-1])) for line in lines]
    Path("keys").write_text("".join(f"{line}\n" for line in changed))


def test_show(lines: list[str]) -> None:
    expected = call("traffic", "show", "plain.pcap")
    found = call("traffic", "show", "tls.pcap", "--keylog", "keys")
    assert (found.code, found.err) == (0, [])
    assert len(found.out) == len(expected.out) > 50
    one = call("traffic", "show", "tls.pcap", "--keylog", "keys", "--connection", "2")
    assert one.code == 0 and len(one.out) > 20


def test_show_without_the_keys(lines: list[str]) -> None:
    found = call("traffic", "show", "tls.pcap")
    assert found.code == 2
    assert [line for line in found.out if line.startswith("!! tls")]
    assert "docs/traffic-tls.md" in found.out[-1]


def test_keys_that_do_not_fit(lines: list[str]) -> None:
    spread(lines)
    shown = call("traffic", "show", "tls.pcap", "--keylog", "keys")
    told = [line for line in shown.out if "do not fit" in line and "tls-keys" in line]
    assert shown.code == 2 and len(told) == 2
    found = call("traffic", "ingest", "tls.pcap", "--keylog", "keys", "--out", "lake", "--engine", "local")
    assert found.code == 2
    assert [line.split(": ", 1)[1] for line in found.out[-1:]] == [
        "tls-keys: the key log has keys of connections, which do not fit; see docs/traffic-tls.md"
    ]


def test_ingest_and_explain(lines: list[str]) -> None:
    ingest = ("traffic", "ingest", "tls.pcap", "--out", "lake", "--engine", "local")
    without = call(*ingest)
    assert without.code == 2 and "--keylog FILE" in without.out[-1]
    found = call(*ingest, "--keylog", "keys")
    assert found.code == 0 and not any("tls" in line.split(":", 1)[1] for line in found.out)
    audit = call("traffic", "audit", "lake", "--format", "json", "-o", "audit.json")
    assert audit.code in (0, 1, 2)
    findings = json.loads(Path("audit.json").read_text())["findings"]
    finding = next(row for row in findings if row["frame_no"] is not None)["finding_id"]
    explain = ("traffic", "explain", finding, "lake", "--findings", "audit.json", "--captures", "tls.pcap")
    explained = call(*explain, "--keylog", "keys")
    assert explained.code == 0 and any("read from tls.pcap" in line for line in explained.out)
    from_tables = call(*explain)
    assert from_tables.code == 0
    assert any("its TLS needs --keylog FILE" in line for line in from_tables.out)
    printed = "\n".join((*found.out, *explained.out, *from_tables.out))
    assert not any(line.split()[2] in printed for line in lines)


@pytest.mark.parametrize("command", ["show tls.pcap", "ingest tls.pcap --out lake --engine local"])
def test_files_that_are_no_key_log(command: str, lines: list[str]) -> None:
    Path("text").write_text("a password of mine\n")
    for file, message in (
        ("none", "none: No such file or directory"),
        ("text", "text: is no key log of TLS: a line is a label, a random and a secret"),
        ("tls.pcap", "tls.pcap: is no key log of TLS: a line is a label, a random and a secret"),
    ):
        line = refused_with_one_line("traffic", *command.split(), "--keylog", file)
        assert line == f"error: {message} [keylog]"


def test_without_the_extra(tmp_path: Path) -> None:
    calls = ("show a.pcap --keylog keys", "ingest a.pcap --out lake --engine local --keylog keys")
    done = run(tmp_path, ["cryptography"], *(f"traffic {words}" for words in calls))
    for (code, _, err), words in zip(done, calls, strict=True):
        name = words.split()[0]
        assert code == 2
        assert err == (
            f"error: traffic {name} --keylog needs cryptography, which is not installed "
            "(pip install '.[tls]' in the repository of amqp-codegen) [missing-extra]\n"
        )
