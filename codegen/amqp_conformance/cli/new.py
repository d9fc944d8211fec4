"""``amqp-codegen conformance new RULE``: the skeleton of a driver."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.command_line import (
    output_option,
    print_problems,
    require_writable,
    say,
    write_report,
)
from amqp_codegen.support.wording import did_you_mean
from amqp_codegen.support.wording import quote as quote_text

from ..engine.registry import EXTENDS
from .spec_options import spec_options

if TYPE_CHECKING:
    from ..engine.level import SpecRule
    from ..engine.registry import Driver


@click.command("new")
@click.argument("rule")
@spec_options
@output_option
def command(
    rule: str,
    specs: tuple[str, ...],
    overlays: tuple[Path, ...],
    drivers: tuple[Path, ...],
    output: Path | None,
) -> None:
    """Write the skeleton of a driver for a rule.

    RULE is the path of a rule, for example queue.declare/default-binding. The skeleton is a Python module that can be
    run as it is; the rule is reported as not testable until the driver is written.

    Exit codes: 0 it is written; 2 the call is wrong.
    """
    # Imported late: the help must come at once.
    from ..engine.plan import read_not_testable
    from ..engine.registry import driver_package, family_name, find_drivers
    from ..engine.skeleton import skeleton
    from ..engine.spec_under_test import load_spec_under_test
    from ..engine.user_drivers import find_user_drivers

    try:
        require_writable(output)
        spec = load_spec_under_test(specs, overlays)
        model = spec.specification.spec
        wanted = _find_rule(rule, spec.rules, spec.name)
        owner = _owner(rule, spec.base)
        ours, own = find_drivers(spec.base, driver_package(model)), find_user_drivers(drivers, spec)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    write_report(skeleton(wanted, owner, family_name(model)), output, lines=False)
    note = _what_is_known(rule, ours, own, read_not_testable(spec.base))
    if note:
        say(note, error=True)


def _find_rule(path: str, rules: Sequence[SpecRule], spec: str) -> SpecRule:
    """Return the rule of a path.

    Raises:
        SpecError: The specification has none.
    """
    for rule in rules:
        if rule.path == path:
            return rule
    message = f"{spec} has no rule {quote_text(path)}"
    raise SpecError([Problem("no-such-rule", message, None, _hint(path, [rule.path for rule in rules]))])


def _hint(path: str, paths: Sequence[str]) -> str:
    """Return the rule most like a path, looking first among those of the same element; else how a path looks."""
    owner = path.partition("/")[0]
    elements = {other.partition("/")[0] for other in paths}
    siblings = [other for other in paths if other.partition("/")[0] == owner]
    hint = did_you_mean(path, siblings) or did_you_mean(path, paths)
    if not hint and not siblings:
        hint = did_you_mean(owner, elements)
    return hint or f"a path looks like {(siblings or paths)[0]}"


def _owner(path: str, spec: str) -> str:
    """Return the built-in specification that states a rule first: its drivers serve those that extend it, too."""
    from amqp_codegen.api import load

    base = EXTENDS.get(spec)
    return base if base and any(rule.path == path for rule in load(base).spec.rules) else spec


def _what_is_known(
    path: str, ours: Mapping[str, Driver], own: Mapping[str, Driver], reasons: Mapping[str, str]
) -> str:
    """Return what to know before writing a driver: there is one, or the rule was found not to be testable."""
    if path in ours or path in own:
        function = (own.get(path) or ours[path]).function
        place = f"{path} has a driver already, {function.__name__} in {inspect.getsourcefile(function)}"
        return (
            f"{place}: a rule takes only one" if path in own else f"{place}: one of your own comes before it"
        )
    if path in reasons:
        return f"{path} is listed as not testable: {reasons[path]}"
    return ""
