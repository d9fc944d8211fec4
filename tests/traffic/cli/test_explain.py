"""``amqp-codegen traffic explain``: how findings and captures are named, what is printed, every error."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

import pyarrow.parquet as pq
from amqp_codegen.cli.main import cli
from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.audit.report import AuditOutcome, capture_files, json_findings
from amqp_traffic.cli.main import COMMANDS
from amqp_traffic.explain.search import find_in_lake, matching, only, require_id
from amqp_traffic.explain.subject import CannotExplain
from amqp_traffic.lake.folder import Lake, create_lake, open_lake
from amqp_traffic.tasks.runner import InProcess
from click.testing import CliRunner

from tests.cli.command_calls import call, process, refused_with_one_line
from tests.traffic.audit.audited_methods import ready
from tests.traffic.audit.cases_fleet import CASES as FLEET
from tests.traffic.explain.explained_lakes import capture, findings_of, lake_of
from tests.traffic.messages.method_script import client, deliver, server

ACK = client("basic.ack", delivery_tag=1)
CONSUMED = [
    client("basic.consume", queue="q", consumer_tag="c"),
    server("basic.consume-ok", consumer_tag="c"),
]
COMMAND = ("traffic", "explain")
Change = Callable[[], object]


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[AuditFinding]]:
    """A folder with a lake, the capture beside it, and a report of what was found."""
    folder = tmp_path_factory.mktemp("audited")
    made = lake_of(folder, capture(folder, ready(CONSUMED, deliver(1), ACK, ACK)))
    findings = findings_of(made)
    report = json_findings(AuditOutcome(findings, capture_files(made)))
    (folder / "audit.json").write_text(report, encoding="utf-8")
    return folder, findings


@pytest.fixture
def lake(audited: tuple[Path, list[AuditFinding]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    """A lake in the current folder, the capture beside it, and a report of what was found."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(audited[0], tmp_path, dirs_exist_ok=True)
    return open_lake(str(tmp_path / "lake"))


@pytest.fixture
def finding(audited: tuple[Path, list[AuditFinding]], lake: Lake) -> AuditFinding:
    (found,) = (item for item in audited[1] if item.rule_id == "ack-settled-tag")
    return found


def test_the_id_alone_is_enough(finding: AuditFinding) -> None:
    """In a folder with one lake, and captures beside it."""
    result = call(*COMMAND, finding.finding_id)
    assert (result.code, result.err) == (0, [])
    assert result.out[0] == f"error: {finding.evidence} [ack-settled-tag]"
    marked = [line for line in result.out if line.startswith(">> ")]
    assert len(marked) == 1 and f" {finding.frame_no} -> 1   basic.ack delivery_tag=1 (21)" in marked[0]
    assert any("00 00 00 00 00 00 00 01      delivery-tag  longlong  1" in line for line in result.out)
    for arguments in (["lake"], ["lake", "--findings", "audit.json"], ["--captures", "."]):
        assert call(*COMMAND, finding.finding_id.upper(), *arguments) == result
    beginning = call(*COMMAND, finding.finding_id[:8], "lake", "--findings", "audit.json")
    assert beginning == result
    piped = CliRunner().invoke(
        cli,
        [*COMMAND, finding.finding_id, "lake", "--findings", "-"],
        input=Path("audit.json").read_text(encoding="utf-8"),
    )
    assert piped.stdout.splitlines() == result.out


def test_options(finding: AuditFinding) -> None:
    few = call(*COMMAND, finding.finding_id, "--context", "1").out
    all_of_them = call(
        *COMMAND, finding.finding_id, "--context", "100", "--all-channels", "-v", "--bodies"
    ).out
    assert sum(" -> " in line or " <- " in line for line in few) == 3
    assert any("protocol header" in line for line in all_of_them)
    assert any(line.endswith('  response           longstr   "[redacted]"') for line in all_of_them)
    assert not any("secret" in line for line in all_of_them)


