"""Reply codes and what refers to them: errors have a class, and rules fail with errors."""

from __future__ import annotations

from collections.abc import Iterator

from ...passes.names import normalise
from ..finding import Finding
from ..subject import Subject0

# Reply codes of errors; 2xx are successes, as in SMTP, from where they come.
_ERROR_CODES = range(300, 600)


def check_errors(subject: Subject0) -> Iterator[Finding]:
    """Error codes that are neither soft nor hard, and rules that fail with what is no error."""
    constants = {normalise(constant.name): constant for constant in subject.raw.constants}
    for constant in constants.values():
        if constant.value in _ERROR_CODES and not constant.error_class:
            message = f"constant {constant.name!r} ({constant.value}) is an error code without a class"
            hint = 'write class="soft-error" if it closes the channel, "hard-error" if the connection'
            yield Finding("error-without-class", message, constant.position, hint)
    for rule in subject.rules:
        named = constants.get(normalise(rule.on_failure))
        if named is not None and not named.error_class:
            message = f"on-failure names {rule.on_failure!r}, which is neither a soft nor a hard error"
            yield Finding("on-failure-no-error", message, rule.position, "name an error, or give it a class")
