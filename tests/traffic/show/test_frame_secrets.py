"""Frames that are shown: secrets are replaced, everything else stays octet for octet."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
import pytest
from amqp_traffic.frames.formats import FrameSpan
from amqp_traffic.show.frame_secrets import FrameSecrets

messaging, performatives = amqp.messaging, amqp.performatives
TRANSFER = performatives.Transfer(0, 0, b"t", 0)


def shown(secrets: FrameSecrets, performative: Any, payload: bytes = b"") -> bytes:
    octets = performative.encode() + payload
    span = FrameSpan(0, 8 + len(octets), 0, 0, octets, 1, 0, 0)
    redacted = secrets.redacted(0, span, "amqp_1_0", "")
    assert (redacted is span) == (redacted.payload == octets)
    return redacted.payload


@pytest.mark.parametrize("count", [1, 300, 20_000])
def test_messages_without_secrets_stay(count: int) -> None:
    """Also those with more sections than are read."""
    message = messaging.ApplicationProperties({"a": "b"}).encode() + count * messaging.Data(b"x").encode()
    assert shown(FrameSecrets(), TRANSFER, message).endswith(message)


@pytest.mark.parametrize("count", [1, 300])
def test_a_footer_with_a_secret(count: int) -> None:
    body = count * messaging.Data(b"x").encode()
    payload = shown(
        FrameSecrets(), TRANSFER, body + messaging.Footer({amqp.Symbol("token"): "sw0rdfish"}).encode()
    )
    assert b"sw0rdfish" not in payload and b"[redacted]" in payload


def test_a_link_whose_attach_was_lost() -> None:
    """Where there is a link to $cbs, one of which nothing is known may be another."""
    secrets = FrameSecrets()
    message = messaging.AmqpValue("sw0rdfish").encode()
    assert b"sw0rdfish" in shown(secrets, TRANSFER, message)
    target = messaging.Target(address="$cbs")
    shown(secrets, performatives.Attach("n", 9, performatives.Role.SENDER, target=target))
    assert b"sw0rdfish" not in shown(secrets, TRANSFER, message)
    shown(
        secrets, performatives.Attach("m", 0, performatives.Role.SENDER, target=messaging.Target(address="q"))
    )
    assert b"sw0rdfish" in shown(secrets, TRANSFER, message)
