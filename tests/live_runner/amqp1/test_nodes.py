"""Queues are made as the peer wants it: by management, for an attach, or over 0-9-1; and they are deleted."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import amqp_0_9_1_rabbitmq as amqp0
import pytest
from amqp_1_0.performatives import AmqpError, End, Error, Open
from amqp_1_0.types import Symbol
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.run_result import RunResult, Verdict

from tests.cli.command_calls import call

from ..fake_broker import FakeBroker, fake_broker
from ..patience import patiently
from .fake_peer import Conversation, FakePeer, on_header, running
from .managed_peer import LINK_PAIR, Management, managed_peer

# They attach to a queue, send a message through one, and attach to what does not exist.
RULES = ("attach/create-terminus", "accepted/delivery-count-kept", "detach/error-detaches")
PASSED = dict.fromkeys(RULES, Verdict.PASSED)


def try_rules(url: str, *paths: str, timeout: float) -> RunResult:
    check = prepare(RunRequest(read_target(url), "1.0", timeout=timeout))
    plan = tuple(trial for trial in check.plan if trial.rule.path in paths)
    return carry_out(replace(check, plan=plan))


def verdicts(run: RunResult) -> dict[str, Verdict]:
    return {result.rule.path: result.verdict for result in run.results}


@patiently
def test_queues_by_management(timeout: float) -> None:
    management = Management()
    with managed_peer(management) as peer:
        run = try_rules(peer.url, *RULES, timeout=timeout)
    assert (verdicts(run), run.remarks) == (PASSED, ())
    assert management.addresses == set()
    declared = {path for method, path in management.requests if method == "PUT"}
    assert len(declared) == 3  # to see whether that is permitted, and for two of the rules
    assert all(path.startswith("/queues/amqp-codegen.") for path in declared)
    assert declared <= {path for method, path in management.requests if method == "DELETE"}
    assert [method for method, _ in management.requests].count("GET") == 1  # asked once a run


@patiently
def test_a_queue_is_deleted_under_a_link(timeout: float) -> None:
    """The peer, which does not look at its links then, breaks the rule."""
    with managed_peer(Management()) as peer:
        (result,) = try_rules(peer.url, "detach/announce-unmapping", timeout=timeout).results
    assert (result.verdict, result.detail) == (Verdict.FAILED, "expected detach, nothing comes")


TEXT = "configure access refused"


@pytest.mark.parametrize(
    ("refusal", "says"),
    [
        (("403", TEXT), f"{TEXT} (status 403)"),
        (End(Error(AmqpError.UNAUTHORIZED_ACCESS, TEXT)), f"end(error=amqp:unauthorized-access '{TEXT}')"),
    ],
)
def test_a_user_who_may_not_declare_by_management(refusal: tuple[str, str] | End, says: str) -> None:
    with managed_peer(Management(refusal)) as peer:
        result = call("conformance", peer.url, "--spec", "1.0", "--rules", "open.*")
    assert (result.code, result.out) == (2, [])
    assert f"does not let guest declare queues: {says} (rules need" in result.err[0]


@patiently
def test_what_the_management_cannot_declare(timeout: float) -> None:
    with managed_peer(Management(refusal=("400", "no more queues"))) as peer:
        (result,) = try_rules(peer.url, "accepted/delivery-count-kept", timeout=timeout).results
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.detail.startswith("set-up: expected the queue amqp-codegen.queue.")
    assert result.detail.endswith(" to be declared, got no more queues (status 400)")


def offer_pairs(conversation: Conversation, channel: int, opening: Open, payload: bytes) -> None:
    conversation.frame_size = opening.max_frame_size
    conversation.say(Open("fake", max_frame_size=4096, offered_capabilities=[Symbol(LINK_PAIR)]))


@patiently
def test_pairs_of_links_without_a_node_for_management(timeout: float) -> None:
    with running(open=offer_pairs) as peer:
        run = try_rules(peer.url, *RULES, timeout=timeout)
    assert verdicts(run) == PASSED


# --- over 0-9-1 ---


@contextmanager
def both_versions() -> Iterator[tuple[FakePeer, FakeBroker]]:
    """A peer that creates nothing for an attach, and the broker of 0-9-1 that has its queues, on one port."""
    with fake_broker() as broker:

        def header(conversation: Conversation, channel: int, octets: bytes, payload: bytes) -> None:
            if octets == amqp0.PROTOCOL_HEADER:
                relay(conversation.socket, broker.port, octets)
            else:
                on_header(conversation, channel, octets, payload)

        with running(header=header) as peer:
            peer.knows = lambda address: address in broker.queues
            yield peer, broker


def relay(client: socket.socket, port: int, begin: bytes) -> None:
    """Passes octets on in both directions, until one side closes its socket."""

    def copy(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while octets := source.recv(1 << 16):
                sink.sendall(octets)
            sink.shutdown(socket.SHUT_RDWR)

    with socket.create_connection(("127.0.0.1", port)) as server:
        server.sendall(begin)
        back = threading.Thread(target=copy, args=(server, client), daemon=True)
        back.start()
        copy(client, server)
        back.join()


@patiently
def test_queues_over_0_9_1(timeout: float) -> None:
    with both_versions() as (peer, broker):
        run = try_rules(peer.url, *RULES, timeout=timeout)
        declared = [frame for frame in broker.came if isinstance(frame, amqp0.methods.QueueDeclare)]
        assert (verdicts(run), run.remarks, broker.queues) == (PASSED, (), set())
    assert {(method.durable, method.exclusive) for method in declared if ".queue." in method.queue} == {
        (True, False)
    }
