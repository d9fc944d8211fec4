"""The specifications that can be tested, how their families differ, and which driver tries which rule.

The modules of a family are imported on demand: they use its generated packages.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from amqp_codegen.api import BUILT_IN

if TYPE_CHECKING:
    from amqp_codegen.model.amqp0 import spec as spec0
    from amqp_codegen.model.amqp1 import spec as spec1

SPECS = BUILT_IN

# An extension inherits the drivers and the known deviations of the other specification: the paths are the same.
EXTENDS: Mapping[str, str] = {"0-8-rabbitmq": "0-8", "0-9-1-rabbitmq": "0-9-1", "1.0-rabbitmq": "1.0"}


def family_name(spec: spec0.Spec | spec1.Spec) -> str:
    """Return ``amqp0`` or ``amqp1``: the folder of the family, here and in ``drivers``."""
    from amqp_codegen.model.amqp0.spec import Spec

    return "amqp0" if isinstance(spec, Spec) else "amqp1"


def broker_class(family: str) -> Any:
    """Return the subclass of ``BrokerView`` of a family, ``amqp0`` or ``amqp1``."""
    return importlib.import_module(f"..{family}.broker", __package__).Broker


def driver_package(spec: spec0.Spec | spec1.Spec) -> ModuleType:
    """Return the package of the family's drivers."""
    return importlib.import_module(f"..drivers.{family_name(spec)}", __package__)


# The time limit of a trial, unless its driver sets another one.
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Driver:
    """A function that tries a rule on a broker.

    It returns if the rule holds and raises ``Violation`` if it does not; see ``run_result``.

    Attributes:
        function: Takes the ``Broker`` of its family.
        paths: Name of a specification to the paths of the rules that the function tries there.
        exclusive: It disturbs other trials, or is disturbed by them: it runs alone.
        restarts: It restarts the broker, so it runs alone, and only if the run has a command for that.
        slow: It takes seconds, so it starts first.
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

    def paths_in(self, spec: str) -> tuple[str, ...]:
        """Return the paths of the rules that the function tries in a built-in specification."""
        return tuple(dict.fromkeys(path for name in bases_of(spec) for path in self.paths.get(name, ())))


def rule(
    paths: Mapping[str, str | tuple[str, ...]],
    *,
    exclusive: bool = False,
    restarts: bool = False,
    slow: bool = False,
    seconds: float = SECONDS,
) -> Callable[[Callable[[Any], None]], Driver]:
    """Declare a function as the driver of one or more rules; the flags are those of ``Driver``.

    ``paths`` maps the name of a specification to the path, or paths, of rules: ``{"0-9-1": "queue.bind/duplicates"}``.
    The paths of 0-9-1 apply to 0-9-1-rabbitmq as well; see ``EXTENDS``. Rules of a user's own specification go by the
    name of the built-in one that it extends.

    Raises:
        TypeError: The paths are something else.
    """
    if not isinstance(paths, Mapping):
        raise TypeError('rule() takes paths by specification, such as {"0-9-1": "queue.bind/duplicates"}')
    whole = {spec: (given,) if isinstance(given, str) else tuple(given) for spec, given in paths.items()}
    if not all(isinstance(path, str) for given in whole.values() for path in given):
        raise TypeError('the path of a rule is a text, such as "queue.bind/duplicates"')

    def declare(function: Callable[[Any], None]) -> Driver:
        return Driver(function, whole, exclusive, restarts, slow, seconds)

    return declare


def amqp1_rule(
    *paths: str,
    exclusive: bool = False,
    restarts: bool = False,
    slow: bool = False,
    seconds: float = SECONDS,
) -> Callable[[Callable[[Any], None]], Driver]:
    """Declare a function as the driver of rules of 1.0; several paths if the same exchange proves them all.

    The flags are those of ``Driver``.
    """
    return rule({"1.0": paths}, exclusive=exclusive, restarts=restarts, slow=slow, seconds=seconds)


def bases_of(spec: str) -> tuple[str, ...]:
    """Return the built-in specifications whose drivers serve a built-in one: what it extends, and itself."""
    return tuple(dict.fromkeys((EXTENDS.get(spec, spec), spec)))


def find_drivers(spec: str, package: ModuleType) -> dict[str, Driver]:
    """Return path to driver, for the rules of a built-in specification, from a package of drivers.

    Raises:
        ValueError: Two drivers claim the same rule.
    """
    drivers: dict[str, Driver] = {}
    for driver in _drivers_in(package):
        for path in driver.paths_in(spec):
            if path in drivers:
                both = f"{drivers[path].function.__qualname__} and {driver.function.__qualname__}"
                raise ValueError(f"two drivers claim the rule {path} of {spec}: {both}")
            drivers[path] = driver
    return drivers


def _drivers_in(package: ModuleType) -> Iterator[Driver]:
    """Yield every driver in the modules of a package, in the order of their names."""
    for entry in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield from drivers_of(importlib.import_module(entry.name))


def drivers_of(module: ModuleType) -> Iterator[Driver]:
    """Yield the drivers in a module, in its order; a module of cases has them in a tuple."""
    for value in vars(module).values():
        yield from (
            driver
            for driver in (value if isinstance(value, tuple) else (value,))
            if isinstance(driver, Driver)
        )
