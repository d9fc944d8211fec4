"""Files that tasks leave for other tasks, in the staging folder of a run.

Others may write there, too: a lake can be a bucket or a share. So whoever reads a file has its digest, which came another way:
with the task itself, through pipes of this machine or through Spark. A file that was changed is an error before anything of it
is used. There is no key, so none can leak.

The shuffle of local processes: rows of producing tasks go to consuming tasks by bucket, through files in the folder of the run.
Spark has its own.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import Any
from uuid import uuid4

from pyarrow import fs

from .runner import Consumer, Producer, Row


@dataclass(frozen=True, slots=True)
class BlobFolder:
    """A folder for such files. Names of files are relative to it.

    Attributes:
        filesystem: The file system that the folder is in.
        path: The path of the folder.
    """

    filesystem: fs.FileSystem
    path: str

    def write(self, name: str, content: Any) -> str:
        """Write an object. Return the digest with which it can be read."""
        octets = pickle.dumps(content, protocol=5)
        self.filesystem.create_dir(self.path, recursive=True)
        with self.filesystem.open_output_stream(f"{self.path}/{name}") as stream:
            stream.write(octets)
        return digest_of(octets)

    def read(self, name: str, digest: str) -> Any:
        """Read the object for which ``write`` has returned a digest.

        Raises:
            OSError: The file was changed.
        """
        with self.filesystem.open_input_file(f"{self.path}/{name}") as stream:
            octets = stream.read()
        self.check(name, octets, digest)
        return pickle.loads(octets)

    def check(self, name: str, octets: bytes, digest: str) -> None:
        """Check that octets read from a file are those that were written.

        Raises:
            OSError: They have another digest.
        """
        if not compare_digest(digest_of(octets), digest):
            raise OSError(
                f"{self.path}/{name} was changed by somebody else during the run, and is not used;"
                " look who may write into this folder, then run again"
            )


def digest_of(octets: bytes) -> str:
    """Return the digest of octets."""
    return sha256(octets).hexdigest()


@dataclass(frozen=True, slots=True, order=True)
class RowPlace:
    """Where a row is. Places sort like the rows of a bucket.

    Attributes:
        file_no, offset: As in ``Row``.
        name: The file in the folder.
        position, size: The octets of the row in that file.
        digest: Their digest.
    """

    file_no: int
    offset: int
    name: str
    position: int
    size: int
    digest: str


Sent = Mapping[int, list[RowPlace]]


@dataclass(frozen=True, slots=True)
class SendRows:
    """A task that writes all rows of a producer to a file. Each attempt has its own file."""

    producer: Producer
    folder: BlobFolder

    def __call__(self) -> Sent:
        """Write the rows. Return their places, by bucket."""
        places: dict[int, list[RowPlace]] = {}
        name, position = f"rows-{uuid4().hex[:12]}", 0
        self.folder.filesystem.create_dir(self.folder.path, recursive=True)
        with self.folder.filesystem.open_output_stream(f"{self.folder.path}/{name}") as stream:
            for bucket, file_no, offset, octets in self.producer():
                stream.write(octets)
                place = RowPlace(file_no, offset, name, position, len(octets), digest_of(octets))
                places.setdefault(bucket, []).append(place)
                position += len(octets)
        return places


@dataclass(frozen=True, slots=True)
class ConsumeRows:
    """A task that gives a consumer the rows of a bucket, which are in the files of a folder."""

    consumer: Consumer
    bucket: int
    places: tuple[RowPlace, ...]
    folder: BlobFolder

    def __call__(self) -> Any:
        """Return the result of the consumer. One row at a time is in memory."""
        return self.consumer(self.bucket, self._rows())

    def _rows(self) -> Iterator[Row]:
        for place in self.places:
            with self.folder.filesystem.open_input_file(f"{self.folder.path}/{place.name}") as stream:
                stream.seek(place.position)
                octets = stream.read(place.size)
            self.folder.check(place.name, octets, place.digest)
            yield self.bucket, place.file_no, place.offset, octets


def consumers(sent: Iterable[Sent], consumer: Consumer, folder: BlobFolder) -> list[ConsumeRows]:
    """Return a task for each bucket with rows; ``sent`` is what the tasks ``SendRows`` returned."""
    places: dict[int, list[RowPlace]] = {}
    for by_bucket in sent:
        for bucket, of_bucket in by_bucket.items():
            places.setdefault(bucket, []).extend(of_bucket)
    return [ConsumeRows(consumer, bucket, tuple(sorted(places[bucket])), folder) for bucket in sorted(places)]
