"""Of what is redacted nothing is said but that it is there: neither that it breaks a rule, nor how."""

from __future__ import annotations

import json
from struct import pack

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_codegen.support.resources import load_package
from amqp_traffic.audit.amqp0.arguments import _SECRETS
from amqp_traffic.audit.connection_columns import _SECRETS as LEFT_OUT
from amqp_traffic.schemas import PACKAGES0

from ..messages.method_script import client, header, server
from .audited_methods import RST, audit, handshake, method, ready

_LONG_LOGIN = [
    *handshake()[:3],
    server("connection.secure", 0, challenge=b"who?"),
    client("connection.secure-ok", 0, response=b"secret"),
    *handshake()[3:],
]
_NEW_SECRET = ready(
    client("connection.update-secret", 0, new_secret=b"secret", reason="it is old"),
    server("connection.update-secret-ok", 0),
)
_PROPERTIES = {"product": "p", "version": "1", "password": "", "inner": {"token": "secret"}}
_START = [header(), handshake()[1]]
_START_OK = b"\0\0\0\0\5PLAIN\0\0\0\x0d\0guest\0secret1\5en_US"
_SASL = b"AMQP\3\1\0\0"


@pytest.mark.parametrize(
    "steps",
    [handshake(), handshake(start_ok={"client_properties": _PROPERTIES}), _LONG_LOGIN, _NEW_SECRET],
    ids=["start-ok", "properties", "secure-ok", "update-secret"],
)
def test_what_is_redacted_is_not_judged(steps: list) -> None:
    found = audit(steps)
    assert [item.evidence for item in found if item.severity != "info" or "assert" in item.rule_id] == []
    assert "secret" not in json.dumps([item.row() for item in found if "secret" not in item.evidence])


def test_all_that_a_lake_does_not_have_is_known() -> None:
    for package in PACKAGES0:
        for kind in load_package(package).METHODS.values():
            left_out = {field.name.replace("_", "-") for field in kind.FIELDS if field.name in LEFT_OUT}
            assert left_out <= {_SECRETS.get(kind.NAME)}, kind.NAME


@pytest.mark.parametrize(
    "octets",
    [_START_OK[:-8], _START_OK + b"xxx", _START_OK.replace(b"PLAIN", b"PL\xffIN")],
    ids=["cut off", "too long", "no UTF-8"],
)
def test_what_is_wrong_with_a_login_is_not_known(octets: bytes) -> None:
    """Nothing is left of it; that it ends too soon then is not the client's doing."""
    found = audit([*_START, method(10, 11, octets, channel=0), RST])
    assert [(item.rule_id, item.evidence) for item in found if item.severity == "error"] == [
        ("arguments-undecodable", f"connection.start-ok of {len(octets) + 12} octets: which may not be shown")
    ]


@pytest.mark.parametrize(
    "octets", [b"\x00\x53\x41\xc0\x03\x01\x43", b"\x00\x53\x43\x45", b"\x00\x53\x99\x45"]
)
def test_what_is_wrong_with_a_sasl_frame_is_not_known(octets: bytes) -> None:
    frame = pack(">IBBH", 8 + len(octets), 2, 1, 0) + octets
    found = audit([(0, _SASL), (1, _SASL), (0, frame), RST])
    assert [(item.rule_id, item.evidence) for item in found if item.severity == "error"] == [
        ("performative-undecodable", f"a frame of {len(frame)} octets: which may not be shown")
    ]
