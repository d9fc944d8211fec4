"""A ring that is followed has the tables of the same ring that is ingested as a whole, whatever happens meanwhile."""

from __future__ import annotations

import itertools
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.capture.files import CaptureError
from amqp_traffic.decode.body_retention import parse_body_retention
from amqp_traffic.ingest.inputs import RingName
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.ring.ring import is_hole, list_ring, unread
from amqp_traffic.lake.folder import Lake, LakeError, create_lake, open_lake
from amqp_traffic.schemas import TABLES
from amqp_traffic.streams import connections

from tests.sampling import SHARE

from ...lake.test_lake_killed import Killed, Mortal
from ...synth.made_captures import make
from ..lake_tables import Ingested, Rows, assert_same_tables, ingested
from ..ledger_checks import check_ledgers
from .capture_rings import Ring, Script, follow, plain_ring, read_tables, ring_of, tables_of, write

DAMAGE = {"drop": 0.01, "duplicate": 0.02, "reorder": 0.05, "overlap": 0.02, "conflict": 0.01}


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rows]:
    return tables_of(plain_ring(), tmp_path_factory.mktemp("expected"))


def assert_same(place: Path, expected: dict[str, Rows]) -> None:
    found = read_tables(place)
    assert expected["frames"]
    assert_same_tables(found, expected, tuple(TABLES))


def small_ring() -> Ring:
    """Of two files: one becomes complete, one is taken for now."""
    return ring_of(make(seed=3, size=10_000, connections=2, body_size=200).capture, 2)


def appearing(folder: Path, ring: Ring) -> Script:
    """The files come one by one; each is empty first, then has a part, then all."""
    folder.mkdir(exist_ok=True)

    def put(name: str, octets: bytes) -> None:
        (folder / name).write_bytes(octets)

    steps = []
    for name, octets in ring.items():
        half = len(octets) // 2 + 7
        steps += [partial(put, name, octets[:end]) for end in (0, half, len(octets))]
    return Script(*steps)


def test_all_is_there_from_the_start(tmp_path: Path, expected: dict[str, Rows]) -> None:
    ring = plain_ring()
    result, files = follow(write(tmp_path / "ring", ring), tmp_path / "lake")
    assert_same(tmp_path / "lake", expected)
    assert files == list(ring)[:-1]  # after the last one nothing came
    whole = ingested([tmp_path / "ring"], tmp_path / "whole")
    assert result is not None
    assert [result] == [replace(it, found=0) for it in whole.results]  # nobody asks what a ring had
    check_ledgers(Ingested(read_tables(tmp_path / "lake"), [result]))


def test_files_come_slowly(tmp_path: Path, expected: dict[str, Rows]) -> None:
    folder = tmp_path / "ring"
    script = appearing(folder, plain_ring())
    _, files = follow(folder, tmp_path / "lake", script)
    assert_same(tmp_path / "lake", expected)
    assert files == list(plain_ring())[:-1]


def test_what_is_open_has_rows_in_the_end_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        connections, "_LINGER_PACKETS", 50
    )  # or captures must be large for connections to be over
    folder, place = write(tmp_path / "ring", plain_ring()), tmp_path / "lake"
    expected = tables_of(plain_ring(), tmp_path)
    during: list[dict[str, Rows]] = []
    follow(folder, place, Script(lambda: during.append(read_tables(place))))
    [seen] = during
    assert {row["file_no"] for row in seen["captures"]} == {0, 1, 2, 3}
    assert 0 < len(seen["connections"]) < len(expected["connections"])
    over = {row["conn_id"] for row in seen["connections"]}
    assert {row["conn_id"] for row in seen["frames"]} - over  # of a connection that is open
    for table in TABLES:
        assert all(row in expected[table] for row in seen[table])
    for row in expected["messages"]:
        assert row in seen["messages"] or row["conn_id"] not in over
    assert_same(place, expected)


