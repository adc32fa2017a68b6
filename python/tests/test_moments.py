"""Dates, times and durations of all libraries are ordered values, and what rules print of them is true."""

import datetime
import json
import re
import subprocess
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.ensemble import RandomForestClassifier
from the_command import command

import lire
from lire import (
    GLRMClassifier,
    LireClassifier,
    LireRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    RuleTransformer,
)

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
N_ROWS = 400


def quick(**parameters):
    return LireClassifier(
        **({"n_estimators": 20, "gamma": 0.002, "lambda_": 0.1, "random_state": 0} | parameters)
    )


def kinds(model):
    return {feature["name"]: feature["type"] for feature in model._file["features"]}


@pytest.fixture(scope="module")
def visits():
    """Days, instants and durations with gaps, and a class that follows them."""
    draws = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "opened": np.datetime64("2018-01-01") + draws.integers(0, 900, N_ROWS).astype("timedelta64[D]"),
            "seen": np.datetime64("2019-01-01T00:00") + draws.integers(0, 500_000, N_ROWS),
            "wait": draws.integers(0, 240, N_ROWS).astype("timedelta64[h]"),
        }
    )
    y = (frame.opened > "2019-04-01") ^ (frame.wait > pd.Timedelta("4D")) | (frame.seen > "2019-11-01 12:00")
    frame.loc[::17, "seen"] = pd.NaT
    return frame, np.where(y, "b", "a")


def micros_of(moment):
    """Microseconds from 1970 by Python's calendar."""
    return (moment - EPOCH) // datetime.timedelta(microseconds=1)


def held(micros):
    """The largest float64 that is not above."""
    near = float(micros)
    return near if int(near) <= micros else np.nextafter(near, -np.inf)


def test_texts_are_read_as_python_reads_them():
    draws = np.random.default_rng(1)
    first, last = datetime.datetime(1, 1, 3), datetime.datetime(9999, 12, 28)
    span = int((last - first).total_seconds())
    moments, texts = [], []
    for place in range(2000):
        seconds, fraction = int(draws.integers(span)), int(draws.integers(10**6)) if place % 3 else 0
        zone = datetime.timezone(datetime.timedelta(minutes=int(draws.integers(-1439, 1440))))
        moment = (first + datetime.timedelta(seconds=seconds, microseconds=fraction)).replace(tzinfo=zone)
        moments.append(moment)
        texts.append(moment.isoformat(sep="T" if place % 2 else " "))
    expected = [held(micros_of(moment)) for moment in moments]
    y = np.asarray(expected) / 1e15
    for cells in (texts, moments):
        X = pd.DataFrame({"t": pd.Series(cells, dtype=object)})
        model = RuleFitRegressor(gamma=0.01, linear_terms=True, n_estimators=1, random_state=0).fit(X, y)
        assert kinds(model) == {"t": "timestamp"}
        [linear] = [term for term in model._file["terms"] if term["kind"] == "linear"]
        assert linear["low"] in expected and linear["high"] in expected
        found = [why.to_dict()["linear"][0] for why in model.explain_local(X)]
        assert [term["value"] for term in found] == expected
        assert {term["moment"] for term in found} == {"timestamp"}
    # What an explanation prints is the same instant again.
    for why, micros in zip(model.explain_local(X), expected, strict=True):
        shown = datetime.datetime.fromisoformat(why.values["t"]).replace(tzinfo=datetime.UTC)
        assert micros_of(shown) == micros


