"""Follows a ring that is being written, as ``dumpcap -b`` does: file by file into a lake, each exactly once.

A file is complete when the next one has begun. Its rows and a checkpoint, which has the state of all connections, come into
the lake in one step. Whoever is killed goes on with the checkpoint; what a killed run has written and not committed is not
looked at again.

In the end, and only then, the connections that are still open have their rows, and so has a newest file after which nothing
came. These rows are for now: the checkpoint does not know them, but where they are. Who goes on replaces them.

How long to wait for a ring that is being written.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from ..capture.files import open_capture
from ..lake.folder import Lake, LakeError
from . import state_pickle
from .checkpoint import Checkpoint, checkpoint_name, read_checkpoint, write_checkpoint
from .inputs import capture_id
from .job import CaptureResult, LakeTarget, ReadSettings
from .local import OnProgress
from .memory import rare_collection
from .ring import RingFile, RingReading, list_ring, unread

_POLL = 0.2  # seconds


class Watch:
    """Waits for something new.

    Attributes:
        stopped: Somebody has asked to come to an end.
    """

    def __init__(self, idle: float | None = None) -> None:
        """Begin to wait.

        Args:
            idle: After so many seconds without anything new it is over; None for never.
        """
        self.stopped = False
        self._idle = idle
        self._seen: object = None
        self._since = 0.0

    def stop(self) -> None:
        """Come to an end. Signal handlers may call this."""
        self.stopped = True

    def wait(self, seen: object) -> bool:
        """Wait a little; returns whether to look again.

        Args:
            seen: What is there by now. Something is new when this is not what it was.
        """
        now = monotonic()
        if seen != self._seen:
            self._seen, self._since = seen, now
        if self.stopped:
            return False
        if self._idle is not None and now - self._since >= self._idle:
            return False
        sleep(_POLL)
        return not self.stopped


_FOR_NOW = "open"


class _Stopped(Exception):
    """Somebody has asked to come to an end, in the middle of a file."""


@dataclass(slots=True)
class Following:
    """A ring that is followed.

    Attributes:
        lake: Where its tables are.
        folder: Where it is written.
        settings: How it is read.
        watch: Tells when to look again.
        on_file: Is told the name of each file that is in the lake for good.
        on_progress: Is told how many octets were read since the last time.
    """

    lake: Lake
    folder: Path
    settings: ReadSettings
    watch: Watch
    on_file: Callable[[str], None]
    on_progress: OnProgress
    _name: str = ""
    _checkpoint: Checkpoint | None = None
    _reading: RingReading | None = None

    def run(self) -> CaptureResult | None:
        """Follow it until the watch says that it is over.

        Returns:
            What is in the lake then; None if there is nothing.

        Raises:
            CaptureError: There is no such folder, it has more than one ring, or a file cannot be read.
            LakeError: The checkpoint is of another version, or somebody else follows the ring, too.
            LedgerError: Octets were lost in here.
            OSError: A file cannot be read, or the lake not be written. After any error, and at any point, the lake has
                what it had after the last file, and another run goes on from there.
        """
        self.lake.recover()
        while True:
            files = self._look()
            if len(files) > 1 and not self.watch.stopped:
                try:
                    self._take(files[0])
                except _Stopped:
                    break
            elif not self.watch.wait([(file.path.name, file.size) for file in files]):
                break
        # An empty file was begun, but its first packet has not come.
        newest = [file for file in files[-1:] if file.size and not self.watch.stopped]
        return self._finish(newest)

    def _look(self) -> list[RingFile]:
        """The files that are still to be read."""
        files = list_ring(self.folder)
        if not files:
            return []
        if not self._name:
            self._name = checkpoint_name(str(self.folder.resolve()), files[0].name.ring)
            self._go_on()
        reading = self._reading
        if reading is None:
            return files
        reading.taken.intersection_update([file.path.name for file in files])
        return unread(files, reading.taken, reading.last)

    def _go_on(self) -> None:
        """Take the state of the checkpoint, if there is one."""
        self._checkpoint = checkpoint = read_checkpoint(self.lake, self._name)
        self._reading = None
        if checkpoint is not None and checkpoint.files:
            self._reading = reading = _loaded(self.lake, checkpoint)
            if reading.settings != self.settings:
                raise LakeError(
                    f"{self.folder} was followed with other options so far, server ports {reading.settings.server_ports} "
                    f"and {reading.settings.bodies}; use the same"
                )

    def _take(self, file: RingFile) -> None:
        """Read a file that is complete, and commit it."""
        with ExitStack() as stack:
            try:
                opened = stack.enter_context(open_capture(file.path))
                reading = self._reading or RingReading(capture_id(file.path), self.settings)
            except FileNotFoundError:
                return  # it was overwritten just now
            self._reading = reading
            target = LakeTarget(self.lake, self.lake.new_run(), reading.capture_id)
            try:
                with rare_collection(), target.writer(f"file-{reading.files:06}") as writer:
                    for octets in reading.read(opened, writer.write):
                        self.on_progress(octets)
                        if self.watch.stopped:
                            raise _Stopped
                state = state_pickle.pickle_state(reading)
                files = tuple(each.path for each in writer.written)
                self._commit(target, files, Checkpoint(reading.capture_id, reading.files, (), state))
            except BaseException:
                self.lake.abandon(target.run)
                raise
        self.on_file(file.path.name)

    def _finish(self, newest: list[RingFile]) -> CaptureResult | None:
        """Write what is open, for now."""
        if not self._name:
            return None
        before = self._checkpoint
        self._go_on()  # the state as it is in the lake
        if (before and before.path) != (self._checkpoint and self._checkpoint.path):
            raise LakeError(
                f"{self.folder}: somebody else has followed or ingested it, too; only one may follow it"
            )
        reading = self._reading
        if reading is None:
            if not newest:
                return None
            reading = RingReading(capture_id(newest[0].path), self.settings)
        state = state_pickle.pickle_state(reading)
        done = reading.files
        target = LakeTarget(self.lake, self.lake.new_run(), reading.capture_id)
        try:
            with rare_collection(), target.writer(_FOR_NOW) as writer:
                for file in newest:
                    with open_capture(file.path) as opened:
                        for octets in reading.read(opened, writer.write):
                            self.on_progress(octets)
                result = reading.finish(writer.write)
            files = tuple(sorted(each.path for each in writer.written))
            self._commit(target, files, Checkpoint(reading.capture_id, done, files, state))
        except BaseException:
            self.lake.abandon(target.run)
            raise
        return result

    def _commit(self, target: LakeTarget, written: tuple[str, ...], checkpoint: Checkpoint) -> None:
        """Put what was written into the lake, and the checkpoint with it, in the place of the one before."""
        lake, before = self.lake, self._checkpoint
        path = write_checkpoint(lake, target.run, self._name, checkpoint)
        files = (*written, path)
        if before is not None and before.files:
            lake.append(target.run, target.capture_id, files, [before.path, *before.for_now])
        else:  # what the lake has of it, if anything, was ingested by other means, or for now
            captures = {target.capture_id, before.capture_id if before else target.capture_id}
            lake.commit(target.run, captures, files)
        self._checkpoint = Checkpoint(checkpoint.capture_id, checkpoint.files, checkpoint.for_now, b"", path)


def _loaded(lake: Lake, checkpoint: Checkpoint) -> RingReading:
    """The state in a checkpoint.

    Raises:
        LakeError: It does not fit this version after all.
    """
    try:
        found: Any = state_pickle.unpickle_state(checkpoint.state)
    except Exception as error:  # pickle raises whatever classes raise that are not what they were
        raise LakeError(f"{lake.place}/{checkpoint.path} does not fit this version: {error}") from None
    if not isinstance(found, RingReading):
        raise LakeError(f"{lake.place}/{checkpoint.path} is of something else")
    return found
