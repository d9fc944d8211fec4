"""ActiveMQ Classic from Debian. Its part for AMQP 1.0 is only in the source of the package, and is compiled here in seconds."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

from ..debian_folder import NotHere, confined, source_archive, unpack

_RELEASE = "trixie"
_PACKAGES = ("libactivemq-java", "libapache-qpid-proton-j-java", "openjdk-21-jdk-headless")
_JARS = (
    *("activemq-broker", "activemq-client", "activemq-console", "activemq-jaas", "activemq-kahadb-store"),
    *("activemq-openwire-legacy", "activemq-protobuf", "geronimo-j2ee-connector-1.5-spec"),
    *("geronimo-j2ee-management-1.1-spec", "geronimo-jms_1.1_spec", "hawtbuf", "proton-j", "slf4j-api"),
    "slf4j-simple",
)
_CLASS_PATH = ":".join(("/amqp/classes", *(f"/usr/share/java/{jar}.jar" for jar in _JARS)))
# Websockets need Jetty, and no run needs them.
_LEFT_OUT = ("Ws", "WebSocket")
_COMPILE_SECONDS = 600


def activemq_system(folder: Path) -> Path:
    """Return the folder with ActiveMQ, Java and the compiled part for AMQP 1.0.

    Raises:
        NotHere: It cannot be had or compiled here.
    """
    system = unpack(_RELEASE, _PACKAGES, folder)
    amqp = system / "amqp"
    if (amqp / "compiled").is_file():
        return system
    shutil.rmtree(amqp, ignore_errors=True)
    archive = source_archive(_RELEASE, "activemq", folder / "source")
    main = _extract_main(archive, folder / "source")
    shutil.copytree(main / "resources", amqp / "classes")
    shutil.move(main / "java", amqp / "java")
    files = [
        f"/{file.relative_to(system)}"
        for file in sorted((amqp / "java").rglob("*.java"))
        if not any(word in file.name for word in _LEFT_OUT)
    ]
    (amqp / "files").write_text("\n".join(files), encoding="utf-8")
    done = subprocess.run(
        java_command(system, "javac", "-nowarn", "-d", "/amqp/classes", "@/amqp/files"),
        capture_output=True,
        text=True,
        timeout=_COMPILE_SECONDS,
        check=False,
    )
    if done.returncode:
        raise NotHere(f"ActiveMQ's part for AMQP 1.0 cannot be compiled: {done.stderr.splitlines()[0]}")
    (amqp / "compiled").touch()
    return system


def _extract_main(archive: Path, folder: Path) -> Path:
    """Unpack the sources of the part for AMQP 1.0; return the folder that has them and their resources."""
    with tarfile.open(archive) as tar:
        wanted = [member for member in tar if "/activemq-amqp/src/main/" in member.name]
        tar.extractall(folder, wanted, filter="data")
    (main,) = folder.glob("*/activemq-amqp/src/main")
    return main


def java_command(system: Path, tool: str, *arguments: str) -> list[str]:
    """Return the command that runs a program of Java in the folder, with ActiveMQ on its class path."""
    (program,) = system.glob(f"usr/lib/jvm/java-21-openjdk-*/bin/{tool}")
    environment = {"HOME": "/data", "LANG": "C.UTF-8"}
    return confined(system, [f"/{program.relative_to(system)}", "-cp", _CLASS_PATH, *arguments], environment)
