"""``amqp-codegen conformance new``: the skeleton of a driver, and the group of which it is a command."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest
from amqp_codegen.api import load
from amqp_conformance.engine.level import SpecRule
from amqp_conformance.engine.registry import SPECS, Driver, family_name
from amqp_conformance.engine.run_result import NotTestable
from amqp_conformance.engine.skeleton import function_name, skeleton

from tests.cli.command_calls import ROOT, call, place, refused
from tests.commands import run_command

from .fake_broker import fake_broker
from .made_trials import make_rule

__all__ = ["place"]

pytestmark = pytest.mark.usefixtures("place")


def driver_of(text: str) -> Driver:
    """The one driver in the text of a module; not in a file, whose bytecode may be that of the text before."""
    module = ModuleType("skeleton")
    exec(compile(text, "skeleton.py", "exec"), vars(module))
    (driver,) = (value for value in vars(module).values() if isinstance(value, Driver))
    return driver


def test_a_rule_of_0_9_1_serves_its_extension_too() -> None:
    result = call("conformance", "new", "queue.declare.passive/passive")
    assert result.code == 0
    assert '@rule({"0-9-1": "queue.declare.passive/passive"})' in result.out
    assert "def passive(broker: Broker) -> None:" in result.out
    assert "from amqp_conformance.amqp0.broker import Broker" in result.out
    assert "# queue.declare.passive/passive: MAY; duty of: client." in result.out
    [note] = result.err
    assert note.startswith("queue.declare.passive/passive has a driver already, passive_declare in ")


def test_a_rule_of_the_extension_itself() -> None:
    rules = {rule.path for rule in load("0-9-1").spec.rules}
    own = next(rule.path for rule in load("0-9-1-rabbitmq").spec.rules if rule.path not in rules)
    assert f'@rule({{"0-9-1-rabbitmq": "{own}"}})' in call("conformance", "new", own).out


def test_a_rule_of_1_0_has_its_section(tmp_path: Path) -> None:
    file = tmp_path / "recovery.py"
    result = call("conformance", "new", "attach/recover-link", "--spec", "1.0", "-o", file)
    assert (result.code, result.out) == (0, [])
    text = file.read_text(encoding="utf-8")
    assert '@amqp1_rule("attach/recover-link")\ndef recover_link(broker: Broker) -> None:' in text
    assert "from amqp_conformance.amqp1.broker import Broker" in text
    assert "; section 2.6.3." in text


def test_a_rule_that_is_not_testable_says_why() -> None:
    [note] = call("conformance", "new", "redelivered/hinting").err
    assert note.startswith("redelivered/hinting is listed as not testable: ")


@pytest.mark.parametrize(
    ("path", "spec", "hint"),
    [
        ("queue.declare/defualt-binding", "0-9-1", "did you mean 'queue.declare/default-binding'?"),
        ("open/open-chanel-zero", "1.0", "did you mean 'open/open-channel-zero'?"),
        ("opn/x", "1.0", "did you mean 'open'?"),
        ("x", "0-8", "a path looks like "),
        ("queue.declare/zzz", "0-9-1", "a path looks like queue.declare/default-binding"),
    ],
)
def test_a_rule_that_is_none(path: str, spec: str, hint: str) -> None:
    [line] = refused("conformance", "new", path, "--spec", spec)
    assert line.startswith(f"error: {spec} has no rule {path!r} ({hint}")
    assert line.endswith("[no-such-rule]")


def test_an_output_that_cannot_be_written() -> None:
    [line] = refused("conformance", "new", "queue.bind/unique", "-o", "no/such.py")
    assert line.endswith("[no-such-folder]")


def every_rule() -> list[tuple[SpecRule, str, str]]:
    return [
        (rule, name, family_name(resolved))
        for name in SPECS
        for resolved in [load(name).spec]
        for rule in resolved.rules
    ]


def test_the_skeleton_of_every_rule_is_not_testable_yet() -> None:
    for rule, spec, family in every_rule():
        driver = driver_of(skeleton(rule, spec, family))
        assert driver.paths == {"1.0" if family == "amqp1" else spec: (rule.path,)}
        assert driver.function.__name__ == function_name(rule)
        with pytest.raises(NotTestable, match="the driver is not written yet"):
            driver.function(None)


def test_a_name_that_is_a_word_of_python() -> None:
    assert function_name(make_rule("c/in")) == "in_"
    assert function_name(make_rule("basic.reject/02")) == "basic_reject_02"


@pytest.mark.slow
def test_skeletons_are_formatted_typed_and_without_findings(tmp_path: Path) -> None:
    """As they are, by black's own width and by ours: one of each family, and the longest of all."""
    rules = every_rule()
    longest = sorted(rules, key=lambda rule: -len(rule[0].path))[:2]
    chosen = [*longest, *(next(rule for rule in rules if rule[2] == family) for family in ("amqp0", "amqp1"))]
    for number, (rule, spec, family) in enumerate(chosen):
        (tmp_path / f"driver_{number}.py").write_text(skeleton(rule, spec, family), encoding="utf-8")
    for arguments in (
        ["black", "--check", "-q", "."],
        ["black", "--check", "-q", "-l", "110", "."],
        ["ruff", "check", "--isolated", "--select", "E,F,W,I,B,D1,UP,PL,RUF", "."],
        ["mypy", "--strict", "--cache-dir", ".cache", "--follow-imports", "silent", "."],
    ):
        if importlib.util.find_spec(arguments[0]) is None and shutil.which(arguments[0]) is None:
            pytest.skip(f"needs {arguments[0]}")
        done = run_command(
            [sys.executable, "-m", *arguments],
            cwd=tmp_path,
            env={"MYPYPATH": f"{ROOT / 'codegen'}:{ROOT / 'generated'}", "PATH": ""},
        )
        assert done.returncode == 0, done.stdout + done.stderr


# --- the group ---


def test_a_url_alone_and_run_are_the_same() -> None:
    with fake_broker() as fake:
        options = (fake.url, "--rules", "channel.open/state", "--format", "json")
        alone, named = call("conformance", *options), call("conformance", "run", *options)
        first_option = call("conformance", "--format", "json", "--rules", "channel.open/state", fake.url)
    assert (alone.code, named.code, first_option.code) == (0, 0, 0)
    verdicts = [
        json.loads("\n".join(item.out))["rules"][0]["verdict"] for item in (alone, named, first_option)
    ]
    assert verdicts == ["passed"] * 3


def test_the_help_names_the_commands_and_where_the_options_are() -> None:
    text = "\n".join(call("conformance", "--help").out)
    assert "new      Write the skeleton of a driver for a rule." in text
    assert "compare  Put runs side by side" in text
    assert "conformance run --help" in text
    assert "--restart-cmd" in "\n".join(call("conformance", "run", "--help").out)


def test_a_misspelt_command() -> None:
    [line] = refused("conformance", "neww", "queue.bind/unique")
    assert line == "error: there is no command or broker 'neww' (did you mean 'new'?) [no-such-command]"
