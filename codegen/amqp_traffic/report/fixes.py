"""What to do about a finding: a sentence for each rule that has advice of its own, and for each category of rules."""

from __future__ import annotations

from collections.abc import Mapping

from ..audit.catalogue import RULES
from ..audit.connection_frames import SERVER
from ..audit.finding import AuditFinding
from ..capture.stream_data import SIDES

_LIBRARY = "Update the client library. If the newest version does the same, report the frame to its authors"
_APPLICATION = "Correct the application"
_BROKER = "Report it to the vendor of the broker, with the frame; nothing is wrong with the client."
# What a broker passes on as it was published.
_PASSED_ON = frozenset(("text-not-utf8", "table-key-twice", "sections-out-of-order", "body-missing"))
_OF_PUBLISHER = "Look for the client that published it: the broker passes on what it gets."

# By the category of the rule.
_OF_CATEGORY: Mapping[str, str] = {
    "frames": f"{_LIBRARY}. Check first that no two threads write to one connection.",
    "arguments": f"{_LIBRARY}.",
    "content": f"{_LIBRARY}. Check first that no two threads publish on one channel.",
    "properties": f"{_APPLICATION}: it sets this property to a value that brokers refuse or do not understand.",
    "negotiation": "Correct the settings of the connection; the finding names the value.",
    "life": "Look at the log of the client and of the broker at that time: one of them names the cause.",
    "grammar": f"{_LIBRARY}. Check first that no two threads use one channel.",
    "channels": f"{_APPLICATION}: it uses the channel in a way that the protocol does not allow.",
    "settlement": f"{_APPLICATION}: acknowledge each message once, on the channel that delivered it.",
    "deprecated": "Remove the use before the broker is upgraded.",
    "topology": "Declare it in one place, or with the same settings everywhere.",
    "publishing": f"{_APPLICATION}: wait for confirms, and handle messages that are returned or refused.",
    "consuming": f"{_APPLICATION}: change how it takes messages from the queue.",
    "clients": "Keep connections and channels open, and use them again.",
    "1.0": f"{_LIBRARY}.",
    "to-rabbitmq-4.3": "Change it before the broker is upgraded.",
    "to-amqp-1.0": "Change it before the client moves to AMQP 1.0.",
}

