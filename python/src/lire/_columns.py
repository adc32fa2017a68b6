"""Converts tables of all kinds to columns for the native library.

A column is ``(name, numbers)``, ``(name, codes, levels, kind)``, or ``(name, microseconds, kind)`` for dates,
times and durations (``_moments``). One that is mostly one value may be sparse: its cells are then that value
followed by those of the rows that differ, and the rows come last. What a column is follows from its dtype:
numbers stay numbers, truth values are ``false`` and ``true``, texts and categories are categories. Only of
texts beside numbers, in columns of objects, the library finds the type.
"""

from __future__ import annotations

import datetime
import decimal
import importlib.util
import numbers
import sys
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np

from lire import _moments, _native

if TYPE_CHECKING:
    from typing_extensions import TypeIs

# Truth values are false and true; texts may be categories; mixed are texts beside numbers.
Kind: TypeAlias = Literal["truth", "text", "mixed"]
# A name and numbers; or a name, codes, levels, and what they are. Integers are kept as such, and so are
# Python's numbers of more digits than float64 has, so that they can be told apart where they are categories;
# `as_numbers` then makes them float64.
Category: TypeAlias = tuple[str, np.ndarray, list[str], Kind]
# The rows of a sparse column that differ, ascending, and the number of all rows.
Rows: TypeAlias = tuple[np.ndarray, int]
SparseCategory: TypeAlias = tuple[str, np.ndarray, list[str], Kind, Rows]
DenseColumn: TypeAlias = tuple[str, np.ndarray] | Category
Column: TypeAlias = DenseColumn | _moments.Moments | tuple[str, np.ndarray, Rows] | SparseCategory

MISSING = np.uint32(0xFFFF_FFFF)
# Characters that are ignored around a text.
BLANKS = " \t\n\r\f"
# float64 represents every integer up to here.
_LARGEST_WHOLE = 2**53
TRUTH = ["false", "true"]


def is_frame(X: Any) -> bool:
    """Whether X is a data frame of pandas or polars, or a table of pyarrow."""
    return any(_is(X, module, kind) for module, kind in _FRAMES)


