"""Names, indices and reply codes of 0-x, and what refers to them."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.field_types import WIRE_TYPES
from ...model.amqp0.raw import RawClass, RawMethod
from ...resolve.names import normalise, suggest
from ...support.wording import quote
from ..rule import LintSeverity, Remark, reported, rule
from .subject import LintedSpec

_NAMES, _REPLY_CODES = "names-0-x", "reply-codes-0-x"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE
# Reply codes of errors; 2xx are successes, as in SMTP, from where they come.
_ERROR_CODES = range(300, 600)
# Every published version closes the connection for these.
_HARD_CODES = range(500, 600)
_REPLY_CODES_OF_THREE_DIGITS = range(100, 1000)

REPORTED_NAMES = reported(
    _NAMES,
    ("duplicate-constant", _ERROR, "Two constants of one name", 'two <constant name="not-found" .../>', ""),
    ("duplicate-domain", _ERROR, "Two domains of one name", 'domains "queue-name" and "queue name"', ""),
    ("duplicate-class", _ERROR, "Two classes of one name", 'two <class name="basic" ...>', ""),
    ("duplicate-method", _ERROR, "Two methods of one name in a class", 'two <method name="get" ...>', ""),
    ("duplicate-index", _ERROR, "Two classes, or two methods of a class, with one index: they are the same on the wire",
     'methods "get" and "get-ok", both with index="70"', ""),
)  # fmt: skip


@rule(_NAMES, "index-zero", _WARNING, '<class name="c" index="0">')
def index_zero(subject: LintedSpec) -> Iterator[Remark]:
    """A class or method with the index 0, which close methods use for none."""
    hint = "close methods name class 0, method 0 when no method was the cause"
    for owner in subject.raw.classes:
        if owner.index == 0:
            yield Remark(f"class {owner.name!r} has the index 0", owner.position, hint)
    for owner, method in subject.methods:
        if method.index == 0:
            yield Remark(f"method {owner.name}.{method.name} has the index 0", method.position, hint)


@rule(_NAMES, "other-spelling", _WARNING, 'domain="queue name" where "queue-name" is declared')
def other_spelling(subject: LintedSpec) -> Iterator[Remark]:
    """A name that is declared with other blanks, hyphens or capitals."""
    domains = {normalise(domain.name): domain.name for domain in subject.raw.domains}
    domains |= {name: name for name in WIRE_TYPES if name not in domains}
    for field in subject.fields:
        written = field.domain or field.type
        declared = domains.get(normalise(written), written)
        if declared != written:
            message = f"field {field.name!r} has the domain {written!r}, which is declared as {declared!r}"
            yield Remark(message, field.position, f"write {quote(declared)}")
    for owner, method in subject.methods:
        names = {normalise(sibling.name): sibling.name for sibling in owner.methods}
        for response in method.responses:
            declared = names.get(normalise(response.name), response.name)
            if declared != response.name:
                message = f"the response {response.name!r} of {owner.name}.{method.name} is declared as {declared!r}"
                yield Remark(message, response.position, f"write {quote(declared)}")


@rule(_NAMES, "unknown-handler", _WARNING, '<class name="basic" handler="chanel" ...>')
def unknown_handler(subject: LintedSpec) -> Iterator[Remark]:
    """A class whose handler is not a class."""
    classes = {normalise(owner.name): owner.name for owner in subject.raw.classes}
    for owner in subject.raw.classes:
        if owner.handler and normalise(owner.handler) not in classes:
            message = f"class {owner.name!r} has the handler {owner.handler!r}, which is not a class"
            hint = suggest(owner.handler, classes.values()) or "name the class that handles it"
            yield Remark(message, owner.position, hint)


@rule(_NAMES, "undocumented", _NOTE, '<method name="get" index="70"/>')
def undocumented(subject: LintedSpec) -> Iterator[Remark]:
    """A class or method without label and doc, in a file that has some."""
    entries: list[tuple[str, RawClass | RawMethod]] = [
        *((f"class {owner.name!r}", owner) for owner in subject.raw.classes),
        *((f"method {owner.name}.{method.name}", method) for owner, method in subject.methods),
    ]
    # A stripped file has no docs at all.
    for what, entry in entries if any(entry.doc for _, entry in entries) else ():
        if not entry.doc and not entry.label:
            yield Remark(
                f"{what} has neither a label nor a doc", entry.position, "say in a <doc> what it is for"
            )


# --- reply codes ---

REPORTED_REPLY_CODES = reported(
    _REPLY_CODES,
    ("duplicate-reply-code", _ERROR, "Two reply codes with one number",
     'constants "not-found" and "no-route", both 404', ""),
    ("reply-code-size", _ERROR, "A reply code that the close methods cannot carry",
     '<constant name="not-found" value="70000" class="soft-error"/>', ""),
    ("frame-min-size", _ERROR, "A frame-min-size into which no content header fits",
     '<constant name="frame-min-size" value="0"/>', ""),
    ("frame-type", _ERROR, "A frame constant whose number is not that of the version",
     '<constant name="frame-end" value="205"/>', "correct the number: frames of this version are fixed"),
)  # fmt: skip


@rule(_REPLY_CODES, "error-without-class", _WARNING, '<constant name="no-consumers" value="313"/>')
def error_without_class(subject: LintedSpec) -> Iterator[Remark]:
    """An error code that is neither soft nor hard: what is it to close?"""
    for constant in {normalise(constant.name): constant for constant in subject.raw.constants}.values():
        if constant.value in _ERROR_CODES and not constant.error_class:
            message = f"constant {constant.name!r} ({constant.value}) is an error code without a class"
            hint = 'write class="soft-error" if it closes the channel, "hard-error" if the connection'
            yield Remark(message, constant.position, hint)


@rule(
    _REPLY_CODES, "soft-hard-code", _WARNING, '<constant name="frame-error" value="501" class="soft-error"/>'
)
def soft_hard_code(subject: LintedSpec) -> Iterator[Remark]:
    """A soft error with a code of 500 and above, which every published version calls a hard error."""
    for constant in subject.raw.constants:
        if constant.value in _HARD_CODES and constant.error_class == "soft-error":
            message = f"constant {constant.name!r} ({constant.value}) is a soft error, but codes 5xx close the connection"
            yield Remark(message, constant.position, 'write class="hard-error", or give it a code below 500')


@rule(
    _REPLY_CODES,
    "reply-code-digits",
    _WARNING,
    '<constant name="not-found" value="4040" class="soft-error"/>',
)
def reply_code_digits(subject: LintedSpec) -> Iterator[Remark]:
    """An error whose code does not have three digits, as all reply codes have."""
    for constant in subject.raw.constants:
        is_carried = constant.value <= 0xFFFF  # else it is an error of its own
        if constant.error_class and is_carried and constant.value not in _REPLY_CODES_OF_THREE_DIGITS:
            message = f"constant {constant.name!r} is an error with the code {constant.value}, but reply codes have three digits"
            yield Remark(message, constant.position, "correct the number")


@rule(_REPLY_CODES, "on-failure-no-error", _WARNING, '<rule name="r" on-failure="frame-end">')
def on_failure_no_error(subject: LintedSpec) -> Iterator[Remark]:
    """A rule that fails with a constant that is not an error."""
    constants = {normalise(constant.name): constant for constant in subject.raw.constants}
    for demand in subject.rules:
        named = constants.get(normalise(demand.on_failure))
        if named is not None and not named.error_class:
            message = f"on-failure names {demand.on_failure!r}, which is neither a soft nor a hard error"
            yield Remark(message, demand.position, "name an error, or give it a class")
