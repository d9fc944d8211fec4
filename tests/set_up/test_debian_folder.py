"""Packages of a Debian release are unpacked, and a program runs with the /usr that they make."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands import run_command
from tools import debian_folder
from tools.debian_folder import NotHere, confined, source_archive, unpack, with_usr


def test_packages_come_from_the_mirror_of_the_machine(tmp_path: Path, fake_apt: Path) -> None:
    with pytest.raises(NotHere, match=r"^apt-get failed: Unable to locate package no-such-broker$"):
        unpack("trixie", ["no-such-broker"], tmp_path / "broker")
    sources = tmp_path / "broker" / "apt" / "sources.list"
    assert sources.read_text(encoding="ascii") == "deb http://mirror.example/debian/ trixie main\n"
    for call in Path(f"{fake_apt}.calls").read_text(encoding="ascii").splitlines()[1:]:
        assert f"Dir::State={tmp_path}/broker/apt" in call
        assert "install" not in call or "--download-only" in call


def test_a_source_comes_without_the_changes_of_debian(tmp_path: Path, fake_apt: Path) -> None:
    with pytest.raises(NotHere, match="Unable to find a source package for no-such-broker"):
        source_archive("trixie", "no-such-broker", tmp_path / "source")
    sources = tmp_path / "source" / "sources.list"
    assert sources.read_text(encoding="ascii") == "deb-src http://mirror.example/debian/ trixie main\n"


def test_what_is_unpacked_stays(tmp_path: Path, fake_apt: Path) -> None:
    (tmp_path / "unpacked").write_text(
        "trixie base-files coreutils dash debianutils gawk grep hostname libc-bin sed util-linux x",
        encoding="ascii",
    )
    assert unpack("trixie", ["x"], tmp_path) == tmp_path / "system"
    assert not Path(f"{fake_apt}.calls").exists()


def test_a_machine_without_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotHere, match="this system has no apt-get"):
        unpack("trixie", ["x"], tmp_path / "broker")
    with pytest.raises(NotHere, match="no namespaces can be made here"):
        confined(tmp_path, ["true"], {})


def test_a_mirror_that_does_not_answer(
    tmp_path: Path, fake_apt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_apt.write_text("#!/bin/sh\nexec sleep 1000\n", encoding="ascii")
    monkeypatch.setattr(debian_folder, "_SECONDS", 0.01)
    with pytest.raises(NotHere, match=r"^apt-get takes longer than 0\.01 s$"):
        unpack("trixie", ["x"], tmp_path / "broker")


# --- another /usr ---


def make_system(folder: Path) -> Path:
    """A system with nothing but a shell and a file ``mark``."""
    shell = shutil.which("sh")
    assert shell
    libraries = subprocess.run(["ldd", shell], capture_output=True, text=True, check=True).stdout
    for path in [shell, *re.findall(r"(/\S+) \(0x", libraries)]:
        copied = folder / "usr" / path.lstrip("/").removeprefix("usr/")
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copied)
    (folder / "usr/mark").write_text("another /usr\n", encoding="ascii")
    return folder


def test_a_command_with_another_usr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All else is the machine's: files, the folder in which it runs, the environment; and its exit code comes back."""
    system = make_system(tmp_path / "a system")
    launcher = tmp_path / "enter"
    try:
        launcher.write_text(with_usr(system), encoding="utf-8")
    except NotHere as reason:
        pytest.skip(f"needs namespaces: {reason}")
    (tmp_path / "ours").write_text("a file of the machine\n", encoding="ascii")
    monkeypatch.setenv("SETTING", "a setting")
    script = """
read -r mark </usr/mark; read -r ours <ours
for text in "$mark" "$ours" "$SETTING" "$1" "$UNPACKED_USR"; do echo "$text"; done
exit 3
"""
    command = ["/bin/sh", str(launcher), "sh", "-c", script, "sh", "two words"]
    done = run_command(command, cwd=tmp_path)
    if "mount: " in done.stderr:
        pytest.skip(f"needs namespaces: {done.stderr}")
    assert done.stdout.splitlines() == [
        "another /usr",
        "a file of the machine",
        "a setting",
        "two words",
        str(system / "usr"),
    ]
    assert done.returncode == 3
    assert not Path("/usr/mark").exists()


def test_a_machine_whose_programs_are_not_in_usr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian_folder, "_LINKED", ("proc",))
    with pytest.raises(NotHere, match=r"^/proc of this system is not a link into /usr$"):
        with_usr(tmp_path)


def test_a_checkout_in_usr() -> None:
    with pytest.raises(NotHere, match="this checkout is in /usr"):
        with_usr(Path("/usr/src/checkout/build/pythons/3.14/system"))
