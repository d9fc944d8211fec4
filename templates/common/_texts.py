"""Foreign values and names in messages and paths: short, printable, and without calling code of their classes."""

from decimal import Decimal
from typing import Any, Final

# The types of which the start is enough, and all whose representation is known: numbers, texts, octets.
_SLICED: Final[tuple[Any, ...]] = (str, bytes)
_KNOWN: Final[tuple[Any, ...]] = (int, float, Decimal, *_SLICED)
# The most characters of a value, and of the name of a type, that a message shows.
_LONGEST: Final = 40


def shown(value: object) -> str:
    """Return a value for a message; of values without a known representation, the type."""
    if value is None or value is True or value is False:
        return str(value)
    kind = type(value)
    name = _cut(kind.__name__)
    base: Any = next((each for each in _KNOWN if issubclass(kind, each)), None)
    if base is None:
        return f"<{name}>"
    try:
        # With its quotes, the start of a long text is longer than what is shown: it is cut, too.
        text = _cut(base.__repr__(base.__getitem__(value, slice(_LONGEST)) if base in _SLICED else value))
    except ValueError:  # an int with more digits than the interpreter turns into text
        return "a huge number"
    return text if kind is base else f"{name}({text})"


def entry_path(path: str, key: object, longest: int = _LONGEST) -> str:
    """Return the path of an entry of a map; keys of more characters than ``longest`` are cut."""
    text = printable(_cut(str.__str__(key), longest)) if isinstance(key, str) else shown(key)
    return f"{path}.{text}" if path else text


def printable(text: str) -> str:
    """Return a text in which every character can be printed: names come from peers, and may be anything."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"{text[:longest]}..."
