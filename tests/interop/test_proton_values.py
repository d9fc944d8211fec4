"""Values between us and proton, both ways, equal in value and type."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="python-qpid-proton is not installed: pip install .[peers]")

from . import proton_forms
from .exchanged_values import ARRAYS, COMPOUNDS, DEEP_ARRAYS, SCALARS, short
from .neutral_values import neutral, value_of

FORMS = [*SCALARS, *COMPOUNDS, *ARRAYS, *DEEP_ARRAYS]


@pytest.mark.parametrize("form", FORMS, ids=short)
def test_proton_reads_what_we_write(form: list[Any]) -> None:
    assert proton_forms.decode(amqp.encode(value_of(form))) == [form]


@pytest.mark.parametrize("form", FORMS, ids=short)
def test_we_read_what_proton_writes(form: list[Any]) -> None:
    octets = proton_forms.encode(form)
    value, end = amqp.decode(octets)
    assert end == len(octets)
    assert neutral(value) == form


@pytest.mark.parametrize("form", FORMS, ids=short)
def test_ours_is_not_longer(form: list[Any]) -> None:
    assert len(amqp.encode(value_of(form))) <= len(proton_forms.encode(form))
