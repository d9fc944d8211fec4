"""The catalogue, second part: what happens on a connection of 0-x."""

from __future__ import annotations

from .rule import AuditRule, AuditSeverity

_INFO, _WARNING, _ERROR = AuditSeverity.INFO, AuditSeverity.WARNING, AuditSeverity.ERROR

NEGOTIATION = (
    AuditRule(
        "version-refused",
        _ERROR,
        "A protocol header that the server answers with another one",
        "0-9-1 4.2.2",
        "AMQP 0-10 to a broker that speaks 0-9-1",
    ),
    AuditRule(
        "header-of-old-spelling",
        _INFO,
        "A protocol header for one version, written as another one writes it",
        "0-9-1 4.2.2",
        "AMQP 1 1 9 1 instead of AMQP 0 0 9 1",
    ),
    AuditRule(
        "frame-max-too-small",
        _ERROR,
        "A frame-max below 4096 octets, which everybody has to accept",
        "connection.tune.frame-max/minimum, connection.tune-ok.frame-max/minimum",
        "tune-ok with frame-max 1024",
    ),
    AuditRule(
        "tune-ok-above-tune",
        _ERROR,
        "A client that asks for more than the server can do",
        "connection.tune-ok.frame-max/upper-limit, connection.tune-ok.channel-max/upper-limit",
        "tune with channel-max 2047, tune-ok with 65535",
    ),
    AuditRule(
        "mechanism-not-offered",
        _ERROR,
        "A SASL mechanism that the server did not offer",
        "connection.start-ok.mechanism/validity",
        "start with PLAIN AMQPLAIN, start-ok with EXTERNAL",
    ),
    AuditRule(
        "locale-not-offered",
        _INFO,
        "A locale that the server did not offer",
        "connection.start-ok.locale",
        "start with en_US, start-ok with de_DE",
    ),
    AuditRule(
        "locale-missing",
        _ERROR,
        "A server that does not offer the locale en_US",
        "connection.start.locales/required-support",
        "start with the locales de_DE",
    ),
    AuditRule(
        "client-properties-missing",
        _INFO,
        "A client that does not say its product and version, so that nobody can tell who it is",
        "connection.start-ok.client-properties/required-fields",
        "start-ok without client properties",
    ),
    AuditRule(
        "server-properties-missing",
        _INFO,
        "A server that does not say its product and version",
        "connection.start.server-properties/required-fields",
        "start without server properties",
    ),
    AuditRule(
        "credentials-in-clear",
        _INFO,
        "A password that was sent without TLS: who can capture, can read it",
        "RFC 4616 6",
        "start-ok with mechanism PLAIN",
    ),
    AuditRule(
        "guest-from-afar",
        _INFO,
        "The default user guest from another machine, which RabbitMQ refuses unless told otherwise",
        "RabbitMQ: access control",
        "user guest from 10.0.0.7",
    ),
    AuditRule(
        "login-refused",
        _WARNING,
        "A login that the server refused",
        "connection.start-ok.mechanism/security",
        "connection.close 403 after start-ok",
    ),
    AuditRule(
        "heartbeat-disabled",
        _INFO,
        "Heartbeats were agreed to be off: a peer that vanished is noticed late",
        "connection.tune-ok.heartbeat",
        "tune-ok with heartbeat 0",
    ),
)

LIFE = (
    AuditRule(
        "heartbeat-late",
        _WARNING,
        "A side that sent nothing for more than twice the time it had agreed on, and then went on",
        "0-9-1 4.2.7",
        "heartbeat 10, and nothing for 31 seconds",
    ),
    AuditRule(
        "heartbeat-lost",
        _WARNING,
        "A side that sent nothing more until the connection was broken off",
        "0-9-1 4.2.7",
        "heartbeat 10, nothing for 25 seconds, then RST",
    ),
    AuditRule(
        "unclean-close",
        _WARNING,
        "A connection that ended without connection.close",
        "0-9-1 2.2.4, connection.close",
        "FIN in the middle of everything",
    ),
    AuditRule(
        "close-not-answered",
        _INFO,
        "A connection.close or channel.close that was not answered before the connection ended",
        "connection.close-ok, channel.close-ok",
        "connection.close, FIN",
    ),
    AuditRule(
        "connection-closed-with-error",
        _WARNING,
        "A connection that one side closed because of an error",
        "connection.close.reply-code",
        "connection.close 505 UNEXPECTED_FRAME",
    ),
    AuditRule(
        "connection-forced",
        _INFO,
        "A connection that an operator closed",
        "constant connection-forced",
        "connection.close 320",
    ),
    AuditRule(
        "channel-closed-with-error",
        _WARNING,
        "A channel that one side closed because of an error",
        "channel.close.reply-code",
        "channel.close 406 PRECONDITION_FAILED",
    ),
    AuditRule(
        "passive-declare-failed",
        _INFO,
        "A channel that was closed because something that was only asked for does not exist",
        "queue.declare.passive, exchange.declare.passive",
        "queue.declare with passive, channel.close 404",
    ),
    AuditRule(
        "close-code-unknown",
        _WARNING,
        "A reply code that the version does not have",
        "0-9-1 constants",
        "channel.close 999",
    ),
    AuditRule(
        "request-unanswered",
        _WARNING,
        "A request that was not answered within 5 seconds, nor ever until the connection ended",
        "0-9-1 2.1.2, synchronous methods",
        "queue.declare, then nothing",
    ),
    AuditRule(
        "published-while-blocked",
        _INFO,
        "Messages that were published while the server had blocked the connection: they wait in the network",
        "connection.blocked",
        "connection.blocked, basic.publish",
    ),
)

GRAMMAR = (
    AuditRule(
        "wrong-channel",
        _ERROR,
        "A method of class connection on a channel, or another one on channel 0",
        "0-9-1 2.2.4",
        "basic.publish on channel 0",
    ),
    AuditRule(
        "wrong-direction",
        _ERROR,
        "A method that only the other side may send",
        "chassis of the method",
        "basic.deliver from a client",
    ),
    AuditRule(
        "not-open",
        _ERROR,
        "A method before the channel or the connection is open",
        "channel.open/state, 0-9-1 2.2.4",
        "basic.publish on a channel that nobody opened",
    ),
    AuditRule(
        "after-close",
        _ERROR,
        "A frame from a side that has closed the channel or the connection",
        "connection.close/stability, channel.close/stability",
        "channel.close, queue.declare",
    ),
    AuditRule(
        "publish-after-close",
        _ERROR,
        "Messages published on a channel that is closed, which are lost",
        "channel.close/stability",
        "channel.close, channel.close-ok, basic.publish",
    ),
    AuditRule(
        "reply-without-request",
        _ERROR,
        "A reply to nothing that was asked, or a second one",
        "0-9-1 class grammar",
        "queue.declare-ok twice after one queue.declare",
    ),
    AuditRule(
        "out-of-order",
        _ERROR,
        "A method that is not one of those that may come next",
        "0-9-1 class grammar",
        "connection.open before tune-ok",
    ),
    AuditRule(
        "channel-opened-twice",
        _ERROR,
        "A channel.open on a channel that is open",
        "channel.open/state",
        "channel.open, channel.open",
    ),
    AuditRule(
        "requests-pipelined",
        _INFO,
        "A synchronous request while the one before has no reply yet, which not every broker takes",
        "0-9-1 2.1.2, synchronous methods",
        "queue.declare, queue.bind, queue.declare-ok",
    ),
)
