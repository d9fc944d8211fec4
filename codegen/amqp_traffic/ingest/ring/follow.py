"""Ingest of a ring that is being written, as by ``dumpcap -b``: file by file into a lake, each exactly once.

A file is complete when the next one has begun. Its rows are committed together with a checkpoint, which has the state of all
connections. After a kill, the next run continues from the checkpoint; uncommitted files of the killed run are ignored.

At the end of a run, the open connections and the newest file, which may not be complete, get provisional rows. The
checkpoint holds the state before these rows and the names of their files, so that the next run replaces them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from ...capture.faults import describe_fault
from ...capture.files import CaptureError, open_capture
from ...capture.ledgers import LedgerError
from ...lake.folder import Lake, LakeError
from ..inputs import capture_id
from ..job import CaptureResult, LakeTarget, OnProgress, ReadSettings
from ..memory import rare_collection
from .checkpoint import (
    Checkpoint,
    PackedState,
    checkpoint_name,
    load_reading,
    pack,
    read_checkpoint,
    way_out,
    write_checkpoint,
)
from .ring import RingFile, RingReading, list_ring, unread

_POLL_SECONDS = 0.2


class Watch:
    """A wait for new files.

    Attributes:
        stopped: True after ``stop``.
    """

    def __init__(self, idle: float | None = None) -> None:
        """``idle``: seconds without anything new after which to end; None for never."""
        self.stopped = False
        self._idle = idle
        self._seen: object = None
        self._since = 0.0

    def stop(self) -> None:
        """Ask the loop to end. Signal handlers may call this."""
        self.stopped = True

    def wait(self, seen: object) -> bool:
        """Wait a little. Return whether to look again. Something is new if ``seen`` differs from the last call."""
        now = monotonic()
        if seen != self._seen:
            self._seen, self._since = seen, now
        if self.stopped:
            return False
        if self._idle is not None and now - self._since >= self._idle:
            return False
        sleep(_POLL_SECONDS)
        return not self.stopped


_PROVISIONAL = "open"
# What a state leads to that is of the right classes, but not as this program leaves it.
_STATE_FAULTS = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
)


class _Stopped(Exception):
    """A request to stop in the middle of a file."""


@dataclass(slots=True)
class Following:
    """A ring that is followed.

    Attributes:
        lake: The lake of its tables.
        folder: The folder of its files.
        settings: How it is read.
        watch: Tells when to look again.
        on_file: Called with the name of each file whose rows are final.
        on_progress: Called with the octets read since the last call.
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
    _continued: str = ""  # the checkpoint whose state was loaded

    def run(self) -> CaptureResult | None:
        """Follow the ring until the watch ends.

        After an error or a kill, the lake has the rows up to the last committed file, and another run continues there.

        Returns:
            What the lake then has of the ring; None for nothing.

        Raises:
            CaptureError: There is no such folder, it has more than one ring, or a file cannot be read.
            LakeError: The checkpoint is of another version, or another process follows the ring, too.
            LedgerError: Octets are unaccounted for, a fault of this program.
            OSError: A file cannot be read, or the lake cannot be written.
        """
        self.lake.recover()
        with self._from_the_lake():
            return self._run()

    @contextmanager
    def _from_the_lake(self) -> Iterator[None]:
        """Turn an error that follows a state from the lake, which may be anybody's, into a line."""
        try:
            yield
        except CaptureError:
            raise
        except (*_STATE_FAULTS, LedgerError, MemoryError) as error:
            if not self._continued:
                raise
            raise LakeError(
                f"{self.lake.place}/{self._continued} cannot be continued: unless somebody has changed it, this is"
                f" {describe_fault(error)}; {way_out(self.lake, self._name)}"
            ) from error

    def _run(self) -> CaptureResult | None:
        while True:
            files = self._look()
            if len(files) > 1 and not self.watch.stopped:
                try:
                    self._take(files[0])
                except _Stopped:
                    break
            elif not self.watch.wait([(file.path.name, file.size) for file in files]):
                break
        # An empty newest file has no packet yet.
        newest = [file for file in files[-1:] if file.size and not self.watch.stopped]
        return self._finish(newest)

    def _look(self) -> list[RingFile]:
        """Return the files that are still to be read."""
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
        """Load the state of the checkpoint, if there is one."""
        self._checkpoint = checkpoint = read_checkpoint(self.lake, self._name)
        self._reading = None
        if checkpoint is not None and checkpoint.files:
            self._continued = checkpoint.path
            with rare_collection():
                self._reading = reading = load_reading(self.lake, self._name, checkpoint)
            if reading.settings != self.settings:
                raise LakeError(
                    f"{self.folder} was followed with other options so far, server ports {reading.settings.server_ports} "
                    f"and {reading.settings.bodies}; use the same"
                )
            reading.settings.key_log.adopt(self.settings.key_log)

    def _take(self, file: RingFile) -> None:
        """Read a complete file, and commit it."""
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
                state = pack(reading)
                files = tuple(written.path for written in writer.written)
                self._commit(target, files, Checkpoint(reading.capture_id, reading.files, (), state))
            except BaseException:
                self.lake.abandon(target.run)
                raise
        self.on_file(file.path.name)

    def _finish(self, newest: list[RingFile]) -> CaptureResult | None:
        """Write provisional rows of the open connections and of the newest file."""
        if not self._name:
            return None
        before = self._checkpoint
        self._go_on()  # from the state in the lake
        if (before and before.path) != (self._checkpoint and self._checkpoint.path):
            raise LakeError(
                f"{self.folder}: somebody else has followed or ingested it, too; only one may follow it"
            )
        reading = self._reading
        if reading is None:
            if not newest:
                return None
            reading = RingReading(capture_id(newest[0].path), self.settings)
        state = pack(reading)
        done = reading.files
        target = LakeTarget(self.lake, self.lake.new_run(), reading.capture_id)
        try:
            with rare_collection(), target.writer(_PROVISIONAL) as writer:
                for file in newest:
                    with open_capture(file.path) as opened:
                        for octets in reading.read(opened, writer.write):
                            self.on_progress(octets)
                result = reading.finish(writer.write)
            files = tuple(sorted(written.path for written in writer.written))
            self._commit(target, files, Checkpoint(reading.capture_id, done, files, state))
        except BaseException:
            self.lake.abandon(target.run)
            raise
        return result

    def _commit(self, target: LakeTarget, written: tuple[str, ...], checkpoint: Checkpoint) -> None:
        """Commit what was written, and the checkpoint instead of the former one."""
        lake, before = self.lake, self._checkpoint
        path = write_checkpoint(lake, target.run, self._name, checkpoint)
        files = (*written, path)
        if before is not None and before.files:
            lake.append(target.run, target.capture_id, files, [before.path, *before.for_now])
        else:  # earlier rows are provisional, or of another kind of ingest
            captures = {target.capture_id, before.capture_id if before else target.capture_id}
            lake.commit(target.run, captures, files)
        self._checkpoint = Checkpoint(
            checkpoint.capture_id, checkpoint.files, checkpoint.for_now, PackedState(), path
        )