@pytest.mark.parametrize(("seed", "bodies"), [(1, "none"), (2, "all")])
def test_it_ends_and_goes_on_after_each_file(tmp_path: Path, seed: int, bodies: str) -> None:
    """The state comes back from the checkpoint each time; what was for now is replaced."""
    ring = ring_of(make(seed=seed, size=250_000, connections=12, **DAMAGE).capture, 6)
    settings = ReadSettings(bodies=parse_body_retention(bodies))
    folder, place = tmp_path / "ring", tmp_path / "lake"
    for count in range(1, len(ring) + 1):
        part = dict(itertools.islice(ring.items(), count))
        result, _ = follow(write(folder, part), place, settings=settings)
        assert result is not None
        assert result.files == count
        if count in (1, 3, len(ring)):
            assert_same(place, tables_of(part, tmp_path / str(count), settings))


def test_it_is_killed_in_the_middle_of_everything(tmp_path: Path) -> None:
    """At each step that changes something, before it and after it; outside ``make test-all`` at each fifth step."""
    ring = small_ring()
    folder = write(tmp_path / "ring", ring)
    expected = tables_of(ring, tmp_path)
    began = 0
    every = 1 if SHARE >= 1 else 5
    for step in itertools.count(1, every):
        place = tmp_path / "lake"
        lake = create_lake(str(place))
        mortal = Mortal(step, bool(step % 2), "local")
        try:
            follow(folder, place, lake=Lake(lake.place, mortal, lake.root))
        except Killed:
            began += (place / "_journal.json").exists()
            follow(folder, place)
            assert_same(place, expected)
            shutil.rmtree(place)
        else:
            assert_same(place, expected)
            break
    assert began > 10 / every
    assert step > 60


def test_it_is_killed_while_what_was_for_now_is_replaced(tmp_path: Path) -> None:
    ring = small_ring()
    names = list(ring)
    folder, before = tmp_path / "ring", tmp_path / "before"
    follow(write(folder, {names[0]: ring[names[0]]}), before)  # all of it is for now
    write(folder, ring)
    expected = tables_of(ring, tmp_path)
    for step in itertools.count(2, 5):
        place = tmp_path / "lake"
        shutil.copytree(before, place)
        lake = open_lake(str(place))
        try:
            follow(folder, place, lake=Lake(lake.place, Mortal(step, bool(step % 2), "far"), lake.root))
        except Killed:
            follow(folder, place)
            assert_same(place, expected)
            shutil.rmtree(place)
        else:
            assert_same(place, expected)
            break
    assert step > 50


def test_stopped_within_a_file(tmp_path: Path, expected: dict[str, Rows]) -> None:
    """That file is read again by the next."""
    folder, place = write(tmp_path / "ring", plain_ring()), tmp_path / "lake"
    script = Script()
    files: list[str] = []

    def stop_in_the_third(name: str) -> None:
        files.append(name)
        script.stopped = len(files) == 2

    from amqp_traffic.ingest.ring.follow import Following

    following = Following(
        create_lake(str(place)), folder, ReadSettings(), script, stop_in_the_third, lambda octets: None
    )
    result = following.run()
    assert result is not None
    assert result.files == 2
    first_two = dict(itertools.islice(plain_ring().items(), 2))
    assert_same(place, tables_of(first_two, tmp_path))
    follow(folder, place)
    assert_same(place, expected)


def test_stopped_before_anything(tmp_path: Path) -> None:
    folder, place = write(tmp_path / "ring", plain_ring()), tmp_path / "lake"
    script = Script()
    script.stopped = True
    assert follow(folder, place, script) == (None, [])
    assert not any(read_tables(place).values())


def test_no_files(tmp_path: Path) -> None:
    (tmp_path / "ring").mkdir()
    (tmp_path / "ring/notes.txt").write_text("not of a ring")
    assert follow(tmp_path / "ring", tmp_path / "lake") == (None, [])


