"""The rules of a suite on a broker: with drivers of the live runner, lent by its plugin, and with drivers of one's own."""

from __future__ import annotations

from pathlib import Path

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_codegen.emit.generate import generate_unformatted
from amqp_codegen.emit.target import CODECS, CONFORMANCE, Target
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.support.cache import open_cache

from tests.conftest import AMQP_URL
from tests.live_runner.amqp1 import fake_peer
from tests.live_runner.fake_broker import fake_broker, say
from tests.live_runner.test_own_specification import DOCUMENT as OWN_SPECIFICATION

from .suite_projects import copy_suite, run_suite

PLUGIN = ("-p", "amqp_conformance.pytest_plugin")
OPEN_TWICE, TEST = "channel.open/state", "test_channel_open_state"
KNOWN = '["0-9-1"]\n"channel.open/state" = { got = "channel.open-ok", reason = "it likes to open" }\n'
# A second channel.open is none of its business.
OPENS_AGAIN = {"channel.open": say(amqp.methods.ChannelOpenOk())}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    copy_suite("amqp_0_9_1_rabbitmq", tmp_path)
    return tmp_path


def write_driver(project: Path, *lines: str, parameter: str = "broker") -> None:
    """Register a driver of our own for the rule."""
    head = ["from amqp_0_9_1_rabbitmq.methods import *", "from amqp_suite import rules", ""]
    body = [
        f'@rules.implements("{OPEN_TWICE}")',
        f"def driver({parameter}):",
        *(f"    {line}" for line in lines),
    ]
    (project / "conftest.py").write_text("\n".join([*head, *body, ""]))


def test_without_the_plugin_a_rule_is_pending_and_says_how_it_would_not_be(project: Path) -> None:
    done = run_suite(project, "-k", TEST, AMQP_BROKER="amqp://localhost:1/")
    assert (done.code, done.numbers) == (0, {"pending": 1})
    hint = "the live runner lends its drivers by -p amqp_conformance.pytest_plugin --broker URL"
    assert f"amqp_suite: 1 rules are pending; {hint}" in done.text


def test_with_the_plugin_a_rule_that_holds_passes(project: Path) -> None:
    with fake_broker() as fake:
        done = run_suite(project, *PLUGIN, "--broker", fake.url, "-k", TEST)
        by_variable = run_suite(project, *PLUGIN, "-k", TEST, AMQP_BROKER=fake.url)
    assert (done.code, done.numbers) == (0, {"passed": 1}), done.text
    assert (by_variable.code, by_variable.numbers) == (0, {"passed": 1}), by_variable.text


def test_a_rule_that_does_not_hold_fails_with_its_frames(project: Path) -> None:
    with fake_broker(OPENS_AGAIN) as fake:
        done = run_suite(project, *PLUGIN, "--broker", fake.url, "-k", TEST)
    assert (done.code, done.numbers) == (1, {"failed": 1})
    assert "expected connection.close 504 (channel-error), got channel.open-ok" in done.text
    assert "received channel.open-ok: ChannelOpenOk()" in done.text
    assert "secret" not in done.text


def test_a_known_deviation_is_an_expected_failure_and_fails_when_it_is_gone(project: Path) -> None:
    (project / "known.toml").write_text(KNOWN)
    options = (*PLUGIN, "--expectations", "known.toml", "-rx", "-k", TEST)
    with fake_broker(OPENS_AGAIN) as fake:
        known = run_suite(project, *options, "--broker", fake.url)
    with fake_broker() as fake:
        gone = run_suite(project, *options, "--broker", fake.url)
    assert (known.code, known.numbers) == (0, {"xfailed": 1}), known.text
    assert "it likes to open" in known.text
    assert (gone.code, gone.numbers) == (1, {"failed": 1})
    assert "passed, a deviation was expected (channel.open-ok)" in gone.text


def test_what_cannot_be_tested_is_skipped_with_the_reason(project: Path) -> None:
    with fake_broker() as fake:
        done = run_suite(
            project, *PLUGIN, "--broker", fake.url, "-rs", "-k", "test_queue_declare_durable_persistence"
        )
    assert (done.code, done.numbers) == (0, {"skipped": 1})
    assert "not testable: needs a restart of the broker: --restart-cmd COMMAND" in done.text


def test_a_set_up_that_fails_says_nothing_of_the_rule(project: Path) -> None:
    refuses = {"queue.declare": say(amqp.methods.ChannelClose(540, "no queues today"))}
    with fake_broker(refuses) as fake:
        done = run_suite(project, *PLUGIN, "--broker", fake.url, "-rs", "-k", "test_queue_bind_unique")
    assert (done.code, done.numbers) == (0, {"skipped": 1})
    assert "inconclusive: " in done.text
    assert "no queues today" in done.text


