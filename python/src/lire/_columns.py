"""Tables of all kinds as the columns that the native part takes.

A column is ``(name, numbers)`` or ``(name, codes, levels, is_boolean)``. What a column is follows
from its dtype: numbers stay numbers, truth values are ``false`` and ``true``, texts and categories
are categories.
"""

from __future__ import annotations

import numbers
import sys
from typing import Any, TypeAlias

import numpy as np

from lire import _native

# A name and numbers; or a name, codes, levels, and whether the levels are false and true.
Category: TypeAlias = tuple[str, np.ndarray, list[str], bool]
Column: TypeAlias = tuple[str, np.ndarray] | Category

# How pandas spells the types of texts that Arrow keeps.
_TEXTS_OF_ARROW = {"string[pyarrow]", "large_string[pyarrow]"}
MISSING = np.uint32(0xFFFF_FFFF)
TRUTH = ["false", "true"]


def is_frame(X: Any) -> bool:
    """Whether X is a data frame of pandas or polars, or a table of pyarrow."""
    return any(_is(X, module, kind) for module, kind in _FRAMES)


def as_frame(X: Any) -> Any:
    """What speaks Arrow, such as a relation of DuckDB, as a table of pyarrow; anything else as it is."""
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


def frame_columns(X: Any, names: list[str]) -> list[Column]:
    """The columns of a data frame."""
    for (module, kind), columns_of in _FRAMES.items():
        if _is(X, module, kind):
            return columns_of(X, names)
    raise TypeError(f"{type(X).__name__} is no data frame that lire knows")


def array_columns(X: np.ndarray, names: list[str]) -> list[Column]:
    """The columns of a matrix: of numbers, or of Python objects, each column for itself."""
    if X.dtype == object:
        return [_of_objects(name, X[:, at]) for at, name in enumerate(names)]
    return [(name, X[:, at]) for at, name in enumerate(names)]


def as_category(column: Column) -> Category:
    """The same column as a category."""
    if len(column) == 4:
        return column
    name, values = column
    known = ~np.isnan(values)
    levels, places = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), MISSING)
    codes[known] = places
    return _coded(name, codes, [text_of(level) for level in levels.tolist()])


def as_numbers(column: Column) -> Column:
    """The same column as numbers; texts that are none are refused."""
    if len(column) == 2:
        return column
    name, codes, levels, is_boolean = column
    try:
        values = [0.0, 1.0] if is_boolean else [float(level) for level in levels]
    except ValueError as error:
        raise ValueError(f"column `{name}` held numbers in training: {error}") from None
    return name, np.array([*values, np.nan])[np.minimum(codes, len(values))]


def text_of(value: Any) -> str:
    """A value as the text that stands for it in rules and model files."""
    if isinstance(value, bool | np.bool_):
        return TRUTH[int(value)]
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _is(X: Any, module: str, kind: str) -> bool:
    # A table can only be of a library that was imported.
    library = sys.modules.get(module)
    return library is not None and isinstance(X, getattr(library, kind))


def _coded(name: str, codes: np.ndarray, levels: list[str], is_boolean: bool = False) -> Category:
    """Joins levels of the same text."""
    names = list(dict.fromkeys(levels))
    if len(names) < len(levels):
        place = {level: at for at, level in enumerate(names)}
        joined = np.array([*(place[level] for level in levels), MISSING], dtype=np.uint32)
        codes = joined[np.minimum(codes, len(levels))]
    return name, np.ascontiguousarray(codes, dtype=np.uint32), names, is_boolean


def _refuse(name: str, what: str) -> TypeError:
    return TypeError(
        f"column `{name}` holds {what}; turn it into numbers, truth values or categories, or drop it"
    )


def _of_arrow_texts(name: str, cells: Any) -> Column:
    """A column of texts as Arrow keeps them: read where they lie."""
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
    codes, levels = _native.encode_texts(places, characters, missing)
    return name, codes, levels, False


def _of_objects(name: str, cells: Any) -> Column:
    """A column of Python objects: numbers if all known cells are, else truth values or a category."""
    cells = np.asarray(cells, dtype=object)
    # Texts only, as most columns of objects are, go the faster way.
    coded = _native.encode_objects(cells)
    if coded is not None and coded[1]:
        return name, *coded, False
    codes = np.full(len(cells), MISSING)
    place: dict[Any, int] = {}
    for row, cell in enumerate(cells):
        if cell is None or cell != cell or type(cell).__name__ == "NAType":
            continue
        if not isinstance(cell, str | numbers.Real | np.bool_):
            raise TypeError(
                f"column `{name}`: an argument must be a string or a real number, not {type(cell).__name__!r}"
            )
        # 1 and True are one key to a dict, but not one value.
        codes[row] = place.setdefault((isinstance(cell, bool | np.bool_), cell), len(place))
    levels = [cell for _, cell in place]
    if levels and all(is_bool for is_bool, _ in place):
        return _of_truth(
            name, np.array([float(level) for level in levels] + [np.nan])[_places(codes, levels)]
        )
    if not any(isinstance(level, str) for level in levels):
        values = np.array([float(level) for level in levels] + [np.nan])
        return name, _finite(name, values[_places(codes, levels)])
    return _coded(name, codes, [text_of(level) for level in levels])


