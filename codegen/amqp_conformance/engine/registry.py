"""Which specifications can be tried, how their families differ, and which driver tries which rule.

The modules of a family are imported when it is asked for: they use its generated packages.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amqp_codegen.model.amqp0 import spec as spec0
    from amqp_codegen.model.amqp1 import spec as spec1

SPECS = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0")

# One that extends another takes over its drivers and what is known of its rules: the paths are the same.
EXTENDS: Mapping[str, str] = {"0-9-1-rabbitmq": "0-9-1"}


def family_name(spec: spec0.Spec | spec1.Spec) -> str:
    """``amqp0`` or ``amqp1``: the folder of the family, here and in ``drivers``."""
    from amqp_codegen.model.amqp0.spec import Spec

    return "amqp0" if isinstance(spec, Spec) else "amqp1"


def broker_class(spec: spec0.Spec | spec1.Spec) -> Any:
    """The family's subclass of ``BrokerView``."""
    return importlib.import_module(f"..{family_name(spec)}.broker", __package__).Broker


def driver_package(spec: spec0.Spec | spec1.Spec) -> ModuleType:
    """The folder with the family's drivers."""
    return importlib.import_module(f"..drivers.{family_name(spec)}", __package__)


# How long the trial of one rule may take.
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Driver:
    """A function that tries a rule on a broker.

    It returns when the rule holds and raises ``Violation`` when it does not; see ``run_result``.

    Attributes:
        function: Takes the ``Broker`` of its family.
        paths: Name of a specification to the paths of the rules that the function tries there.
        exclusive: It disturbs others, or is disturbed by them: it runs alone.
        restarts: It restarts the broker, so it runs alone, and only when the run has a command for that.
        slow: It takes seconds, so it is started first.
        seconds: How long it may take.
    """

    function: Callable[[Any], None]
    paths: Mapping[str, tuple[str, ...]]
    exclusive: bool = False
    restarts: bool = False
    slow: bool = False
    seconds: float = SECONDS

    @property
    def procedure(self) -> str:
        """What is done and what is expected: the docstring of the function."""
        return inspect.getdoc(self.function) or ""


def rule(
    paths: Mapping[str, str | tuple[str, ...]],
    *,
    exclusive: bool = False,
    restarts: bool = False,
    slow: bool = False,
    seconds: float = SECONDS,
) -> Callable[[Callable[[Any], None]], Driver]:
    """Declares a function as the driver of one or more rules.

    Args:
        paths: Name of a specification to the path, or paths, of the rules: ``{"0-9-1": "queue.bind/duplicates"}``.
            What is declared for 0-9-1 serves 0-9-1-rabbitmq as well.
        exclusive: It disturbs others, or is disturbed by them: it runs alone.
        restarts: It restarts the broker.
        slow: It takes seconds, so it is started first.
        seconds: How long it may take.
    """
    whole = {spec: (given,) if isinstance(given, str) else given for spec, given in paths.items()}

    def declare(function: Callable[[Any], None]) -> Driver:
        return Driver(function, whole, exclusive, restarts, slow, seconds)

    return declare


def amqp1_rule(
    *paths: str, exclusive: bool = False, slow: bool = False, seconds: float = SECONDS
) -> Callable[[Callable[[Any], None]], Driver]:
    """Declares a function as the driver of the rules of 1.0 with these paths.

    Args:
        paths: Several when the same exchange proves them all.
        exclusive: It disturbs others, or is disturbed by them: it runs alone.
        slow: It takes seconds, so it is started first.
        seconds: How long it may take.
    """
    return rule({"1.0": paths}, exclusive=exclusive, slow=slow, seconds=seconds)


def find_drivers(spec: str, package: ModuleType) -> dict[str, Driver]:
    """The drivers for a specification by the paths of the rules.

    Args:
        spec: The name of the specification.
        package: The folder of drivers to look into.

    Raises:
        ValueError: Two drivers claim the same rule.
    """
    found: dict[str, Driver] = {}
    for driver in _drivers_in(package):
        names = (spec, EXTENDS.get(spec, spec))
        for path in dict.fromkeys(path for name in names for path in driver.paths.get(name, ())):
            if path in found:
                both = f"{found[path].function.__qualname__} and {driver.function.__qualname__}"
                raise ValueError(f"two drivers claim the rule {path} of {spec}: {both}")
            found[path] = driver
    return found


def _drivers_in(package: ModuleType) -> Iterator[Driver]:
    """Every driver in the modules of a package, in the order of their names."""
    for entry in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(entry.name)
        yield from (value for value in vars(module).values() if isinstance(value, Driver))
