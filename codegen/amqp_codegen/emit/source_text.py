"""Text as comments of any language; no text can end a comment or go on in the next line.

Text and octets as string literals of C and its kin.
"""

from __future__ import annotations

from dataclasses import dataclass

from .python_text import printable, wrap

# What joins the next line to this one, in C also in a comment.
_CONTINUED = ("\\", "??/")


@dataclass(frozen=True, slots=True)
class CommentStyle:
    """How a language writes a comment of one line: ``# ...``, ``// ...``, ``/* ... */``."""

    start: str = "#"
    end: str = ""

    def line(self, text: str) -> str:
        """The text as a comment; escapes stand where it would end the comment or begin another one in it."""
        if not self.end:
            if text.endswith(_CONTINUED):
                text = f"{text[:-1]}{_escape(text[-1])}"
            return f"{self.start} {text}".rstrip()
        # XML forbids two hyphens in a comment, and so do some of its readers at the end.
        for token in (self.end, self.start, "--" if self.end == "-->" else ""):
            if token:
                text = text.replace(token, f"{token[:-1]}{_escape(token[-1])}")
        return f"{self.start} {text} {self.end}"


HASH = CommentStyle()


def comment_lines(text: str, start: str = "#", end: str = "", width: int = 100) -> list[str]:
    """A text of any length as comments of one line each, folded at blanks; none for an empty text.

    Args:
        text: The text.
        start: What a comment begins with.
        end: What it ends with, if that is not the end of the line.
        width: How wide the lines shall be; longer words stay whole.
    """
    comment = CommentStyle(start, end)
    room = max(width - len(start) - len(end) - 2, 20)
    return [comment.line(printable(line.replace("\\", "\\\\"))) for line in wrap(text, room)]


def _escape(character: str) -> str:
    return f"\\x{ord(character):02x}"


# A question mark could be part of a trigraph.
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}


def c_string(value: str | bytes) -> str:
    r"""The string literal of a text, in UTF-8, or of octets; what is not printable ASCII as ``\ooo``."""
    octets = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return f'"{"".join(map(_character, octets))}"'


def _character(octet: int) -> str:
    # Three digits always: less would take in a digit that follows.
    return _ESCAPES.get(octet, chr(octet)) if 0x20 <= octet < 0x7F else f"\\{octet:03o}"