def test_files_that_are_overwritten_before_they_are_read(tmp_path: Path) -> None:
    """One note; the rest is as if the ring never had them."""
    ring = plain_ring()
    names = list(ring)
    left = {name: octets for name, octets in ring.items() if name not in names[2:4]}
    folder, place = write(tmp_path / "ring", dict(itertools.islice(ring.items(), 2))), tmp_path / "lake"

    def overwrite() -> None:
        for name in names[:2]:
            (folder / name).unlink()
        write(folder, {name: ring[name] for name in names[4:]})

    follow(folder, place)
    for name in names[:1]:
        (folder / name).unlink()
    write(folder, {name: ring[name] for name in names[4:]})
    result, _ = follow(folder, place)
    found, expected = read_tables(place), tables_of(left, tmp_path)
    notes = [row for row in found["quarantine"] if row["reason"] == "file-missing"]
    assert [(row["stage"], row["file_no"], row["length"], row["detail"]) for row in notes] == [
        ("file", 2, 0, f"files of the ring before {names[4]} were overwritten before they were read")
    ]
    found["quarantine"] = [row for row in found["quarantine"] if row["reason"] != "file-missing"]
    assert_same_tables(found, expected, tuple(TABLES))
    assert result is not None
    assert result.partial
    assert result.left_out["file-missing"] == 1


def test_files_that_were_read_may_go(tmp_path: Path, expected: dict[str, Rows]) -> None:
    """As in a ring of two files."""
    ring = plain_ring()
    names = list(ring)
    folder, place = tmp_path / "ring", tmp_path / "lake"
    folder.mkdir()

    def turn(number: int) -> None:
        (folder / names[number]).write_bytes(ring[names[number]])
        if number > 1:
            (folder / names[number - 2]).unlink()

    for number in range(len(ring)):
        turn(number)
        follow(folder, place)
    assert_same(place, expected)


def test_empty_files_at_the_beginning(tmp_path: Path) -> None:
    """At night nothing is captured; the date is not known yet."""
    ring = ring_of(make(seed=5, size=60_000, connections=4).capture, 2)
    octets = list(ring.values())
    quiet = octets[0][:24]
    ring = {
        f"cap_{n:05}_2026112112{n:02}00.pcap": item
        for n, item in enumerate([quiet, quiet, *octets, quiet], 1)
    }
    expected = tables_of(ring, tmp_path)
    assert {row["date"] for row in expected["captures"]} == {"2023-11-14"}
    folder, place = tmp_path / "ring", tmp_path / "lake"
    for name in ring:
        follow(write(folder, {name: ring[name]}), place)
    assert_same(place, expected)


def test_nothing_but_empty_files(tmp_path: Path) -> None:
    quiet = plain_ring()[next(iter(plain_ring()))][:24]
    ring = {f"cap_{n:05}_2026112112{n:02}00.pcap": quiet for n in (1, 2, 3)}
    follow(write(tmp_path / "ring", ring), tmp_path / "lake")
    expected = tables_of(ring, tmp_path)
    assert_same_tables(read_tables(tmp_path / "lake"), expected, tuple(TABLES))


def test_damaged_files(tmp_path: Path) -> None:
    ring = dict(plain_ring())
    names = list(ring)
    ring[names[1]] = ring[names[1]][:-9]
    ring[names[2]] = b"no capture at all"
    result, _ = follow(write(tmp_path / "ring", ring), tmp_path / "lake")
    assert_same(tmp_path / "lake", tables_of(ring, tmp_path))
    assert result is not None
    assert result.partial


def test_the_first_file_is_longer_later(tmp_path: Path, expected: dict[str, Rows]) -> None:
    """Then the capture has another name; nothing is left of the one that it had for now."""
    ring = plain_ring()
    first = next(iter(ring))
    folder, place = tmp_path / "ring", tmp_path / "lake"
    follow(write(folder, {first: ring[first][:5000]}), place)
    [early] = {row["capture_id"] for row in read_tables(place)["captures"]}
    follow(write(folder, ring), place)
    assert early not in {row["capture_id"] for row in expected["captures"]}
    assert_same(place, expected)
    assert len(create_lake(str(place)).files("_checkpoints")) == 1


