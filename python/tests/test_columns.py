"""Columns of texts are read as what pandas finds in them, however they are kept."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from lire import RuleFitClassifier, _columns

N_ROWS = 150_000  # more than one block


def texts(n_rows, n_levels, missing_share, seed=0):
    """Texts of all lengths, some of them missing."""
    draws = np.random.default_rng(seed)
    levels = ["", "é", "a longer text with blanks", *(f"level {at}" for at in range(n_levels - 3))]
    cells = np.array(levels, dtype=object)[draws.integers(0, n_levels, n_rows)]
    cells[draws.random(n_rows) < missing_share] = None
    return cells


def expected(cells):
    """The codes and levels by pandas."""
    codes, levels = pd.factorize(cells, use_na_sentinel=True)
    return np.where(codes < 0, int(_columns.MISSING), codes).astype(np.uint32), list(levels)


def kept(cells, how):
    """The same cells, kept in several ways, as a frame of one column."""
    match how:
        case "objects":
            return pd.DataFrame({"x": pd.Series(cells, dtype=object)})
        case "distinct objects":
            copies = [None if cell is None else "".join(list(cell)) for cell in cells]
            return pd.DataFrame({"x": pd.Series(copies, dtype=object)})
        case "str":
            return pd.DataFrame({"x": pd.Series(cells, dtype="str")})
        case "python strings":
            return pd.DataFrame({"x": pd.Series(cells, dtype=pd.StringDtype("python"))})
        case "arrow strings":
            return pd.DataFrame({"x": pd.Series(cells, dtype=pd.ArrowDtype(pa.string()))})
        case "a table":
            return pa.table({"x": pa.array(cells, pa.string())})
        case "chunks":
            parts = [cells[:10], cells[10:10], cells[10:70_001], cells[70_001:]]
            return pa.table({"x": pa.chunked_array([pa.array(part, pa.large_string()) for part in parts])})
        case "views":
            return pa.table({"x": pa.array(cells, pa.string_view())})


HOW = ["objects", "distinct objects", "str", "python strings", "arrow strings", "a table", "chunks", "views"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(("n_levels", "missing_share"), [(5, 0.0), (5, 0.3), (9000, 0.1)])
def test_texts_are_coded_as_pandas_does(how, n_levels, missing_share):
    cells = texts(N_ROWS, n_levels, missing_share)
    [(name, codes, levels, kind)] = _columns.frame_columns(kept(cells, how), ["x"])
    right_codes, right_levels = expected(cells)
    assert (name, kind) == ("x", "text")
    assert levels == right_levels
    np.testing.assert_array_equal(codes, right_codes)


@pytest.mark.parametrize("how", HOW)
def test_part_of_a_column_is_read_alone(how):
    cells = texts(1000, 7, 0.2)
    whole = kept(cells, how)
    part = whole.slice(300, 400) if isinstance(whole, pa.Table) else whole.iloc[300:700]
    [(_, codes, levels, _)] = _columns.frame_columns(part, ["x"])
    right_codes, right_levels = expected(cells[300:700])
    assert levels == right_levels
    np.testing.assert_array_equal(codes, right_codes)


def test_nothing_is_no_text():
    [(_, codes, levels, _)] = _columns.frame_columns(pa.table({"x": pa.array([], pa.string())}), ["x"])
    assert (len(codes), levels) == (0, [])
    [(_, codes, levels, _)] = _columns.frame_columns(pa.table({"x": pa.array([None], pa.string())}), ["x"])
    assert (codes.tolist(), levels) == ([int(_columns.MISSING)], [])


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, float("nan")])
def test_whatever_is_missing_is_missing(missing):
    frame = pd.DataFrame({"x": pd.Series(["a", missing, "b", missing], dtype=object)})
    [(_, codes, levels, _)] = _columns.frame_columns(frame, ["x"])
    gap = int(_columns.MISSING)
    assert (codes.tolist(), levels) == ([0, gap, 1, gap], ["a", "b"])


def test_texts_among_other_objects_are_spelled_out():
    frame = pd.DataFrame({"x": pd.Series(["a", 1, True, 2.0, None], dtype=object)})
    [(_, codes, levels, _)] = _columns.frame_columns(frame, ["x"])
    assert [levels[code] for code in codes[:4]] == ["a", "1", "true", "2"]
    assert codes[4] == _columns.MISSING


THREADS = """
from pathlib import Path
import pyarrow as pa, pandas as pd, polars as pl
import lire

texts = ["a", "b", "c"] * 100_000
few = pa.table({"x": texts[:300]})
model = lire.LireClassifier(gamma=0.01, lambda_=0.1, n_estimators=5, n_jobs=1).fit(few, [0, 1, 1] * 100)
many = pa.table({"x": texts})
for n_jobs in (1, 3):
    model.set_params(n_jobs=n_jobs)
    for table in (many, many.to_pandas(), many.to_pandas(types_mapper=pd.ArrowDtype), pl.from_arrow(many)):
        model.predict(table)
    names = {task.read_text().strip() for task in Path("/proc/self/task").glob("*/comm")}
    print(len([name for name in names if name.startswith("lire-")]))
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted by Linux only")
def test_texts_are_read_on_as_many_threads_as_are_wanted():
    run = subprocess.run([sys.executable, "-c", THREADS], check=True, capture_output=True, text=True)
    assert run.stdout.split() == ["1", "3"]


def test_few_different_rows_still_make_a_model():
    X, y = np.array([[0.0], [1.0]] * 50), np.array([0, 1] * 50)
    model = RuleFitClassifier(random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0
    assert len(model.get_rules()) > 0