def test_a_capture_that_is_elsewhere(finding: AuditFinding) -> None:
    Path("away").mkdir()
    Path("shop.pcap").rename("away/shop.pcap")
    stored = call(*COMMAND, finding.finding_id)
    assert stored.code == 0
    (line,) = (item for item in stored.out if item.startswith("-- around the frame"))
    assert "from the tables: shop.pcap is not in " in line
    assert line.endswith("; --captures says where it is")
    assert "         delivery_tag 1" in stored.out
    found = call(*COMMAND, finding.finding_id, "--captures", "away")
    assert any(item.endswith("read from away/shop.pcap") for item in found.out)
    Path("away/shop.pcap").rename("away/renamed")
    renamed = call(*COMMAND, finding.finding_id, "--captures", "away/renamed")
    assert any(item.endswith("read from away/renamed") for item in renamed.out)


def test_colours_on_a_terminal_only(finding: AuditFinding, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = call(*COMMAND, finding.finding_id).out
    monkeypatch.setattr("amqp_traffic.cli.explain._is_terminal", lambda: True)
    command = [*COMMAND, finding.finding_id]
    coloured = CliRunner().invoke(cli, command, color=True).stdout
    assert "\x1b[1mbasic.ack\x1b[0m" in coloured and "\x1b[31m>> \x1b[0m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert CliRunner().invoke(cli, command, color=True).stdout.splitlines() == plain


def test_it_needs_no_spark(finding: AuditFinding, tmp_path: Path) -> None:
    """What is found in one connection is found without."""
    done = process(*COMMAND, finding.finding_id, "lake", cwd=tmp_path, PATH="", JAVA_HOME="/nonexistent")
    assert (done.returncode, done.stderr) == (0, "")
    assert ">> " in done.stdout


def _no_lake() -> None:
    for path in sorted(Path("lake").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    Path("lake").rmdir()


def _old_lake() -> None:
    mark = Path("lake/_lake.json")
    mark.write_text(mark.read_text().replace('"format": 1', '"format": 0'))


def _old_tables() -> None:
    """Without a column that this version has."""
    (path,) = Path("lake/frames").rglob("*.parquet")
    pq.write_table(pq.ParquetFile(path).read().drop_columns(["err"]), path)


def _empty_lake() -> None:
    _no_lake()
    create_lake("lake")


def _other_lake() -> None:
    Path("other").mkdir()
    lake_of(Path("other"), capture(Path("other"), ready(client("tx.commit"))))


REPORT = ("lake", "--findings", "audit.json")


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        (None, ("zebra", *REPORT), "'zebra' is not an id of a finding: those are 12 hexadecimal digits [finding-id]"),
        (None, ("", *REPORT), "'' is not an id of a finding"),
        (None, ("0123456789abc", *REPORT), "'0123456789abc' is not an id of a finding"),
        (None, ("000000000000", *REPORT), "there is no finding 000000000000 in audit.json [unknown-finding]"),
        (None, ("FINDING", "lake", "--findings", "none.json"), "none.json: No such file or directory [findings]"),
        (None, ("FINDING", "lake", "--findings", "shop.pcap"),
         "shop.pcap: it is no JSON; traffic audit LAKE --format"),
        (lambda: Path("list.json").write_text("[]"), ("FINDING", "lake", "--findings", "list.json"),
         "list.json: it is not a report of an audit"),
        (None, ("FINDING", "nowhere"),
         "there is no lake at nowhere; amqp-codegen traffic ingest makes one [no-lake]"),
        (_no_lake, ("FINDING",), "there is no lake in this folder; name the one that was audited"),
        (lambda: create_lake("second"), ("FINDING",), "there are several lakes: lake, second; name the one"),
        (_old_lake, ("FINDING",), "lake is a lake of format 0, and this version has format 1"),
        (_old_tables, ("FINDING",), "has no column err: another version has written it; ingest into a new folder"),
        (_empty_lake, ("FINDING", *REPORT), "there is no traffic in this lake"),
        (None, ("FINDING", *REPORT, "--captures", "lake"), "there is no shop.pcap in lake [capture]"),
        (_other_lake, ("FINDING", "other/lake", "--findings", "audit.json"),
         "which is not in other/lake [other-lake]"),
    ],
)  # fmt: skip
def test_errors(
    finding: AuditFinding, change: Change | None, arguments: tuple[str, ...], message: str
) -> None:
    if change is not None:
        change()
    wanted = [finding.finding_id if argument == "FINDING" else argument for argument in arguments]
    assert message in refused_with_one_line(*COMMAND, *wanted)


