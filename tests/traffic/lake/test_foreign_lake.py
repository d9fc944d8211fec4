"""A lake that somebody else has prepared: no command deletes, overwrites or reads anything outside of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq
from amqp_codegen.cli.main import cli
from amqp_traffic.audit.finding import FINDINGS
from amqp_traffic.lake.folder import Lake, LakeError, create_lake, open_lake, open_traffic
from amqp_traffic.lake.journal import Journal
from amqp_traffic.lake.layout import capture_of_file
from click.testing import CliRunner

from ..audit.audited_methods import ready
from ..explain.explained_lakes import capture, explained, findings_of, lake_of
from ..messages.method_script import client

RUN = "_staging/0123456789ab"
FRAMES = "frames/date=2026-11-23/capture_id=a/part-0.parquet"
PRECIOUS = "precious.txt"
ACK = client("basic.ack", delivery_tag=1)  # of no delivery
# Commands that only read.
READERS = ("audit", "report", "explain", "sql")


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """A lake with a finding, beside a folder with a file."""
    (tmp_path / "victim" / "folder").mkdir(parents=True)
    (tmp_path / "victim" / "folder" / PRECIOUS).write_text("precious")
    return lake_of(tmp_path, capture(tmp_path, ready(ACK)))


def everything(folder: Path) -> dict[str, bytes]:
    """The files in a folder, without opening what is none."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def outcome(command: str, lake: Lake, finding: str = "") -> tuple[int, list[str]]:
    """The exit code of a command on the lake, and the lines of standard error."""
    if command == "explain" and not finding:
        finding = findings_of(lake)[0].finding_id
    arguments = {
        "audit": [lake.root, "--fail-on", "error"],
        "report": [lake.root, "-o", str(Path(lake.root).parent / "report.html"), "--no-audit"],
        "explain": [finding, lake.root],
        "sql": [lake.root, "--list"],
        "ingest": [str(Path(lake.root).parent / "shop.pcap"), "--out", lake.root, "--engine", "local"],
    }[command]
    result = CliRunner().invoke(cli, ["traffic", command, *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stderr.splitlines()


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest) -> str:
    """A command that only reads."""
    if request.param == "report":
        pytest.importorskip("vl_convert", reason="needs vl-convert-python")
    return str(request.param)


HOSTILE_JOURNALS: Mapping[str, tuple[str, list[str], list[list[str]]]] = {
    "a folder outside": ("../victim/folder", [], []),
    "a folder outside, through the lake": ("_staging/../../victim/folder", [], []),
    "a folder of this machine": ("/tmp", [], []),
    "all runs": ("_staging", [], []),
    "all runs, with a slash": ("_staging/", [], []),
    "a table": ("frames", [], []),
    "the lake": (".", [], []),
    "no folder": ("", [], []),
    "a file outside": (RUN, ["../victim/folder/precious.txt"], []),
    "a file outside, through a table": (RUN, ["frames/../../victim/folder/precious.txt"], []),
    "a file outside, through a capture": (
        RUN,
        ["frames/date=2026-11-23/capture_id=a/../../../../victim/x"],
        [],
    ),
    "a file of this machine": (RUN, ["/etc/passwd"], []),
    "with a backslash": (RUN, ["frames/date=2026-11-23/capture_id=a/..\\..\\x"], []),
    "with a drive": (RUN, ["frames/date=2026-11-23/capture_id=a/C:x"], []),
    "with an empty part": (RUN, ["frames//capture_id=a/x"], []),
    "with a NUL": (RUN, ["frames/date=2026-11-23/capture_id=a/x\0"], []),
    "the mark of the lake": (RUN, ["_lake.json"], []),
    "a file of no capture": (RUN, ["frames/date=2026-11-23/x"], []),
    "a specification": (RUN, ["spec_rules/part-0.parquet"], []),
    "a target outside": (RUN, [], [[f"{RUN}/../x", "../x"]]),
    "a target beside the tables": (RUN, [], [[f"{RUN}/.bashrc", ".bashrc"]]),
    "a source outside": (RUN, [], [["../victim/folder/precious.txt", FRAMES]]),
    "a source in the lake": (RUN, [], [["_lake.json", FRAMES]]),
    "a source of another run": (RUN, [], [[f"_staging/ba9876543210/{FRAMES}", FRAMES]]),
}


@pytest.mark.parametrize("name", HOSTILE_JOURNALS)
def test_a_journal_of_somebody_else_is_refused(name: str, lake: Lake, tmp_path: Path) -> None:
    staging, remove, move = HOSTILE_JOURNALS[name]
    journal = {"format": 1, "staging": staging, "remove": remove, "move": move}
    Path(lake.root, RUN).mkdir(parents=True)
    Path(lake.root, "_journal.json").write_text(json.dumps(journal))
    Path(lake.root, "_lock").touch()
    before = everything(tmp_path)
    code, [line] = outcome("ingest", lake)
    assert code == 2
    assert "_journal.json is not that of a commit" in line
    assert "nothing was changed" in line
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    "octets",
    [
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        b'{"format": 1}',
        b'{"format": 1, "staging": 7, "remove": [], "move": []}',
        b'{"format": 1, "staging": "_staging/0123456789ab", "remove": [7], "move": []}',
        b'{"format": 1, "staging": "_staging/0123456789ab", "remove": "x", "move": [["a"]]}',
        b'{"format": 1, "staging": "_staging/0123456789ab", "remove": [], "move": [[{}, []]]}',
    ],
)
def test_what_is_no_journal_is_refused(octets: bytes, lake: Lake) -> None:
    Path(lake.root, "_journal.json").write_bytes(octets)
    with pytest.raises(LakeError, match=r"_journal\.json "):
        lake.recover()


