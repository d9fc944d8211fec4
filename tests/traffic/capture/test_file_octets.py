"""Files that others write to while they are read: what is read of them is right, or the file has become shorter."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.cli.main import cli
from amqp_traffic.capture import file_octets
from amqp_traffic.capture.file_octets import FileChanged, FileOctets, find_each, find_octets, have
from amqp_traffic.capture.files import Buffer, open_capture
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.decode.body_retention import NO_BODIES
from amqp_traffic.logs.trace_log import recognise_log
from amqp_traffic.streams.raw_streams import read_raw_streams
from click.testing import CliRunner

from .. import capture_builder
from ..capture_builder import Captured
from ..synth.made_captures import make

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
PAGE = 4096
SAMPLES = Path(__file__).parents[1] / "samples" / "rabbitmq-3.10.8"


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in many steps."""
    monkeypatch.setattr(file_octets, "_AHEAD", 3 * PAGE)
    monkeypatch.setattr(file_octets, "_MOST_BEHIND", 5 * PAGE)
    monkeypatch.setattr(file_octets, "_BLOCK", PAGE)
    monkeypatch.setattr(file_octets, "_WINDOW", 2 * PAGE + 17)


def opened(path: Path, octets: bytes) -> Iterator[FileOctets]:
    path.write_bytes(octets)
    with open_capture(path) as file:
        assert isinstance(file.buffer, FileOctets)
        yield file.buffer


def test_any_order_of_reading(tmp_path: Path) -> None:
    dice = random.Random(9)
    content = dice.randbytes(40 * PAGE + 123)
    for octets in opened(tmp_path / "file", content):
        for _ in range(400):
            start = dice.choice((0, len(content), dice.randrange(len(content))))
            end = min(len(content), start + dice.choice((0, 1, 100, PAGE, 30 * PAGE)))
            there = have(octets, start, end)
            assert there >= end
            with memoryview(octets) as view:
                assert view[start:there] == content[start:there]
            far = dice.randrange(len(content))
            assert octets[far : far + 50] == content[far : far + 50]
            assert octets[start:end:3] == content[start:end:3]
            assert octets[5:3] == b""


def test_little_stays_in_memory(tmp_path: Path) -> None:
    for octets in opened(tmp_path / "file", bytes(100 * PAGE)):
        for start in range(0, len(octets), PAGE):
            have(octets, start, start + 1)
            assert octets._end - octets._first <= 10 * PAGE


def test_searches_go_beyond_what_is_there(tmp_path: Path) -> None:
    dice = random.Random(10)
    content = bytes(dice.choices(b"ab\n", weights=(30, 30, 1), k=60 * PAGE))
    pattern = re.compile(rb"a(?=b\n)")
    for octets in opened(tmp_path / "file", content):
        for position in range(0, len(content), 1009):
            assert find_octets(octets, b"b\na", position) == content.find(b"b\na", position)
        assert find_octets(octets, b"c", 0) == -1
        found = []
        for start in find_each(pattern, octets, 0, 3):
            found.append(start)
            have(octets, len(content) - 1, len(content))  # whoever looks elsewhere meanwhile
        assert found == [match.start() for match in pattern.finditer(content)]


DAMAGES: list[dict[str, Any]] = [
    {},
    {"garbage": 9, "flip": 0.05},
    {"truncate": True, "duplicate": 0.1, "overlap": 0.1},
]


def read_all(octets: Buffer) -> tuple[Any, ...]:
    """What is in a capture."""
    capture = recognise_capture(octets)
    return list(read_segments(capture)), capture.ledger, capture.quarantine


