"""The fixtures with which rules are tried: the broker under test, and who has the driver of a rule."""

import os
from collections.abc import Callable, Generator
from inspect import signature
from typing import Any, Final, TypeAlias, cast

import pytest

from . import SPECIFICATION
from .broker import Broker
from .package_peer import PackagePeer
from .rules import DRIVERS

# How the reason begins why a test is pending.
PENDING: Final = "pending: "

# Tries a rule on a broker: specification, path, URL. The live runner's plugin has a fixture of that name.
TryRule: TypeAlias = Callable[[str, str, str], None]
_LIVE_RULES: Final = "amqp_live_rules"
# The plugin that has it.
PLUGIN: Final = "amqp_conformance.pytest_plugin"


def _fixture(request: pytest.FixtureRequest, name: str) -> Any:
    """The value of a fixture, one further up than that which asks; None where there is none."""
    try:
        return request.getfixturevalue(name)
    except pytest.FixtureLookupError:
        return None


@pytest.fixture
def broker(request: pytest.FixtureRequest) -> Generator[Broker, None, None]:
    """The broker under test, which the option ``--broker`` names by its URL.

    Without it, a fixture ``broker`` further up does so, or is a ``Broker``; else the environment variable AMQP_BROKER.
    """
    named = cast(
        "Broker | str | None", request.config.getoption("broker", None) or _fixture(request, "broker")
    )
    named = named or os.environ.get("AMQP_BROKER")
    if not named:
        pytest.skip("no broker: --broker, a fixture broker or AMQP_BROKER names it by its URL")
    if isinstance(named, str):
        peer = request.getfixturevalue("peer")
        named = Broker(named, peer.amqp if isinstance(peer, PackagePeer) else None)
    with named:
        yield named


@pytest.fixture
def check_rule(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Runs the driver of a rule, with the fixtures that its parameters name; else that of the live runner.

    Without either the test is pending.
    """

    def check(path: str) -> None:
        driver = DRIVERS.get(path)
        live = cast("TryRule | None", _fixture(request, _LIVE_RULES))
        if driver is not None:
            driver(**{name: request.getfixturevalue(name) for name in signature(driver).parameters})
        elif live is not None:
            live(SPECIFICATION, path, request.getfixturevalue("broker").url)
        else:
            pytest.skip(f"{PENDING}no driver implements {path}; {PLUGIN} may have one")

    return check
