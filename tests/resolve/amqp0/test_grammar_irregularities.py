"""What is odd in a grammar: each kind of it, and all that the published files have."""

from __future__ import annotations

import pytest
from amqp_codegen.resolve.amqp0.grammar_irregularities import grammar_irregularities

from .small_specifications import outcome
from .test_class_grammars import METHODS


def odd(grammar: str, attributes: str = 'handler="channel"') -> list[str]:
    """The irregularities, those that any grammar of this class has left out."""
    doc = f'<doc type="grammar">\n{grammar}\n</doc>' if grammar else ""
    found, problems = outcome(f'<class name="c" index="1" {attributes}>{doc}{METHODS}</class>')
    assert found is not None
    assert problems == []
    texts = [str(problem).removeprefix("s.xml:") for problem in grammar_irregularities(found.classes[0])]
    assert all(text.isprintable() for text in texts)
    return texts


REGULAR = "c = C:ASK ( S:YES content / S:NO ) / C:TELL / S:TELL"


def test_nothing_is_odd() -> None:
    assert odd(REGULAR) == []


@pytest.mark.parametrize(
    ("grammar", "expected"),
    [
        ("",
         "2:1: warning: class 'c' has no grammar; its methods are taken as exchanges of their own [grammar-none]"),
        (REGULAR.replace("c =", "d ="),
         "3:1: warning: no production is named 'c' like its class; the first is taken [grammar-start]"),
        (f"{REGULAR}\nd = C:TELL e\ne = C:TELL", "4:1: warning: nothing leads to production 'd' [grammar-unused]"),
        (REGULAR.replace("content / S:NO", "content | S:NO"),
         "3:29: warning: '|' is taken to bind closer than a sequence, / does not [grammar-bar]"),
        (f"{REGULAR} / *d\nd = C:TELL / *C:TELL",
         "3:57: warning: what is repeated here repeats itself already (one * will do) [grammar-repeat]"),
        (f"{REGULAR} / S:ASK ( C:YES content / C:NO )",
         "3:56: warning: by its chassis, c.ask never comes from the server [grammar-direction]"),
        (
            REGULAR.replace("content ", ""),
            "3:13: warning: c.yes has content, of which nothing is said here (the content is taken as given) "
            "[grammar-content]",
        ),
        (f"{REGULAR} / C:TELL content",
         "3:56: warning: c.tell has no content (the word is passed over) [grammar-content]"),
        (REGULAR.replace(" / S:TELL", ""),
         "4:301: warning: the grammar lacks S:TELL, which c.tell allows by its chassis [grammar-lacks]"),
        (
            REGULAR.replace("/ S:NO", "/ S:TELL"),
            "4:7: warning: by its grammar c.ask is answered by yes and tell, by its responses by yes and no "
            "[grammar-reply]",
        ),
    ],
)  # fmt: skip
def test_each_kind(grammar: str, expected: str) -> None:
    rule = expected.rpartition("[")[2]
    assert next(text for text in odd(grammar) if text.endswith(rule)) == expected


def test_a_handler_that_is_not_the_channel() -> None:
    assert odd(REGULAR, 'handler="connection"') == [
        "2:1: warning: class 'c' has the handler 'connection', whose grammar has no place for it "
        "(it is taken as a class of channels) [grammar-handler]"
    ]