def test_ingested_as_a_whole_in_between(tmp_path: Path, expected: dict[str, Rows]) -> None:
    """Who ingests the ring as a whole replaces all of it; who follows it begins anew."""
    from amqp_traffic.ingest.inputs import find_inputs
    from amqp_traffic.ingest.local import ingest, local_engine

    folder, place = write(tmp_path / "ring", plain_ring()), tmp_path / "lake"

    def whole() -> None:
        list(
            ingest(
                create_lake(str(place)),
                find_inputs([folder]),
                local_engine(ReadSettings()),
                lambda octets: None,
            )
        )

    follow(folder, place)
    whole()
    assert_same(place, expected)
    assert create_lake(str(place)).files("_checkpoints") == []
    follow(folder, place)
    assert_same(place, expected)

    message = "ring: somebody else has followed or ingested it, too; only one may follow it$"
    with pytest.raises(LakeError, match=message):
        follow(folder, place, Script(whole))
    assert_same(place, expected)


def test_two_that_follow_the_same(tmp_path: Path) -> None:
    ring = plain_ring()
    names = list(ring)
    folder, place = write(tmp_path / "ring", {it: ring[it] for it in names[:2]}), tmp_path / "lake"

    def another() -> None:
        write(folder, {it: ring[it] for it in names[:4]})
        follow(folder, place)

    with pytest.raises(LakeError, match="only one may follow it"):
        follow(folder, place, Script(another))
    part = {it: ring[it] for it in names[:4]}
    assert_same(place, tables_of(part, tmp_path))


def test_a_clock_that_is_put_back(tmp_path: Path) -> None:
    """The files of the hour that comes twice are taken by their numbers."""
    ring = plain_ring()
    octets = list(ring.values())
    times = ["20261025025800", "20261025025900", "20261025020000", "20261025020100", "20261025030000"]
    names = [f"cap_{number:05}_{time}.pcap" for number, time in enumerate(times, 1)]
    folder, place = tmp_path / "ring", tmp_path / "lake"
    taken: list[str] = []
    for number, name in enumerate(names):
        write(folder, {name: octets[number]})
        taken += follow(folder, place)[1]
    assert taken == names[:-1]


def test_order_of_files(tmp_path: Path) -> None:
    names = [
        "a_00009_20261121120000.pcapng",
        "a_99999_20261121120001.pcapng",
        "a_00000_20261121120002.pcapng",
        "a_00001_20261121120002.pcapng",
    ]
    for name in reversed(names):
        (tmp_path / name).touch()
    (tmp_path / ".a_00001_20261121120003.pcapng").touch()
    (tmp_path / "a_00001_20261121120002.pcapng.labels.jsonl").touch()
    files = list_ring(tmp_path)
    assert [file.path.name for file in files] == names
    assert [file.path.name for file in unread(files, names[:1], files[0].name)] == names[1:]
    assert [is_hole(one.name, other.name) for one, other in itertools.pairwise(files)] == [True, False, False]
    assert not is_hole(None, files[0].name)
    assert not is_hole(RingName("20261121120000", 7, "a"), RingName("20261121130000", 1, "a"))


def test_more_than_one_ring(tmp_path: Path) -> None:
    folder = write(tmp_path / "ring", {**plain_ring(), "other_00001_20261121120000.pcap": b""})
    message = r"ring has more than one ring: cap\*\.pcap, other\*\.pcap; give each a folder of its own$"
    with pytest.raises(CaptureError, match=message):
        follow(folder, tmp_path / "lake")
    with pytest.raises(CaptureError, match=r"nothing: there is no such folder$"):
        follow(tmp_path / "nothing", tmp_path / "lake")


def test_other_options(tmp_path: Path) -> None:
    folder, place = write(tmp_path / "ring", plain_ring()), tmp_path / "lake"
    follow(folder, place)
    before = read_tables(place)
    with pytest.raises(LakeError, match="was followed with other options so far"):
        follow(folder, place, settings=ReadSettings(bodies=parse_body_retention("all")))
    assert read_tables(place) == before