def test_commands_that_read_finish_no_commit(reader: str, lake: Lake, tmp_path: Path) -> None:
    hostile = {"format": 1, "staging": "../victim/folder", "remove": [lake.files("frames")[0]], "move": []}
    Path(lake.root, "_journal.json").write_text(json.dumps(hostile))
    before = everything(tmp_path)
    code, lines = outcome(reader, lake)
    assert code in (0, 1)
    assert [line for line in lines if line.startswith(f"note: {lake.root}: a commit is unfinished")]
    (tmp_path / "report.html").unlink(missing_ok=True)
    assert everything(tmp_path) == before


def test_commands_that_read_write_nothing(reader: str, lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "amqp_traffic.audit.lake_audit._MOST_ROWS_IN_PROCESS", 0
    )  # processes send rows to each other
    times = {path: path.stat().st_mtime_ns for path in Path(lake.root).rglob("*")}
    assert outcome(reader, lake)[0] in (0, 1)
    assert {path: path.stat().st_mtime_ns for path in Path(lake.root).rglob("*")} == times


def _link(place: Path, victim: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(victim, target_is_directory=victim.is_dir())


def _pipe(place: Path, victim: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
@pytest.mark.parametrize("plant", [_link, _pipe])
@pytest.mark.parametrize(
    "place",
    [
        "_staging/abcdefabcdef",
        "_lock",
        "_journal.json",
        "__journal.json.new",
        "_checkpoints/ring/capture_id=a/x.checkpoint",
        "frames/date=2026-11-23/capture_id=b/part-0.parquet",
        "frames/date=2026-11-24",
        "spec_rules/_part-0.parquet.new",
        "connections/.hidden",
    ],
)
@pytest.mark.parametrize("command", ["audit", "ingest"])
def test_links_and_pipes_are_refused(
    command: str, place: str, plant: Callable[[Path, Path], None], lake: Lake, tmp_path: Path
) -> None:
    plant(Path(lake.root, place), tmp_path / "victim" / "folder" / (PRECIOUS if "." in place else ""))
    before = everything(tmp_path)
    code, [line] = outcome(command, lake)
    assert code == 2
    assert f"{Path(lake.root, place)} is neither a folder nor a file" in line
    assert everything(tmp_path) == before


def test_the_folder_itself_may_be_a_link(lake: Lake, tmp_path: Path) -> None:
    _link(tmp_path / "link", Path(lake.root))
    assert open_traffic(str(tmp_path / "link")).files("frames") == lake.files("frames")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
def test_links_that_come_after_the_look(lake: Lake, tmp_path: Path) -> None:
    victim = tmp_path / "victim" / "folder" / PRECIOUS
    _link(Path(lake.root, "_x.new"), victim)
    lake.replace_file("x", b"new")
    assert Path(lake.root, "x").read_bytes() == b"new"
    Path(lake.root, "_lock").unlink()
    _link(Path(lake.root, "_lock"), tmp_path / "made")
    with pytest.raises(OSError, match="symbolic links"):
        lake.replace_file("x", b"newer")
    assert victim.read_text() == "precious"
    assert not (tmp_path / "made").exists()


def test_a_file_with_two_names_is_not_written_through(lake: Lake, tmp_path: Path) -> None:
    victim = tmp_path / "victim" / "folder" / PRECIOUS
    os.link(victim, Path(lake.root, "_x.new"))
    lake.replace_file("x", b"new")
    assert victim.read_text() == "precious"


def test_stray_entries_of_the_staging_area_cost_nothing(lake: Lake) -> None:
    staging = Path(lake.root, "_staging")
    (staging / "documents" / "0123456789ab").mkdir(parents=True)
    for stray in (staging / "notes.txt", staging / "0123456789ab", staging / "documents" / "letter"):
        stray.write_text("kept")
    for path in (*staging.rglob("*"), staging):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    before = everything(staging)
    assert outcome("ingest", lake) == (0, [])
    assert everything(staging) == before


@pytest.mark.parametrize(
    "mark",
    [b"[" * 100_000, b'{"kind": [], "format": {}}', b'{"kind": "amqp-codegen traffic", "format": 1e999}'],
)
def test_marks_that_no_reader_takes(mark: bytes, tmp_path: Path) -> None:
    Path(tmp_path, "_lake.json").write_bytes(mark)
    with pytest.raises(LakeError, match="is not a lake"):
        open_lake(str(tmp_path))


@pytest.mark.parametrize(
    "name", ["../victim/folder/precious.txt", "/etc/passwd", "..", "", "x\0y", "sub/shop.pcap"]
)
def test_a_lake_does_not_say_which_files_are_read(name: str, lake: Lake) -> None:
    [finding, *_] = findings_of(lake)
    [path] = Path(lake.root, "captures").rglob("*.parquet")
    rows = pq.read_table(path, partitioning=None)
    place = rows.schema.get_field_index("file")
    pq.write_table(rows.set_column(place, "file", pa.array([name] * rows.num_rows)), path)
    with pytest.raises(
        Exception, match=r"^the lake calls a file of the capture .* which is not the name of a file$"
    ):
        explained(lake, finding)


@pytest.mark.parametrize("table", ["captures", "connections", "frames", "methods"])
@pytest.mark.parametrize("command", ["audit", "explain"])
def test_columns_of_other_types_are_refused(command: str, table: str, lake: Lake) -> None:
    for path in lake.files(table):
        rows = pq.read_table(f"{lake.root}/{path}", partitioning=None)
        texts = {name: pa.array(["x"] * rows.num_rows) for name in rows.schema.names}
        pq.write_table(pa.table(texts), f"{lake.root}/{path}")
    code, [line] = outcome(command, lake, "0" * 8)
    assert code == 2
    assert " as string, not " in line


def test_what_may_be_moved_and_removed() -> None:
    assert capture_of_file(FRAMES) == "a"
    assert capture_of_file("_checkpoints/ring/capture_id=a/0123456789ab.checkpoint") == "a"
    journal = Journal(RUN, (FRAMES,), ((f"{RUN}/{FRAMES}", FRAMES),))
    assert Journal.from_octets(journal.to_octets()) == journal


def test_a_lake_is_made_where_a_killed_process_left_a_file(tmp_path: Path) -> None:
    (tmp_path / "__lake.json.new").write_text("x" * 1000)
    assert create_lake(str(tmp_path)) == open_lake(str(tmp_path))


def _laughs() -> bytes:
    """A VARIANT of 4 KB with 200 elements at one place, each of which has 200 at one place, and so on."""
    octets = b"\0"
    for _ in range(5):
        head = bytes((3 | 3 << 2, 200)) + (0).to_bytes(4, "little") * 200
        octets = head + len(octets).to_bytes(4, "little") + octets
    return octets


def _nested() -> bytes:
    octets = b"\0"
    for _ in range(10_000):
        octets = (
            bytes((3 | 3 << 2, 1)) + (0).to_bytes(4, "little") + len(octets).to_bytes(4, "little") + octets
        )
    return octets


@pytest.mark.parametrize("octets", [b"", b"\xff", b"\x03\x01", b"\x05", b"\x0c\x07", _laughs(), _nested()])
@pytest.mark.parametrize("command", ["audit", "explain"])
def test_values_that_no_package_writes(command: str, octets: bytes, lake: Lake) -> None:
    """Also one that would be read for ever, and one that is nested deeper than Python can go."""
    for path in lake.files("methods"):
        rows = pq.read_table(f"{lake.root}/{path}", partitioning=None)
        for name in [field.name for field in rows.schema if pa.types.is_struct(field.type)]:
            value = {"value": octets, "metadata": b"\1\0\0"}
            place = rows.schema.get_field_index(name)
            kind = rows.schema.field(name).type
            rows = rows.set_column(place, rows.schema.field(name), pa.array([value] * rows.num_rows, kind))
        pq.write_table(rows, f"{lake.root}/{path}")
    code, lines = outcome(command, lake, "0" * 8)
    assert code in (0, 1, 2)
    assert len(lines) <= 1


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("frames", "dir"),
        ("frames", "size"),
        ("frames", "method_id"),
        ("frames", "channel"),
        ("methods", "frame_no"),
        ("connections", "start_ns"),
        ("connections", "end_ns"),
        ("connections", "conn_id"),
        ("connections", "client_ip"),
    ],
)
@pytest.mark.parametrize("command", ["audit", "report", "explain"])
def test_values_that_are_missing(command: str, table: str, column: str, lake: Lake) -> None:
    if command == "report":
        pytest.importorskip("vl_convert", reason="needs vl-convert-python")
    finding = findings_of(lake)[0].finding_id
    for path in lake.files(table):
        rows = pq.read_table(f"{lake.root}/{path}", partitioning=None)
        field = rows.schema.field(column)
        nulls = pa.nulls(rows.num_rows, field.type)
        pq.write_table(
            rows.set_column(rows.schema.get_field_index(column), field, nulls), f"{lake.root}/{path}"
        )
    code, lines = outcome(command, lake, finding)
    assert code in (0, 1, 2)
    assert len(lines) <= 1


