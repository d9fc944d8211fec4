"""Which methods answer a method: by the file, else by the grammar of its class."""

from __future__ import annotations

import pytest
from amqp_codegen.resolve.amqp0.replies import replies_of

from .small_specifications import outcome

SERVER, CLIENT = '<chassis name="server" implement="MUST"/>', '<chassis name="client" implement="MUST"/>'
METHODS = (
    f'<method name="ask" index="10">{SERVER}</method>'
    f'<method name="yes" index="11">{CLIENT}</method>'
    f'<method name="no" index="12">{CLIENT}</method>'
    f'<method name="tell" index="20">{CLIENT}{SERVER}</method>'
)
ANSWERED = METHODS.replace(f"{SERVER}</method>", f'{SERVER}<response name="no"/></method>', 1)


def replies(grammar: str, methods: str = METHODS, name: str = "c") -> dict[str, tuple[str, ...]]:
    """What answers each method; those that nothing answers are left out."""
    spec, _ = outcome(
        f'<class name="{name}" index="1"><doc type="grammar">{grammar}</doc>{methods}</class>'
        f'<class name="other" index="2">{METHODS}</class>'
    )
    assert spec is not None
    found = replies_of(spec)
    assert list(found) == [method.class_name for method in spec.methods]
    return {method: answers for method, answers in found.items() if answers}


@pytest.mark.parametrize(
    ("grammar", "expected"),
    [
        ("c = C:ASK ( S:YES / S:NO ) / C:TELL / S:TELL", {"CAsk": ("CYes", "CNo")}),
        # In file order, whatever the order in the grammar, and from all places.
        ("c = C:ASK S:NO / C:TELL C:ASK S:YES / S:TELL", {"CAsk": ("CYes", "CNo")}),
        # The exchange may be over without an answer.
        ("c = C:ASK [ S:YES ] / S:NO / C:TELL / S:TELL", {}),
        # The same side goes on, or may.
        ("c = C:ASK C:TELL S:YES / S:NO / S:TELL", {"CTell": ("CYes",)}),
        ("c = C:ASK ( C:TELL / S:YES ) / S:NO / S:TELL", {}),
        # From either side.
        ("c = C:ASK S:YES / S:TELL C:ASK S:NO / C:TELL S:NO", {"CAsk": ("CYes", "CNo"), "CTell": ("CAsk", "CNo")}),
        # No use as a grammar: the methods of the file are all there is.
        ("c = C:NOBODY", {}),
    ],
)  # fmt: skip
def test_by_the_grammar(grammar: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert replies(grammar) == expected


def test_the_file_goes_before_the_grammar() -> None:
    assert replies("c = C:ASK S:YES / S:NO / C:TELL / S:TELL", ANSWERED) == {"CAsk": ("CNo",)}


def test_a_reply_ends_its_exchange() -> None:
    """What the grammar has after a reply is a new request, but while a connection or channel opens."""
    grammar = "c = C:ASK S:NO C:TELL S:YES / S:TELL"
    assert replies(grammar, ANSWERED) == {"CAsk": ("CNo",), "CTell": ("CYes",)}
    opening = "channel = C:ASK S:NO C:TELL S:YES *functional-class / S:TELL"
    assert replies(opening, ANSWERED, "channel") == {
        "ChannelAsk": ("ChannelNo",),
        "ChannelNo": ("ChannelTell",),
        "ChannelTell": ("ChannelYes",),
    }
