"""Files of expectations that a run writes, and files that extend others."""

from __future__ import annotations

from pathlib import Path

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_codegen.model.problem import SpecError
from amqp_codegen.support.resources import expectations_dir
from amqp_codegen.support.toml import loads
from amqp_conformance.engine.expectation_writer import TO_DO, write_expectations
from amqp_conformance.engine.expectations import Deviation, Expectations, is_known, judge, read_expectations
from amqp_conformance.engine.registry import SPECS
from amqp_conformance.engine.run_result import Identity, Result, RunResult, Verdict

from tests.cli.command_calls import call, refused

from .fake_broker import close_channel, fake_broker, say
from .made_trials import make_rule

PATHS = ["queue/one", "queue/two", "queue/three"]
NONE = Expectations("", {})


def make_run(spec: str = "0-9-1", /, **outcomes: tuple[Verdict, str]) -> RunResult:
    results = tuple(
        Result(make_rule(f"queue/{name}"), verdict, detail) for name, (verdict, detail) in outcomes.items()
    )
    return RunResult("amqp://guest@localhost:5672/", spec, Identity("Fake", "1.2"), "", results, 0.1)


def write(file: Path, run: RunResult, known: Expectations = NONE) -> dict[str, Deviation]:
    """Write the expectations of a run; check that the same run is as expected, and return them."""
    write_expectations(file, run, known, run.spec, PATHS)
    read = read_expectations(file, run.spec, PATHS)
    assert [result.surprise for result in judge(run.results, read)] == [""] * len(run.results)
    return dict(read.deviations)


# --- what a run writes ---


@pytest.mark.parametrize(
    ("detail", "got"),
    [
        ("expected queue.declare-ok, got channel.close 406 (no)", "got channel.close 406 (no)"),
        ("expected close, nothing comes", "expected close, nothing comes"),
        (
            "expected a message, got channel.close 404 (no queue 'amqp-codegen.one.0123456789ab' here)",
            "got channel.close 404 (no queue '",
        ),
        ("expected open, got close with 'crash in <0.123.0>\n[{x}]'", "got close with 'crash in"),
        ('expected "x", got "\\ü\x1b\x7f"', 'got "\\ü\x1b\x7f"'),
        ("expected x, got " + "1" * 1000, "got " + "1" * 116),
    ],
)
def test_a_failure(tmp_path: Path, detail: str, got: str) -> None:
    known = write(tmp_path / "new.toml", make_run(one=(Verdict.FAILED, detail), two=(Verdict.PASSED, "")))
    assert known == {"queue/one": Deviation(got, f"{TO_DO}{detail}")}


def test_the_names_of_another_run_make_no_difference(tmp_path: Path) -> None:
    detail = "expected a refusal, got attach(name='amqp-codegen.queue.{}')"
    known = write(tmp_path / "new.toml", make_run(one=(Verdict.FAILED, detail.format("0123456789ab"))))
    (judged,) = judge(
        make_run(one=(Verdict.FAILED, detail.format("ba9876543210"))).results, Expectations("", known)
    )
    assert judged.verdict is Verdict.DEVIATES


def test_reasons_that_are_known_stay(tmp_path: Path) -> None:
    known = Expectations(
        "ours.toml", {"queue/one": Deviation("406", "it may"), "queue/two": Deviation("404", "b")}
    )
    run = make_run(
        one=(Verdict.DEVIATES, "expected x, got 406; known: it may"),
        two=(Verdict.FAILED, "expected x, got 405"),
    )
    written = write(tmp_path / "new.toml", run, known)
    assert written["queue/one"] == Deviation("406", "it may")
    assert written["queue/two"] == Deviation("got 405", f"{TO_DO}expected x, got 405")


