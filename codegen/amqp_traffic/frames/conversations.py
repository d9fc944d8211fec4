"""``Conversations`` finds the frames in pieces of streams, for all connections at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..capture.quarantine import Quarantine
from ..capture.stream_data import Direction, StreamPiece
from ..streams.connection import CapturedConnection
from .conversation import Conversation, OnFrames


class Conversations:
    """Finds the frames of all connections.

    Attributes:
        quarantine: What is left out.
    """

    def __init__(
        self,
        on_frames: OnFrames,
        on_end: Callable[[CapturedConnection, Conversation], None] | None = None,
        *,
        on_begin: Callable[[CapturedConnection], None] | None = None,
        quarantine: Quarantine | None = None,
    ) -> None:
        """Take the callbacks.

        Args:
            on_frames: Called with conversation, direction and frames. The frames of a direction come in order.
            on_end: Called at the end of a connection.
            on_begin: Called once for each connection, before anything else. Connections of the same addresses and
                ports come in the order of time.
            quarantine: Collects what is left out; by default a new one.
        """
        self.quarantine = Quarantine() if quarantine is None else quarantine
        self._on_frames = on_frames
        self._on_end = on_end
        self._on_begin = on_begin
        self._open: dict[CapturedConnection, Conversation] = {}

    def on_pieces(
        self, connection: CapturedConnection, direction: Direction, pieces: Sequence[StreamPiece]
    ) -> None:
        """Take the next pieces of a direction."""
        conversation = self._open.get(connection)
        if conversation is None:
            conversation = self._open[connection] = self._begin(connection)
        conversation.feed_run(direction, pieces)

    def on_end(self, connection: CapturedConnection) -> None:
        """End a connection.

        Raises:
            LedgerError: This program has lost octets.
        """
        conversation = self._open.pop(connection, None) or self._begin(connection)
        client, server = connection.streams
        conversation.finish((client.offset, server.offset))
        if self._on_end is not None:
            self._on_end(connection, conversation)

    def adopt(self, connection: CapturedConnection, conversation: Conversation) -> None:
        """Continue a conversation that was begun elsewhere. Its own callbacks stay."""
        conversation.flow = connection.streams[0].flow
        self._open[connection] = conversation

    def release(self, connection: CapturedConnection) -> Conversation | None:
        """Remove and return a conversation; None if nothing was said yet."""
        return self._open.pop(connection, None)

    def find(self, connection: CapturedConnection) -> Conversation | None:
        """Return the conversation of a connection; None if nothing was said yet."""
        return self._open.get(connection)

    def _begin(self, connection: CapturedConnection) -> Conversation:
        if self._on_begin is not None:
            self._on_begin(connection)
        conversation = Conversation(
            connection.number,
            self._on_frames,
            self.quarantine,
            from_start=connection.start_mode == "syn" or connection.role_by == "file",
            roles_are_certain=connection.role_by != "lower-port",
        )
        conversation.flow = connection.streams[0].flow
        return conversation
