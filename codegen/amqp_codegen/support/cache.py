"""A cache in the user's own folder: what was computed before, by the hash of all that it depends on.

Nothing depends on it: an entry that is damaged, cannot be read or cannot be written counts as missing.

Some entries are bytecode, which is executed. Whoever can write into the folder can execute code as the user, so a
folder that is not the user's own, or that others may access, is not used. Nor is one that others may put another in place of.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CACHE_VARIABLE = "AMQP_CODEGEN_CACHE"
_APPLICATION = "amqp-codegen"
# The form of the entries. Versions do not share a folder.
_FORM = "v1"
_MODE = 0o700
_DIGEST_OCTETS = hashlib.sha256().digest_size

MOST_OCTETS = 64 * 2**20
# What is used is marked at most this often; a file that a killed process left behind goes after this time.
_DAY = 24 * 60 * 60
_UNFINISHED = ".tmp"


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries by key, one file each. Several processes may use it at once.

    Attributes:
        folder: Where they are; empty if there is no cache.
        reason: Why there is none.
    """

    folder: str = ""
    reason: str = "--no-cache"

    def read(self, key: str) -> bytes | None:
        """Return an entry, None if it is missing or damaged."""
        if not self.folder:
            return None
        path = os.path.join(self.folder, key)
        try:
            with open(path, "rb") as file:
                written = os.fstat(file.fileno()).st_mtime
                octets = file.read()
        except OSError:
            return None
        data = octets[_DIGEST_OCTETS:]
        if octets[:_DIGEST_OCTETS] != _digest(key, data):
            return None
        if time.time() - written > _DAY:
            with suppress(OSError):
                os.utime(path)  # ``trim`` removes what was not used for longest
        return data

    def write(self, key: str, data: bytes) -> None:
        """Store an entry, or do nothing if that fails. Readers see all of it or nothing."""
        if not self.folder:
            return
        path = os.path.join(self.folder, key)
        unfinished = f"{path}.{os.urandom(8).hex()}{_UNFINISHED}"
        try:
            with open(unfinished, "wb") as file:
                file.write(_digest(key, data) + data)
            os.replace(unfinished, path)
        except OSError:
            with suppress(OSError):
                os.unlink(unfinished)

    def trim(self, most_octets: int = MOST_OCTETS) -> None:
        """If there are more octets, remove the entries that were not used for longest, until a quarter is free."""
        if not self.folder:
            return
        now = time.time()
        entries = []
        try:
            with os.scandir(self.folder) as files:
                for file in files:
                    status = file.stat(follow_symlinks=False)
                    abandoned = file.name.endswith(_UNFINISHED) and now - status.st_mtime > _DAY
                    entries.append((0.0 if abandoned else status.st_mtime, status.st_size, file.path))
        except OSError:  # another process trims it
            return
        total = sum(size for _, size, _ in entries)
        wanted = most_octets * 3 // 4 if total > most_octets else total
        for used, size, path in sorted(entries):
            if used and total <= wanted:
                return
            with suppress(OSError):
                os.unlink(path)
            total -= size


def _digest(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + data).digest()


def cache_key(kind: str, *parts: str) -> str:
    """Return the key of an entry that depends on these texts. ``kind`` is what is stored, in a word."""
    digest = hashlib.sha256()
    for part in parts:
        octets = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b" % (len(octets), octets))
    return f"{kind}-{digest.hexdigest()}"


def open_cache() -> Cache:
    """Return the cache in the user's folder; one that keeps nothing if the folder cannot be used."""
    place = cache_place(os.environ, sys.platform)
    if not place:
        return Cache(reason="there is no home folder")
    folder = os.path.join(place, _FORM)
    try:
        os.makedirs(place, _MODE, exist_ok=True)
        place = os.path.realpath(place)  # a link in the path may be changed later
        folder = os.path.join(place, _FORM)
        with suppress(FileExistsError):
            os.mkdir(folder, _MODE)
        reason = _refusal(os.lstat(folder)) or _refusal_of_parents(place)
    except (OSError, ValueError) as error:
        reason = str(getattr(error, "strerror", None) or error)
    return Cache(reason=f"{folder!r}: {reason}") if reason else Cache(folder, "")


def _refusal(status: os.stat_result) -> str:
    """Return why a folder cannot be trusted, or an empty string."""
    if not stat.S_ISDIR(status.st_mode):
        return "not a folder"
    if sys.platform == "win32":  # folders of a profile are the user's own; modes and owners say nothing
        return ""
    if status.st_uid != os.geteuid():
        return "it belongs to another user"
    return "others may access it" if stat.S_IMODE(status.st_mode) & ~_MODE else ""


def _refusal_of_parents(place: str) -> str:
    """Return who but the user could rename a folder in a place, which is a path without links; or an empty string."""
    if sys.platform == "win32":
        return ""
    trusted = _trusted_users()
    for folder in (*reversed(Path(place).parents), Path(place)):
        status = os.lstat(folder)
        if status.st_uid not in trusted:
            return f"{str(folder)!r} belongs to another user"
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not status.st_mode & stat.S_ISVTX:
            return f"others may write into {str(folder)!r}"
    return ""


def _trusted_users() -> set[int]:
    """Return the user and root. In a container that does not know root, its folders belong to the user for all unknown ones."""
    users = {0, os.geteuid()}
    with suppress(OSError, ValueError):
        first, _, count = map(int, Path("/proc/self/uid_map").read_text().split()[:3])
        if (first, count) != (0, _ALL_USERS):
            users.add(int(Path("/proc/sys/kernel/overflowuid").read_text()))
    return users


_ALL_USERS = (1 << 32) - 1  # of a machine, as opposed to a container with users of its own


def cache_place(environment: Mapping[str, str], platform: str) -> str:
    """Return the folder for the cache, empty if there is none."""
    own = environment.get(CACHE_VARIABLE, "")
    if own:
        return os.path.abspath(own)
    home = os.path.expanduser("~")
    if platform == "win32":
        local = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        place = os.path.join(local, _APPLICATION, "Cache")
    elif platform == "darwin":
        place = os.path.join(home, "Library", "Caches", _APPLICATION)
    else:
        # The XDG specification: a relative path is to be ignored.
        given = environment.get("XDG_CACHE_HOME", "")
        place = os.path.join(given if os.path.isabs(given) else os.path.join(home, ".cache"), _APPLICATION)
    return place if os.path.isabs(place) else ""