def test_a_folder_that_is_not_there(finding: AuditFinding) -> None:
    result = call(*COMMAND, finding.finding_id, "--captures", "nowhere")
    assert (result.code, result.out) == (2, [])
    assert "'nowhere' does not exist" in result.err[-1]


def test_which_finding_is_meant(finding: AuditFinding) -> None:
    assert require_id(" 0B1D ") == "0b1d"
    others = [replace(finding, finding_id=f"ab{number:010x}") for number in range(6)]
    with pytest.raises(CannotExplain) as failure:
        only(matching([finding, *others], "ab0"), "ab0", "here")
    assert failure.value.rule == "ambiguous-finding"
    assert str(failure.value) == (
        "ab0 is the beginning of 6 findings: ab0000000000 (ack-settled-tag), ab0000000001 (ack-settled-tag),"
        " ab0000000002 (ack-settled-tag), ab0000000003 (ack-settled-tag) and 2 more"
    )
    assert only(matching([finding, *others], others[1].finding_id), "", "") == others[1]


def test_spark_is_for_large_lakes(lake: Lake, finding: AuditFinding, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def on_spark() -> list[AuditFinding]:
        asked.append("audit")
        return [finding]

    def find(wanted: str) -> AuditFinding:
        return find_in_lake(open_lake(lake.place), wanted, on_spark, lambda text: None)

    assert find(finding.finding_id) == find(finding.finding_id[:11]) == finding and not asked
    with pytest.raises(CannotExplain, match=r"there is no finding 000000000000 in .*lake"):
        find("0" * 12)
    monkeypatch.setattr("amqp_traffic.explain.search.is_large", lambda lake: True)
    assert find(finding.finding_id) == finding and asked


def test_a_finding_about_declarations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are told, that of the finding in its conversation, too."""
    monkeypatch.chdir(tmp_path)
    lake = lake_of(tmp_path, capture(tmp_path, *FLEET["queue-declared-differently"].wrong))
    found, *_ = (
        item for item in audit_lake(lake, InProcess()) if item.rule_id == "queue-declared-differently"
    )
    result = call(*COMMAND, found.finding_id)
    assert (result.code, result.err) == (0, [])
    (start,) = (
        number for number, line in enumerate(result.out) if line.startswith("-- the 2 declarations of queue ")
    )
    one, other = result.out[start + 1 : start + 3]
    assert "durable=1" in one + other and one.split(":")[-3:] != other.split(":")[-3:]
    assert f"connection {found.conn_id}, frame {found.frame_no}" in other
    assert any(line.startswith(">> ") and "queue.declare" in line for line in result.out)


def test_a_finding_across_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is about no frame, and is found without Spark, too."""
    monkeypatch.chdir(tmp_path)
    lake = lake_of(tmp_path, capture(tmp_path, *FLEET["reconnect-storm"].wrong))
    (found,) = (item for item in audit_lake(lake, InProcess()) if item.rule_id == "reconnect-storm")
    result = call(*COMMAND, found.finding_id)
    assert (result.code, result.err) == (0, [])
    (line,) = (item for item in result.out if item.endswith(" connections of this client in the capture"))
    assert line.startswith("-- the ")
    assert sum(", is broken off" in item for item in result.out) > 20


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_in_the_help_are_lines_of_their_own(command: str) -> None:
    lines = call("traffic", command, "--help").out
    assert not any("\\b" in line for line in lines)
    assert any(line.startswith(f"  amqp-codegen traffic {command} ") for line in lines)