def test_without_a_broker_rules_are_skipped_and_a_broker_that_is_not_there_fails_them(project: Path) -> None:
    none = run_suite(project, *PLUGIN, "-rs", "-k", TEST)
    assert (none.code, none.numbers) == (0, {"skipped": 1})
    assert "no broker: --broker, a fixture broker or AMQP_BROKER names it by its URL" in none.text
    dead = run_suite(
        project, *PLUGIN, "--broker", "amqp://localhost:1/", "-k", f"{TEST} or test_channel_flow"
    )
    assert dead.code == 1
    assert set(dead.numbers) == {"failed"}
    assert "no connection to amqp://guest@localhost:1/" in dead.text
    assert "Traceback" not in dead.text


def test_a_driver_of_ones_own_comes_first(project: Path) -> None:
    write_driver(project, "channel = broker.open_channel()", "channel.expect_silence()")
    with fake_broker(OPENS_AGAIN) as fake:  # the live runner's driver would fail
        done = run_suite(project, *PLUGIN, "--broker", fake.url, "-k", TEST)
    assert (done.code, done.numbers) == (0, {"passed": 1}), done.text


def test_a_driver_gets_the_fixtures_that_it_names(project: Path) -> None:
    write_driver(project, "assert peer.amqp and tmp_path.is_dir()", parameter="peer, tmp_path")
    done = run_suite(project, "-k", TEST)
    assert (done.code, done.numbers) == (0, {"passed": 1}), done.text


@pytest.mark.parametrize("options", [(), (*PLUGIN, "--broker", "amqp://localhost:1/")])
def test_a_fixture_further_up_names_the_broker_and_the_option_another(
    project: Path, options: tuple[str, ...]
) -> None:
    write_driver(project, "broker.open_channel()")
    conftest = project / "conftest.py"
    with fake_broker() as fake:
        url = f"import pytest\n@pytest.fixture\ndef broker():\n    return {fake.url!r}\n"
        conftest.write_text(conftest.read_text() + url)
        done = run_suite(project, *options, "-k", TEST, AMQP_BROKER="amqp://localhost:2/")
    assert done.numbers == ({"failed": 1} if options else {"passed": 1}), done.text
    assert ("ConnectionRefusedError" in done.text) == bool(options)


def test_a_url_that_is_none_is_not_printed_with_its_password(project: Path) -> None:
    write_driver(project, "broker.connect()")
    done = run_suite(project, "-k", TEST, AMQP_BROKER="http://guest:secret@localhost/")
    assert (done.code, done.numbers) == (1, {"failed": 1})
    assert "the URL of a broker looks like amqp://guest:guest@localhost:5672/" in done.text
    assert "ValueError: " in done.text


def test_the_plugin_on_a_peer_of_1_0(tmp_path: Path) -> None:
    copy_suite("amqp_1_0", tmp_path)
    with fake_peer.running() as peer:
        chosen = "test_open_first_frame or test_flow_handle_unattached_handle"
        done = run_suite(tmp_path, *PLUGIN, "--broker", peer.url, "-k", chosen, "-rA")
    assert (done.code, done.numbers) == (0, {"passed": 2}), done.text


def test_a_specification_and_drivers_of_ones_own(tmp_path: Path) -> None:
    """Without the options its rules are pending."""
    files = OWN_SPECIFICATION["files"]
    (tmp_path / "peek.xml").write_text(files["peek.xml"], encoding="utf-8")
    (tmp_path / "drivers").mkdir()
    for name in ("drivers/queue.py", "drivers/letters.py"):
        (tmp_path / name).write_text(files[name], encoding="utf-8")
    overlays = (tmp_path / "peek.xml",)
    target = Target(resolve_input("0-9-1").files, overlays, "my_amqp", emit=(CODECS, CONFORMANCE))
    for path, text in generate_unformatted(target, open_cache()).files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    chosen = (*PLUGIN, "-k", "test_queue_declare_short_names")
    own = ("--amqp-spec", "0-9-1", "--amqp-overlay", "peek.xml", "--amqp-drivers", "drivers")
    with fake_broker() as fake:
        pending = run_suite(tmp_path, *chosen, "--broker", fake.url, suite="conformance/my_amqp")
        done = run_suite(tmp_path, *chosen, "--broker", fake.url, *own, suite="conformance/my_amqp")
    assert (pending.code, pending.numbers) == (0, {"pending": 1}), pending.text
    assert (done.code, done.numbers) == (0, {"passed": 1}), done.text


@pytest.mark.broker
def test_all_rules_on_rabbitmq(project: Path) -> None:
    """Where it has known deviations or keeps the rule; nothing is pending."""
    done = run_suite(project, *PLUGIN, "--broker", AMQP_URL, "-rf")
    assert done.code == 0, done.text
    assert "pending" not in done.numbers
    assert done.numbers["passed"] >= 70
    assert done.numbers["xfailed"] >= 20