def forms(frame):
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    yield "objects", frame.astype(object)
    yield (
        "python",
        frame.assign(
            **{
                name: pd.Series(
                    [None if pd.isna(cell) else convert(cell) for cell in frame[name]], dtype=object
                )
                for name, convert in (
                    ("opened", lambda cell: cell.date()),
                    ("seen", lambda cell: cell.to_pydatetime()),
                    ("wait", lambda cell: cell.to_pytimedelta()),
                )
            }
        ),
    )
    for unit in ("s", "ms", "us", "ns"):
        units = {
            "opened": f"datetime64[{unit}]",
            "seen": f"datetime64[{unit}]",
            "wait": f"timedelta64[{unit}]",
        }
        yield unit, frame.astype(units)
    yield "zone", frame.assign(seen=frame.seen.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin"))
    yield "polars", pl.from_arrow(arrow)
    yield "polars dates", pl.from_arrow(arrow).with_columns(pl.col("opened").cast(pl.Date))
    yield "arrow", arrow
    day = arrow["opened"].cast(pa.timestamp("s")).cast(pa.date32())
    yield "arrow dates", arrow.set_column(0, "opened", day)
    yield "arrow in pandas", arrow.to_pandas(types_mapper=pd.ArrowDtype)
    iso = {"opened": "%Y-%m-%d", "seen": "%Y-%m-%dT%H:%M:%SZ"}
    yield (
        "texts",
        frame.assign(**{name: frame[name].dt.strftime(form) for name, form in iso.items()}).assign(
            wait=frame.wait.astype(str)
        ),
    )


def test_all_forms_make_one_model(visits):
    X, y = visits
    right = quick().fit(X, y)
    assert kinds(right) == {"opened": "date", "seen": "timestamp", "wait": "duration"}
    expected = right.decision_function(X)
    for name, form in forms(X):
        model = quick().fit(form, y)
        assert model._file["features"] == right._file["features"], name
        assert model._file["terms"] == right._file["terms"], name
        assert (right.decision_function(form) == expected).all(), name


def test_rules_say_what_they_do(visits):
    X, y = visits
    model = quick().fit(X, y)
    bounds = {
        "opened": lambda text: pd.Timestamp(text),
        "seen": lambda text: pd.Timestamp(text),
        "wait": lambda text: pd.Timedelta(text.replace("d", "D")),
    }
    fired = model.transform(X) if hasattr(model, "transform") else None
    n_checked = 0
    for place, rule in enumerate(model.rules_):
        covered = np.ones(len(X), dtype=bool)
        for condition in rule.split(" & "):
            text, missing, _ = condition.partition(" or missing")
            parts = re.fullmatch(r"(?:(.+) < )?(\w+)(?: (>|≤) (.+))?", text)
            below, name, sign, bound = parts.groups()
            holds = X[name].notna()
            if below:
                holds &= X[name] > bounds[name](below)
            holds &= X[name] > bounds[name](bound) if sign == ">" else X[name] <= bounds[name](bound)
            covered &= holds | (X[name].isna() if missing else False)
            n_checked += 1
        term = model._file["terms"][place]
        assert term["rows"] == covered.sum(), rule
        if fired is not None:
            assert (np.asarray(fired)[:, place].astype(bool) == covered).all(), rule
    assert n_checked > 5


def test_arrays_of_numpy_are_dates_too(visits):
    X, y = visits
    frame = X[["opened", "seen"]].set_axis(["x0", "x1"], axis=1)
    right = quick().fit(frame, y)
    for unit in ("m", "s", "us", "ns"):
        array = frame.to_numpy().astype(f"datetime64[{unit}]")
        model = quick().fit(array, y)
        assert model._file["terms"] == right._file["terms"], unit
        assert (model.decision_function(array) == right.decision_function(frame)).all()
    waits = X[["wait"]].to_numpy().astype("timedelta64[h]")
    assert kinds(quick().fit(waits, y)) == {"x0": "duration"}


def test_a_date_ignores_the_time_of_day(visits):
    X, y = visits
    model = quick().fit(X, y)
    later = X.assign(opened=X.opened + pd.Timedelta("23:59:59"))
    assert (model.decision_function(later) == model.decision_function(X)).all()


def test_declared_dates_are_levels_as_written():
    days = pd.Series(pd.to_datetime(["2019-04-01", "2019-04-02", "2019-04-03"] * 60).date, dtype=object)
    y = (days == datetime.date(2019, 4, 2)).to_numpy()
    model = quick(categorical_features=["day"]).fit(pd.DataFrame({"day": days}), y)
    assert model._file["features"][0]["levels"] == ["2019-04-01", "2019-04-02", "2019-04-03"]
    for form in (pd.to_datetime(days), days.astype(str), days):
        assert (model.predict(pd.DataFrame({"day": form})) == y).all()


def test_the_command_predicts_from_all_files(visits, tmp_path):
    X, y = visits
    model = quick().fit(X, y)
    model.save(tmp_path / "m.lire.json")
    X.to_csv(tmp_path / "pandas.csv", index=False)
    arrow = pa.Table.from_pandas(X, preserve_index=False)
    # polars writes no durations to CSV; as texts it spells them in ISO 8601.
    iso = pl.from_arrow(arrow).with_columns(pl.col("wait").dt.to_string())
    iso.write_csv(tmp_path / "polars.csv")
    pq.write_table(arrow, tmp_path / "x.parquet")
    expected = model.decision_function(X).tolist()
    for name in ("pandas.csv", "polars.csv", "x.parquet"):
        arguments = [command(), "predict", tmp_path / "m.lire.json", tmp_path / name, "--format", "json"]
        ran = subprocess.run(arguments, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        rows = json.loads(ran.stdout)
        rows = rows if isinstance(rows, list) else rows["predictions"]
        assert [row["score"] for row in rows] == expected, name
    again = lire.load(tmp_path / "m.lire.json")
    assert again.decision_function(X).tolist() == expected


def test_all_methods_take_dates(visits):
    X, y = visits
    for model in (
        RuleFitClassifier(gamma=1e-3, linear_terms=True, n_estimators=10, random_state=0),
        GLRMClassifier(random_state=0),
    ):
        assert model.fit(X, y).score(X, y) > 0.75
    assert RuleTransformer(n_estimators=5, random_state=0).fit(X, y).transform(X).shape[0] == len(X)


def test_times_that_differ_in_all_rows_are_no_identifiers():
    draws = np.random.default_rng(0)
    days = np.datetime64("2018-01-01", "s") + draws.permutation(400).astype("timedelta64[D]")
    y = (days > np.datetime64("2018-06-01")) ^ (draws.random(400) < 0.2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert quick().fit(pd.DataFrame({"day": days}), y).rules_


def test_odd_tokens_among_dates_are_missing_or_told(visits):
    X, y = visits
    texts = X.opened.dt.strftime("%Y-%m-%d").astype(object)
    texts[::50] = "NA"
    with pytest.warns(UserWarning, match="`NA` are taken as missing, because the others are dates"):
        model = quick().fit(X.assign(opened=texts), y)
    assert kinds(model)["opened"] == "date"
    texts[::50] = "open"
    with pytest.warns(UserWarning, match="all its values are dates except `open`"):
        assert kinds(quick().fit(X.assign(opened=texts), y))["opened"] == "category"
    with pytest.warns(UserWarning, match=r"look like dates.*write them as 2019-04-01"):
        quick().fit(X.assign(opened=X.opened.dt.strftime("%m/%d/%y")), y)
    assert kinds(quick().fit(X.assign(opened=X.opened.dt.year), y))["opened"] == "integer"


def test_what_cannot_be_compared_is_refused(visits):
    X, y = visits
    model = quick().fit(X.assign(z=np.arange(N_ROWS) % 7), y)
    X = X.assign(z=1.0)
    for change, message in (
        ({"opened": 1.0}, "column `opened`: the model was trained on dates here, but these are numbers"),
        ({"z": X.opened}, "column `z`: the model was trained on numbers here, but these are timestamps"),
        (
            {"wait": X.opened},
            "column `wait`: the model was trained on durations here, but these are timestamps",
        ),
        ({"opened": "3/4/19"}, "row 1: `3/4/19` is not a date such as 2019-04-01"),
    ):
        with pytest.raises(ValueError, match=message):
            model.predict(X.assign(**change))
    gone = model.predict(X.assign(opened=pd.NaT, wait=pd.NaT))
    assert len(gone) == N_ROWS
    far = pd.DataFrame({"t": np.array(["12000-01-01"] * N_ROWS, dtype="datetime64[s]")})
    with pytest.raises(ValueError, match="column `t`: it holds dates or times outside the years 1 to 9999"):
        quick().fit(far, y)
    for target in (X.opened, X.wait, X.opened.astype(object), X.opened.dt.date):
        with pytest.raises(TypeError, match="dates or durations"):
            LireRegressor().fit(X[["z", "wait"]], target)
    with pytest.raises(TypeError, match="column `opened` holds dates, times or durations"):
        LireClassifier(tree_generator=RandomForestClassifier(n_estimators=2)).fit(X, y)


def test_dates_as_classes_are_texts():
    days = np.array(["2019-04-01", "2019-04-02"], dtype="datetime64[D]").repeat(100)
    X = np.arange(200.0).reshape(-1, 1)
    for y in (days, days.astype("datetime64[ns]")):
        model = quick().fit(X, y)
        assert (model.predict(X) == y).all()
        assert model._file["target"]["classes"][0].startswith("2019-04-01")
