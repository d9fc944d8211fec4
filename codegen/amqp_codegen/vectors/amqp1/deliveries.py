"""Cases of deliveries: messages in one transfer, and in several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model.types1 import Composite
from ..case import Case
from .frames import frame_octets
from .maker import Maker
from .neutral import neutral
from .value import TRUE, CompositeValue, Scalar, Value, uint

KIND = "delivery"
CHANNEL = 1
FIRST: Mapping[str, Value] = {
    "handle": uint(3),
    "delivery-id": uint(7),
    "delivery-tag": Scalar("binary", b"tag"),
    "message-format": uint(0),
}
NEXT: Mapping[str, Value] = {"handle": uint(3)}
MESSAGE = b"\0\x53\x75\xa0\x0c" + b"twelve-bytes"
MORE: Mapping[str, Value] = {"more": TRUE}
CONTRADICTION = "later transfers of a delivery do not contradict the first one (2.7.5)"


def delivery_cases(maker: Maker, frame_type: int) -> Iterator[Case]:
    """Deliveries; none if the specification has no transfers."""
    transfer = maker.spec.type("transfer")
    if not isinstance(transfer, Composite) or not FIRST.keys() <= {each.name for each in transfer.fields}:
        return

    def stream(*pieces: tuple[Mapping[str, Value], bytes]) -> bytes:
        return b"".join(
            frame_octets(
                maker.encoder.encode(CompositeValue("transfer", fields)) + payload, frame_type, CHANNEL
            )
            for fields, payload in pieces
        )

    def accept(name: str, fields: Mapping[str, Value], octets: bytes, way: str, note: str = "") -> Case:
        form = {
            "channel": CHANNEL,
            "transfer": neutral(maker.spec, CompositeValue("transfer", fields)),
            "message": {"hex": MESSAGE.hex()},
        }
        return Case(f"{KIND}/{name}", KIND, KIND, form, octets, way=way, note=note)

    def reject(name: str, octets: bytes) -> Case:
        return Case(
            f"{KIND}/{name}", KIND, KIND, None, octets, "reject", "malformed", "decode", note=CONTRADICTION
        )

    first, start, rest = {**FIRST, **MORE}, MESSAGE[:6], MESSAGE[6:]
    yield accept("one-transfer", FIRST, stream((FIRST, MESSAGE)), "both")
    yield accept("two-transfers", FIRST, stream((first, start), (NEXT, rest)), "decode")
    pieces = [({**NEXT, **MORE}, bytes((octet,))) for octet in MESSAGE[1:-1]]
    octets = stream((first, MESSAGE[:1]), *pieces, (NEXT, MESSAGE[-1:]))
    yield accept("an-octet-each", FIRST, octets, "decode")
    yield accept("empty-transfers", FIRST, stream((first, b""), (NEXT, MESSAGE)), "decode")
    yield accept(
        "identity-repeated", FIRST, stream((first, start), (FIRST, rest)), "decode", "it may be (2.7.5)"
    )
    settled = {**FIRST, "settled": TRUE}
    octets = stream((first, start), ({**NEXT, "settled": TRUE}, rest))
    yield accept("settled-by-the-last", settled, octets, "decode", "settled if any transfer says so (2.7.5)")
    for name, value in (
        ("delivery-id", uint(8)),
        ("delivery-tag", Scalar("binary", b"other")),
        ("message-format", uint(1)),
    ):
        yield reject(f"other-{name}", stream((first, start), ({**NEXT, name: value}, rest)))
