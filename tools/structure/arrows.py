"""The arrows of the house, and imports against them.

The arrows are data here (`ARROWS`); `tools/house_picture.py` draws them.
"""

from __future__ import annotations

from .imports import House, Import

PACKAGES = ("amqp_codegen", "amqp_conformance", "amqp_traffic")

# Which folders a folder may import from. A folder of another package is named with its package. "." is what stands directly
# in the package: its public functions. Every folder may import from itself.
_GENERATOR = {
    "model": "",
    "support": "model",
    "reader": "model support",
    "resolve": "reader model support",
    "vectors": "resolve reader model support",
    "emit": "vectors resolve reader model support",
    "lint": "resolve reader model support",
    "diff": "resolve reader model support",
    "export": "resolve reader model support",
    "decode": "emit resolve reader model support",
    "encode": "model support",
    "reference": "decode diff emit vectors resolve reader model support",
    ".": "encode decode lint diff export reference emit vectors resolve reader model support",
    "cli": ". encode decode lint diff export reference emit vectors resolve reader model support",
    # Backends call it; nothing of ours does.
    "build": ". emit model support",
}
# What the other two packages use of the generator.
_PUBLIC = "amqp_codegen/. amqp_codegen/model amqp_codegen/support"
_CONFORMANCE = {
    "engine": _PUBLIC,
    "amqp0": f"engine {_PUBLIC}",
    "amqp1": f"engine {_PUBLIC}",
    "drivers": f"amqp0 amqp1 engine {_PUBLIC}",
    "reports": f"engine {_PUBLIC}",
    ".": f"engine {_PUBLIC}",
    "cli": f"reports drivers amqp0 amqp1 engine {_PUBLIC} amqp_codegen/cli",
}
_ground = "recipes schemas rows variant_values variant_parts secret_names variant_redaction"
_core = f"{_ground} capture streams frames decode dialogue messages logs"
_above = "lake tasks synth ingest audit show explain report"
_TRAFFIC = {
    **{name: f"{_core.partition(name)[0]}{_PUBLIC}" for name in _core.split()},
    "tasks": f"{_ground} {_PUBLIC}",
    "lake": f"tasks {_ground} {_PUBLIC}",
    "synth": f"{_core} {_PUBLIC}",
    "ingest": f"tasks lake {_core} {_PUBLIC}",
    "show": f"{_core} {_PUBLIC}",
    "audit": f"tasks lake {_core} {_PUBLIC}",
    "explain": f"show audit lake {_core} {_PUBLIC}",
    "report": f"audit lake {_core} {_PUBLIC}",
    ".": f"{_above} {_core} {_PUBLIC}",
    "cli": f". {_above} {_core} {_PUBLIC} amqp_codegen/cli",
}

ARROWS: dict[str, dict[str, str]] = {
    "amqp_codegen": _GENERATOR,
    "amqp_conformance": _CONFORMANCE,
    "amqp_traffic": _TRAFFIC,
}


def room(module: str, house: House) -> tuple[str, str]:
    """Return package and folder of a module; a module or a package's own ``__init__`` stands in the folder "."."""
    package, _, rest = module.partition(".")
    if rest == "__main__":  # it only calls the command line
        return package, "cli"
    folder, _, inner = rest.partition(".")
    alone = not folder or (
        not inner and house.files[module].name != "__init__.py" and folder not in ARROWS.get(package, {})
    )
    return package, "." if alone else folder


def back_arrows(house: House) -> list[str]:
    """Return a line for each import that `ARROWS` does not allow."""
    return [
        f"{found.importer}, line {found.line}: {'/'.join(room(found.importer, house))} imports {found.imported}; "
        "this arrow runs back"
        for found in house.imports
        if not is_allowed(found, house)
    ]


def is_allowed(found: Import, house: House) -> bool:
    """Return whether `ARROWS` allows an import."""
    (package, folder), (other, target) = room(found.importer, house), room(found.imported, house)
    if (package, folder) == (other, target) or package not in ARROWS:
        return True
    # For its version; the functions that a package offers import the rest late.
    if found.imported in PACKAGES:
        return True
    return (target if package == other else f"{other}/{target}") in ARROWS[package].get(folder, "").split()


def two_way_arrows(arrows: dict[str, dict[str, str]]) -> list[str]:
    """Return a line for each two folders of a package that may import each other; ``arrows`` are those of `ARROWS`."""
    return [
        f"{package}: {folder} and {other} may import each other"
        for package, allowed in arrows.items()
        for folder, others in allowed.items()
        for other in others.split()
        if folder < other and folder in allowed.get(other, "").split()
    ]
