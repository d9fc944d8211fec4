"""The cache in the user's folder: what it trusts, what it ignores, how it stays small."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from amqp_codegen.support.cache import CACHE_VARIABLE, Cache, cache_key, cache_place, open_cache

KEY = cache_key("text", "a")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "deep" / "cache"))
    opened = open_cache()
    assert (opened.folder, opened.reason) == (str(tmp_path / "deep" / "cache" / "v1"), "")
    return opened


def names(cache: Cache) -> set[str]:
    return {path.name for path in Path(cache.folder).iterdir()}


def test_what_is_written_is_read(cache: Cache) -> None:
    assert cache.read(KEY) is None
    for data in (b"first", b"", b"second" * 1000):
        cache.write(KEY, data)
        assert cache.read(KEY) == data
    assert names(cache) == {KEY}


def test_a_key_depends_on_each_part_and_where_it_ends() -> None:
    parts = [("a", "bc"), ("ab", "c"), ("abc",), ("abc", ""), ("", "abc"), ("\udcff",)]
    assert len({cache_key("k", *part) for part in parts} | {cache_key("l", "abc")}) == len(parts) + 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda octets: b"",
        lambda octets: octets[:-1],
        lambda octets: octets[:10],
        lambda octets: octets + b"x",
        lambda octets: octets[:-1] + b"!",
        lambda octets: b"\0" * len(octets),
        lambda octets: os.urandom(500),
    ],
)
def test_a_damaged_entry_is_missing_and_can_be_written_again(cache: Cache, damage: object) -> None:
    cache.write(KEY, b"what was computed")
    file = Path(cache.folder, KEY)
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    assert cache.read(KEY) is None
    cache.write(KEY, b"what was computed")
    assert cache.read(KEY) == b"what was computed"


def test_the_entry_of_another_key_is_not_trusted(cache: Cache) -> None:
    other = cache_key("text", "b")
    cache.write(other, b"other")
    Path(cache.folder, other).rename(Path(cache.folder, KEY))
    assert cache.read(KEY) is None


def test_a_folder_in_the_place_of_an_entry(cache: Cache) -> None:
    Path(cache.folder, KEY).mkdir()
    cache.write(KEY, b"x")
    assert cache.read(KEY) is None
    assert names(cache) == {KEY}


def test_it_is_made_for_the_user_alone(cache: Cache) -> None:
    assert Path(cache.folder).stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701, 0o777])
def test_a_folder_that_others_may_access_is_not_used(cache: Cache, mode: int) -> None:
    cache.write(KEY, b"x")
    os.chmod(cache.folder, mode)
    again = open_cache()
    assert (again.folder, again.read(KEY)) == ("", None)
    assert again.reason.endswith("others may access it")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_folder_of_another_user_is_not_used(cache: Cache) -> None:
    os.chown(cache.folder, 12345, -1)
    assert open_cache().reason.endswith("it belongs to another user")


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o772])
@pytest.mark.parametrize("depth", [0, 1])
def test_a_folder_that_others_may_replace_is_not_used(cache: Cache, mode: int, depth: int) -> None:
    cache.write(KEY, b"x")
    parent = Path(cache.folder).parents[depth]
    os.chmod(parent, mode)
    again = open_cache()
    assert (again.folder, again.read(KEY)) == ("", None)
    assert again.reason.endswith(f"others may write into {str(parent)!r}")
    os.chmod(parent, 0o1777)  # sticky: only the owner of an entry may rename it
    assert open_cache().read(KEY) == b"x"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_folder_in_that_of_another_user_is_not_used(cache: Cache) -> None:
    parent = Path(cache.folder).parents[1]
    os.chown(parent, 12345, -1)
    assert open_cache().reason.endswith(f"{str(parent)!r} belongs to another user")


def test_a_link_in_the_path_is_followed_once(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(Path(cache.folder).parent)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "link"))
    assert open_cache().folder == cache.folder


def test_a_link_is_not_used(cache: Cache, tmp_path: Path) -> None:
    """It may lead to another folder of the user's own, in which nothing must be removed."""
    Path(cache.folder).rename(tmp_path / "elsewhere")
    Path(cache.folder).symlink_to(tmp_path / "elsewhere")
    assert open_cache().reason.endswith("not a folder")


