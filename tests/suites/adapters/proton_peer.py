"""python-qpid-proton's codec as an implementation under test: ``Data``, which knows the primitive types.

The types of the specification cannot be had one by one: ``Message`` and the engine keep them to themselves. What is
left is one error for everything, so errors are not told apart.
"""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from conformance.amqp_1_0.peer import Neutral, Options, Refused, not_supported
from proton import Data, ProtonException

# Values in and out of ``Data``; of another package of tests, which only its path leads to.
proton_forms = SimpleNamespace(**run_path(str(Path(__file__).parents[2] / "interop" / "proton_forms.py")))
SECTIONS = "proton does not give away how it encodes the types of the specification"


def listed(form: Neutral) -> list[Any]:
    """The neutral form of a value as the one that ``proton_forms`` has."""
    name = form["type"]
    if name == "null":
        return [name]
    if name == "list":
        return [name, [listed(item) for item in form["items"]]]
    if name == "map":
        return [name, [[listed(key), listed(item)] for key, item in form["entries"]]]
    if name == "array":
        descriptors = [listed(item) for item in form.get("descriptors", ())]
        return [name, form["of"], descriptors, [listed(item) for item in form["items"]]]
    if name == "described":
        return [name, listed(form["descriptor"]), listed(form["value"])]
    if "fields" in form or (isinstance(form["value"], dict) and "type" in form["value"]):
        not_supported(SECTIONS)
    value = form["value"]
    if isinstance(value, dict):
        return [name, value["hex"]]
    return [name, value if isinstance(value, bool) or name in ("string", "symbol") else str(value)]


def neutral(form: list[Any]) -> Neutral:
    """The other way round."""
    name, *rest = form
    if name == "null":
        return {"type": name, "value": None}
    if name == "list":
        return {"type": name, "items": [neutral(item) for item in rest[0]]}
    if name == "map":
        return {"type": name, "entries": [[neutral(key), neutral(item)] for key, item in rest[0]]}
    if name == "array":
        descriptors = {"descriptors": [neutral(item) for item in rest[1]]} if rest[1] else {}
        return {"type": name, "of": rest[0], **descriptors, "items": [neutral(item) for item in rest[2]]}
    if name == "described":
        return {"type": name, "descriptor": neutral(rest[0]), "value": neutral(rest[1])}
    value = rest[0]
    if isinstance(value, bool) or name in ("string", "symbol", "ulong", "long", "timestamp"):
        return {"type": name, "value": value}
    if name in ("ubyte", "ushort", "uint", "byte", "short", "int", "char"):
        return {"type": name, "value": int(value)}
    return {"type": name, "value": {"hex": value}}


class ProtonPeer:
    """Asks proton."""

    def encode(self, kind: str, value: Neutral, options: Options) -> bytes:
        if kind != "value":
            not_supported(SECTIONS)
        try:
            return proton_forms.encode(listed(value))
        except (ProtonException, OverflowError) as error:
            raise Refused("", str(error)) from error

    def decode(self, kind: str, octets: bytes, options: Options) -> Neutral:
        if kind != "value":
            not_supported(SECTIONS)
        forms = self._decode(octets)
        if len(forms) != 1:
            raise Refused("", f"there are {len(forms)} values")
        return neutral(forms[0])

    def _decode(self, octets: bytes) -> list[list[Any]]:
        try:
            return proton_forms.decode(octets)
        except ProtonException as error:
            raise Refused("", str(error)) from error

    def recode(self, kind: str, octets: bytes, options: Options) -> bytes:
        """What a ``Data`` that has decoded octets encodes."""
        if kind != "value":
            not_supported(SECTIONS)
        data = Data()
        try:
            data.decode(octets)
            return bytes(data.encode())
        except ProtonException as error:
            raise Refused("", str(error)) from error

    def ask(self, kind: str, element: str) -> Neutral:
        not_supported("questions about the specification")

    def check(self, value: Neutral, options: Options) -> None:
        not_supported("asserts")


def make_peer() -> ProtonPeer:
    return ProtonPeer()
