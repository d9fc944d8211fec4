"""``amqp-codegen conformance [run] URL``: check a broker against the rules of a specification."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from amqp_codegen.model.problem import SpecError
from amqp_codegen.support.command_line import (
    HintedChoice,
    output_option,
    print_problems,
    progress_line,
    refuse_input,
    require_writable,
    say,
    verbose_option,
    write_report,
)
from amqp_codegen.support.wording import counted

from ..engine.early_end import EQUAL_FAILURES
from ..engine.level import RuleLevel
from .signals import first_signal_counts
from .spec_options import spec_options

if TYPE_CHECKING:
    from ..engine.run_result import Result, RunResult

_FORMATS = ["text", "json", "junit", "html"]
_BAR_WIDTH = 30
_FILE = click.Path(path_type=Path)


@click.command("run")
@click.argument("urls", metavar="URL", nargs=-1, required=True)
@spec_options
@click.option(
    "--rules", default="*", metavar="GLOB", help="Only rules whose path fits, for example 'queue.*'."
)
@click.option(
    "--format",
    "form",
    default="text",
    type=HintedChoice(_FORMATS),
    help="What to write.",
    show_default=True,
)
@output_option
@click.option(
    "--evidence", is_flag=True, help="Show what was sent and received, in the text report or on the page."
)
@click.option(
    "--guide",
    default="",
    metavar="ADDRESS",
    help="Where the reference guide of the specification is, for links to its rules.",
)
@click.option(
    "--expectations",
    type=_FILE,
    help="A file of known deviations, - for standard input  [default: ours for the broker that answers].",
)
@click.option(
    "--write-expectations",
    type=_FILE,
    help="Write the deviations of this run to a file, which is then completed by hand.",
)
@click.option(
    "--password-file", type=_FILE, help="Our password is the first line of a file, - for standard input."
)
@click.option("--ca", type=_FILE, help="For amqps: the certificates of authorities  [default: the system's].")
@click.option("--cert", type=_FILE, help="For amqps: our own certificate, if the broker asks for one.")
@click.option("--key", type=_FILE, help="Its key, if it is in another file.")
@click.option("--insecure", is_flag=True, help="For amqps: take any certificate of the broker.")
@click.option(
    "--restart-cmd",
    default="",
    metavar="COMMAND",
    help="A shell command that stops and starts the broker: for rules that need it, and to go on if it dies.",
)
@click.option(
    "--second-virtual-host",
    default="",
    metavar="NAME",
    help="Another virtual host: for a rule that needs two.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="How long to wait for one answer of the broker  [default: 8, of 1.0: 5].",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="End the run after so many seconds, with a report of what is known by then.",
)
@click.option(
    "--stop-after",
    default=EQUAL_FAILURES,
    type=click.IntRange(0),
    metavar="RULES",
    help="End the run after so many rules that fail alike in their set-up, 0 for any number.",
    show_default=True,
)
@click.option(
    "--fail-on",
    type=HintedChoice([level.word for level in RuleLevel]),
    help="The lowest level of rules that make the run fail  [default: must].",
)
@click.option("--strict", is_flag=True, help="Short for --fail-on may.")
@click.option(
    "--workers",
    default=12,
    type=click.IntRange(1, 64),
    help="How many rules to try at once.",
    show_default=True,
)
@verbose_option
def command(
    urls: tuple[str, ...],
    specs: tuple[str, ...],
    overlays: tuple[Path, ...],
    drivers: tuple[Path, ...],
    rules: str,
    form: str,
    output: Path | None,
    evidence: bool,
    guide: str,
    expectations: Path | None,
    write_expectations: Path | None,
    password_file: Path | None,
    ca: Path | None,
    cert: Path | None,
    key: Path | None,
    insecure: bool,
    restart_cmd: str,
    second_virtual_host: str,
    timeout: float | None,
    max_seconds: float | None,
    stop_after: int,
    fail_on: str | None,
    strict: bool,
    workers: int,
    verbose: bool,
) -> None:
    """Check a broker against the rules of a specification.

    URL is amqp://user:password@host:port/virtual-host, amqps:// for TLS. The password is better left out of it: it
    is then taken from --password-file or the environment variable AMQP_PASSWORD, or asked for at the terminal.

    The rules are those of a specification: a built-in one, or your own, with drivers of your own.

    Whatever is created on the broker has a name that begins with "amqp-codegen." and is removed afterwards.

    Ctrl-C and SIGTERM end the run early, with a report of what is known by then. Only then the broker is cleaned up.

    Exit codes: 0 all is as expected; 1 something is not; 2 the call is wrong, or no broker answers.
    """
    # Imported late: the help must come at once.
    from ..engine.broker_socket import read_target
    from ..engine.password import PasswordSources
    from ..engine.request import RunRequest, carry_out, prepare, save_expectations
    from ..engine.tls import TlsOptions
    from ..reports.forms import REPORTS

    if len(urls) > 1:  # not shown: one of them may have a password, or be the rest of one
        refuse_input("no-url", f"one URL is needed, got {len(urls)}", "a blank in it is written %20")
    level = _level(fail_on, strict)

    def write(run: RunResult) -> None:
        write_report(REPORTS[form](run, evidence), output, lines=form == "text")

    try:
        require_writable(output)
        require_writable(write_expectations)
        passwords = PasswordSources(password_file, os.environ, _ask if _is_terminal() else None)
        target = read_target(urls[0], passwords, TlsOptions(ca, cert, key, insecure))
        order = RunRequest(
            target,
            specs,
            rules,
            expectations,
            restart_cmd,
            second_virtual_host,
            workers,
            timeout,
            level,
            guide,
            max_seconds,
            stop_after,
            overlays,
            drivers,
        )
        kept, published = "", None
        with progress_line(verbose) as progress, first_signal_counts() as signals:

            def publish(known: RunResult) -> None:
                """Write what is known, before anything else can go wrong."""
                nonlocal kept, published
                progress.erase()
                with signals.report():
                    write(known)
                    published = known
                    if write_expectations:
                        kept = save_expectations(write_expectations, check, known)
                progress.stage("removing what is left on the broker")

            progress.stage(f"connecting to {order.target}")
            check = prepare(order)
            progress.stage(f"trying {counted(len(check.plan), 'rule')} of {check.spec.name}")
            run = carry_out(check, _progress(progress, len(check.plan)), publish)
            later = [remark for remark in run.remarks if published and remark not in published.remarks]
            if later and output:
                write(run)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    for remark in later:
        say(remark, error=True)
    if output:
        verdict = "all as expected" if run.is_good else "not all as expected"
        say(f"{output}: {counted(len(check.plan), 'rule')}, {verdict}")
    if kept:
        say(f"{write_expectations}: {kept}", error=output is None)
    if interruption := run.interruption or signals.late:
        raise interruption
    sys.exit(0 if run.is_good else 1)


def _level(fail_on: str | None, strict: bool) -> RuleLevel:
    """Return the lowest level that makes the run fail."""
    if strict and fail_on not in (None, RuleLevel.MAY.word):
        refuse_input("wrong-level", f"--strict is --fail-on may, and --fail-on {fail_on} is given, too")
    return RuleLevel.MAY if strict else RuleLevel[(fail_on or RuleLevel.MUST.word).upper()]


def _is_terminal() -> bool:
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr.isatty())


def _ask(user: str) -> str:
    password: str = click.prompt(
        f"Password of {user}", default="", hide_input=True, show_default=False, err=True
    )
    return password


def _progress(show: Callable[[str], None], total: int) -> Callable[[Result], None]:
    """Show how many rules are done, with the last one of them."""
    done = 0

    def tell(result: Result) -> None:
        nonlocal done
        done += 1
        bar = "#" * (done * _BAR_WIDTH // total)
        show(f"[{bar:{_BAR_WIDTH}}] {done}/{total} {result.rule.path}")

    return tell
