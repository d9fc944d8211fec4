"""The errors that the audit finds are certain, whatever a capture lacks: none in legal traffic, and none but the real ones in wrong
traffic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from ..messages.method_script import Step, client, publish, server
from . import cases_conversation
from .audited_methods import FIN, audit_capture, capture_of, handshake, method, packets_of, ready
from .correct_connection import file_of
from .damaged_captures import Imperfection, errors_in, fleet_rows, legal_traffic, wrong_traffic

DOCUMENT = Path(__file__).parents[3] / "docs" / "traffic-audit.md"
BEGIN, END = (
    "<!-- The table is made by tests/traffic/audit/test_certainty.py -->\n",
    "<!-- End of the table -->\n",
)
SIDES = {"both sides": None, "only the client": 0, "only the server": 1}
ROWS: Mapping[str, Imperfection] = {
    "nothing": Imperfection(),
    "1 % of the packets": Imperfection(loss=0.01),
    "5 % of the packets": Imperfection(loss=0.05),
    "30 % of the packets": Imperfection(loss=0.3),
    "the order of 10 % of the packets; 10 % are there twice": Imperfection(reorder=0.1),
    "what is beyond 256 octets of a packet": Imperfection(snaplen=256),
    "what is beyond 96 octets of a packet": Imperfection(snaplen=96),
    "5 %, the order of 10 %, what is beyond 256 octets": Imperfection(0.05, 0.1, 256),
}
_SEED = 1


@cache
def _wrong_errors() -> frozenset[tuple[str, str]]:
    return frozenset(errors_in(wrong_traffic()))


@cache
def _found(imperfection: Imperfection) -> frozenset[tuple[str, str]]:
    return frozenset(errors_in(imperfection.of(wrong_traffic(), _SEED)))


def test_wrong_traffic_has_many_errors() -> None:
    assert len({rule for rule, _ in _wrong_errors()}) > 60


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("lacking", ROWS)
def test_errors_are_certain(lacking: str, side: str) -> None:
    imperfection = replace(ROWS[lacking], side=SIDES[side])
    assert errors_in(imperfection.of(legal_traffic(_SEED), _SEED)) == set()
    assert _found(imperfection) - _wrong_errors() == set()


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 6))
def test_errors_are_certain_whatever_comes_together(seed: int) -> None:
    for values in product((0.0, 0.01, 0.05, 0.3), (0.0, 0.1), (0, 256, 96), SIDES.values()):
        imperfection = Imperfection(*values)
        assert errors_in(imperfection.of(legal_traffic(seed), seed)) == set(), imperfection
        assert errors_in(imperfection.of(wrong_traffic(), seed)) <= _wrong_errors(), imperfection


def _table() -> str:
    """How many of the errors in wrong traffic are found."""
    lines = [f"| the capture lacks | {' | '.join(SIDES)} |", f"| --- |{' --- |' * len(SIDES)}"]
    for lacking, imperfection in ROWS.items():
        counts = (len(_found(replace(imperfection, side=side))) for side in SIDES.values())
        cells = (f"{count} of {len(_wrong_errors())}" for count in counts)
        lines.append(f"| {lacking} | {' | '.join(cells)} |")
    return "".join(f"{line}\n" for line in lines)


def test_the_documentation_has_the_table() -> None:
    _, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    table, end, _ = rest.partition(END)
    assert end and table.strip("\n") == _table().strip("\n")


# --- Where frames are missing, rules are named as in the whole capture


def _rules(capture: bytes) -> set[str]:
    return {finding.rule_id for finding in audit_capture(capture)}


def _close(name: str, code: int, class_id: int = 0, method_id: int = 0, channel: int = 1) -> Step:
    return server(name, channel, reply_code=code, reply_text="text", class_id=class_id, method_id=method_id)


def test_a_refused_login_whose_beginning_is_too_large_for_the_capture() -> None:
    """Packets cut to 256 octets lack start and start-ok; the close that refuses the login is there."""
    large = {"product": "p" * 300, "version": "1"}
    begun = handshake(start={"server_properties": large}, start_ok={"client_properties": large})[:3]
    steps = [*begun, _close("connection.close", 403, channel=0), client("connection.close-ok", 0), FIN]
    whole = capture_of(steps)
    for capture in (whole, Imperfection(snaplen=256).of(whole, 1)):
        assert "login-refused" in _rules(capture)
        assert "connection-closed-with-error" not in _rules(capture)


def test_a_passive_declaration_that_was_not_captured() -> None:
    steps = ready(
        client("queue.declare", queue="q", passive=True),
        _close("channel.close", 404, 50, 10),
        client("channel.close-ok"),
    )
    packets = packets_of(steps)
    at = next(
        place for place, (_, octets) in enumerate(packets) if b"\0\x32\0\x0a" in octets
    )  # queue.declare
    for kept in (packets, packets[:at] + packets[at + 1 :]):
        assert "passive-declare-failed" in _rules(file_of(kept))
        assert "channel-closed-with-error" not in _rules(file_of(kept))


def test_an_acknowledgement_where_another_channel_is_not_known() -> None:
    """It may be of a message that was delivered there."""
    packets = packets_of(cases_conversation.CASES["ack-on-other-channel"].wrong)
    assert "ack-on-other-channel" in _rules(file_of(packets))
    at = next(
        place for place, (_, octets) in enumerate(packets) if b"\0\x3c\0\x3c" in octets
    )  # basic.deliver
    found = _rules(file_of(packets[:at] + packets[at + 1 :]))
    assert not {"ack-on-other-channel", "ack-unknown-tag"} & found


@pytest.mark.parametrize(
    ("rule", "asked", "then"),
    [
        ("published-unconfirmed", client("confirm.select"), publish(properties={"delivery_mode": 2})),
        ("prefetch-unlimited", client("basic.qos", prefetch_count=1), [client("basic.consume", queue="q")]),
    ],
)
def test_a_setting_of_a_channel_that_was_not_captured(rule: str, asked: Step, then: list[Step]) -> None:
    packets = packets_of(ready(asked, *then))
    at = next(place for place, (_, octets) in enumerate(packets) if octets.endswith(asked[1]))  # type: ignore[arg-type]
    for kept, is_named in ((packets_of(ready(*then)), True), (packets[:at] + packets[at + 1 :], False)):
        assert (rule in {row["rule_id"] for row in fleet_rows(file_of(kept))}) is is_named


def test_arguments_where_0_9_may_be_spoken() -> None:
    """Its connection.start is that of 0-9-1, but its tickets are the reserved fields of 0-9-1."""
    packets = packets_of(ready(method(50, 10, b"\0\7\1q\2\0\0\0\0")))
    assert "reserved-not-zero" in _rules(file_of(packets))
    at = next(place for place, (_, octets) in enumerate(packets) if octets.endswith(b"AMQP\0\0\x09\1"))
    assert "reserved-not-zero" not in _rules(file_of(packets[:at] + packets[at + 1 :]))


if __name__ == "__main__":
    before, _, following = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    DOCUMENT.write_text(f"{before}{BEGIN}\n{_table()}\n{END}{following.partition(END)[2]}", encoding="utf-8")
