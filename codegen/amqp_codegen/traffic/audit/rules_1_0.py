"""The catalogue, fifth part: AMQP 1.0. Rules that are about 0-x, too, stand with those of 0-x."""

from __future__ import annotations

from .rule import AuditRule, Severity

_INFO, _WARNING, _ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR

PERFORMATIVES_1_0 = (
    AuditRule(
        "descriptor-unknown",
        _ERROR,
        "A frame whose body is no performative that there is",
        "1.0 2.7",
        "a frame with the descriptor 0x1F",
    ),
    AuditRule(
        "performative-truncated",
        _ERROR,
        "A performative that ends before its length says so",
        "1.0 1.4",
        "begin whose list has 32 octets, in a frame with two",
    ),
    AuditRule(
        "performative-undecodable",
        _ERROR,
        "A performative that cannot be decoded for another reason, or which may not be shown",
        "1.0 2.7",
        "open with a number as container-id",
    ),
    AuditRule(
        "mandatory-missing",
        _ERROR,
        "A performative without a field that it has to have",
        "1.0 1.4",
        "begin without incoming-window",
    ),
    AuditRule(
        "field-type",
        _ERROR,
        "A field with a value of another type",
        "1.0 1.4",
        "attach with a string as handle",
    ),
    AuditRule(
        "too-many-fields",
        _ERROR,
        "A performative with more fields than it has",
        "1.0 1.4",
        "begin with nine fields",
    ),
    AuditRule(
        "payload-unexpected",
        _ERROR,
        "Octets after a performative that has no payload: only transfer has one",
        "1.0 2.3.2",
        "begin, and four octets after it",
    ),
    AuditRule(
        "error-condition-unknown",
        _WARNING,
        "An error condition that begins as those of the specification do, and is none of them",
        "1.0 2.8.15-2.8.18",
        "close with amqp:no-such-thing",
    ),
)

CONNECTION_1_0 = (
    AuditRule(
        "sasl-out-of-order",
        _ERROR,
        "A SASL frame after the login is over, or after open",
        "1.0 5.3.2",
        "sasl-init on an open connection",
    ),
    AuditRule(
        "open-after-refusal",
        _ERROR,
        "An open though the server has refused the login",
        "sasl-outcome.code",
        "open after sasl-outcome with code 1",
    ),
    AuditRule(
        "open-missing",
        _ERROR,
        "A frame from a side that has not sent open",
        "1.0 2.4.1",
        "begin as the first performative",
    ),
    AuditRule(
        "open-twice",
        _ERROR,
        "A second open from one side",
        "1.0 2.4.1",
        "open, begin, open",
    ),
    AuditRule(
        "open-on-channel",
        _ERROR,
        "An open on another channel than 0",
        "1.0 2.7.1",
        "open on channel 1",
    ),
    AuditRule(
        "max-frame-size-too-small",
        _ERROR,
        "A max-frame-size below the 512 octets that each side has to take",
        "open.max-frame-size",
        "open with max-frame-size 100",
    ),
    AuditRule(
        "idle-time-out-short",
        _WARNING,
        "An idle-time-out of less than half a second, which a busy peer or network does not keep",
        "open.idle-time-out",
        "open with idle-time-out 50",
    ),
)

SESSIONS_1_0 = (
    AuditRule(
        "begin-twice",
        _ERROR,
        "A begin on a channel whose session has not been ended",
        "1.0 2.5.1",
        "begin on channel 0, and begin on channel 0",
    ),
    AuditRule(
        "remote-channel-wrong",
        _ERROR,
        "A begin that answers one which there was not",
        "begin.remote-channel",
        "begin with remote-channel 7, where nobody has begun a session on channel 7",
    ),
    AuditRule(
        "session-unknown",
        _ERROR,
        "A performative on a channel where that side has no session, or has ended it",
        "1.0 2.5.3",
        "attach on channel 4 without begin",
    ),
    AuditRule(
        "session-ended-with-error",
        _WARNING,
        "A session that one side ended because of an error",
        "end.error",
        "end with amqp:session:window-violation",
    ),
    AuditRule(
        "end-not-answered",
        _INFO,
        "An end that was not answered before the connection was cut",
        "1.0 2.5.3",
        "end, then RST",
    ),
    AuditRule(
        "window-exceeded",
        _ERROR,
        "More transfers than the incoming-window of the other side ever allowed",
        "1.0 2.5.6",
        "six transfers after begin with incoming-window 5, without a flow",
    ),
    AuditRule(
        "next-incoming-id-missing",
        _WARNING,
        "A flow without next-incoming-id though the begin of the other side is there",
        "flow.next-incoming-id",
        "begin, begin, flow with incoming-window alone",
    ),
    AuditRule(
        "credit-without-link",
        _ERROR,
        "A flow about the session that has fields about a link",
        "flow.link-credit",
        "flow with link-credit 10, without a handle",
    ),
)

