"""How we and a proton in this process come together: either of us connects, either of us sends."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Any

from amqp_1_0.performatives import Role

from tests.patience import PATIENCE

from .client import Link, Peer, Session
from .proton_peer import Proton, running, served

Make = Callable[..., contextlib.AbstractContextManager[Link]]


def connect_to(handler: Proton, **fields: Any) -> contextlib.AbstractContextManager[tuple[Session, Any]]:
    """A session of ours with a proton that listens, and how to run something in its thread."""

    @contextlib.contextmanager
    def connecting() -> Iterator[tuple[Session, Any]]:
        with served(handler) as (port, call):
            peer = Peer.dial("127.0.0.1", port)
            with peer.stream:
                peer.log_in(mechanism="ANONYMOUS")
                peer.open(**fields)
                yield peer.begin(), call

    return connecting()


@contextlib.contextmanager
def listening(
    handler: Proton, then: Callable[[Any], object] = lambda connection: None, **options: Any
) -> Iterator[tuple[Peer, Any]]:
    """A socket of ours to which a proton has connected, and how to run something in its thread."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)

        def first(container: Any) -> Any:
            url = f"{options.pop('user', '')}127.0.0.1:{server.getsockname()[1]}"
            connection = container.connect(url, reconnect=False, **options)
            then(connection)
            return connection

        with running(handler, first) as call:
            stream, _ = server.accept()
            with stream:
                yield Peer(stream), call


@contextlib.contextmanager
def linked_as_client(handler: Proton, role: Role, **fields: Any) -> Iterator[Link]:
    """We connect and attach."""
    with connect_to(handler, **fields) as (session, _):
        yield session.sender("node") if role is Role.SENDER else session.receiver("node")


@contextlib.contextmanager
def linked_as_server(handler: Proton, role: Role, **fields: Any) -> Iterator[Link]:
    """Proton connects and attaches, we answer."""

    def attach(connection: Any) -> None:
        session = connection.session()
        session.open()
        link = session.receiver("a-link") if role is Role.SENDER else session.sender("a-link")
        terminus = link.source if role is Role.SENDER else link.target
        terminus.address = "node"
        link.open()

    with listening(handler, attach) as (peer, _):
        init = peer.let_in()
        assert init.mechanism == "ANONYMOUS"
        peer.open(**fields)
        link = peer.accept_session().accept_link()
        assert link.role is role
        assert link.remote is not None
        assert (link.remote.source if role is Role.SENDER else link.remote.target).address == "node"
        yield link