_OF_RULE: Mapping[str, str] = {
    "stream-overlap": "Look for a proxy, firewall or network card that changes packets between client and broker.",
    "frame-above-max": "Split messages into frames of the negotiated frame-max: update the client library.",
    "text-not-utf8": "Encode names and short strings as UTF-8.",
    "assert-broken": "Give the argument a value that the specification allows; the finding names it.",
    "reserved-name": "Choose a name that does not begin with 'amq.'.",
    "delivery-tag-zero": "Acknowledge with the tag of the delivery; 0 means all only together with 'multiple'.",
    "table-key-twice": "Send each header or argument once.",
    "argument-refused": f"{_APPLICATION}: remove the argument, or give it a value that the finding allows.",
    "argument-ignored": "Remove the argument, or upgrade the broker to a version that knows it.",
    "argument-unknown": f"{_APPLICATION}: correct the name of the argument, or remove it.",
    "argument-newly-refused": "Remove the argument before the broker is upgraded, or give it a value that the finding allows.",
    "user-id-other": "Set user-id to the user of the connection, or leave it out.",
    "expiration-not-number": "Set expiration to a number of milliseconds, as a text.",
    "version-refused": "Configure the client for a version that the broker offers; HTTP and TLS have ports of their own.",
    "frame-max-too-small": "Set frame-max to at least 4096 octets.",
    "tune-ok-above-tune": "Lower frame-max and channel-max of the client to what the broker offers.",
    "mechanism-not-offered": "Enable the SASL mechanism on the broker, or choose one that it offers.",
    "login-refused": "Correct the user or the password of this client, or its permissions on the broker.",
    "heartbeat-late": "Look for long pauses of the process or the network, or raise the heartbeat interval.",
    "heartbeat-lost": "Check that the client serves heartbeats while it works, and that the network keeps idle connections.",
    "unclean-close": "Close connections before the process ends; if it does, look for crashes and for network failures.",
    "connection-closed-with-error": "Read the reply code and text of connection.close: they name the cause.",
    "channel-closed-with-error": "Read the reply code and text of channel.close: they name the cause.",
    "request-unanswered": "Look at the load and the log of the broker at that time.",
    "publish-after-close": "Stop publishing when the channel closes, and publish again what was not confirmed.",
    "tx-and-confirm": "Use either transactions or publisher confirms on a channel.",
    "tx-without-select": "Call tx.select before the first commit.",
    "flow-ignored": "Stop publishing between channel.flow with active=0 and active=1.",
    "consumer-tag-in-use": "Give each consumer of a channel its own tag, or leave it empty.",
    "queue-name-missing": "Name the queue.",
    "ack-not-wanted": "Consume without no-ack, or do not acknowledge.",
    "ack-on-other-channel": "Acknowledge on the channel that delivered the message.",
    "ack-settled-tag": "Acknowledge or reject each message once.",
    "ack-unknown-tag": "Acknowledge only tags that this channel delivered; forget old tags after a reconnect.",
    "transient-queue": "Declare the queue as durable, or as exclusive if only this connection uses it.",
    "global-qos": "Set the prefetch for each consumer: basic.qos with global=0.",
    "queue-mode": "Remove the argument x-queue-mode.",
    "queue-master-locator": "Use the argument x-queue-leader-locator, or the setting of the broker.",
    "queue-version-1": "Remove the argument x-queue-version, and declare the queue anew.",
    "cancel-on-ha-failover": "Remove the argument x-cancel-on-ha-failover: no queue is mirrored any more.",
    "mirrored-queue": "Use a quorum queue (x-queue-type=quorum) instead of a mirrored one.",
    "recover-without-requeue": "Call basic.recover with requeue=1.",
    "recover-async": "Call basic.recover instead of basic.recover-async.",
    "immediate-publish": "Remove the flag immediate.",
    "prefetch-size": "Limit the prefetch by a count of messages, not by octets.",
    "client-flow": "Limit deliveries by the prefetch, or cancel the consumer.",
    "old-version": "Update the client library to one that speaks 0-9-1.",
    "access-request": "Remove access.request: 0-9-1 has no such class.",
    "queue-declared-differently": "Declare the queue with the same settings in all clients.",
    "exchange-declared-differently": "Declare the exchange with the same settings in all clients.",
    "unroutable-publish": "Bind a queue for this routing key, or correct the routing key.",
    "confirm-missing": "Look at the load, alarms and disks of the broker; publish again what was not confirmed.",
    "confirm-refused": "Publish again; look for queues at their length limit.",
    "slow-confirm": "Look at the disks and the replication of the queues; publish several messages before waiting.",
    "polling-with-get": "Consume with basic.consume instead of polling with basic.get.",
    "requeue-loop": "Reject messages that cannot be processed without requeue, to a dead-letter exchange.",
    "reconnect-storm": "Wait longer before each new attempt, and find out why the connection ends.",
    "release-loop": "Accept or reject messages that cannot be processed, instead of releasing them again and again.",
    "channel-leak": "Close each channel after use, or use one channel again; look for error paths that do not close.",
    "transient-message": "Publish with delivery-mode 2 what has to survive a restart; else declare the queue as it is used.",
    "channel-churn": "Open a channel once, and use it again.",
    "error-condition-unknown": "Use an error condition that the specification defines.",
    "max-frame-size-too-small": "Set max-frame-size to at least 512 octets.",
    "idle-time-out-short": "Set idle-time-out to some seconds.",
    "session-ended-with-error": "Read the error of the end: it names the cause.",
    "link-detached-with-error": "Read the error of the detach: it names the cause.",
    "credit-exceeded": "Send only as many messages as the receiver has granted credit for: update the client library.",
    "message-too-large": "Send smaller messages, or raise max-message-size on the other side.",
    "body-missing": "Send each message with a body, even if it is empty.",
    "delivery-not-finished": "Finish or abort each delivery before the link ends.",
    "frame-max-below-8192": "Set frame-max to at least 8192 octets.",
    "message-above-16-mib": "Send smaller messages, or raise max_message_size of the broker.",
    "x-death-published": "Remove the header x-death before a message is published again.",
    "filter-not-described": "Send each filter as a described value, whose descriptor is its name or its number.",
    "address-of-version-1": "Use addresses of version 2: /queues/NAME, /exchanges/NAME/KEY.",
    "transactions-have-no-counterpart": "Use publisher confirms instead of transactions.",
    "recover-has-no-counterpart": "Reject or release each message instead of calling basic.recover.",
    "header-nested": "Send headers with simple values, or put the table into the body.",
    "header-decimal": "Send the number as a text, an integer or a double.",
    "cluster-id-has-no-counterpart": "Remove the property cluster-id.",
}


def fix_of(finding: AuditFinding) -> str:
    """Return what to do about a finding: a sentence, or several. What the broker does is told to its side."""
    if finding.culprit == SIDES[SERVER]:
        return _OF_PUBLISHER if finding.rule_id in _PASSED_ON else _BROKER
    return _OF_RULE.get(finding.rule_id) or _OF_CATEGORY.get(RULES[finding.rule_id].category, "")
