"""Source text of other languages: comments that no text can end or continue, and C string literals."""

from __future__ import annotations

from dataclasses import dataclass

from .python_text import printable, wrap

# Endings that join the next line to this one, in C also within a comment.
_CONTINUED = ("\\", "??/")


@dataclass(frozen=True, slots=True)
class CommentStyle:
    """The form of a one-line comment in a language: ``# ...``, ``// ...``, ``/* ... */``."""

    start: str = "#"
    end: str = ""

    def line(self, text: str) -> str:
        """Return the text as a comment; escape what would end it or begin a comment within it."""
        if not self.end:
            if text.endswith(_CONTINUED):
                text = f"{text[:-1]}{_escape(text[-1])}"
            return f"{self.start} {text}".rstrip()
        # XML forbids two hyphens within a comment, and some XML readers also at its end.
        for token in (self.end, self.start, "--" if self.end == "-->" else ""):
            if token:
                text = text.replace(token, f"{token[:-1]}{_escape(token[-1])}")
        return f"{self.start} {text} {self.end}"


HASH = CommentStyle()


def comment_lines(text: str, start: str = "#", end: str = "", width: int = 100) -> list[str]:
    """Return a text as one-line comments, folded at blanks; words longer than ``width`` stay whole."""
    comment = CommentStyle(start, end)
    room = max(width - len(start) - len(end) - 2, 20)
    return [comment.line(printable(line.replace("\\", "\\\\"))) for line in wrap(text, room)]


def _escape(character: str) -> str:
    return f"\\x{ord(character):02x}"


# Question marks could form a trigraph.
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}


def c_string(value: str | bytes) -> str:
    r"""Return the C literal of octets, or of a text in UTF-8; other octets than printable ASCII as ``\ooo``."""
    octets = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return f'"{"".join(map(_character, octets))}"'


def _character(octet: int) -> str:
    # Always three digits: C would read a digit that follows as part of a shorter escape.
    return _ESCAPES.get(octet, chr(octet)) if 0x20 <= octet < 0x7F else f"\\{octet:03o}"
