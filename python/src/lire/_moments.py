"""Dates, times and durations of numpy, Arrow, pandas and Python as columns for the native library.

Such a column is ``(name, microseconds, kind)``; points in time count from 1970 in UTC, and NaN is missing.
"""

from __future__ import annotations

import datetime
from typing import Any, Literal, TypeAlias

import numpy as np

from lire import _native

Kind: TypeAlias = Literal["date", "timestamp", "duration", "time"]
Moments: TypeAlias = tuple[str, np.ndarray, Kind]

# How the libraries write a missing value among ticks.
NOT_A_TIME = np.iinfo(np.int64).min
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_SECONDS = {"W": 7 * 86_400, "D": 86_400, "h": 3600, "m": 60}
_EPOCH = datetime.datetime(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)
_OBJECTS = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


def of_ticks(name: str, ticks: Any, per_second: int, kind: Kind) -> Moments:
    """A column of ticks, of which there are so many in a second."""
    ticks = np.ascontiguousarray(ticks, dtype=np.int64)
    return name, _native.moments(name, ticks, per_second, kind), kind


def of_days(name: str, days: Any) -> Moments:
    """A column of days, of which the smallest integer is missing."""
    return of_ticks(name, _times(np.asarray(days, dtype=np.int64), 86_400), 1, "date")


def of_array(name: str, values: np.ndarray) -> Moments:
    """A column of numpy's ``datetime64`` or ``timedelta64``, of any unit."""
    kind: Kind = "timestamp" if values.dtype.kind == "M" else "duration"
    unit, count = np.datetime_data(values.dtype)
    if unit in ("Y", "M"):
        if kind == "duration":
            raise TypeError(
                f"column `{name}` holds years or months, which have no length; turn them into days"
            )
        values, unit, count = values.astype("datetime64[D]"), "D", 1
    elif unit in ("ps", "fs", "as"):
        values, unit, count = values.astype(f"{values.dtype.kind}8[ns]"), "ns", 1
    ticks = _times(values.view(np.int64), count * _SECONDS.get(unit, 1))
    return of_ticks(name, ticks, PER_SECOND.get(unit, 1), kind)


def of_objects(name: str, codes: np.ndarray, levels: list[Any]) -> Moments | None:
    """A column of Python's dates, times or durations, if all of its distinct values are of one kind."""
    kinds = {_kind_of(level) for level in levels}
    kinds -= {"date"} if "timestamp" in kinds else set()
    if len(kinds) != 1 or (kind := kinds.pop()) is None:
        return None
    ticks = np.array([*(_micros(name, level) for level in levels), NOT_A_TIME], dtype=np.int64)
    return of_ticks(name, ticks[np.minimum(codes, len(levels))], PER_SECOND["us"], kind)


def is_moment(cell: Any) -> bool:
    """Whether a Python object is a date, a time or a duration."""
    return isinstance(cell, _OBJECTS)


def text_of(cell: Any) -> str:
    """A date, time or duration as text, as in files."""
    column = of_objects("y", np.zeros(1, np.uint32), [cell])
    assert column is not None
    return str(_native.texts_of_moments(column[1], column[2])[1][0])


def _kind_of(cell: Any) -> Kind | None:
    if isinstance(cell, datetime.datetime | np.datetime64):
        return "timestamp"
    if isinstance(cell, datetime.date):
        return "date"
    if isinstance(cell, datetime.timedelta | np.timedelta64):
        return "duration"
    return "time" if isinstance(cell, datetime.time) else None


def _micros(name: str, cell: Any) -> int:
    """A value in whole microseconds, rounded down."""
    if hasattr(cell, "to_datetime64"):  # a timestamp of pandas, which may be finer
        cell = (cell if cell.tzinfo is None else cell.tz_convert("UTC").tz_localize(None)).to_datetime64()
    elif hasattr(cell, "to_timedelta64"):
        cell = cell.to_timedelta64()
    if isinstance(cell, np.datetime64 | np.timedelta64):
        return int(of_array(name, np.array([cell]))[1][0])
    if isinstance(cell, datetime.datetime):
        if cell.tzinfo is not None:
            cell = cell.astimezone(datetime.UTC).replace(tzinfo=None)
        return (cell - _EPOCH) // _MICROSECOND
    if isinstance(cell, datetime.timedelta):
        return cell // _MICROSECOND
    if isinstance(cell, datetime.time):
        return (datetime.datetime.combine(_EPOCH, cell.replace(tzinfo=None)) - _EPOCH) // _MICROSECOND
    return (datetime.datetime.combine(cell, datetime.time()) - _EPOCH) // _MICROSECOND


def _times(ticks: np.ndarray, factor: int) -> np.ndarray:
    """Ticks of a coarser unit in a finer one; what is too large stays so, and what is missing too."""
    if factor == 1:
        return ticks
    largest = np.iinfo(np.int64).max // factor
    return np.where(ticks == NOT_A_TIME, ticks, np.clip(ticks, -largest, largest) * factor)
