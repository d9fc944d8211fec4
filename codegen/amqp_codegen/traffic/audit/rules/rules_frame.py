"""The catalogue, first part: single frames of 0-x, what is in them, and the content they make up."""

from __future__ import annotations

from .rule import AMQP_1_0, AuditRule, Severity

_INFO, _WARNING, _ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR

FRAMES = (
    AuditRule(
        "body-frame-empty",
        _INFO,
        "A body frame without payload, which carries nothing",
        "0-9-1 4.2.6.2",
        "a content-body frame of 8 octets",
    ),
    AuditRule(
        "body-frame-short",
        _INFO,
        "A body cut into frames of less than half of what was agreed on: each frame costs time on both sides",
        "connection.tune-ok.frame-max",
        "a body of 64 kB in frames of 4 kB, at a frame-max of 128 kB",
    ),
)

ARGUMENTS = (
    AuditRule(
        "unknown-method",
        _ERROR,
        "A method, or a content header of a class, that the version does not have",
        "0-9-1 4.2.4",
        "class 60, method 99",
    ),
    AuditRule(
        "arguments-truncated",
        _ERROR,
        "Arguments or properties that end too soon",
        "0-9-1 4.2.4",
        "basic.publish without its last octet",
    ),
    AuditRule(
        "arguments-trailing",
        _ERROR,
        "Octets after the last argument or property",
        "0-9-1 4.2.4",
        "channel.open with three octets too many",
    ),
    AuditRule(
        "text-not-utf8",
        _ERROR,
        "A short string that is no UTF-8",
        "0-9-1 4.2.5.3",
        "a queue name with the octet 0xFF",
    ),
    AuditRule(
        "table-type-unknown",
        _ERROR,
        "A value in a field table of a type that there is not",
        "0-9-1 4.2.5.5",
        "an argument of the type 'Z'",
    ),
    AuditRule(
        "arguments-undecodable",
        _ERROR,
        "Arguments or properties that cannot be read for another reason",
        "0-9-1 4.2.5",
        "a field table that is longer than its frame",
    ),
    AuditRule(
        "reserved-not-zero",
        _INFO,
        "A reserved argument, or the weight of a content header, that is not zero or empty",
        "0-9-1 reserved fields",
        "queue.declare with reserved-1 = 7",
    ),
    AuditRule(
        "spare-bits-set",
        _WARNING,
        "Bits that stand for nothing, and are set",
        "0-9-1 4.2.5.2",
        "queue.declare with bit 7 of its flags",
    ),
    AuditRule(
        "assert-broken",
        _ERROR,
        "An argument that an assert of the specification forbids, and that RabbitMQ does not take either",
        "0-9-1 assert",
        "connection.open with an empty virtual-host",
    ),
    AuditRule(
        "assert-broken-tolerated",
        _INFO,
        "An argument that an assert of the specification forbids, though RabbitMQ takes it",
        "0-9-1 assert",
        "a queue name with a blank in it",
    ),
    AuditRule(
        "table-key",
        _INFO,
        "A field name in a table that does not begin with a letter, '$' or '#', or is longer than 128 characters",
        "0-9-1 4.2.5.5",
        "an argument with the name '1st'",
    ),
    AuditRule(
        "table-key-twice",
        _WARNING,
        "A table with two fields of one name: peers differ in which of them counts",
        "0-9-1 4.2.5.5",
        "arguments with x-max-length twice",
    ),
    AuditRule(
        "reserved-name",
        _ERROR,
        "A queue or an exchange declared with a name that begins with 'amq.'",
        "queue.declare.queue/reserved, exchange.declare.exchange/reserved",
        "queue.declare of amq.mine",
    ),
    AuditRule(
        "delivery-tag-zero",
        _ERROR,
        "The delivery tag 0, which no message has",
        "delivery-tag/non-zero",
        "basic.reject of delivery tag 0",
    ),
)

CONTENT = (
    AuditRule(
        "content-missing",
        _ERROR,
        "Another method where the content header of a method, or the rest of its body, should come",
        "0-9-1 4.2.6",
        "basic.publish, basic.publish",
    ),
    AuditRule(
        "content-unexpected",
        _ERROR,
        "A content header or a body that no method announces",
        "0-9-1 4.2.6",
        "a content header after queue.declare",
    ),
    AuditRule(
        "content-other-class",
        _ERROR,
        "A content header of another class than its method",
        "0-9-1 4.2.6.1",
        "basic.publish, content header of class 90",
    ),
    AuditRule(
        "content-too-long",
        _ERROR,
        "A body that goes on beyond the size that the content header states",
        "0-9-1 4.2.6.2",
        "body size 5, and a body frame of 6 octets",
    ),
)

PROPERTIES = (
    AuditRule(
        "user-id-other",
        _WARNING,
        "A message whose user-id is not the user of the connection, which RabbitMQ refuses to most",
        "RabbitMQ: validated user-id",
        "user-id 'root' on a connection of guest",
    ),
    AuditRule(
        "expiration-not-number",
        _WARNING,
        "An expiration that is no number of milliseconds, which RabbitMQ refuses",
        "RabbitMQ: time-to-live",
        "expiration '10s'",
    ),
    AuditRule(
        "delivery-mode-unknown",
        _INFO,
        "A delivery mode that is neither 1 nor 2",
        "basic.properties.delivery-mode",
        "delivery-mode 0",
    ),
    AuditRule(
        "priority-above-9",
        _INFO,
        "A priority above 9, the highest of the specification",
        "basic.properties.priority",
        "priority 200",
        (AMQP_1_0,),
    ),
    AuditRule(
        "timestamp-not-seconds",
        _INFO,
        "A timestamp after the year 2200, so most likely milliseconds, where seconds are meant",
        "basic.properties.timestamp",
        "timestamp 1767225600000",
    ),
)
