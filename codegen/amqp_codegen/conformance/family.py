"""What differs between the families of specifications: how a broker is spoken to, and where the drivers are.

The modules of a family are imported when it is asked for: they use its generated packages.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from ..model import spec0, spec1


def family_name(spec: spec0.Spec | spec1.Spec) -> str:
    """``amqp0`` or ``amqp1``: the folder of the family, here and in ``drivers``."""
    return "amqp0" if isinstance(spec, spec0.Spec) else "amqp1"


def broker_class(spec: spec0.Spec | spec1.Spec) -> Any:
    """The family's subclass of ``broker.Broker``."""
    return importlib.import_module(f".{family_name(spec)}.broker", __package__).Broker


def driver_package(spec: spec0.Spec | spec1.Spec) -> ModuleType:
    """The folder with the family's drivers."""
    return importlib.import_module(f".drivers.{family_name(spec)}", __package__)
