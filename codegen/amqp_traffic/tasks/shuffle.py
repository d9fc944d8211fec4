"""Gives the rows of some tasks to others, by bucket: through files in the folder of the run.

So no payload goes through Java, and pandas, which Spark wants for functions over Arrow, is not needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from .blobs import BlobFolder
from .runner import Consumer, Producer, Row


@dataclass(frozen=True, slots=True, order=True)
class RowPlace:
    """Where a row is. Their order is that of the rows of a bucket.

    Attributes:
        file_no, offset: Of the row.
        name: The file in the folder.
        position, size: Its octets in there.
    """

    file_no: int
    offset: int
    name: str
    position: int
    size: int


Sent = Mapping[int, list[RowPlace]]


@dataclass(frozen=True, slots=True)
class SendRows:
    """A task: writes all rows of a producer into a file; each attempt has a file of its own.

    Attributes:
        producer: Has the rows.
        folder: Where the file goes.
    """

    producer: Producer
    folder: BlobFolder

    def __call__(self) -> Sent:
        """Write; returns where the rows are, by bucket."""
        places: dict[int, list[RowPlace]] = {}
        name, position = f"rows-{uuid4().hex[:12]}", 0
        self.folder.filesystem.create_dir(self.folder.path, recursive=True)
        with self.folder.filesystem.open_output_stream(f"{self.folder.path}/{name}") as stream:
            for bucket, file_no, offset, octets in self.producer():
                stream.write(octets)
                places.setdefault(bucket, []).append(RowPlace(file_no, offset, name, position, len(octets)))
                position += len(octets)
        return places


@dataclass(frozen=True, slots=True)
class ConsumeRows:
    """A task: gives a consumer the rows of a bucket.

    Attributes:
        consumer: Takes them.
        bucket: Which one.
        places: Where they are, in their order.
        folder: The folder with the files.
    """

    consumer: Consumer
    bucket: int
    places: tuple[RowPlace, ...]
    folder: BlobFolder

    def __call__(self) -> Any:
        """Read; returns what the consumer does. One row at a time is in memory."""
        return self.consumer(self.bucket, self._rows())

    def _rows(self) -> Iterator[Row]:
        for it in self.places:
            with self.folder.filesystem.open_input_file(f"{self.folder.path}/{it.name}") as stream:
                stream.seek(it.position)
                yield self.bucket, it.file_no, it.offset, stream.read(it.size)


def consumers(sent: Iterable[Sent], consumer: Consumer, folder: BlobFolder) -> list[ConsumeRows]:
    """A task for each bucket that there are rows for.

    Args:
        sent: What the senders have returned.
        consumer: Takes the rows.
        folder: That of the senders.
    """
    places: dict[int, list[RowPlace]] = {}
    for found in sent:
        for bucket, of_bucket in found.items():
            places.setdefault(bucket, []).extend(of_bucket)
    return [ConsumeRows(consumer, bucket, tuple(sorted(places[bucket])), folder) for bucket in sorted(places)]