def _places(codes: np.ndarray, levels: list[Any]) -> np.ndarray:
    return np.minimum(codes, len(levels))


def _of_truth(name: str, values: np.ndarray) -> Column:
    codes = np.full(len(values), MISSING)
    known = ~np.isnan(values)
    codes[known] = values[known].astype(np.uint32)
    return _coded(name, codes, TRUTH, is_boolean=True)


def _finite(name: str, values: np.ndarray) -> np.ndarray:
    values = np.ascontiguousarray(values, dtype=np.float64)
    if np.isinf(values).any():
        raise ValueError(f"Input X contains infinity, in column `{name}`.")
    return values


def _pandas(X: Any, names: list[str]) -> list[Column]:
    import pandas as pd

    def column(name: str, series: Any) -> Column:
        dtype = series.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            # What is missing has the code -1, which is MISSING once it is 32 bits wide.
            codes = series.cat.codes.to_numpy().astype(np.int32).view(np.uint32)
            return _coded(name, codes, [text_of(level) for level in series.cat.categories.tolist()])
        if pd.api.types.is_bool_dtype(dtype):
            return _of_truth(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
        if pd.api.types.is_numeric_dtype(dtype):
            if pd.api.types.is_complex_dtype(dtype):
                raise ValueError(f"Complex data not supported, in column `{name}`.")
            return name, _finite(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
        if getattr(dtype, "storage", None) == "pyarrow" or str(dtype) in _TEXTS_OF_ARROW:
            import pyarrow as pa

            return _of_arrow_texts(name, pa.array(series.array))
        if dtype.kind == "O" or isinstance(dtype, pd.StringDtype):
            return _of_objects(name, series.to_numpy(dtype=object))
        raise _refuse(name, f"values of type {dtype}")

    return [column(name, X.iloc[:, at]) for at, name in enumerate(names)]


def _polars(X: Any, names: list[str]) -> list[Column]:
    import polars as pl

    def column(name: str, series: Any) -> Column:
        dtype = series.dtype
        if dtype.is_numeric() or dtype == pl.Null:
            return name, _finite(name, series.cast(pl.Float64).to_numpy())
        if dtype == pl.Boolean:
            return _of_truth(name, series.cast(pl.Float64).to_numpy())
        if isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
            texts = series.cast(pl.String)
            levels = texts.drop_nulls().unique(maintain_order=True)
            codes = pl.Series(range(len(levels)), dtype=pl.UInt32)
            coded = texts.replace_strict(levels, codes, default=None, return_dtype=pl.UInt32)
            return _coded(name, coded.fill_null(int(MISSING)).to_numpy(), levels.to_list())
        if dtype == pl.Object:
            return _of_objects(name, series.to_list())
        raise _refuse(name, f"values of type {dtype}")

    return [column(name, series) for name, series in zip(names, X.get_columns(), strict=True)]


def _arrow(X: Any, names: list[str]) -> list[Column]:
    import pyarrow as pa
    import pyarrow.compute as pc

    def numbers_of(cells: Any) -> np.ndarray:
        return pc.cast(cells, pa.float64()).to_numpy(zero_copy_only=False)

    def column(name: str, cells: Any) -> Column:
        kind = cells.type
        if pa.types.is_dictionary(kind):
            return as_category(column(name, pc.cast(cells, kind.value_type)))
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            return name, _finite(name, numbers_of(cells))
        if pa.types.is_boolean(kind):
            return _of_truth(name, numbers_of(pc.cast(cells, pa.uint8())))
        if pa.types.is_null(kind):
            return name, np.full(len(cells), np.nan)
        if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            return _of_arrow_texts(name, cells)
        raise _refuse(name, f"values of type {kind}")

    return [column(name, cells) for name, cells in zip(names, X.columns, strict=True)]


_FRAMES = {
    ("pandas", "DataFrame"): _pandas,
    ("polars", "DataFrame"): _polars,
    ("pyarrow", "Table"): _arrow,
}