def test_a_file_that_is_there_is_brought_up_to_date(tmp_path: Path) -> None:
    """What is said of other specifications and of rules without a verdict stays; what holds no more goes."""
    file = tmp_path / "known.toml"
    file.write_text(
        """# About this broker.
# It is good.

["0-9-1"]
"queue/one" = { got = "406", reason = "it may" }
"queue/two" = { got = "404", reason = "old" }
"queue/three" = { got = "405", reason = "not tried" }

["0-8"]
"queue/of-another-specification" = { got = "a", reason = "b" }
""",
        encoding="utf-8",
    )
    outcomes = {
        "one": (Verdict.FAILED, "expected x, got 406"),
        "two": (Verdict.PASSED, ""),
        "three": (Verdict.NOT_TESTABLE, "why"),
    }
    written = write(file, make_run(**outcomes))
    assert written == {"queue/one": Deviation("406", "it may"), "queue/three": Deviation("405", "not tried")}
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# About this broker.\n# It is good.\n\n")
    assert loads(text)["0-8"] == {"queue/of-another-specification": {"got": "a", "reason": "b"}}
    write(file, make_run(**outcomes))
    assert file.read_text(encoding="utf-8") == text


def test_an_extension_has_only_what_the_other_specification_has_not(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    write(file, make_run(one=(Verdict.FAILED, "got 406"), two=(Verdict.FAILED, "got 404")))
    outcomes = {
        "one": (Verdict.FAILED, "got 406"),
        "two": (Verdict.PASSED, ""),
        "three": (Verdict.FAILED, "got 405"),
    }
    assert set(write(file, make_run("0-9-1-rabbitmq", **outcomes))) == {"queue/one", "queue/three"}
    tables = loads(file.read_text(encoding="utf-8"))
    assert set(tables["0-9-1"]) == {"queue/one", "queue/two"}
    assert tables["0-9-1-rabbitmq"]["queue/two"] == "kept"
    assert set(tables["0-9-1-rabbitmq"]) == {"queue/two", "queue/three"}


def test_a_run_with_the_file_that_it_wrote(tmp_path: Path) -> None:
    """The command, twice: the first run fails, the second is as expected."""
    file = tmp_path / "fake.toml"
    answers = {
        "channel.open": say(amqp.methods.ChannelOpenOk()),
        "queue.declare": close_channel(405, "not you, amqp-codegen.queue.0123456789ab"),
    }
    with fake_broker(answers) as fake:
        arguments = ("conformance", fake.url, "--rules", "channel.*")
        first = call(*arguments, "--write-expectations", file)
        second = call(*arguments, "--expectations", file)
    count = len(loads(file.read_text(encoding="utf-8"))["0-9-1-rabbitmq"])
    assert count >= 2
    assert first.code == 1
    assert first.err[-1] == (
        f"{file}: {count} deviations from 0-9-1-rabbitmq, {count} of them without a reason"
    )
    assert (second.code, second.out[-1]) == (0, "as expected (against fake.toml)")


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with fake_broker() as fake:
        (line,) = refused("conformance", fake.url, "--write-expectations", "no/such/file")
        assert "there is no folder 'no/such'" in line
        assert fake.came == []


# --- files that extend others ---


def read(folder: Path, spec: str = "0-9-1", **files: str) -> dict[str, Deviation]:
    """Write files and read the last one."""
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return dict(read_expectations(folder / f"{name}.toml", spec, PATHS).deviations)


OLD = """
["0-9-1"]
"queue/one" = { got = "a", reason = "old" }
"queue/two" = { got = "b", reason = "old" }
"""


def test_what_changed_since_the_version_before(tmp_path: Path) -> None:
    new = """extends = "old"
["0-9-1"]
"queue/one" = "kept"
"queue/two" = { got = "c", reason = "new" }
"queue/three" = { got = "d", reason = "new" }
"""
    changed = {"queue/two": Deviation("c", "new"), "queue/three": Deviation("d", "new")}
    assert read(tmp_path, old=OLD, new=new) == changed
    assert read(tmp_path, "0-9-1-rabbitmq", old=OLD, new=new) == changed
    assert read(tmp_path, old=OLD, new=new.replace('"old"', '"old.toml"')) == changed
    assert len(read(tmp_path, old=OLD, new=new, newest='extends = "new"')) == 2


def test_a_run_writes_only_what_changed(tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(OLD, encoding="utf-8")
    file = tmp_path / "new.toml"
    file.write_text('extends = "old"\n', encoding="utf-8")
    run = make_run(one=(Verdict.FAILED, "got a"), two=(Verdict.PASSED, ""), three=(Verdict.FAILED, "got d"))
    write(file, run)
    assert loads(file.read_text(encoding="utf-8")) == {
        "extends": "old",
        "0-9-1": {"queue/two": "kept", "queue/three": {"got": "got d", "reason": f"{TO_DO}got d"}},
    }


def test_a_file_of_ours_can_be_extended(tmp_path: Path) -> None:
    ours = expectations_dir() / "rabbitmq-3.10.toml"
    (tmp_path / "mine.toml").write_text(f'extends = "{ours.name}"\n', encoding="utf-8")
    table = loads(ours.read_text(encoding="utf-8"))["1.0"]
    assert read_expectations(tmp_path / "mine.toml", "1.0", list(table)).deviations.keys() == table.keys()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"one": 'extends = "none"'}, "none.toml: No such file or directory"),
        ({"one": 'extends = "one"'}, "one.toml: extends itself, by way of one.toml"),
        ({"one": 'extends = "two"', "two": 'extends = "one"'}, "two.toml: extends itself, by way of one.toml"),
        ({"one": "extends = 1"}, "extends = 1 is not the name of a file"),
        ({"one": 'extends = "../x"'}, "extends = '../x' is not the name of a file"),
        ({"one": OLD, "two": 'extends = "one"\n["0-9-1"]\n"queue/three" = "kept"'}, "is not known to be broken"),
        ({"one": OLD, "two": 'extends = "one"\n["0-9-1"]\n"queue/one" = "gone"'}, "is not a deviation"),
        ({"one": OLD, "two": 'extends = "one"\n["0-9-1"]\n"queue/no" = "kept"'}, "two.toml: 0-9-1 has no rule"),
        ({"one": '"0-9-1" = 3'}, "'0-9-1' is not a table"),
    ],
)  # fmt: skip
def test_files_that_are_wrong(tmp_path: Path, files: dict[str, str], says: str) -> None:
    with pytest.raises(SpecError) as caught:
        read(tmp_path, **files)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