@pytest.mark.parametrize("name", ["file", "file/below", "x" * 300, "nul\0"])
def test_a_folder_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    if "\0" in name:
        monkeypatch.setattr(os, "environ", {CACHE_VARIABLE: str(tmp_path / name)})
    else:
        monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / name))
    cache = open_cache()
    cache.write(KEY, b"x")
    cache.trim()
    assert (cache.folder, cache.read(KEY)) == ("", None)
    assert cache.reason
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="needs a user other than root")
def test_a_folder_that_is_only_read(cache: Cache) -> None:
    cache.write(KEY, b"x")
    os.chmod(cache.folder, 0o500)
    again = open_cache()
    again.write(cache_key("text", "b"), b"y")
    again.trim(0)
    assert again.read(KEY) == b"x"
    assert names(again) == {KEY}
    os.chmod(cache.folder, 0o700)


def test_a_folder_that_has_gone_meanwhile(cache: Cache) -> None:
    os.rmdir(cache.folder)
    cache.write(KEY, b"x")
    cache.trim()
    assert cache.read(KEY) is None


def test_what_was_not_used_for_longest_goes_first(cache: Cache) -> None:
    keys = [cache_key("text", str(number)) for number in range(8)]
    for number, key in enumerate(keys):
        cache.write(key, b"x" * (100 - 32))
        os.utime(Path(cache.folder, key), (1_000_000 + number, 1_000_000 + number))
    cache.trim(800)
    assert names(cache) == set(keys)
    assert cache.read(keys[0]) is not None  # used again
    cache.trim(799)
    assert names(cache) == {keys[0], *keys[4:]}


def test_what_a_killed_process_left_goes_but_not_what_is_being_written(cache: Cache) -> None:
    old, new = Path(cache.folder, f"{KEY}.0.tmp"), Path(cache.folder, f"{KEY}.1.tmp")
    old.touch()
    new.touch()
    os.utime(old, (1_000_000, 1_000_000))
    cache.trim()
    assert names(cache) == {new.name}


def _use(arguments: tuple[Cache, int]) -> bool:
    """Write, read and trim while others do the same; whatever is read is whole."""
    cache, seed = arguments
    whole = True
    for number in range(200):
        key = cache_key("text", str((seed + number) % 10))
        cache.write(key, key.encode() * 100)
        whole &= cache.read(key) in (None, key.encode() * 100)
        if number % 20 == 0:
            cache.trim(20_000)
    return whole


# Those of pytest hold no lock of ours.
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_several_processes_at_once(cache: Cache) -> None:
    with ProcessPoolExecutor(4, get_context("fork")) as pool:
        assert all(pool.map(_use, [(cache, seed) for seed in range(4)]))
    assert not [name for name in names(cache) if name.endswith(".tmp")]


HOME = os.path.expanduser("~")


@pytest.mark.parametrize(
    ("platform", "environment", "place"),
    [
        ("linux", {}, f"{HOME}/.cache/amqp-codegen"),
        ("linux", {"XDG_CACHE_HOME": "/x/y"}, "/x/y/amqp-codegen"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, f"{HOME}/.cache/amqp-codegen"),
        ("linux", {"XDG_CACHE_HOME": ""}, f"{HOME}/.cache/amqp-codegen"),
        ("darwin", {"XDG_CACHE_HOME": "/x/y"}, f"{HOME}/Library/Caches/amqp-codegen"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/amqp-codegen/Cache"),
        ("win32", {}, f"{HOME}/AppData/Local/amqp-codegen/Cache"),
        ("linux", {CACHE_VARIABLE: "/own", "XDG_CACHE_HOME": "/x/y"}, "/own"),
        ("darwin", {CACHE_VARIABLE: "here"}, os.path.abspath("here")),
    ],
)
def test_where_it_is(platform: str, environment: dict[str, str], place: str) -> None:
    assert cache_place(environment, platform) == place


@pytest.mark.skipif(sys.platform == "win32", reason="needs a system other than Windows")
def test_without_a_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "relative")
    assert open_cache() == Cache("", "there is no home folder")
