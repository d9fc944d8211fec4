"""Circles: of modules that import each other, and of the rooms of a folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import takewhile

from .imports import House


def groups(edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the groups of nodes that reach each other (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in edges.get(node, ()):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            start = stack.index(node)
            if len(stack) - start > 1:
                groups.append(sorted(stack[start:]))
            del stack[start:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return groups


def circles(house: House) -> list[list[str]]:
    """Return the groups of modules that import each other when they are imported."""
    edges: dict[str, list[str]] = defaultdict(list)
    for found in house.imports:
        if not found.lazy:
            edges[found.importer].append(found.imported)
    return groups(edges)


def room_circles(house: House) -> list[str]:
    """Return a line for each group of rooms of one folder that import each other, at whatever time.

    The rooms of a folder are its files and its sub-folders. Where none of them imports one that imports it, they have an
    order, and nothing runs up.
    """
    edges: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    reasons: dict[tuple[str, str], str] = {}
    for found in house.imports:
        importer, imported = found.importer.split("."), found.imported.split(".")
        pairs = zip(importer, imported, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if shared == min(len(importer), len(imported)):  # one is a package in which the other is
            continue
        one, two = (".".join(parts[: shared + 1]) for parts in (importer, imported))
        edges[".".join(importer[:shared])][one].add(two)
        reasons.setdefault((one, two), f"{found.importer}, line {found.line}")
    return [
        f"{' <-> '.join(group)}: {'; '.join(reasons[pair] for pair in sorted(reasons) if set(pair) <= set(group))}"
        for folder in sorted(edges)
        for group in groups(edges[folder])
    ]
