"""Drivers about links that are resumed, on a peer that keeps the rules, and on one that breaks just the one they are about."""

from __future__ import annotations

import amqp_1_0 as amqp
import pytest
from amqp_conformance.amqp1.broker import Broker
from amqp_conformance.amqp1.connection import QUIET, LiveConnection
from amqp_conformance.amqp1.frames import Frame
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import TrialSetting
from amqp_conformance.engine.run_result import NotTestable

from tests.patience import PATIENCE

from .fake_memory import FakeMemory
from .fake_peer import FakePeer, running
from .test_misbehaving_peer import drivers, violation

# The rule, what the peer does wrong, and what the driver says of it.
FAULTS = [
    ("attach/recover-link", "forgets everything", "expected a source with the address"),
    ("attach.unsettled/sent-with-terminus", "sends no map", "the tag b'0' in the map"),
    ("attach.unsettled/compare-states", "resumes without the flag", "expected message 0 resumed"),
    ("attach.unsettled/compare-states", "resumes what is unknown", "expected message 1 as a new delivery"),
    ("attach.unsettled/compare-states", "drops what is unknown", "nothing comes"),
    ("attach.unsettled/prefer-incomplete", "says that a map is complete", "with incomplete-unsettled"),
    ("attach.incomplete-unsettled/absence-proves-nothing", "takes all maps as complete", "the tag b'1' in the map"),
    ("attach.incomplete-unsettled/no-new-deliveries", "sends new messages at once", "transfers with resume only"),
    ("attach.incomplete-unsettled/both-maps-complete", "takes all maps as complete", "transfers with resume only"),
    ("attach.incomplete-unsettled/reattach-first", "sends new messages at once", "transfers with resume only"),
    ("transfer/resume-common", "resumes nothing", "expected a transfer with resume"),
    ("transfer.resume/set-when-resuming", "resumes without the flag", "expected a transfer with resume"),
    ("delivery-state/resend-known-is-resumed", "changes tags", "expected one of the tags"),
    ("delivery-state/resend-known-without-data", "leaves out the end", "expected"),
    ("received.section-offset/zero-means-nothing", "leaves out the end", "expected"),
    ("delivery-state/resend-unknown", "drops what is unknown", "nothing comes"),
    ("delivery-state/resend-is-not-resumed", "resumes what is unknown", "a transfer without resume"),
    ("transfer/target-only-sender", "resumes made-up tags", "no delivery with the tag"),
    ("transfer.resume/only-from-map", "resumes made-up tags", "no delivery with the tag"),
    ("transfer.resume/ignore-unknown-resumed", "takes what is resumed", "expected no message"),
    ("transfer.delivery-id/none-until-resumed", "applies former ids", "the tag b'0' in the map"),
    ("delivery-state/resume-to-settle", "resumes without the flag", "expected a transfer with resume"),
    ("delivery-state/resume-to-settle", "changes tags", "expected the tag b'0'"),
    ("delivery-state/state-at-source", "resumes without a state", "expected a transfer with a state"),
    ("terminus-expiry-policy.link-detach/starts", "never forgets", "no source, as its time is up"),
    ("terminus-expiry-policy.session-end/starts", "never forgets", "no source, as its time is up"),
    ("terminus-expiry-policy.connection-close/starts", "never forgets", "no source, as its time is up"),
    ("terminus-expiry-policy.connection-close/starts", "forgets with the session", "got none"),
    ("terminus-expiry-policy.never/stays", "forgets with the connection", "got none"),
    ("terminus-expiry-policy/reattach-stops-timer", "lets the timer run", "got none"),
    ("terminus-expiry-policy/timer-starts-anew", "lets the timer run", "got none"),
    ("terminus-expiry-policy/timer-starts-anew", "never forgets", "no source, as its time is up"),
    ("terminus-durability.none/forgotten", "keeps all over a restart", "no source, as its time is up"),
    ("terminus-durability.configuration/terminus-survives", "forgets all at a restart", "got none"),
    ("terminus-durability.unsettled-state/state-survives", "loses unsettled state", "the tag b'0' in the map"),
    ("delivery-state/default-outcome-applies", "releases always", "expected no message"),
]  # fmt: skip
RULES = sorted({path for path, _, _ in FAULTS})
# These do not ask the peer to resume a link.
_WITHOUT_RESUMPTION = (
    "attach/recover-link",
    "delivery-state/default-outcome-applies",
    "transfer.resume/ignore-unknown-resumed",
)


def drive(path: str, peer: FakePeer, memory: FakeMemory | None = None, patience: float = PATIENCE) -> None:
    """Runs the driver of a rule; it can restart the peer, and when it waits, time passes on the peer's clock alone."""
    memory = memory or FakeMemory()
    listen = LiveConnection.listen

    def listen_without_waiting(connection: LiveConnection, seconds: float = QUIET) -> list[Frame]:
        memory.now += seconds
        return listen(connection, seconds if seconds <= QUIET else 0)

    broker = Broker(
        TrialSetting(read_target(peer.url), amqp, lambda: memory.restart(peer), patience=patience)
    )
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(LiveConnection, "listen", listen_without_waiting)
            drivers()[path].function(broker)
    finally:
        broker.close_sockets()


def test_every_driver_is_tried() -> None:
    modules = ("resumption", "terminus_expiry")
    of_resumption = {
        path for path, driver in drivers().items() if driver.function.__module__.rpartition(".")[2] in modules
    }
    assert of_resumption == set(RULES)


@pytest.mark.parametrize("path", RULES)
def test_a_rule_that_is_kept(path: str) -> None:
    memory = FakeMemory()
    with running(**memory.answers) as peer:
        drive(path, peer, memory)


@pytest.mark.parametrize(("path", "fault", "says"), FAULTS)
def test_a_rule_that_is_broken(path: str, fault: str, says: str) -> None:
    def trial(patience: float) -> None:
        memory = FakeMemory(fault)
        with running(**memory.answers) as peer:
            drive(path, peer, memory, patience)

    assert says in violation(says, trial)


@pytest.mark.parametrize("path", [path for path in RULES if path not in _WITHOUT_RESUMPTION])
def test_a_peer_that_forgets_links_is_not_tried(path: str) -> None:
    with running() as peer, pytest.raises(NotTestable, match="the peer does not resume links"):
        drive(path, peer)
