"""What is refused in arguments.toml: an edit of ours, where that is found, by which rule, in which words."""

from __future__ import annotations

from dataclasses import dataclass

from amqp_codegen.support.resources import arguments_file

TEXT = arguments_file()[0].decode()


@dataclass(frozen=True)
class BadArguments:
    """An edit of the file.

    Attributes:
        table: The header of the table that is changed, such as ``queue.x-expires``; empty for the keys at the top.
        line: A line in it that is replaced; empty for a new line behind its header.
        by: What it is replaced by.
        rule: The rule that finds it.
        message: What it says is wrong, or a part of that.
        at: The line that is told: of the ``edit`` or the one after it (``next``), of the header of the ``table``, or the first.
    """

    table: str
    line: str
    by: str
    rule: str
    message: str
    at: str = "edit"

    def edited(self) -> tuple[bytes, int]:
        """Return the file, and the number of the line that is told."""
        lines = TEXT.splitlines()
        header = lines.index(f"[{self.table}]") if self.table else 0
        place = lines.index(self.line, header) if self.line else header + 1
        lines[place : place + bool(self.line)] = [self.by]
        return (
            "\n".join(lines).encode(),
            1 + {"edit": place, "next": place + 1, "table": header, "top": 0}[self.at],
        )


_INTEGER, _MINIMUM = 'type = "integer"', "least = 1"
_QUEUES = 'queues = { classic = "3.10", quorum = "3.10" }'
_VALUES = 'values = ["drop-head", "reject-publish", "reject-publish-dlx"]'
_EXPIRES, _OVERFLOW, _KEY = "queue.x-expires", "queue.x-overflow", "queue.x-dead-letter-routing-key"
BAD = [
    BadArguments("", 'profile = "rabbitmq"', "", "argument-form", "profile is missing", "top"),
    BadArguments("", 'profile = "rabbitmq"', "profile = 1", "argument-form", "profile has the wrong type"),
    BadArguments("", 'profile = "rabbitmq"', 'profil = "rabbitmq"\nprofile = "rabbitmq"', "argument-form", "there is no 'profil'"),
    BadArguments("", 'versions = ["3.10", "4.0", "4.3"]', "versions = []", "argument-version", "versions are listed once"),
    BadArguments("", 'versions = ["3.10", "4.0", "4.3"]', 'versions = ["4.0", "3.10", "4.3"]', "argument-version",
                 "versions are listed once, the oldest first"),
    BadArguments("", 'versions = ["3.10", "4.0", "4.3"]', 'versions = ["3.10", "4.3", "4.3"]', "argument-version",
                 "versions are listed once"),
    BadArguments("", 'versions = ["3.10", "4.0", "4.3"]', 'versions = ["4"]', "argument-version", "a version has two numbers"),
    BadArguments("queue.x-queue-type", "[queue.x-queue-type]", "[broker.x-mine]\n[queue.x-queue-type]", "argument-form",
                 "there is no 'broker'"),
    BadArguments("queue.x-queue-type", "[queue.x-queue-type]", "[queue]\nx-mine = 1\n[queue.x-queue-type]", "argument-form",
                 "queue.x-mine: it is not a table", "next"),
    BadArguments(_EXPIRES, _INTEGER, "", "argument-form", "type is missing", "table"),
    BadArguments(_EXPIRES, "", 'colour = "red"', "argument-form", "there is no key 'colour'"),
    BadArguments(_EXPIRES, _MINIMUM, 'least = "1"', "argument-form", "least has the wrong type"),
    BadArguments(_EXPIRES, _MINIMUM, "least = true", "argument-form", "least has the wrong type"),
    BadArguments(_EXPIRES, _QUEUES, "queues = { classic = 3 }", "argument-form", "queues has the wrong type"),
    BadArguments(_OVERFLOW, _VALUES, "values = [1.5]", "argument-form", "values has the wrong type"),
    BadArguments(_OVERFLOW, _VALUES, "values = [true]", "argument-form", "values has the wrong type"),
    BadArguments(_EXPIRES, _INTEGER, 'type = ["integer", "number"]', "argument-type", "there is no type 'number'"),
    BadArguments("message.CC", 'type = "texts"', "type = []", "argument-type", "it has no type"),
    BadArguments(_EXPIRES, "", 'pattern = "x"', "argument-type", "pattern is of text, which is not among its types"),
    BadArguments(_OVERFLOW, "", "least = 0", "argument-type", "least is of integer, which is not among its types"),
    BadArguments(_OVERFLOW, "", "most = 0", "argument-type", "most is of integer, which is not among its types"),
    BadArguments(_OVERFLOW, _VALUES, 'values = ["a", 1]', "argument-type", "the value 1 does not have the type"),
    BadArguments(_OVERFLOW, _VALUES, 'values = ["a", "a"]', "argument-values", "a value is listed twice"),
    BadArguments(_OVERFLOW, "", 'newest = ["no"]', "argument-values", "newest has a value that is not among the values"),
    BadArguments(_EXPIRES, "most = 315360000000", "most = 0", "argument-range", "no number is at least 1 and at most 0"),
    BadArguments("queue.x-max-age", 'pattern = "[0-9]*[1-9][0-9]*[YMDhms]"', 'pattern = "("', "argument-pattern",
                 "its pattern is not one: "),
    BadArguments(_KEY, 'needs = "x-dead-letter-exchange"', 'needs = "x-dead-leter-exchange"', "argument-needs",
                 "it needs 'x-dead-leter-exchange', which is not there"),
    BadArguments(_EXPIRES, "", 'needs = "x-expires"', "argument-needs", "it needs 'x-expires', which is not there"),
    BadArguments(_EXPIRES, "", 'needs = "x-max-priority"', "argument-needs",
                 "it needs 'x-max-priority', which is not for queues of the type quorum"),
    BadArguments(_EXPIRES, "", 'since = "3.10"', "argument-queues", "those of queues and consumers have queues, others since"),
    BadArguments(_EXPIRES, _QUEUES, "", "argument-queues", "those of queues and consumers have queues", "table"),
    BadArguments("message.CC", 'since = "3.10"', "", "argument-queues", "those of queues and consumers have queues", "table"),
    BadArguments("message.CC", 'since = "3.10"', 'queues = { quorum = "3.10" }', "argument-queues",
                 "those of queues and consumers have queues"),
    BadArguments(_EXPIRES, _QUEUES, 'queues = { clasic = "3.10" }', "argument-queues", "there is no queue of the type 'clasic'"),
    BadArguments(_EXPIRES, _QUEUES, 'queues = { classic = "3.8" }', "argument-version", "no broker of version '3.8' was asked"),
    BadArguments("message.CC", 'since = "3.10"', 'since = "4.1"', "argument-version", "no broker of version '4.1' was asked"),
    BadArguments(_EXPIRES, "", 'elsewhere = "3.8"', "argument-version", "no broker of version '3.8' was asked"),
    BadArguments(_EXPIRES, "", 'until = "3.8"', "argument-version", "no broker of version '3.8' was asked"),
    BadArguments(_EXPIRES, "", 'until = "4.3"', "argument-version", "until is 4.3, the newest version"),
    BadArguments("queue.x-consumer-timeout", "", 'until = "4.0"', "argument-version",
                 "until is 4.0, before the first version that knows it"),
    BadArguments("queue.x-consumer-timeout", "", 'elsewhere = "4.0"', "argument-version",
                 "elsewhere is 4.0, before the first version that knows it"),
    BadArguments(_EXPIRES, "", 'unchecked = "all"', "argument-answer", "unchecked is value or type, not 'all'"),
    BadArguments("queue.x-queue-mode", 'refused = "elsewhere"', 'refused = "broker"', "argument-answer",
                 "refused is channel, connection or elsewhere, not 'broker'"),
    BadArguments(_EXPIRES, "", 'refused = "channel"', "argument-answer", "refused goes with until"),
    BadArguments("message.CC", "", 'elsewhere = "4.0"', "argument-answer", "elsewhere is about other types of queue"),
    BadArguments("message.CC", "", 'until = "4.0"\nrefused = "elsewhere"', "argument-answer",
                 "elsewhere is about other types of queue", "next"),
    BadArguments(_EXPIRES, "", "[queue.x-expires]", "wire-file", "not readable as TOML: "),
    BadArguments(_EXPIRES, _INTEGER, "type = ", "wire-file", "not readable as TOML: "),
]  # fmt: skip
