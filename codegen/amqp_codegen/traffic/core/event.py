"""What happens on a connection, frame by frame, without payloads: what conversations are put together from.

Events are tuples, because there is one for nearly every frame, and they are sent from process to process.
"""

from __future__ import annotations

from typing import Any, TypeAlias

# What stands as the kind of an event that is no method of 0-x. Methods have class id << 16 | method id.
HEADER = -2
BODY = -3
PERFORMATIVE = -4
PACKAGE = -5
CONTENT = -6

# (connection, frame_no, direction, channel, kind, row, size, offset, ns)
#
# connection: its number.
# frame_no: the number of the frame in its connection, from 0, in the order in which the frames of both directions
#     became complete.
# direction: 0 from the client, 1 from the server.
# channel: as in the frame.
# kind: as above. CONTENT stands for a method, its content header and all bodies, which came in one go.
# row: what the generated package reads: for a method the row of its kind in ``MethodColumns``, for a content header that
#     of ``HeaderColumns``; for a performative (name, row of ``PerformativeColumns``, payload); for a body its octets if
#     they are wanted, else None. None too if it cannot be decoded. For PACKAGE, which is no frame, the name of the
#     generated package by which the rows that follow are read: the first event of each connection. For CONTENT (kind and
#     row of the method, row of the content header, how many bodies, ns of the last frame).
# size: of the payload: that of the frame in 0-x, what follows the performative in 1.0. For CONTENT that of a frame which
#     would be as long as these frames together.
# offset: where the frame begins in the stream of its direction.
# ns: when the packet was captured in which the frame begins.
Event: TypeAlias = "tuple[int, int, int, int, int, Any, int, int, int]"
