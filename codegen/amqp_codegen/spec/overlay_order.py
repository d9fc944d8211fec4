"""Where added elements go among their siblings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .element import Element


@dataclass(slots=True)
class Order:
    """The children of one element in their new order.

    A child is known by its number: those of the base first, in file order, then the added ones.

    Attributes:
        nodes: The child with each number, None for one that was removed.
        before: The numbers of those that go right before a child, in order.
        after: The numbers of those that go right after a child, in order.
        at_end: By tag, the numbers of those that go after all others.
    """

    nodes: list[Element | None]
    before: dict[int, list[int]] = field(default_factory=dict)
    after: dict[int, list[int]] = field(default_factory=dict)
    at_end: dict[str, list[int]] = field(default_factory=dict)

    def append(self, element: Element, *, before: int | None, after: int | None) -> int:
        """Add a child before or after another, or at the end; return its number."""
        number = len(self.nodes)
        self.nodes.append(element)
        if before is not None:
            self.before.setdefault(before, []).append(number)
        elif after is not None:
            self.after.setdefault(after, []).append(number)
        else:
            self.at_end.setdefault(element.tag, []).append(number)
        return number

    def content(self, base: Sequence[Element | str]) -> tuple[Element | str, ...]:
        """Return the content of the base with its children as they are now."""
        pieces: list[Element | str] = []
        child = 0
        for piece in base:
            if isinstance(piece, str):
                pieces.append(piece)
            else:
                pieces.extend(self._expand(child))
                child += 1
        last: list[Element | str] = []
        for group in self.at_end.values():
            for number in group:
                last.extend(self._expand(number))
        if last and pieces and isinstance(pieces[-1], str) and not pieces[-1].strip():
            last.append(pieces.pop())  # the line break before the end tag stays there
        return tuple(_spaced([*pieces, *last]))

    def _expand(self, number: int) -> Iterator[Element]:
        """Yield a child and all that goes before and after it; not recursive, chains may be long."""
        todo: list[tuple[int, bool]] = [(number, False)]
        while todo:
            current, expanded = todo.pop()
            if not expanded:
                todo.extend((follower, False) for follower in reversed(self.after.get(current, [])))
                todo.append((current, True))
                todo.extend((leader, False) for leader in reversed(self.before.get(current, [])))
            elif (element := self.nodes[current]) is not None:
                yield element


def _spaced(pieces: Sequence[Element | str]) -> Iterator[Element | str]:
    """Part what an overlay put there from its neighbours, as the elements of a file are."""
    previous: Element | str = ""
    for piece in pieces:
        neighbours = isinstance(piece, Element) and isinstance(previous, Element)
        if neighbours and (_origin(piece) or _origin(previous)):
            yield "\n"
        yield piece
        previous = piece


def _origin(piece: Element | str) -> str:
    return piece.origin if isinstance(piece, Element) else ""
