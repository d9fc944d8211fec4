"""Values between us and proton, both ways, equal in value and type."""

from __future__ import annotations

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install '.[peers]'")

from . import proton_forms
from .exchanged_values import ARRAYS, COMPOUNDS, DEEP_ARRAYS, SCALARS, short
from .neutral_values import neutral, value_of

FORMS = [*SCALARS, *COMPOUNDS, *ARRAYS, *DEEP_ARRAYS]


def test_proton_reads_what_we_write() -> None:
    read = [proton_forms.decode(amqp.encode(value_of(form))) for form in FORMS]
    assert read == [[form] for form in FORMS]


def test_we_read_what_proton_writes() -> None:
    for form in FORMS:
        octets = proton_forms.encode(form)
        value, end = amqp.decode(octets)
        assert (neutral(value), end) == (form, len(octets))


def test_ours_is_not_longer() -> None:
    sizes = {
        short(form): (len(amqp.encode(value_of(form))), len(proton_forms.encode(form))) for form in FORMS
    }
    assert {name: (ours, protons) for name, (ours, protons) in sizes.items() if ours > protons} == {}
