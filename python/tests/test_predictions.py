"""Files of predictions that the command writes, read by pyarrow, pandas and polars."""

import datetime
import decimal
import json
import subprocess

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from the_command import command

from lire import LireClassifier, LireRegressor, load

N_ROWS = 5_000
MOMENT = datetime.datetime(2024, 2, 29, 12, 30, 0, 250_000)
ZONED = pa.timestamp("ms", tz="Europe/Vienna")


def data():
    """Two features, and columns of many types to keep."""
    draws = np.random.default_rng(11)
    some = np.arange(N_ROWS) % 7 != 3
    day = datetime.date(2024, 2, 28)
    days = [day + datetime.timedelta(int(row)) if some[row] else None for row in range(N_ROWS)]
    moments = [MOMENT + datetime.timedelta(hours=int(row)) for row in range(N_ROWS)]
    return pa.table(
        {
            "id": pa.array(np.arange(N_ROWS) + (1 << 60)),
            "name": pa.array([f"é {row}\n" if some[row] else None for row in range(N_ROWS)]),
            "day": pa.array(days, pa.date32()),
            "moment": pa.array(moments, pa.timestamp("us")),
            "zoned": pa.array(moments, ZONED),
            "price": pa.array([decimal.Decimal(row) / 100 for row in range(N_ROWS)], pa.decimal128(12, 2)),
            "level": pa.array(draws.choice(["low", "high"], N_ROWS)).dictionary_encode(),
            "short": pa.array(draws.uniform(size=N_ROWS).astype(np.float32)),
            "list": pa.array([[row] for row in range(N_ROWS)]),
            "a": pa.array(draws.uniform(size=N_ROWS).round(3)),
            "b": pa.array(draws.choice(["x", "y", "z"], N_ROWS)),
        }
    )


def labels(table, kind):
    points = (np.asarray(table["a"]) > 0.5).astype(int) + (np.asarray(table["b"]) == "x")
    return {"two": np.where(points > 0, "yes", "no"), "three": np.array(["p", "q", "r"])[points]}.get(
        kind, points * 10.0 + np.asarray(table["a"])
    )


@pytest.fixture(scope="module", params=["two", "three", "number"])
def scored(request, tmp_path_factory):
    """A folder with a file of data and a model of it."""
    folder = tmp_path_factory.mktemp("scored")
    table = data()
    # Several groups, of which none ends where the command's parts do.
    pq.write_table(table, folder / "data.parquet", row_group_size=1_234)
    estimator = LireRegressor if request.param == "number" else LireClassifier
    model = estimator(n_estimators=20, gamma=0.01, lambda_=0.1, random_state=0)
    model.fit(table.select(["a", "b"]), labels(table, request.param)).save(folder / "m.lire.json")
    return folder


def predict(folder, *arguments, code=0):
    done = subprocess.run(
        [command(), "predict", "m.lire.json", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def test_the_file_holds_what_python_predicts(scored):
    predict(scored, "data.parquet", "--out", "scores.parquet", "--local-support")
    table = pq.read_table(scored / "scores.parquet")
    model = load(scored / "m.lire.json")
    X = data().select(["a", "b"])
    rules = table["rules"]
    assert rules.type == pa.int32() and rules.null_count == 0
    if isinstance(model, LireRegressor):
        assert table.column_names == ["prediction", "rules"]
        np.testing.assert_array_equal(table["prediction"], model.predict(X))
        return
    assert table["label"].type == pa.string()
    assert table["label"].to_pylist() == model.predict(X).tolist()
    probabilities = model.predict_proba(X)
    scores = model.decision_function(X)
    if len(model.classes_) == 2:
        assert table.column_names == ["score", "probability", "label", "rules"]
        np.testing.assert_array_equal(table["score"], scores)
        np.testing.assert_array_equal(table["probability"], probabilities[:, 1])
    else:
        for place, name in enumerate(model.classes_):
            np.testing.assert_array_equal(table[f"score_{name}"], scores[:, place])
            np.testing.assert_array_equal(table[f"probability_{name}"], probabilities[:, place])
    assert pq.ParquetFile(scored / "scores.parquet").metadata.row_group(0).column(0).compression == "ZSTD"


def test_parquet_and_csv_hold_the_same(scored):
    predict(scored, "data.parquet", "--out", "scores.parquet", "--keep", "id")
    predict(scored, "data.parquet", "--out", "scores.csv", "--keep", "id")
    csv = pd.read_csv(scored / "scores.csv")
    pd.testing.assert_frame_equal(pd.read_parquet(scored / "scores.parquet"), csv, check_dtype=False)
    assert pl.read_parquet(scored / "scores.parquet").columns == list(csv.columns)
    joined = data().select(["id", "name"]).join(pq.read_table(scored / "scores.parquet"), "id")
    assert joined.num_rows == N_ROWS


def test_kept_columns_keep_their_types(scored):
    table = data()
    kept = [name for name in table.column_names if name not in ("a", "b")]
    predict(scored, "data.parquet", "--out", "kept.parquet", "--keep", ",".join(kept))
    written = pq.read_table(scored / "kept.parquet")
    for name in kept:
        if pa.types.is_dictionary(table[name].type):
            assert pa.types.is_dictionary(written[name].type)
        else:
            assert written[name].type == table[name].type, name
        assert written[name].to_pylist() == table[name].to_pylist(), name


def test_kept_columns_as_texts(scored):
    kept = "id,name,day,moment,zoned,price,level,short"
    json_rows = json.loads(predict(scored, "data.parquet", "--format", "json", "--keep", kept))
    for row, expected in zip(json_rows, data().to_pylist(), strict=True):
        assert (row["id"], row["name"], row["level"]) == (expected["id"], expected["name"], expected["level"])
        assert row["day"] == (expected["day"] and expected["day"].isoformat())
        assert datetime.datetime.fromisoformat(row["moment"]) == expected["moment"]
        assert datetime.datetime.fromisoformat(row["zoned"]) == expected["zoned"]
        assert (row["price"], np.float32(row["short"])) == (float(expected["price"]), expected["short"])
    predict(scored, "data.parquet", "--out", "kept.csv", "--keep", kept)
    frame = pd.read_csv(scored / "kept.csv", dtype={"id": np.int64})
    assert frame["id"].tolist() == data()["id"].to_pylist()
    assert frame["name"].fillna("").tolist() == [name or "" for name in data()["name"].to_pylist()]
    told = predict(scored, "data.parquet", "--keep", "list", code=2)
    assert told.startswith("error: --keep: column `list` holds values that a text cannot hold; write parquet")