@pytest.mark.parametrize("without_c", ["", "1"])
@pytest.mark.parametrize("form", ["pcap", "pcapng"])
@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_captures_in_any_steps(
    form: str, damage: dict[str, Any], without_c: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMQP_PURE", without_c)
    content = make(seed=77, size=300_000, form=form, **damage).capture
    for octets in opened(tmp_path / "file", content):
        assert read_all(octets) == read_all(content)


def test_long_blocks_and_those_that_claim_to_be(tmp_path: Path) -> None:
    order = "<"
    long_blocks = [
        (0x0BAD).to_bytes(4, "little")
        + size.to_bytes(4, "little")
        + bytes(size - 12)
        + size.to_bytes(4, "little")
        for size in (30 * PAGE, 12, 7 * PAGE)
    ]
    lies = [(6).to_bytes(4, "little") + (size * PAGE).to_bytes(4, "little") for size in (1, 20, 40, 4000)]
    packets = [capture_builder.enhanced(Captured(b"x" * 900), order) for _ in range(40)]
    parts = [long_blocks[0], *packets, *lies, *packets, *long_blocks, *lies, *packets]
    content = capture_builder.pcapng([]) + b"".join(parts)
    for octets in opened(tmp_path / "file", content):
        assert read_all(octets) == read_all(content)
        assert len(list(recognise_capture(octets).packets())) == 120


def test_logs_in_any_steps(tmp_path: Path) -> None:
    for name in sorted(SAMPLES.glob("*.log")):
        content = name.read_bytes() * 8
        log = recognise_log(content)
        assert log is not None
        wanted = list(log.messages(NO_BODIES)), log.ledger, log.quarantine
        for octets in opened(tmp_path / "file", content):
            log = recognise_log(octets)
            assert log is not None
            assert (list(log.messages(NO_BODIES)), log.ledger, log.quarantine) == wanted


# --- Files that become shorter ---


def shorter(path: Path, steps: Iterable[object], size: int) -> None:
    """Read something of a file, make it shorter, and read on."""
    with pytest.raises(FileChanged, match=re.escape(f"{path}: became shorter while it was read; stop what")):
        for number, _ in enumerate(steps):
            if not number:
                os.truncate(path, size)


@pytest.mark.parametrize("size", [0, 50 * PAGE])
@pytest.mark.parametrize("without_c", ["", "1"])
@pytest.mark.parametrize("form", ["pcap", "pcapng"])
def test_a_capture(
    form: str, without_c: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMQP_PURE", without_c)
    path = tmp_path / "file"
    for octets in opened(path, make(seed=78, size=1_000_000, form=form).capture):
        shorter(path, read_segments(recognise_capture(octets)), size)


def test_a_raw_stream(tmp_path: Path) -> None:
    path = tmp_path / "a.client.raw"
    path.write_bytes(bytes(400_000))
    files = {Direction.client_to_server: path}
    shorter(path, read_raw_streams(files, 0, lambda *_: None, lambda _: None, Quarantine()), 100_000)


@pytest.mark.parametrize("name", ["trace-json.log", "trace-text.log"])
def test_a_log(name: str, tmp_path: Path) -> None:
    [sample] = SAMPLES.glob(name)
    path = tmp_path / name
    for octets in opened(path, sample.read_bytes() * 50):
        log = recognise_log(octets)
        assert log is not None
        shorter(path, log.messages(NO_BODIES), 10)


def test_a_file_of_a_ring_that_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for octets in opened(path, bytes(20 * PAGE)):
        have(octets, 0, 1)
        path.write_bytes(bytes(19 * PAGE))  # as long as the part that is wanted next
        with pytest.raises(FileChanged):
            have(octets, 5 * PAGE, 6 * PAGE)


@pytest.mark.parametrize("command", ["ingest", "show"])
def test_commands_say_so_in_one_line(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if command == "ingest":
        pytest.importorskip("pyarrow", reason="needs pyarrow")
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=79, size=1_000_000).capture)
    copy = FileOctets._copy
    steps = 0

    def copy_and_cut(octets: FileOctets, end: int) -> None:
        nonlocal steps
        steps += 1
        if steps == 3:
            os.truncate(path, 100)
        copy(octets, end)

    monkeypatch.setattr(FileOctets, "_copy", copy_and_cut)
    out = ["--out", str(tmp_path / "lake"), "--engine", "local"] if command == "ingest" else []
    result = CliRunner().invoke(cli, ["traffic", command, str(path), *out])
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert line.startswith(
        f"error: {path}: became shorter while it was read; stop what writes it, or read a copy ["
    )
    assert not [
        file for file in tmp_path.rglob("*.parquet") if "_staging" in file.parts or "frames" in file.parts
    ]
