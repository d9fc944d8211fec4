"""Timestamps and datetimes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import amqp
from .values import decoded

Timestamp = amqp.types.Timestamp
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ZONES = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@given(moment=st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=ZONES))
@examples(200)
def test_a_datetime_there_and_back(moment: datetime) -> None:
    found = Timestamp.of(moment)
    whole = moment - timedelta(microseconds=moment.microsecond % 1000)
    assert found.datetime == whole
    assert found.datetime.tzinfo is UTC
    assert decoded(amqp.encode(moment)) == found
    assert Timestamp.of(found.datetime) == found


@pytest.mark.parametrize(
    ("number", "moment"),
    [
        (0, EPOCH),
        (1, EPOCH + timedelta(milliseconds=1)),
        (-1, EPOCH - timedelta(milliseconds=1)),
        (1311704463521, datetime(2011, 7, 26, 18, 21, 3, 521000, UTC)),
        (-62135596800000, FIRST),
        (253402300799999, LAST.replace(microsecond=999000)),
    ],
)
def test_moments(number: int, moment: datetime) -> None:
    assert Timestamp(number).datetime == moment
    assert Timestamp.of(moment) == number


@pytest.mark.parametrize("number", [-62135596800001, 253402300800000, 2**63 - 1, -(2**63)])
def test_moments_that_no_datetime_holds(number: int) -> None:
    timestamp = Timestamp(number)
    assert decoded(amqp.encode(timestamp)) == number
    with pytest.raises(OverflowError):
        _ = timestamp.datetime


class Nowhere(tzinfo):
    """A time zone that does not know its offset: a datetime with it is naive all the same."""

    def utcoffset(self, when: datetime | None) -> timedelta | None:
        return None

    def dst(self, when: datetime | None) -> timedelta | None:
        return None

    def tzname(self, when: datetime | None) -> str | None:
        return None


@pytest.mark.parametrize("moment", [datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=Nowhere())])
def test_naive_datetimes_are_refused(moment: datetime) -> None:
    calls: list[Any] = [lambda: Timestamp.of(moment), lambda: amqp.encode({"at": moment})]
    paths = ["", "at"]
    for call, path in zip(calls, paths, strict=True):
        with pytest.raises(amqp.EncodeError, match="time zone") as caught:
            call()
        assert caught.value.path == path


def test_timestamps_are_no_other_things() -> None:
    for value in ("2024-01-01", 1.5, None, datetime(2024, 1, 1, tzinfo=UTC).date()):
        with pytest.raises(amqp.EncodeError):
            Timestamp(value)
        with pytest.raises(amqp.EncodeError):
            Timestamp.of(value)
