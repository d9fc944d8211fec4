"""The catalogue, second part: texts, rules in words, and silences; for both families."""

from __future__ import annotations

from .rule import Rule, Severity

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

WORDS = (
    Rule(
        "blank-in-name",
        _WARNING,
        "A name that begins or ends with a blank, and will not be found by other readers",
        '<rule name="commandInvalid ">',
    ),
    Rule(
        "lost-character",
        _WARNING,
        "U+FFFD, which stands for a character that was lost",
        "<doc>na\ufffdve</doc>",
    ),
    Rule(
        "bad-name",
        _ERROR,
        "A name that no identifier can be made of",
        '<constant name="9lives" value="9"/>',
        "use ASCII letters, digits and hyphens, a letter first",
    ),
    Rule(
        "name-collision",
        _ERROR,
        "Two names that become one identifier, or that hide one of the generated package",
        'fields "no-wait" and "no_wait" of one type',
        "rename one of them",
    ),
)

DEMANDS = (
    Rule(
        "rule-without-level",
        _WARNING,
        "A rule that does not say how strictly it is meant",
        "<doc>The name must begin with a letter.</doc>",
    ),
    Rule(
        "mixed-levels",
        _NOTE,
        "A rule with several levels: it can be kept and broken at once",
        "<doc>The server MUST log it and SHOULD tell.</doc>",
    ),
    Rule(
        "half-level",
        _NOTE,
        "A level in capitals whose not is in small letters",
        "<doc>The name MUST not be empty.</doc>",
    ),
    Rule("may-not", _WARNING, "MAY NOT, which has two meanings", "<doc>The client MAY NOT wait.</doc>"),
    Rule(
        "failure-without-must",
        _WARNING,
        "A rule that names an error for what it does not forbid",
        '<rule name="r" on-failure="not-found"><doc>The server SHOULD ...',
    ),
    Rule(
        "unwritten-scenario",
        _NOTE,
        "A scenario that is yet to be written",
        '<doc type="scenario">TODO.</doc>',
    ),
    Rule(
        "duplicate-rule",
        _ERROR,
        "Two rules of one name in one place: results of tests could not be told apart",
        'two <rule name="01"> in one method',
    ),
    Rule(
        "unknown-on-failure",
        _ERROR,
        "A rule that fails with something that is no constant, or no error condition",
        '<rule name="r" on-failure="not-fuond">',
        "name what the specification declares",
    ),
)

SILENCES = (
    Rule("silence-form", _WARNING, "A comment for lint that is not understood", "<!-- lint: off -->"),
    Rule(
        "silence-unknown",
        _WARNING,
        "A silence of a rule that does not exist",
        "<!-- lint: disable=may-nt why -->",
    ),
    Rule("silence-reason", _WARNING, "A silence without a reason", "<!-- lint: disable=may-not -->"),
    Rule(
        "silence-idle",
        _WARNING,
        "A comment that silences nothing (any more)",
        "<!-- lint: disable=may-not why --> beside a rule that says MUST",
    ),
)