def test_every_file_is_checked(lake: Lake) -> None:
    for number, octets in enumerate((b"PAR1junk", b"")):
        stray = Path(lake.root, lake.files("frames")[0]).with_name(f"part-{number}.parquet")
        stray.write_bytes(octets)
        code, [line] = outcome("audit", lake)
        assert code == 2
        assert f"{stray.name} is not a table" in line
        stray.unlink()


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
@pytest.mark.parametrize(
    "place", ["captures", "frames", "_checkpoints", "spec_methods", "connections/capture_id="]
)
@pytest.mark.parametrize("command", ["audit", "ingest"])
def test_names_that_are_no_text(command: str, place: str, lake: Lake) -> None:
    folder = Path(lake.root, place.partition("/")[0])
    folder.mkdir(exist_ok=True)
    with open(os.path.join(os.fsencode(folder), os.fsencode(place.partition("/")[2]) + b"\xff"), "wb"):
        pass
    code, [line] = outcome(command, lake)
    assert code == 2
    assert "has a name that is not UTF-8" in line


@pytest.mark.parametrize("text", ["[" * 100_000, '{"findings": 5}', '{"findings": [{}]}', "{}", "[]"])
def test_reports_that_no_audit_writes(text: str, lake: Lake, tmp_path: Path) -> None:
    _refused(text, lake, tmp_path)


@pytest.mark.parametrize("wrong", [[], {}, 1.5, "x\0", 2**70, True])
@pytest.mark.parametrize(
    "name", ["rule_id", "capture_id", "conn_id", "frame_no", "severity", "spec_ref", "start_ns"]
)
def test_findings_that_no_audit_writes(name: str, wrong: object, lake: Lake, tmp_path: Path) -> None:
    [finding, *_] = findings_of(lake)
    record = {**dict(zip((finding for finding, _ in FINDINGS), finding.row(), strict=True)), name: wrong}
    _refused(json.dumps({"findings": [record]}), lake, tmp_path)


def _refused(text: str, lake: Lake, tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    path.write_text(text)
    result = CliRunner().invoke(cli, ["traffic", "explain", "0", lake.root, "--findings", str(path)])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert len(result.stderr.splitlines()) == 1