# --- lists ---


@pytest.mark.parametrize(
    ("got", "detail", "same"),
    [
        ("got ANONYMOUS, PLAIN, AMQPLAIN", "expected PLAIN, got PLAIN, AMQPLAIN, ANONYMOUS", True),
        ("got ANONYMOUS, PLAIN, AMQPLAIN", "expected PLAIN, got PLAIN, AMQPLAIN", False),
        ("got ANONYMOUS, PLAIN, AMQPLAIN", "expected PLAIN, got PLAIN, AMQPLAIN, EXTERNAL", False),
        ("[Symbol('a:b'), Symbol('c')]", "got [Symbol('c'), Symbol('a:b')]", True),
        ("[Symbol('a:b'), Symbol('c')]", "got [Symbol('c'), Symbol('a:x')]", False),
        ("the order [0, 1, 9]", "got the order [9, 1, 0]", False),
        ("got open, begin", "got begin, open", False),
        ("got b'a', b'b'", "got b'b', b'a'", False),
    ],
)
def test_the_order_of_names(got: str, detail: str, same: bool) -> None:
    assert is_known(Deviation(got, "r"), detail) is same


# --- ours ---


@pytest.mark.parametrize("file", sorted(expectations_dir().glob("*.toml")), ids=lambda file: file.stem)
def test_ours_have_reasons(file: Path) -> None:
    tables = loads(file.read_text(encoding="utf-8"))
    entries = [
        (path, entry) for spec in SPECS for path, entry in tables.get(spec, {}).items() if entry != "kept"
    ]
    assert entries or "extends" in tables
    for path, entry in entries:
        assert not entry["reason"].startswith(TO_DO.strip()), path
        assert len(entry["reason"]) > 15, path
