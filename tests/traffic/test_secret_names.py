"""Which names, texts and messages count as secret."""

from __future__ import annotations

import pytest
from amqp_traffic.secret_names import (
    is_secret_body,
    is_secret_name,
    is_secret_node,
    is_secret_request,
    is_secret_text,
    may_have_secret,
    secret_names,
)

SECRET = (
    *("access_token", "api_key", "apikey", "auth_token", "authorization", "client_secret", "credentials"),
    *("passcode", "passphrase", "passwd", "password", "pwd", "refresh_token", "secret", "token", "PASSWORD"),
    *("SharedAccessKey", "sharedAccessKey", "com.microsoft:shared-access-key", "x-opt-token", "X-Auth-Token"),
    *("Proxy-Authorization", "db.password", "clientSecret", "x-jwt", "JWT", "AccountKey", "pass word"),
)
PUBLIC = (
    *("", "x-opt-lock-token", "continuationToken", "tokens", "routing_key", "key", "x-max-length", "author"),
    *(
        "password-expires",
        "consumer_cancel_notify",
        "authentication_failure_close",
        "SharedAccessKeyName",
        "cwd",
    ),
    *("signature", "product", "x-match", "traceparent"),
)


@pytest.mark.parametrize("name", SECRET)
def test_names(name: str) -> None:
    assert is_secret_name(name)
    assert may_have_secret(b"\x01" + name.encode() + b"\xa1")


@pytest.mark.parametrize("name", PUBLIC)
def test_other_names(name: str) -> None:
    assert not is_secret_name(name)


def test_texts() -> None:
    for text in (
        "Bearer abc",
        " bearer abc",
        "SharedAccessSignature sr=a&sig=b",
        "Endpoint=sb://a/;SharedAccessKeyName=k;SharedAccessKey=v",
    ):
        assert is_secret_text(text) and is_secret_text(text.encode()) and may_have_secret(text.encode())
        assert is_secret_body(b"\0\x53\x77\xa1\x20" + text.encode())
    for text in ("", "the bearer of news", "Bearer", "SharedAccessKeyName=k"):
        assert not is_secret_text(text)


@pytest.mark.parametrize(
    "address", ["$cbs", "/$cbs", "amqp://host/$cbs", "amqps://host:5671/a/$CBS/", "$cbs?a=b"]
)
def test_nodes(address: str) -> None:
    assert is_secret_node(address)


@pytest.mark.parametrize(
    "address", [None, "", "cbs", "$cbs2", "$cbs/a", "/management", "$management", ["$cbs"], 1]
)
def test_other_nodes(address: object) -> None:
    assert not is_secret_node(address)


def test_names_of_nodes() -> None:
    """C looks for their first character."""
    assert all(name.startswith("$") for name in secret_names().nodes)


def test_requests() -> None:
    assert is_secret_request(None, None, "put-token", None)
    assert is_secret_request(None, "set-token", None, None)
    assert is_secret_request(None, None, None, "servicebus.windows.net:sastoken")
    assert is_secret_request("$cbs", None, None, None)
    assert is_secret_request("/auth/tokens", "PUT", None, None)
    assert not is_secret_request("/auth/tokens", "GET", None, None)
    assert not is_secret_request("/queues/q", "PUT", "get", "text")
    assert not is_secret_request(1, 2, 3, [])
