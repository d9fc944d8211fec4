"""Connections that run in parallel: when each begins, and which one sends the next packet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .bodies import BodyMaker
from .chance import Chance
from .labels import Labels
from .mix import SHORT, converse, kinds_in_turn, package_of
from .order import CaptureOrder
from .packet import Packet, Timeline
from .setting import Budget, ConversationSetting, make_client
from .tcp import Endpoint, Segmentation, TcpConnection

_MOST_OPEN_CONNECTIONS = 16
_MOST_BODY_OCTETS = 300_000
_SERVERS = {4: "10.0.0.1", 6: "fd00::1"}
_CLIENTS = {4: "10.0.{}.{}", 6: "fd00::{}:{}"}
_CLIENTS_PER_NETWORK = 250
_FIRST_PORT = 32_768
_PORT_COUNT = 28_000


class _Running(NamedTuple):
    """A connection that is open."""

    packets: Iterator[Packet]
    client: Endpoint
    budget: Budget


class SyntheticConnections:
    """All connections of a capture.

    Args:
        order: The capture.
        labels: Takes connections and frames.
    """

    def __init__(self, order: CaptureOrder, labels: Labels) -> None:
        self._order = order
        self._labels = labels
        self._chance = Chance(f"{order.seed}/connections")
        self._timeline = Timeline(Chance(f"{order.seed}/time"))
        largest = min(_MOST_BODY_OCTETS, order.size // 32, 32 * order.body_size)
        self._bodies = BodyMaker(Chance(f"{order.seed}/bodies"), order.contents, order.body_size, largest)
        self._segmentation = Segmentation(order.mss, order.cut)
        self._kinds = list(kinds_in_turn(order.mix, order.connections))
        self._long = sum(kind not in SHORT for kind in self._kinds)  # connections still to begin
        self._left = order.size  # octets that no connection has yet
        self._over: list[Endpoint] = []  # endpoints of clients that have ended

    def packets(self) -> Iterator[Packet]:
        """Yield the packets of all connections, in order."""
        running: list[_Running] = []
        coming = iter(enumerate(self._kinds))
        while True:
            while len(running) < _MOST_OPEN_CONNECTIONS and (following := next(coming, None)):
                running.append(self._begin(*following))
            if not running:
                return
            place = self._chance.below(len(running)) if len(running) > 1 else 0
            packet = next(running[place].packets, None)
            if packet is None:
                over = running.pop(place)
                self._over.append(over.client)
                self._left += over.budget.left  # negative if it took more than its share
            else:
                yield packet

    def _begin(self, number: int, kind: str) -> _Running:
        order, chance = self._order, Chance(f"{self._order.seed}/connection/{number}")
        version = int(order.ip) if order.ip != "both" else chance.pick((4, 6))
        endpoint = self._endpoint(number, version)
        server = Endpoint(_SERVERS[version], order.server_port)
        budget = Budget(self._share(kind))
        connection = TcpConnection(
            number, endpoint, server, self._segmentation, chance, self._timeline, budget, self._labels
        )
        client = make_client(chance, number)
        fields = {
            "kind": kind,
            "package": package_of(kind),
            "client": [endpoint.address, endpoint.port],
            "server": [server.address, server.port],
            "sequences": connection.sequences,
            "name": client.name,
            "user": client.user,
        }
        self._labels.connection(number, fields)
        setting = ConversationSetting(client, chance, self._bodies, budget)
        return _Running(connection.packets(converse(kind, setting)), endpoint, budget)

    def _share(self, kind: str) -> int:
        """Return the budget of a connection: 0.5 to 1.5 times an equal share."""
        if kind in SHORT:
            return 0
        share = max(self._left, 0) // self._long
        if self._long > 1:
            share = int(share * (0.5 + self._chance.draw()))
        self._long -= 1
        self._left -= share
        return share

    def _endpoint(self, number: int, version: int) -> Endpoint:
        """Return the endpoint of a client: usually with a new port, sometimes one that an ended connection used."""
        if self._over and self._chance.once_in(8):
            old = self._over.pop()
            if (":" in old.address) == (version == 6):
                return old
        network, host = divmod(number, _CLIENTS_PER_NETWORK)
        return Endpoint(
            _CLIENTS[version].format(network % 250 + 1, host + 1), _FIRST_PORT + number % _PORT_COUNT
        )
