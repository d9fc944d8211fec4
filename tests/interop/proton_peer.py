"""proton as the other side, in a thread: it listens or connects, notes what comes and does what it was told.

Octets of messages go in and out as they are, since proton's ``Message`` has no room for several sections of data.
"""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from proton import Condition, Delivery, Handler
from proton.reactor import ApplicationEvent, Container, EventInjector

from tests.patience import PATIENCE


class Proton(Handler):
    """A container that is told beforehand what to do.

    Attributes:
        notes: What happened: tuples of a name and details.
    """

    def __init__(
        self,
        *,
        send: Sequence[bytes] = (),
        state: Callable[[Delivery], None] | None = None,
        on_link: Callable[[Any], object] | None = None,
        credit: int = 10,
    ) -> None:
        """What to do.

        Args:
            send: Messages to send as there is credit.
            state: Sets the outcome of a delivery received; accepted without it.
            on_link: What to do with a link that the other side has attached.
            credit: How many messages to ask for.
        """
        super().__init__()
        self.notes: queue.Queue[tuple[Any, ...]] = queue.Queue()
        self.to_send = list(send)
        self.state = state
        self.on_link = on_link
        self.credit = credit
        self.first: Callable[[Any], object] = lambda container: None
        self.parts: dict[str, bytes] = {}
        self.container: Any = None

    def note(self, *what: Any) -> None:
        self.notes.put(what)

    def wait(self, name: str) -> tuple[Any, ...]:
        """The details of the next note of that name; others before it are dropped."""
        while True:
            what = self.notes.get(timeout=PATIENCE)
            if what[0] == name:
                return what[1:]

    # --- events ---

    def on_reactor_init(self, event: Any) -> None:
        self.first(event.container)

    def on_connection_remote_open(self, event: Any) -> None:
        connection = event.connection
        properties = connection.remote_properties
        self.note("open", connection.remote_container, dict(properties) if properties else None)
        connection.open()

    def on_session_remote_open(self, event: Any) -> None:
        event.session.open()

    def on_link_remote_open(self, event: Any) -> None:
        link = event.link
        if not link.state & link.LOCAL_ACTIVE:
            link.source.copy(link.remote_source)
            link.target.copy(link.remote_target)
            link.snd_settle_mode = link.remote_snd_settle_mode
            link.open()
        self.note("attach", link.name, link.remote_source.address, link.remote_target.address)
        if self.on_link:
            self.on_link(link)
        elif link.is_receiver:
            link.flow(self.credit)

    def on_link_flow(self, event: Any) -> None:
        link = event.link
        if not link.is_sender:
            return
        while link.credit > 0 and self.to_send:
            link.delivery(f"proton-{len(self.to_send)}")
            link.stream(self.to_send.pop(0))
            link.advance()
        if link.drain_mode:
            self.note("drained", link.drained())

    def on_delivery(self, event: Any) -> None:
        delivery, link = event.delivery, event.link
        if link.is_receiver:
            self.on_message(delivery, link)
        elif delivery.updated:
            remote = delivery.remote
            self.note(
                "outcome",
                delivery.remote_state,
                delivery.settled,
                details(remote) if delivery.remote_state else None,
            )
            delivery.settle()

    def on_message(self, delivery: Delivery, link: Any) -> None:
        if delivery.aborted:
            self.note("aborted")
            delivery.settle()
            return
        if not delivery.readable:
            if delivery.settled:
                self.note("settled", delivery.remote_state)
            return
        if delivery.pending:
            self.parts[delivery.tag] = self.parts.get(delivery.tag, b"") + link.recv(delivery.pending)
        if delivery.partial:
            return
        settled = delivery.settled
        link.advance()
        if not self.on_link and link.credit < self.credit:
            link.flow(self.credit - link.credit)
        self.note("message", self.parts.pop(delivery.tag, b""), delivery.tag, settled)
        if self.state:
            self.state(delivery)
        else:
            delivery.update(Delivery.ACCEPTED)
        delivery.settle()

    def on_link_remote_close(self, event: Any) -> None:
        self.note("detach", condition(event.link.remote_condition))
        event.link.close()

    def on_link_remote_detach(self, event: Any) -> None:
        self.note("detach without close", condition(event.link.remote_condition))
        event.link.detach()

    def on_session_remote_close(self, event: Any) -> None:
        self.note("end", condition(event.session.remote_condition))
        event.session.close()

    def on_connection_remote_close(self, event: Any) -> None:
        self.note("close", condition(event.connection.remote_condition))
        event.connection.close()

    def on_transport_error(self, event: Any) -> None:
        self.note("transport error", condition(event.transport.condition))

    def on_call(self, event: Any) -> None:
        event.subject(self.container)


def condition(found: Condition | None) -> tuple[Any, ...] | None:
    """Name, description and info of an error."""
    return None if found is None else (found.name, found.description, found.info)


def details(state: Any) -> tuple[Any, ...]:
    """What an outcome says besides its name."""
    if state.type == Delivery.RECEIVED:
        return state.section_number, state.section_offset
    if state.type == Delivery.REJECTED:
        return (condition(state.condition),)
    if state.type == Delivery.MODIFIED:
        return state.failed, state.undeliverable, state.annotations
    return ()


@contextlib.contextmanager
def running(handler: Proton, first: Callable[[Any], object]) -> Iterator[Callable[..., None]]:
    """Runs proton in a thread until all is closed, beginning with ``first(container)``, which listens or connects.

    Yields:
        What runs a function of the container in the thread.
    """
    injector = EventInjector()
    started = threading.Event()
    opened: list[Any] = []

    def begin(container: Any) -> None:
        container.selectable(injector)
        opened.append(first(container))
        started.set()

    handler.first = begin
    container = handler.container = Container(handler)
    failed: list[BaseException] = []

    def run() -> None:
        try:
            container.start()
            while container.process():  # as ``run`` does, which would take seconds to see that all is closed
                container.timeout = 0.02
            container.stop()
            container.process()
        except BaseException as error:
            failed.append(error)
            started.set()

    def call(function: Callable[[Any], object]) -> None:
        injector.trigger(ApplicationEvent("call", subject=function))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert started.wait(PATIENCE)
    try:
        yield call
    finally:
        # When nothing is open any more, the container has nothing to do and ends.
        call(lambda container: [item.close() for item in opened])
        injector.close()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "proton does not stop"
        assert not failed, failed


def port_of(acceptor: Any) -> int:
    """Where a container of proton listens that was to take any port."""
    with socket.socket(fileno=os.dup(acceptor._selectable.fileno())) as listener:
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def served(handler: Proton) -> Iterator[tuple[int, Callable[..., None]]]:
    """Runs a proton that listens.

    Yields:
        The port, and what runs a function of the container in the thread.
    """
    ports: list[int] = []

    def listen(container: Any) -> Any:
        acceptor = container.listen("127.0.0.1:0")
        ports.append(port_of(acceptor))
        return acceptor

    with running(handler, listen) as call:
        yield ports[0], call