LINKS_1_0 = (
    AuditRule(
        "handle-in-use",
        _ERROR,
        "An attach with the handle of another link of that side",
        "1.0 2.7.3 attach.handle",
        "two attaches with handle 0",
    ),
    AuditRule(
        "handle-unknown",
        _ERROR,
        "A performative with a handle that no link of that side has, or has no more",
        "1.0 2.6.2",
        "transfer with handle 77",
    ),
    AuditRule(
        "handle-above-max",
        _ERROR,
        "A handle above the handle-max of the other side",
        "begin.handle-max",
        "attach with handle 8, handle-max is 7",
    ),
    AuditRule(
        "link-name-in-use",
        _ERROR,
        "An attach with the name of a link that this side has attached in the same session, in the same role",
        "1.0 2.6.1",
        "two attaches as sender of the name 'orders'",
    ),
    AuditRule(
        "delivery-count-missing",
        _ERROR,
        "An attach as sender without initial-delivery-count",
        "attach.initial-delivery-count",
        "attach with role=sender, and null there",
    ),
    AuditRule(
        "link-detached-with-error",
        _WARNING,
        "A link that one side detached because of an error",
        "detach.error",
        "detach with amqp:not-found",
    ),
    AuditRule(
        "detach-not-answered",
        _INFO,
        "A detach that was not answered before the connection was cut",
        "1.0 2.6.4",
        "detach, then RST",
    ),
    AuditRule(
        "credit-exceeded",
        _ERROR,
        "A delivery for which there is no credit, nor was any that has been taken back since",
        "1.0 2.6.7",
        "eleven deliveries after flow with link-credit 10",
    ),
    AuditRule(
        "transfer-from-receiver",
        _ERROR,
        "A transfer from the side that is the receiver of the link",
        "attach.role",
        "transfer from the client on a link that it attached with role=receiver",
    ),
)

DELIVERIES_1_0 = (
    AuditRule(
        "delivery-id-missing",
        _ERROR,
        "The first transfer of a delivery without delivery-id",
        "transfer.delivery-id",
        "transfer with a delivery-tag alone",
    ),
    AuditRule(
        "delivery-id-not-next",
        _WARNING,
        "A delivery-id that is not the one after the last in this session and direction, as brokers expect it",
        "transfer.delivery-id",
        "delivery-ids 0 and 5",
    ),
    AuditRule(
        "delivery-id-changed",
        _ERROR,
        "Another delivery-id or delivery-tag before the delivery under way is complete",
        "transfer.delivery-id, transfer.delivery-tag",
        "transfer with more=true of delivery 0, then transfer of delivery 3",
    ),
    AuditRule(
        "delivery-tag-missing",
        _ERROR,
        "The first transfer of a delivery without delivery-tag",
        "transfer.delivery-tag",
        "transfer with a delivery-id alone",
    ),
    AuditRule(
        "delivery-tag-too-long",
        _ERROR,
        "A delivery-tag of more than 32 octets",
        "type delivery-tag",
        "a delivery-tag of 33 octets",
    ),
    AuditRule(
        "delivery-not-finished",
        _WARNING,
        "A link or session that its sender ends in the middle of a delivery, instead of aborting that",
        "transfer.more, transfer.aborted",
        "transfer with more=true, then detach",
    ),
    AuditRule(
        "settle-mode-broken",
        _ERROR,
        "A delivery that is settled or not, against the snd-settle-mode of the link",
        "attach.snd-settle-mode",
        "settled=true on a link with snd-settle-mode unsettled",
    ),
    AuditRule(
        "settled-withdrawn",
        _WARNING,
        "A transfer with settled=false after one with settled=true in the same delivery",
        "transfer.settled",
        "two transfers of delivery 0, the first one is settled",
    ),
    AuditRule(
        "message-too-large",
        _ERROR,
        "A message larger than the other side takes on this link",
        "attach.max-message-size",
        "a message of 2,000 octets, max-message-size is 1,000",
    ),
    AuditRule(
        "sections-out-of-order",
        _ERROR,
        "A message whose sections are out of order, twice, cut off, or not readable",
        "1.0 3.2",
        "properties after data",
    ),
    AuditRule(
        "body-missing",
        _ERROR,
        "A message without a body",
        "1.0 3.2",
        "properties alone",
    ),
    AuditRule(
        "message-not-durable",
        _INFO,
        "Messages that a client sends without asking for durability: a broker may lose them when it stops",
        "header.durable",
        "a message without a header",
    ),
    AuditRule(
        "message-expires",
        _INFO,
        "Messages that a client sends with a time to live: a broker drops or dead-letters them later",
        "header.ttl",
        "a message with ttl 60,000",
    ),
    AuditRule(
        "disposition-range",
        _ERROR,
        "A disposition whose last delivery-id is before the first",
        "disposition.last",
        "disposition of 5 to 2",
    ),
    AuditRule(
        "disposition-unknown",
        _ERROR,
        "A disposition of deliveries that there never were",
        "disposition.first",
        "disposition of 999 after 10 deliveries",
    ),
    AuditRule(
        "disposition-wrong-role",
        _ERROR,
        "A disposition with the role of the other side: such deliveries there are, the other way",
        "disposition.role",
        "role=receiver for a delivery that this side has sent",
    ),
    AuditRule(
        "settled-twice",
        _WARNING,
        "A disposition that settles what the same side has settled before, and does nothing",
        "disposition.settled",
        "two dispositions of delivery 0 with settled=true",
    ),
)

RULES_1_0: tuple[AuditRule, ...] = (
    *PERFORMATIVES_1_0,
    *CONNECTION_1_0,
    *SESSIONS_1_0,
    *LINKS_1_0,
    *DELIVERIES_1_0,
)
