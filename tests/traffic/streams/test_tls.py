"""What is in TLS, from records that are made octet by octet: whatever both sides do, and whatever is lost."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("cryptography", reason="needs cryptography: the extra tls")

from amqp_traffic.capture.quarantine import Quarantine, Reason
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.frames.unwrapping import Unwrapping
from amqp_traffic.streams.tls.key_log import KeyLog

from ..made_tls import SUITES, MadeTls, Sent

CLIENT, SERVER = Direction
OF_1_3 = [suite for suite in SUITES if suite >> 8 == 0x13]
OF_1_2 = [suite for suite in SUITES if suite >> 8 != 0x13]


def key_log(lines: Iterable[str], folder: Path) -> KeyLog:
    file = folder / "keys"
    file.write_text("".join(f"{line}\n" for line in lines))
    return KeyLog(file)


class Within:
    """What comes out of TLS, piece by piece."""

    def __init__(self, keys: KeyLog) -> None:
        self.quarantine = Quarantine()
        self.unwrapping = Unwrapping(1, self.quarantine, keys)
        self.pieces: list[list[StreamPiece]] = [[], []]
        self.offsets = [0, 0]
        self._head = b""
        self._waiting: list[tuple[Direction, StreamPiece]] = []
        self._packet = 0

    def take(self, direction: Direction, data: bytes, gap: int = 0) -> None:
        self._packet += 1
        piece = StreamPiece(data, self.offsets[direction], gap, self._packet, 0, self._packet)
        self.offsets[direction] += len(data) + gap
        if self.unwrapping.wrappers:
            self._add(self.unwrapping.unwrap(0, direction, piece))
            return
        self._waiting.append((direction, piece))
        if direction is CLIENT:
            self._head += data
            if self.unwrapping.add(CLIENT, self._head):
                for side, waiting in self._waiting:
                    self._add(self.unwrapping.unwrap(0, side, waiting))

    def _add(self, found: Iterable[tuple[int, Direction, StreamPiece]]) -> None:
        for depth, direction, piece in found:
            assert depth == 1
            before = self.pieces[direction][-1:]
            assert piece.offset == sum(len(it.data) + it.gap for it in self.pieces[direction])
            assert not before or before[0].packet_no <= piece.packet_no
            self.pieces[direction].append(piece)

    def finish(self) -> Within:
        self._add(self.unwrapping.finish())
        for direction in Direction:
            inner = self.unwrapping.wrappers[0].inner[direction]
            assert inner.outer_length == self.offsets[direction]
            left_out = [row for row in self.quarantine.rows if row.direction is direction]
            assert sum(row.length for row in left_out) == inner.skipped
            places = [(row.stream_offset or 0, row.length) for row in left_out]
            assert all(begin + size <= following for (begin, size), (following, _) in pairwise(places))
        return self

    def data(self, direction: Direction) -> bytes:
        return b"".join(piece.data for piece in self.pieces[direction])

    @property
    def reasons(self) -> set[str]:
        return {row.reason.value for row in self.quarantine.rows}


def within(sent: Sent, keys: KeyLog, size: int = 1400) -> Within:
    """What is within, in segments of at most so many octets."""
    found = Within(keys)
    for direction, octets in sent:
        for at in range(0, len(octets), size):
            found.take(direction, octets[at : at + size])
    return found.finish()


def talk(tls: MadeTls, turns: int = 6) -> tuple[Sent, list[bytes]]:
    """A conversation, and what both sides say."""
    chance, said = Random(tls.seed), [tls.early if tls.takes_early and not tls.retries else b"", b""]
    sent = tls.handshake()
    for turn in range(turns):
        direction = Direction(turn % 2)
        data = chance.randbytes(chance.choice((1, 60, 3000)))
        said[direction] += data
        sent += tls.data(direction, data)
    return sent, said


def check(tls: MadeTls, sent: Sent, said: list[bytes], folder: Path, size: int = 1400) -> Within:
    found = within(sent, key_log(tls.key_log, folder), size)
    assert [found.data(direction) for direction in Direction] == said
    assert not found.quarantine.rows
    facts = found.unwrapping.tls
    assert facts is not None and (facts.version, facts.server_name) == (tls.version, "broker.example")
    return found


@pytest.mark.parametrize("size", [1, 7, 1400])
@pytest.mark.parametrize("suite", SUITES)
def test_each_cipher(suite: int, size: int, tmp_path: Path) -> None:
    tls = MadeTls("1.3" if suite in OF_1_3 else "1.2", suite, padding=suite % 3, most=700)
    check(tls, *talk(tls), tmp_path, size)


@pytest.mark.parametrize("suite", [0xC013, 0xC027, 0xC028])
def test_encrypt_then_mac(suite: int, tmp_path: Path) -> None:
    tls = MadeTls("1.2", suite, encrypts_then_macs=True, padding=2)
    check(tls, *talk(tls), tmp_path)


@pytest.mark.parametrize("most", [1, 50, 1 << 14])
@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_messages_in_parts_or_together(version: str, most: int, tmp_path: Path) -> None:
    tls = MadeTls(version, 0x1301 if version == "1.3" else 0x009C, most=most, coalesces=True)
    check(tls, *talk(tls), tmp_path)


@pytest.mark.parametrize("retries", [False, True])
@pytest.mark.parametrize("takes_early", [False, True])
def test_early_data(takes_early: bool, retries: bool, tmp_path: Path) -> None:
    tls = MadeTls(early=b"early " * 500, takes_early=takes_early, retries=retries)
    check(tls, *talk(tls), tmp_path)


@pytest.mark.parametrize("takes_early", [False, True])
def test_early_data_without_its_key(takes_early: bool, tmp_path: Path) -> None:
    tls = MadeTls(early=b"early", takes_early=takes_early)
    sent, said = talk(tls)
    found = within(sent, key_log((line for line in tls.key_log if "EARLY" not in line), tmp_path))
    assert found.data(CLIENT) == said[CLIENT].removeprefix(b"early") and found.data(SERVER) == said[SERVER]
    assert found.reasons == ({"tls"} if takes_early else set())


def test_hello_retry_request(tmp_path: Path) -> None:
    tls = MadeTls(retries=True)
    check(tls, *talk(tls), tmp_path)


def test_keys_are_updated(tmp_path: Path) -> None:
    tls = MadeTls(suite=0x1302)
    sent, said = talk(tls)
    for turn in range(6):
        direction = Direction(turn % 3 == 0)
        sent += tls.update_keys(direction) + tls.data(direction, b"after %d" % turn)
        said[direction] += b"after %d" % turn
    check(tls, sent + tls.alert(CLIENT), said, tmp_path)


@pytest.mark.parametrize("suite", OF_1_2)
def test_renegotiation(suite: int, tmp_path: Path) -> None:
    tls = MadeTls("1.2", suite)
    sent, said = talk(tls)
    for turn in range(2):
        sent += tls.renegotiate() + tls.data(CLIENT, b"after %d" % turn) + tls.data(SERVER, b"answer")
        said = [said[0] + b"after %d" % turn, said[1] + b"answer"]
    check(tls, sent + tls.alert(SERVER), said, tmp_path)


def test_the_server_is_heard_later(tmp_path: Path) -> None:
    """Another order of packets between the sides than that in which they speak."""
    for version in ("1.2", "1.3"):
        tls = MadeTls(
            version, 0x1301 if version == "1.3" else 0x009C, early=b"x" if version == "1.3" else b""
        )
        sent, said = talk(tls)
        order = sorted(sent, key=lambda pair: pair[0])
        found = within(order, key_log(tls.key_log, tmp_path))
        assert [found.data(direction) for direction in Direction] == said


def test_after_the_header_of_tls(tmp_path: Path) -> None:
    header = b"AMQP\x02\x01\x00\x00"
    for size in (1, 1400):
        tls = MadeTls()
        sent, said = talk(tls)
        check(tls, [(CLIENT, header), (SERVER, header), *sent], said, tmp_path, size)


# --- Keys


@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_a_wrong_key(version: str, tmp_path: Path) -> None:
    tls = MadeTls(version, 0x1301 if version == "1.3" else 0xC027)
    sent, _ = talk(tls)
    wrong = [" ".join((*line.split()[:2], "00" * (len(line.split()[2]) // 2))) for line in tls.key_log]
    found = within(sent, key_log(wrong, tmp_path))
    assert not found.data(CLIENT) and not found.data(SERVER)
    assert found.reasons == {"tls", "tls-keys"}
    (row,) = (row for row in found.quarantine.rows if row.reason is Reason.TLS_KEYS)
    assert row.length == 0 and "do not fit" in row.detail
    assert len(found.quarantine.rows) == 3


def test_only_the_keys_of_data(tmp_path: Path) -> None:
    """Some programs log those of the handshake never."""
    tls = MadeTls()
    sent, said = talk(tls)
    found = within(sent, key_log((line for line in tls.key_log if "HANDSHAKE" not in line), tmp_path))
    assert [found.data(direction) for direction in Direction] == said and not found.quarantine.rows


def test_keys_of_one_side(tmp_path: Path) -> None:
    tls = MadeTls()
    sent, said = talk(tls)
    found = within(sent, key_log((line for line in tls.key_log if "SERVER" not in line), tmp_path))
    assert found.data(CLIENT) == said[CLIENT] and not found.data(SERVER)
    assert found.reasons == {"tls"}


def test_another_version_or_cipher(tmp_path: Path) -> None:
    tls = MadeTls("1.2", 0x009C)
    sent, _ = talk(tls)
    hello = next(octets for direction, octets in sent if direction is SERVER)
    for changed in (hello.replace(b"\x00\x9c", b"\x00\x05"), hello[:9] + b"\3\2" + hello[11:]):
        found = within([(d, changed if o is hello else o) for d, o in sent], key_log(tls.key_log, tmp_path))
        assert found.reasons == {"tls"} and not found.data(CLIENT)
        (detail,) = {row.detail for row in found.quarantine.rows}
        assert detail in ("cipher suite 0x0005", "TLS 1.1")


# --- What is lost


@pytest.mark.parametrize("suite", SUITES)
def test_lost_packets(suite: int, tmp_path: Path) -> None:
    """What is whole after a gap is found again."""
    tls = MadeTls("1.3" if suite in OF_1_3 else "1.2", suite)
    sent = tls.handshake()
    for direction in Direction:
        for turn in range(60):
            sent += tls.data(direction, b"%04d" % turn * 30)
    found = Within(key_log(tls.key_log, tmp_path))
    for count, (direction, octets) in enumerate(sent):
        if 20 < count % 30 < 28 and count > 15:
            found.take(direction, b"", len(octets))
        elif count % 30 == 28 and count > 15:
            found.take(direction, b"", 10)
            found.take(direction, octets[10:])
        else:
            found.take(direction, octets)
    found.finish()
    for direction in Direction:
        blocks = {found.data(direction)[at : at + 4] for at in range(0, len(found.data(direction)), 4)}
        assert 40 <= len(blocks) < 60
        assert found.data(direction) == b"".join(
            b"%04d" % turn * 30 for turn in range(60) if b"%04d" % turn in blocks
        )
    assert found.reasons == {"frame-gap"}


@pytest.mark.parametrize("lost", ["hello", "flight", "finished", "update", "change"])
def test_lost_parts_of_the_handshake(lost: str, tmp_path: Path) -> None:
    version = "1.2" if lost == "change" else "1.3"
    tls = MadeTls(version, 0x1301 if version == "1.3" else 0xC027)
    sent = tls.handshake()
    sent += tls.update_keys(SERVER) if version == "1.3" else []
    sent += tls.data(SERVER, b"answer") + tls.data(CLIENT, b"request") + tls.data(SERVER, b"more")
    of_server = [at for at, (direction, _) in enumerate(sent) if direction is SERVER]
    dropped = {
        "hello": of_server[0],
        "flight": of_server[2],
        "finished": of_server[2],
        "update": of_server[4],
        "change": of_server[1],
    }.get(lost, 0)
    found = Within(key_log(tls.key_log, tmp_path))
    for at, (direction, octets) in enumerate(sent):
        if at != dropped:
            found.take(direction, octets)
        elif lost == "finished":
            found.take(direction, octets[:-60])
            found.take(direction, b"", 60)
        else:
            found.take(direction, b"", len(octets))
    found.finish()
    if lost == "hello":
        assert not found.data(SERVER) and not found.data(CLIENT) and found.reasons == {"tls"}
    else:
        assert found.data(SERVER) == b"answermore" and found.data(CLIENT) == b"request"


def test_a_changed_record_costs_that_record(tmp_path: Path) -> None:
    tls = MadeTls()
    sent = tls.handshake() + tls.data(CLIENT, b"one")
    changed = tls.data(CLIENT, b"two" * 50)[0][1]
    sent += [(CLIENT, changed[:60] + bytes([changed[60] ^ 1]) + changed[61:])]
    sent += tls.data(CLIENT, b"three")
    found = within(sent, key_log(tls.key_log, tmp_path))
    assert [(piece.data, piece.gap) for piece in found.pieces[CLIENT]] == [
        (b"one", 0),
        (b"", 1),
        (b"three", 0),
    ]
    assert found.reasons == {"frame-gap"}


@pytest.mark.parametrize("seed", range(40))
def test_whatever_comes(seed: int, tmp_path: Path) -> None:
    """Any segments, losses and changes: no error, each octet has its place, and nothing is made up."""
    chance = Random(seed)
    suite = chance.choice([*SUITES])
    is_1_3 = suite in OF_1_3
    tls = MadeTls(
        "1.3" if is_1_3 else "1.2",
        suite,
        seed,
        early=b"abcdefgh" * 40 if is_1_3 and chance.random() < 0.3 else b"",
        takes_early=chance.random() < 0.5,
        retries=is_1_3 and chance.random() < 0.3,
        encrypts_then_macs=chance.random() < 0.5,
        most=chance.choice((3, 200, 1 << 14)),
    )
    sent, said = talk(tls, 20)
    for _ in range(3):
        direction = chance.choice([*Direction])
        sent += tls.update_keys(direction) if is_1_3 else tls.renegotiate()
        data = chance.randbytes(500)
        said[direction] += data
        sent += tls.data(direction, data)
    found = Within(key_log(tls.key_log, tmp_path))
    first = True
    for direction, octets in sent:
        at = 0
        while at < len(octets):
            size = min(chance.choice((1, 10, 500, 1400)), len(octets) - at)
            part, draw = octets[at : at + size], chance.random()
            if draw < 0.02 and not first:
                found.take(direction, b"", size)
            elif draw < 0.04 and not first:
                place = chance.randrange(size)
                found.take(
                    direction,
                    part[:place] + bytes([part[place] ^ 1 << chance.randrange(8)]) + part[place + 1 :],
                )
            elif draw < 0.05 and not first:
                found.take(direction, chance.randbytes(chance.randrange(1, 30)))
            else:
                found.take(direction, part)
            at += size
            first = first and at < len(octets)
    found.finish()
    for direction in Direction:
        for piece in found.pieces[direction]:
            assert piece.data in said[direction] + tls.early