def as_frame(X: Any) -> Any:
    """Objects with an Arrow interface, such as a DuckDB relation, as a pyarrow table; others unchanged."""
    if _is(X, "polars", "LazyFrame"):
        raise TypeError("a LazyFrame holds no rows yet; call `.collect()` first")
    if is_frame(X) or not (hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")):
        return X
    try:
        import pyarrow as pa
    except ImportError:
        raise TypeError(
            f"a {type(X).__name__} is read with pyarrow, which is not installed; "
            "install it, or give a data frame of pandas or polars"
        ) from None
    try:
        return pa.table(X if hasattr(X, "__arrow_c_stream__") else pa.record_batch(X))
    except pa.ArrowInvalid:  # a single column, which scikit-learn's checks refuse
        return X


def with_plain_names(X: Any) -> Any:
    """A frame of pandas whose columns have names of several parts with these joined, as in ``a.b``."""
    if not _is(X, "pandas", "DataFrame") or X.columns.nlevels == 1:
        return X
    parts = [[str(part) for part in name if part != ""] for name in X.columns]
    return X.set_axis([".".join(name) for name in parts], axis=1)


def frame_columns(X: Any, names: list[str], n_threads: int = 0) -> list[Column]:
    """The columns of a data frame."""
    for (module, kind), columns_of in _FRAMES.items():
        if _is(X, module, kind):
            return columns_of(X, names, n_threads)
    raise TypeError(f"{type(X).__name__} is not a data frame that lire supports")


def array_columns(X: np.ndarray, names: list[str]) -> list[Column]:
    """The columns of a matrix of numbers, or of Python objects with types found column by column."""
    if X.dtype == object:
        return [_of_objects(name, X[:, at]) for at, name in enumerate(names)]
    if X.dtype.kind in "mM":
        return [_moments.of_array(name, X[:, at]) for at, name in enumerate(names)]
    if X.dtype.kind in "iu":
        return [_integers(name, X[:, at]) for at, name in enumerate(names)]
    return [(name, X[:, at]) for at, name in enumerate(names)]


def group_column(groups: Any) -> Category:
    """The groups of rows as a category, in which each value keeps its own text."""
    return as_category(_single_column("groups", groups))


def time_column(times: Any) -> Column:
    """The times of rows: dates as microseconds since 1970 in UTC, texts the library reads, or numbers."""
    name = _name_of(times, "time")
    dates = _dates(times)
    if dates is None:
        column = _single_column("time", times)
        return as_numbers(column if is_moments(column) else dense(column))
    micros = dates.astype("datetime64[us]").astype(np.int64).astype(np.float64)
    return name, np.where(np.isnat(dates), np.nan, micros)


def _single_column(argument: str, values: Any) -> Column:
    """Values of all rows, such as a list, an array or a series, as one column."""
    name = _name_of(values, argument)
    if hasattr(values, "to_frame"):  # a series of pandas or polars
        return frame_columns(values.to_frame(), [name])[0]
    array = np.asarray(values)
    if array.dtype.kind in "US":
        array = np.asarray(values, dtype=object)
    if array.ndim != 1:
        raise ValueError(f"{argument}: one value a row is needed, but the array has {array.ndim} dimensions")
    if array.dtype.kind not in "biufO":
        raise TypeError(f"{argument}: values of type {array.dtype} are neither numbers nor texts")
    if array.dtype.kind in "bf":
        array = array.astype(np.float64)
    return array_columns(array[:, np.newaxis], [name])[0]


def _dates(values: Any) -> np.ndarray | None:
    """Dates as numpy's datetime64, in UTC; none if they are something else."""
    if hasattr(values, "dt") and hasattr(values, "to_numpy"):  # a series of pandas or polars
        zone = getattr(values.dtype, "tz", None)
        values = values.dt.tz_convert("UTC").dt.tz_localize(None) if zone is not None else values
        values = values.to_numpy()
    array = np.asarray(values)
    if array.dtype.kind == "O" and any(hasattr(value, "isoformat") for value in array):
        known = (None if is_missing(value) else _in_utc(value) for value in array.tolist())
        array = np.array(list(known), dtype="datetime64[us]")
    return array if array.dtype.kind == "M" and array.ndim == 1 else None


def _in_utc(moment: Any) -> Any:
    """A date or time of Python as numpy takes it: without a time zone."""
    if getattr(moment, "tzinfo", None) is None:
        return moment
    return moment.astimezone(datetime.UTC).replace(tzinfo=None)


def _name_of(values: Any, argument: str) -> str:
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else argument


def sparse_columns(X: Any, names: list[str]) -> list[Column]:
    """The columns of a sparse matrix of numbers in canonical CSC format."""
    starts = X.indptr.tolist()
    # Each column's cells behind the zero that its other rows share, all columns in one array.
    cells = np.zeros(X.nnz + len(names), X.data.dtype)
    cells[np.arange(X.nnz) + np.repeat(np.arange(1, len(names) + 1), np.diff(X.indptr))] = X.data
    rows = X.indices.astype(np.uint32)
    # Copies: the native library compares all views of an array with each other.
    return [
        (name, cells[start + at : end + at + 1].copy(), (rows[start:end].copy(), X.shape[0]))
        for at, (name, start, end) in enumerate(zip(names, starts, starts[1:], strict=False))
    ]


def is_category(column: Column) -> bool:
    """Whether the column has levels."""
    return len(column) > 3


def is_moments(column: Column) -> TypeIs[_moments.Moments]:
    """Whether the column holds dates, times or durations."""
    return len(column) == 3 and isinstance(column[2], str)


def dense(column: Column) -> DenseColumn:
    """The same column, of no dates or times, with the cells of all rows side by side."""
    if len(column) == 2 or len(column) == 4:
        return column
    rows, n_rows = cast(Rows, column[2] if len(column) == 3 else column[4])
    cells = np.full(n_rows, column[1][0])
    cells[rows] = column[1][1:]
    return (column[0], cells) if len(column) == 3 else (column[0], cells, column[2], column[3])


def as_category(column: Column) -> Category:
    """The same column as a category, the cells of all rows side by side."""
    if is_moments(column):
        return _coded(column[0], *_native.texts_of_moments(column[1], column[2]))
    column = dense(column)
    if len(column) == 4:
        return column
    name, values = column
    if values.dtype == object:
        place: dict[str, int] = {}
        texts = [None if value is None else text_of(value) for value in values.tolist()]
        places_of = [int(MISSING) if text is None else place.setdefault(text, len(place)) for text in texts]
        return _coded(name, np.array(places_of, dtype=np.uint32), list(place))
    known = ~(np.ma.getmaskarray(values) if values.dtype.kind in "iu" else np.isnan(values))
    levels, places = np.unique(np.ma.getdata(values)[known], return_inverse=True)
    codes = np.full(len(values), MISSING)
    codes[known] = places
    return _coded(name, codes, [text_of(level) for level in levels.tolist()])


def as_numbers(column: Column) -> Column:
    """The column with numbers as float64; texts are parsed by the native library."""
    if is_category(column) or is_moments(column):
        return column
    name, values, *rows = column
    if values.dtype.kind in "iu":
        values = np.ma.filled(values.astype(np.float64), np.nan)
    if values.dtype == object:
        values = np.array([np.nan if value is None else float(value) for value in values.tolist()])
    return (name, values, *rows)


def too_long(column: Column) -> Any:
    """An integer of the column that float64 cannot represent exactly, if there is any."""
    values = np.ma.getdata(column[1])
    if is_category(column) or is_moments(column) or values.dtype.kind not in "iuO":
        return None
    if values.dtype.kind in "iu":
        long = values[(values > _LARGEST_WHOLE) | (values < -_LARGEST_WHOLE)].tolist()
    else:
        long = [value for value in values.tolist() if value is not None and abs(value) > _LARGEST_WHOLE]
    return min(long, default=None)


def text_of(value: Any) -> str:
    """A value as text, as in rules and model files."""
    if isinstance(value, bool | np.bool_):
        return TRUTH[int(value)]
    if isinstance(value, float | np.floating):
        return _native.text_of_number(float(value))
    if isinstance(value, decimal.Decimal):
        text = f"{value:f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text == "-0" else text
    return _moments.text_of(value) if _moments.is_moment(value) else str(value)


def _is(X: Any, module: str, kind: str) -> bool:
    # A table can only come from a library that was imported.
    library = sys.modules.get(module)
    return library is not None and isinstance(X, getattr(library, kind))


def _coded(name: str, codes: np.ndarray, levels: list[str], kind: Kind = "text") -> Category:
    """Joins levels of the same text."""
    names = list(dict.fromkeys(levels))
    if len(names) < len(levels):
        place = {level: at for at, level in enumerate(names)}
        joined = np.array([*(place[level] for level in levels), MISSING], dtype=np.uint32)
        codes = joined[np.minimum(codes, len(levels))]
    return name, np.ascontiguousarray(codes, dtype=np.uint32), names, kind


def _refuse(name: str, what: str) -> TypeError:
    return TypeError(
        f"column `{name}` holds {what}; turn it into numbers, truth values or categories, or drop it"
    )


def _of_arrow_texts(name: str, cells: Any, n_threads: int) -> Column:
    """A column of Arrow strings, read without copying."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.cast(cells, pa.large_string())
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    if isinstance(texts, pa.ChunkedArray):  # none at all, or more than fit into one
        texts = pa.concat_arrays([pa.array([], pa.large_string()), *texts.chunks])
    _, offsets, content = texts.buffers()
    places = np.zeros(1, np.int64) if offsets is None else np.frombuffer(offsets, np.int64)
    places = places[texts.offset : texts.offset + len(texts) + 1]
    characters = np.zeros(0, np.uint8) if content is None else np.frombuffer(content, np.uint8)
    missing = texts.is_null().to_numpy(zero_copy_only=False) if texts.null_count else None
    codes, levels = _native.encode_texts(places, characters, missing, n_threads=n_threads)
    return name, codes, levels, "text"


def _of_arrow_decimals(name: str, cells: Any) -> Column:
    """A column of decimals of Arrow."""
    import pyarrow as pa
    import pyarrow.compute as pc

    # Arrow multiplies by a rounded power of ten; parsing the text gives the nearest number.
    numbers_of = pc.cast(pc.cast(cells, pa.string()), pa.float64())
    values = numbers_of.to_numpy(zero_copy_only=False)
    return (name, values) if _fit_units(values, cells.type.scale) else _of_objects(name, cells.to_pylist())


def _of_objects(name: str, cells: Any) -> Column:
    """A column of Python objects: numbers, truth values or dates if all known cells are, otherwise texts."""
    cells = np.asarray(cells, dtype=object)
    # Most columns of objects hold only texts, which have a faster path.
    coded = _native.encode_objects(cells)
    if coded is not None and coded[1]:
        return name, *coded, "text"
    codes = np.full(len(cells), MISSING)
    place: dict[Any, int] = {}
    for row, cell in enumerate(cells):
        if is_missing(cell):
            continue
        if not isinstance(cell, str | numbers.Real | decimal.Decimal | np.bool_) and not _moments.is_moment(
            cell
        ):
            raise TypeError(
                f"column `{name}`: an argument must be a string or a real number, not {type(cell).__name__!r}"
            )
        # 1 and True are the same key to a dict, but different values.
        codes[row] = place.setdefault((isinstance(cell, bool | np.bool_), cell), len(place))
    levels = [cell for _, cell in place]
    if levels and all(is_bool for is_bool, _ in place):
        return _of_truth(
            name, np.array([float(level) for level in levels] + [np.nan])[_places(codes, levels)]
        )
    if any(_moments.is_moment(level) for level in levels):
        column = _moments.of_objects(name, codes, levels)
        return column or _coded(name, codes, [text_of(level) for level in levels], "mixed")
    if not any(isinstance(level, str) for level in levels):
        values = _finite(name, np.array([_float_of(level) for level in levels] + [np.nan]))
        if not all(map(_is_held, levels)):
            values = np.array([*levels, None], dtype=object)
        return name, values[_places(codes, levels)]
    return _coded(name, codes, [text_of(level) for level in levels], "mixed")


def is_missing(cell: Any) -> bool:
    """Whether a Python object means a missing value."""
    if isinstance(cell, decimal.Decimal):
        return cell.is_nan()
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    differs = cell != cell
    return isinstance(differs, bool | np.bool_) and bool(differs)


def _float_of(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf")


def _is_held(number: Any) -> bool:
    """Whether float64 represents a Python number exactly."""
    if isinstance(number, numbers.Integral):
        return abs(int(number)) <= _LARGEST_WHOLE
    if isinstance(number, decimal.Decimal):
        return text_of(number) == text_of(float(number))
    return True


def _fit_units(values: np.ndarray, scale: int) -> bool:
    """Whether decimals are short enough for float64 to keep them distinct."""
    known = values[~np.isnan(values)]
    return known.size == 0 or bool(np.abs(known).max() * 10.0**scale <= _LARGEST_WHOLE)


def _integers(name: str, values: np.ndarray, missing: np.ndarray | None = None) -> Column:
    """A column of integers, exact."""
    values = values.astype(np.uint64 if values.dtype.kind == "u" else np.int64, copy=False)
    return name, values if missing is None else np.ma.masked_array(values, missing)


def _places(codes: np.ndarray, levels: list[Any]) -> np.ndarray:
    return np.minimum(codes, len(levels))


def _of_truth(name: str, values: np.ndarray) -> Column:
    codes = np.full(len(values), MISSING)
    known = ~np.isnan(values)
    codes[known] = values[known].astype(np.uint32)
    return _coded(name, codes, TRUTH, "truth")


def _finite(name: str, values: np.ndarray) -> np.ndarray:
    values = np.ascontiguousarray(values, dtype=np.float64)
    if np.isinf(values).any():
        raise ValueError(f"Input X contains infinity, in column `{name}`.")
    return values


def _pandas(X: Any, names: list[str], n_threads: int) -> list[Column]:
    import pandas as pd

    def column(name: str, series: Any) -> Column:
        dtype = series.dtype
        if isinstance(dtype, pd.SparseDtype):
            if (sparse := _of_sparse(name, series.array)) is not None:
                return sparse
            series = pd.Series(np.asarray(series.array))
            dtype = series.dtype
        if isinstance(dtype, pd.ArrowDtype):
            import pyarrow as pa

            return _of_arrow(name, pa.chunked_array(pa.array(series.array)), n_threads)
        if isinstance(dtype, pd.CategoricalDtype):
            # Missing values have the code -1, which equals MISSING as 32 bits.
            codes = series.cat.codes.to_numpy().astype(np.int32).view(np.uint32)
            return _coded(name, codes, [text_of(level) for level in series.cat.categories.tolist()])
        if pd.api.types.is_bool_dtype(dtype):
            return _of_truth(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
        if pd.api.types.is_numeric_dtype(dtype):
            if pd.api.types.is_complex_dtype(dtype):
                raise ValueError(f"Complex data not supported, in column `{name}`.")
            if pd.api.types.is_integer_dtype(dtype):
                unsigned = pd.api.types.is_unsigned_integer_dtype(dtype)
                missing = series.isna().to_numpy() if series.hasnans else None
                filled = series if missing is None else series.fillna(0)
                return _integers(name, filled.to_numpy(np.uint64 if unsigned else np.int64), missing)
            return name, _finite(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
        if dtype.kind in "mM":
            if isinstance(dtype, pd.DatetimeTZDtype):
                series = series.dt.tz_convert("UTC").dt.tz_localize(None)
            return _moments.of_array(name, series.to_numpy())
        if isinstance(dtype, pd.StringDtype) and dtype.storage == "pyarrow":
            import pyarrow as pa

            return _of_arrow_texts(name, pa.array(series.array), n_threads)
        if dtype.kind == "O" or isinstance(dtype, pd.StringDtype):
            return _of_objects(name, series.to_numpy(dtype=object))
        raise _refuse(name, f"values of type {dtype}")

    return [column(name, X.iloc[:, at]) for at, name in enumerate(names)]


def _of_sparse(name: str, array: Any) -> Column | None:
    """A sparse column of pandas; none if its cells are no numbers or truth values, or of several kinds."""
    kind = array.dtype.subtype.kind
    cells = np.concatenate([np.asarray([array.fill_value]), array.sp_values])
    if kind not in "biuf" or cells.dtype.kind != kind:
        return None
    rows = (array.sp_index.to_int_index().indices.astype(np.uint32), len(array))
    if kind == "b":
        return (*_of_truth(name, cells.astype(np.float64)), rows)
    if kind == "f":
        return name, _finite(name, cells), rows
    return (*_integers(name, cells), rows)


def _polars(X: Any, names: list[str], n_threads: int) -> list[Column]:
    import polars as pl

    def column(name: str, series: Any) -> Column:
        dtype = series.dtype
        if dtype.is_decimal():
            values = series.cast(pl.Float64).to_numpy()
            is_held = _fit_units(values, dtype.scale)
            return (name, values) if is_held else _of_objects(name, series.to_list())
        if dtype.is_integer() and str(dtype) in ("Int128", "UInt128"):
            return _of_objects(name, series.to_list())
        if dtype.is_integer():
            missing = series.is_null().to_numpy() if series.null_count() else None
            return _integers(name, series.fill_null(0).to_numpy(), missing)
        if dtype.is_numeric() or dtype == pl.Null:
            return name, _finite(name, series.cast(pl.Float64).to_numpy())
        if dtype == pl.Boolean:
            return _of_truth(name, series.cast(pl.Float64).to_numpy())
        if dtype == pl.String and importlib.util.find_spec("pyarrow"):
            return _of_arrow_texts(name, series.to_arrow(), n_threads)
        if isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
            texts = series.cast(pl.String)
            levels = texts.drop_nulls().unique(maintain_order=True)
            codes = pl.Series(range(len(levels)), dtype=pl.UInt32)
            coded = texts.replace_strict(levels, codes, default=None, return_dtype=pl.UInt32)
            return _coded(name, coded.fill_null(int(MISSING)).to_numpy(), levels.to_list())
        if dtype == pl.Object:
            return _of_objects(name, series.to_list())
        if dtype.is_temporal():
            ticks = series.to_physical().cast(pl.Int64).fill_null(int(_moments.NOT_A_TIME)).to_numpy()
            if dtype == pl.Date:
                return _moments.of_days(name, ticks)
            kind: _moments.Kind = "time" if dtype == pl.Time else "duration"
            kind = "timestamp" if isinstance(dtype, pl.Datetime) else kind
            return _moments.of_ticks(
                name, ticks, _moments.PER_SECOND[getattr(dtype, "time_unit", "ns")], kind
            )
        raise _refuse(name, f"values of type {dtype}")

    return [column(name, series) for name, series in zip(names, X.get_columns(), strict=True)]


def _arrow(X: Any, names: list[str], n_threads: int) -> list[Column]:
    return [_of_arrow(name, cells, n_threads) for name, cells in zip(names, X.columns, strict=True)]


def _of_arrow(name: str, cells: Any, n_threads: int) -> Column:
    """An Arrow column of any type."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def numbers_of(cells: Any) -> np.ndarray:
        return pc.cast(cells, pa.float64()).to_numpy(zero_copy_only=False)

    kind = cells.type
    if pa.types.is_dictionary(kind):
        return as_category(_of_arrow(name, pc.cast(cells, kind.value_type), n_threads))
    if pa.types.is_integer(kind):
        missing = pc.is_null(cells).to_numpy(zero_copy_only=False) if cells.null_count else None
        return _integers(name, pc.fill_null(cells, 0).to_numpy(zero_copy_only=False), missing)
    if pa.types.is_floating(kind):
        return name, _finite(name, numbers_of(cells))
    if pa.types.is_decimal(kind):
        return _of_arrow_decimals(name, cells)
    if pa.types.is_boolean(kind):
        return _of_truth(name, numbers_of(pc.cast(cells, pa.uint8())))
    if pa.types.is_null(kind):
        return name, np.full(len(cells), np.nan)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return _of_arrow_texts(name, cells, n_threads)
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        integer = pa.int32() if kind.bit_width == 32 else pa.int64()
        ticks = pc.fill_null(pc.cast(pc.cast(cells, integer), pa.int64()), int(_moments.NOT_A_TIME))
        ticks = ticks.to_numpy(zero_copy_only=False) if isinstance(ticks, pa.Array) else ticks.to_numpy()
        return _of_arrow_ticks(name, ticks, kind)
    raise _refuse(name, f"values of type {kind}")


def _of_arrow_ticks(name: str, ticks: np.ndarray, kind: Any) -> Column:
    """A column of dates, times or durations of Arrow."""
    import pyarrow as pa

    if pa.types.is_date32(kind):
        return _moments.of_days(name, ticks)
    if pa.types.is_date64(kind):
        return _moments.of_ticks(name, ticks, _moments.PER_SECOND["ms"], "date")
    what: _moments.Kind = "time" if pa.types.is_time(kind) else "duration"
    what = "timestamp" if pa.types.is_timestamp(kind) else what
    return _moments.of_ticks(name, ticks, _moments.PER_SECOND[kind.unit], what)


_FRAMES = {
    ("pandas", "DataFrame"): _pandas,
    ("polars", "DataFrame"): _polars,
    ("pyarrow", "Table"): _arrow,
}
