"""Programs of a Debian release, unpacked into a folder and run there: nothing is installed, and root is not needed.

apt finds and downloads the packages with lists, state and cache of its own. They are unpacked without their scripts.
A broker has the folder as its root directory (`confined`). A Python that runs our tests has only /usr from there, and sees
the rest of the machine: the checkout, the settings of pip, certificates (`with_usr`). Both run in namespaces of their own:
they see the network of the machine, but no other process, and when the first process ends the kernel ends the rest.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# Packages count on these without naming them.
ESSENTIAL = (
    *("base-files", "coreutils", "dash", "debianutils", "gawk"),
    *("grep", "hostname", "libc-bin", "sed", "util-linux"),
)
# Since Debian 12 these are links in the root directory; the packages are unpacked through them.
_LINKED = ("bin", "sbin", "lib", "lib64")
_SECONDS = 600
_FILES = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\n",
    "etc/group": "root:x:0:\n",
    "etc/hosts": "127.0.0.1 localhost {host}\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_ENTER = """
mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" /usr/bin/env -i "$@"
"""
# Not exec: as the first process of a namespace, Python would get no signal that it does not handle.
_REPLACE_USR = """
mount -t proc proc /proc && mount --bind "$0/usr" /usr || exit 1; export UNPACKED_USR="$0/usr"; "$@"; exit $?
"""


class NotHere(Exception):
    """A program cannot be had on this machine; the message says why."""


def unpack(release: str, packages: Sequence[str], folder: Path) -> Path:
    """Unpack packages of a release, and all that they need, unless that is done.

    Returns:
        The folder with the directories of that system, ``system`` in ``folder``.

    Raises:
        NotHere: There is no apt, no mirror of Debian, or they have no such packages.
    """
    system = folder / "system"
    stamp = folder / "unpacked"
    wanted = " ".join((release, *ESSENTIAL, *packages))
    if stamp.is_file() and stamp.read_text(encoding="ascii") == wanted:
        return system
    shutil.rmtree(folder, ignore_errors=True)
    for archive in _download(release, (*ESSENTIAL, *packages), folder / "apt"):
        _unpack_archive(archive, system)
    for name, text in _FILES.items():
        (system / name).write_text(text.format(host=os.uname().nodename), encoding="ascii")
    shutil.rmtree(folder / "apt")
    stamp.write_text(wanted, encoding="ascii")
    return system


def source_archive(release: str, package: str, folder: Path) -> Path:
    """Download what the authors of a package published, without Debian's changes; return the archive, in the folder.

    Raises:
        NotHere: There is no apt, no mirror of Debian, or they have no such package.
    """
    shutil.rmtree(folder, ignore_errors=True)
    apt = _apt(release, folder, "deb-src")
    _run(*apt, "--download-only", "--tar-only", "source", package, cwd=folder)
    (archive,) = folder.glob("*.orig.tar.*")
    return archive


def _download(release: str, packages: Sequence[str], folder: Path) -> list[Path]:
    """Download packages and what they need as if nothing was installed."""
    apt = _apt(release, folder, "deb")
    _run(*apt, "install", "--yes", "--download-only", "--no-install-recommends", *packages)
    return sorted((folder / "cache/archives").glob("*.deb"))


def _apt(release: str, folder: Path, kind: str) -> list[str]:
    """Return an apt-get with lists, state and cache in a folder, its lists up to date; ``kind`` is deb or deb-src."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    (folder / "sources.list").write_text(f"{kind} {_mirror()} {release} main\n", encoding="ascii")
    settings = {
        "APT::Sandbox::User": "root",
        # Otherwise a mirror that does not answer looks like one that lacks the packages.
        "APT::Update::Error-Mode": "any",
        "Dir::Cache": folder / "cache",
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State": folder,
        "Dir::State::status": folder / "status",
        "Debug::NoLocking": "true",
    }
    apt = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in settings.items())]
    _run(*apt, "update")
    return apt


def _mirror() -> str:
    """Return the address of Debian's main archive, as this machine has it."""
    if shutil.which("apt-get") is None:
        raise NotHere("this system has no apt-get")
    form = "$(ORIGIN)|$(LABEL)|$(REPO_URI)"
    for line in _run("apt-get", "indextargets", "--format", form, "Created-By: Packages").splitlines():
        origin, label, address = line.split("|")
        if (origin, label) == ("Debian", "Debian"):
            return address
    raise NotHere("apt has no mirror of Debian here, or no lists of it: apt-get update")


def _unpack_archive(archive: Path, system: Path) -> None:
    for name in _LINKED:
        if not (system / name).is_symlink():
            (system / "usr" / name).mkdir(parents=True, exist_ok=True)
            (system / name).symlink_to(f"usr/{name}")
    data = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE)
    _run("tar", "-x", "--keep-directory-symlink", "--no-same-owner", "-C", str(system), stdin=data.stdout)
    if data.wait(_SECONDS):
        raise NotHere(f"dpkg-deb cannot unpack {archive.name}")


def _run(*command: str, stdin: object = subprocess.DEVNULL, cwd: Path | None = None) -> str:
    try:
        done = subprocess.run(
            command, stdin=stdin, cwd=cwd, capture_output=True, text=True, timeout=_SECONDS, check=False  # type: ignore[call-overload]
        )
    except subprocess.TimeoutExpired:
        raise NotHere(f"{command[0]} takes longer than {_SECONDS} s") from None
    if done.returncode:
        lines = done.stderr.splitlines() or ["it says nothing"]
        # What apt says last is often only what follows from the first error.
        reason = next((line for line in lines if line.startswith("E: ")), lines[-1])
        raise NotHere(f"{command[0]} failed: {reason.removeprefix('E: ')}")
    return str(done.stdout)


def confined(system: Path, program: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Return the command that runs a program in such a folder; all its processes end with the caller.

    Raises:
        NotHere: The machine lets us make no namespaces.
    """
    settings = [f"{name}={value}" for name, value in {"PATH": "/usr/sbin:/usr/bin", **environment}.items()]
    return ends_with_us([*_namespaces(), "sh", "-c", _ENTER, str(system), *settings, *program])


def with_usr(system: Path) -> str:
    """Return a shell script that runs its arguments as a command for which /usr is the one of such a folder.

    The command is root as far as it can see. UNPACKED_USR in its environment tells it that /usr is not the machine's.

    Raises:
        NotHere: The machine lets us make no namespaces, or programs do not run with another /usr.
    """
    for name in _LINKED:
        ours = Path("/", name)
        if ours.exists() and not ours.resolve().is_relative_to("/usr"):
            raise NotHere(f"/{name} of this system is not a link into /usr")
    if system.resolve().is_relative_to("/usr"):
        raise NotHere("this checkout is in /usr, which would be replaced")
    command = ends_with_us([*_namespaces(), "sh", "-c", _REPLACE_USR.strip(), str(system)])
    return f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n'


def _namespaces() -> list[str]:
    """Return the command that runs another one, which follows, in namespaces of its own."""
    command = ["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child=KILL"]
    is_there = shutil.which("unshare") is not None
    if not is_there or subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        raise NotHere("no namespaces can be made here: unshare --user --pid fails")
    return command


def ends_with_us(command: Sequence[str]) -> list[str]:
    """Return a command that the kernel ends when the process that runs it has ended, however that happens."""
    return ["setpriv", "--pdeathsig=KILL", *command]
