"""Octets from the literals of programs: strings with escapes, lists of numbers, and the calls around them.

The languages need not be named: C, C#, Elixir, Erlang, Go, Java, JavaScript, Kotlin, PHP, Python, Ruby, Rust, Scala and
Swift write octets alike. What stands before an equals sign, names of types, casts and the sizes of arrays are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..support.wording import counted, quote
from .form_error import FormError, left_out
from .hexadecimal import read_base64, read_hexadecimal
from .literal_tokens import LiteralToken, LiteralTokenKind, tokens_of, unescaped

_CLOSING = {"(": ")", "[": "]", "{": "}", "<<": ">>"}
_LIKE_A_LITERAL = re.compile(r"[\"'`\[({\\]|<<|,")
_ESCAPES_ALONE = re.compile(r"\\(?:x[0-9a-fA-F]|[0-7]{1,3})")
# Type parameters, and the keys by which JSON of node tells a Buffer.
_DECORATION = re.compile(r"(?<=\w)<[A-Za-z][\w:, ]*>|\"type\"\s*:\s*\"Buffer\"\s*,|\"data\"\s*:")
_PASSED_OVER = frozenset(("+", "++", "<>", ".", ",", ";", "&", "*", "!", "->", "?", "^"))
# Words that may stand beside a literal: types, and what makes a value from it.
_WORDS = re.compile(
    r"(?:static|const|final|new|mut|let|var|val|ref|in|out|return|unsigned|signed|private|public"
    r"|u?int(?:8|16|32|64)?(?:_t)?|[ui](?:8|16|32|64|size)|s?byte|char|uchar|octet|short|long|list|array|tuple|vec"
    r"|slice|bytes?|bytearray|bytestring|memoryview|buffer|data|u?int8array|uint8contents|binary|string|str|void"
    r"|bitstring|integer|big|utf8|of|from|to|as|b|_|std::|vector|printf|echo|e|n)*!?",
    re.IGNORECASE,
)
_MAX_REPEATED = 1 << 16


def read_literal(text: str) -> bytes:
    """Return the octets of literals; none if the text is none.

    Raises:
        FormError: It is one, with a mistake.
    """
    if not _LIKE_A_LITERAL.search(text):
        return b""
    if _ESCAPES_ALONE.match(text):  # the inside of a string
        return unescaped(re.sub(r"\s*\\?\r?\n\s*", "", text), 0)
    text = _DECORATION.sub(lambda found: " " * len(found[0]), text)
    tokens = list(_without_indexes(list(tokens_of(text))))
    return b"".join(_Statement(statement).octets() for statement in _statements(text, tokens))


def _without_indexes(tokens: Sequence[LiteralToken]) -> Iterator[LiteralToken]:
    """Yield the tokens without indexes, as PHP prints them: ``[0] => 1`` or ``0 => 1``."""
    arrows = {place for place, token in enumerate(tokens) if _is(token, "=>")}
    for place, token in enumerate(tokens):
        is_index = place + 1 in arrows or (token.kind is LiteralTokenKind.NUMBER and place + 2 in arrows)
        if place not in arrows and not is_index and not (_is(token, "[") and place + 3 in arrows):
            yield token


def _statements(text: str, tokens: Sequence[LiteralToken]) -> Iterator[Sequence[LiteralToken]]:
    """Yield the tokens of each statement: they end with a semicolon, or where a line begins with an assignment."""
    depth, start = 0, 0
    for place, token in enumerate(tokens):
        if token.kind is LiteralTokenKind.MARK and token.text in _CLOSING:
            depth += 1
        elif token.kind is LiteralTokenKind.MARK and token.text in _CLOSING.values():
            depth -= 1
        elif depth == 0 and token.kind is LiteralTokenKind.MARK and token.text == ";":
            yield tokens[start:place]
            start = place + 1
        elif depth == 0 and token.kind is LiteralTokenKind.WORD and place > start:
            line = text.rfind("\n", 0, token.offset) + 1
            if not text[line : token.offset].strip() and "=" in text[token.offset :].partition("\n")[0]:
                yield tokens[start:place]
                start = place
    if tokens[start:]:
        yield tokens[start:]


class _Statement:
    """A statement, read by recursive descent."""

    def __init__(self, tokens: Sequence[LiteralToken]) -> None:
        equals = next((place for place, token in enumerate(tokens) if _is(token, "=", ":=")), None)
        self._is_declared = equals is not None or (bool(tokens) and tokens[0].kind is LiteralTokenKind.WORD)
        self._tokens = tokens if equals is None else tokens[equals + 1 :]

    def octets(self) -> bytes:
        """Return the octets of the statement; none if it is a number, or no literal."""
        tokens = self._tokens
        if len(tokens) == 1 and tokens[0].kind is LiteralTokenKind.NUMBER:
            return b""  # xxd -i writes the number of octets behind them
        if not self._is_declared and tokens and _is(tokens[0], "{") and _bases_differ(tokens):
            return b""  # 10 may mean 0x10
        return self._value(tokens, False)

    def _value(self, tokens: Sequence[LiteralToken], is_binary: bool) -> bytes:
        """Return the octets of tokens: terms one after the other.

        Args:
            tokens: The tokens.
            is_binary: Whether they are inside of ``<<>>``, where a number may have a size.
        """
        octets = bytearray()
        place = 0
        while place < len(tokens):
            token = tokens[place]
            place += 1
            if token.kind is LiteralTokenKind.STRING:
                octets += token.octets
            elif token.kind is LiteralTokenKind.NUMBER:
                number, place = self._number(tokens, place - 1, is_binary)
                octets += number
            elif token.kind is LiteralTokenKind.WORD:
                if place < len(tokens) and _is(tokens[place], "("):
                    stop = _closing(tokens, place)
                    octets[:] = self._called(
                        token, tokens[place + 1 : stop], bytes(octets), tokens[stop + 1 :]
                    )
                    place = stop + 1
                elif not (
                    _WORDS.fullmatch(token.text.replace(".", ""))
                    or (place < len(tokens) and _is(tokens[place], "{"))
                ):
                    raise FormError(token.offset, f"{quote(token.text)} belongs to no literal", is_sure=False)
            elif token.text in _CLOSING:
                stop = _closing(tokens, place - 1)
                if not _is_passed_over(tokens, place - 1, stop):
                    octets += self._group(token, tokens[place:stop])
                place = stop + 1
            elif token.text in ("..", "...", "…"):
                if token.text != "..":
                    raise left_out(token.offset)
            elif is_binary and token.text == "/":
                place += 1  # the type in Erlang: <<"a"/utf8>>
                while place < len(tokens) and not _is(tokens[place], ","):
                    place += 1
            elif token.text not in _PASSED_OVER:
                raise FormError(token.offset, f"{quote(token.text)} belongs to no literal", is_sure=False)
        return bytes(octets)

    def _group(self, opening: LiteralToken, tokens: Sequence[LiteralToken]) -> bytes:
        semicolon = next((place for place, token in enumerate(tokens) if _is(token, ";")), None)
        if opening.text == "[" and semicolon is not None:  # Rust: [0; 8]
            count = tokens[semicolon + 1 :]
            if len(count) != 1 or not 0 <= count[0].number <= _MAX_REPEATED:
                raise FormError(tokens[semicolon].offset, "how often the number stands is not clear")
            return self._value(tokens[:semicolon], False) * count[0].number
        return self._value(tokens, opening.text == "<<")

    def _number(self, tokens: Sequence[LiteralToken], place: int, is_binary: bool) -> tuple[bytes, int]:
        """Return the octets of a number, and the place behind it."""
        token = tokens[place]
        if is_binary and any(_is(after, ":") for after in tokens[place + 1 : place + 2]):
            bits = tokens[place + 2].number if place + 2 < len(tokens) else 0
            if bits % 8 or not 0 < bits <= _MAX_REPEATED:
                raise FormError(token.offset, f"{counted(bits, 'bit')} are no whole octets")
            return (token.number % (1 << bits)).to_bytes(bits // 8, "big"), place + 3
        if not -0x80 <= token.number <= 0xFF:
            raise FormError(token.offset, f"{token.text} is not an octet")
        return bytes((token.number % 0x100,)), place + 1

    def _called(
        self,
        name: LiteralToken,
        arguments: Sequence[LiteralToken],
        before: bytes,
        after: Sequence[LiteralToken],
    ) -> bytes:
        """Return the octets before and of a call; the name, or an argument, says what a string in it holds."""
        words = [token.text.lower() for token in arguments if token.kind is LiteralTokenKind.STRING]
        spelling = f"{name.text.lower()} {' '.join(words[1:] if len(words) > 1 else ())}"
        last = re.split(r"\.|::|->", name.text)[-1].lower()
        if last == "pack" and words:  # Ruby: ["0100"].pack("H*"); PHP: pack("H*", "0100")
            content = before or b"".join(token.octets for token in arguments[1:])
            if words[0].startswith("h"):
                return self._spelt(name, content, read_hexadecimal)
            return before or self._value(arguments[1:], False)
        if re.search(r"hex|unhexlify", spelling):
            return before + self._spelt(name, _strings(arguments), read_hexadecimal)
        if re.search(r"base64|b64", spelling):
            return before + self._spelt(name, _strings(arguments), read_base64)
        if before or not arguments or _names_encoding(last):
            return before if not last.endswith("chr") else before + self._value(arguments, False)
        if (
            len(arguments) == 1
            and arguments[0].kind is LiteralTokenKind.NUMBER
            and after
            and _is(after[0], "[")
        ):
            return before  # node: Uint8Array(13) [ 1, 0 ]
        inner = [token for token in arguments if token.text.lower() not in _ENCODINGS]
        return before + self._value(inner, False)

    @staticmethod
    def _spelt(name: LiteralToken, content: bytes, read: object) -> bytes:
        octets = read(content.decode("latin-1").strip())  # type: ignore[operator] # one of two functions
        if content and not octets:
            raise FormError(name.offset, f"what {quote(name.text)} reads is not what its name says")
        return bytes(octets)


_ENCODINGS = frozenset(
    (
        "binary",
        "latin1",
        "latin-1",
        "iso-8859-1",
        "iso_8859_1",
        "utf8",
        "utf-8",
        "utf_8",
        "ascii",
        "us-ascii",
        "b",
        "c*",
    )
)


def _names_encoding(name: str) -> bool:
    """Return whether a call keeps the octets before it: ``"...".force_encoding("BINARY")``."""
    return name in (
        "force_encoding",
        "encode",
        "getbytes",
        "freeze",
        "b",
        "to_vec",
        "into",
        "tobyte",
        "as_bytes",
    )


def _strings(tokens: Sequence[LiteralToken]) -> bytes:
    """Return what the strings among the arguments of a call hold, but for names of spellings."""
    strings = [token.octets for token in tokens if token.kind is LiteralTokenKind.STRING]
    return (
        strings[0]
        if len(strings) == 2 and strings[1].lower() in (b"hex", b"base64", b"base64url")
        else b"".join(strings)
    )


def _is(token: LiteralToken, *marks: str) -> bool:
    return token.kind is LiteralTokenKind.MARK and token.text in marks


def _closing(tokens: Sequence[LiteralToken], place: int) -> int:
    """Return the place of the bracket that closes the one at a place."""
    open_brackets: list[str] = []
    for at in range(place, len(tokens)):
        token = tokens[at]
        if _is(token, *_CLOSING):
            open_brackets.append(_CLOSING[token.text])
        elif _is(token, *_CLOSING.values()):
            if token.text != open_brackets.pop():
                raise FormError(token.offset, f"{quote(token.text)} closes no bracket", is_sure=False)
            if not open_brackets:
                return at
    raise FormError(tokens[place].offset, f"{quote(tokens[place].text)} is not closed", is_sure=False)


def _is_passed_over(tokens: Sequence[LiteralToken], place: int, stop: int) -> bool:
    """Return whether brackets hold the size of an array, a type, or a cast, and not octets."""
    inside = tokens[place + 1 : stop]
    follows = tokens[stop + 1] if stop + 1 < len(tokens) else None
    words = all(token.kind is LiteralTokenKind.WORD or _is(token, "*", "&") for token in inside)
    if _is(tokens[place], "("):
        return words and bool(inside) and follows is not None
    if not _is(tokens[place], "["):
        return False
    if words:
        return True  # []byte{...}, [Uint8Array] [...]
    is_size = len(inside) == 1 and inside[0].kind is LiteralTokenKind.NUMBER
    return is_size and follows is not None and (_is(follows, "{") or follows.kind is LiteralTokenKind.WORD)


def _bases_differ(tokens: Sequence[LiteralToken]) -> bool:
    """Return whether some numbers are written with ``0x`` and others without."""
    numbers = [token.text.lower() for token in tokens if token.kind is LiteralTokenKind.NUMBER]
    return len({number.startswith("0x") for number in numbers}) > 1
