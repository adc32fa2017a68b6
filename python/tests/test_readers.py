"""The command and Python learn the same from the same table, whatever it is read from."""

import datetime
import decimal
import gzip
import io
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
from the_command import command

import lire
from lire import LireClassifier, LireRegressor, RuleTransformer, _columns

COMMAND = command()
PRICES = {"gamma": 0.002, "lambda_": 0.1, "n_estimators": 30, "random_state": 0}
CATEGORIES = ["code", "id", "unsigned"]
# What the types of frames and Parquet files say, and CSV cannot.
IN_CSV = ["--categorical=code,id,unsigned,zip", "--numeric=flag"]
N_ROWS = 600


def nasty():
    """Columns that readers may take for something else; and classes that follow them."""
    draws = np.random.default_rng(5)
    big = 1 << 60
    frame = pd.DataFrame(
        {
            "code": draws.choice(["007", "7", "0070", "07"], N_ROWS),
            "id": draws.choice(np.array([big, big + 1, big + 2]), N_ROWS),
            "unsigned": draws.choice(np.array([2**63 + 1, 2**63 + 2, 5], dtype=np.uint64), N_ROWS),
            "agrees": draws.choice(["Yes", "no", "NO"], N_ROWS),
            "smokes": draws.choice(["Yes", "no"], N_ROWS),
            "blank": draws.choice(["a ", "b ", " c"], N_ROWS),
            "on": draws.random(N_ROWS) < 0.5,
            "price": [decimal.Decimal(int(cents)) / 100 for cents in draws.integers(0, 500, N_ROWS)],
            "place": draws.choice(["Zürich", "東京", "é"], N_ROWS),
            "short": draws.uniform(0, 1, N_ROWS).astype(np.float32),
            "gaps": np.where(draws.random(N_ROWS) < 0.1, np.nan, draws.uniform(0, 9, N_ROWS).round(2)),
            "zip": draws.choice(["12", "012", "3"], N_ROWS),
            "flag": draws.integers(0, 2, N_ROWS),
            "tenths": draws.choice(np.array([0.1, 0.2, 0.3], dtype=np.float32), N_ROWS),
            "count": pd.array(
                np.where(draws.random(N_ROWS) < 0.1, None, draws.integers(0, 9, N_ROWS)), "Int64"
            ),
            "level": pd.Categorical(draws.choice(["low", "mid", "?"], N_ROWS)),
            "opened": np.where(
                draws.random(N_ROWS) < 0.1,
                np.datetime64("NaT"),
                np.datetime64("1969-12-01", "ns") + draws.integers(0, 90, N_ROWS).astype("timedelta64[D]"),
            ),
            "seen": np.datetime64("2019-03-30T22:15", "ns")
            + draws.integers(0, 10**14, N_ROWS).astype("timedelta64[us]"),
            "wait": draws.integers(-20, 200, N_ROWS).astype("timedelta64[h]").astype("timedelta64[ms]"),
            "call": [datetime.time(int(hour), 30) for hour in draws.integers(0, 24, N_ROWS)],
        }
    )
    odds = (
        2.0 * (frame.code == "7")
        + (frame.id == big + 1)
        + (frame.unsigned == 2**63 + 2)
        + (frame.agrees == "NO")
        - (frame.smokes == "Yes")
        + (frame.blank == "b ")
        + frame.on
        + (frame.price > 2)
        + (frame.place == "東京")
        + (frame.short > 0.5)
        + (frame.gaps > 4)
        + 2.0 * (frame.zip == "012")
        + frame.flag
        + (frame.tenths > 0.15)
        + (frame["count"].fillna(0) > 4)
        + (frame.level == "?")
        + 2.0 * (frame.opened > "1970-01-10")
        + 2.0 * (frame.seen > "2019-05-20 12:00")
        + 2.0 * (frame.wait > pd.Timedelta("3D"))
        + 2.0 * (frame.call > datetime.time(12))
    ).astype(float)
    frame["y"] = np.where(odds + draws.normal(0, 0.3, N_ROWS) > 10, "sick", "well")
    return frame


def arrow(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


def written(frame, folder, how):
    path = folder / how
    match how:
        case "x.csv":
            # As many digits as the wide numbers have.
            wide = {name: frame[name].astype(float) for name in ("short", "tenths")}
            frame.assign(**wide).to_csv(path, index=False)
        case "x.csv.gz":
            path.write_bytes(gzip.compress(written(frame, folder, "x.csv").read_bytes()))
        case "x.parquet":
            pq.write_table(arrow(frame), path)
    return path


def by_command(path, folder):
    model = folder / "by_command.lire.json"
    prices = ["--gamma", "0.002", "--lambda", "0.1", "--n-estimators", "30", "--seed", "0"]
    wishes = [f"--categorical={','.join(CATEGORIES)}"] if path.suffix == ".parquet" else IN_CSV
    arguments = [
        COMMAND,
        "fit",
        path,
        "--target",
        "y",
        "--positive",
        "well",
        "--out",
        model,
        *prices,
        *wishes,
    ]
    ran = subprocess.run(arguments, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(model.read_text()), ran.stderr, model


def learned(file):
    """What a model file says of features and rules."""
    return {name: file[name] for name in ("features", "terms", "outputs", "link")}


def in_python(X, y):
    model = LireClassifier(**PRICES, categorical_features=CATEGORIES).fit(X, y)
    return model, json.loads(model._model.to_json())


def frames(frame):
    X, y = frame.drop(columns="y"), frame["y"].to_numpy()
    table = arrow(X)
    texts = X.select_dtypes(["str", "category"]).columns
    return {
        "pandas": (X, y),
        "pandas of arrow": (table.to_pandas(types_mapper=pd.ArrowDtype), y),
        "nullable": (X.astype({"id": "Int64", "unsigned": "UInt64", "on": "boolean"}), y),
        "objects": (X.astype(object), y),
        "strings": (X.astype({name: pd.StringDtype("python") for name in texts}), y),
        "categories": (X.astype(dict.fromkeys(texts, "category")), y),
        "polars": (pl.from_arrow(table), y),
        "pyarrow": (table, y),
    }


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readers")
    return by_command(written(nasty(), folder, "x.parquet"), folder)


def test_levels_are_what_was_written(expected):
    features = {feature["name"]: feature for feature in expected[0]["features"]}
    assert features["code"]["levels"] == ["007", "0070", "07", "7"]
    big = 1 << 60
    assert features["id"]["levels"] == [str(big), str(big + 1), str(big + 2)]
    assert features["unsigned"]["levels"] == sorted(["5", str(2**63 + 1), str(2**63 + 2)])
    assert features["agrees"]["levels"] == ["NO", "Yes", "no"]
    assert features["smokes"] == {
        "name": "smokes",
        "type": "boolean",
        "levels": ["no", "Yes"],
        "has_missing": False,
    }
    assert features["blank"]["levels"] == ["a", "b", "c"]
    assert features["zip"]["levels"] == ["012", "12", "3"]
    assert features["level"]["levels"] == ["?", "low", "mid"]
    assert (features["flag"]["type"], features["flag"].get("levels")) == ("integer", None)
    kinds = {name: features[name]["type"] for name in ("price", "short", "tenths", "count", "on")}
    assert kinds == {"price": "real", "short": "real", "tenths": "real", "count": "integer", "on": "boolean"}
    kinds = {name: features[name]["type"] for name in ("opened", "seen", "wait", "call")}
    assert kinds == {"opened": "date", "seen": "timestamp", "wait": "duration", "call": "time"}
    text = json.dumps([term["conditions"] for term in expected[0]["terms"]])
    assert re.search(r'"opened", "(above|at_most)": "19(69|70)-\d\d-\d\d"', text)
    assert re.search(r'"seen", "(above|at_most)": "2019-\d\d-\d\dT[\d:.]+Z"', text)
    assert re.search(r'"wait", "(above|at_most)": "P[0-9DTHMS]+"', text)
    assert re.search(r'"call", "(above|at_most)": "\d\d:\d\d"', text)
    assert "`NO`, `Yes`, `no` differ in upper and lower case only" in expected[1]


@pytest.mark.parametrize("how", ["x.csv", "x.csv.gz"])
def test_files_of_all_kinds_are_one_table(expected, tmp_path, how):
    file, _, _ = by_command(written(nasty(), tmp_path, how), tmp_path)
    # Truth values are `True` and `False` in this file.
    for feature in file["features"]:
        feature["levels"] = [
            level.lower() if feature["name"] == "on" else level for level in feature.get("levels", [])
        ]
    right = [{**feature, "levels": feature.get("levels", [])} for feature in expected[0]["features"]]
    assert file["features"] == right
    assert file["outputs"] == expected[0]["outputs"]


FRAMES = [
    *("pandas", "pandas of arrow", "nullable", "objects", "strings", "categories", "polars", "pyarrow"),
]


@pytest.mark.parametrize("how", FRAMES)
def test_frames_of_all_kinds_are_that_table_too(expected, tmp_path, how):
    X, y = frames(nasty())[how]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, file = in_python(X, y)
    assert learned(file) == learned(expected[0])
    scores = model.decision_function(X)
    for name, (form, _) in frames(nasty()).items():
        assert (model.decision_function(form) == scores).all(), name
    again = lire.load(expected[2])
    assert (again.decision_function(X) == scores).all()
    path = tmp_path / "m.lire.json"
    model.save(path)
    for form in ("x.csv", "x.parquet"):
        data = written(nasty(), tmp_path, form)
        ran = subprocess.run(
            [COMMAND, "predict", path, data, "--format", "json"], capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stderr
        assert "did not see" not in ran.stderr


@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist])
def test_objects_without_names_are_that_table_too(expected, form):
    X, y = frames(nasty())["objects"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LireClassifier(**PRICES, categorical_features=[list(X).index(name) for name in CATEGORIES])
        cells = form(X.to_numpy())
        file = json.loads(model.fit(cells, y)._model.to_json())
    named = [{**feature, "name": name} for feature, name in zip(file["features"], X, strict=True)]
    assert named == expected[0]["features"]
    assert file["outputs"] == expected[0]["outputs"]
    assert (model.decision_function(cells) == lire.load(expected[2]).decision_function(X)).all()


def numbers_with_tokens(n_rows=400):
    draws = np.random.default_rng(2)
    numbers = draws.integers(0, 100, n_rows)
    cells = numbers.astype(object)
    for token, share in (("NA", 0.05), ("?", 0.05), ("null", 0.03), ("None", 0.02)):
        cells[draws.random(n_rows) < share] = token
    return pd.DataFrame({"x": cells, "z": draws.uniform(0, 1, n_rows)}), np.where(numbers > 50, "b", "a")


def test_odd_tokens_among_numbers_are_missing(tmp_path):
    X, y = numbers_with_tokens()
    with pytest.warns(UserWarning, match="column `x`: .* `\\?`, `NA`, `None`, `null` are taken as missing"):
        model = LireClassifier(**PRICES).fit(X, y)
    feature = json.loads(model._model.to_json())["features"][0]
    assert (feature["type"], feature["missing"]) == ("integer", ["?", "NA", "None", "null"])
    gaps = X.assign(x=pd.to_numeric(X.x, errors="coerce"))
    assert (model.decision_function(X) == model.decision_function(gaps)).all()
    path = tmp_path / "x.csv"
    X.assign(y=y).to_csv(path, index=False)
    out = tmp_path / "m.lire.json"
    prices = ["--gamma", "0.002", "--lambda", "0.1", "--n-estimators", "30", "--seed", "0", "--positive", "b"]
    ran = subprocess.run(
        [COMMAND, "fit", path, "--target", "y", "--out", out, *prices], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert "taken as missing" in ran.stderr
    assert learned(json.loads(out.read_text())) == learned(json.loads(model._model.to_json()))
    ran = subprocess.run([COMMAND, "predict", out, path], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_other_tokens_among_numbers_are_told():
    X, y = numbers_with_tokens()
    X.loc[3, "x"] = "12.3%"
    with pytest.warns(UserWarning, match="12.3%"):
        model = LireClassifier(**PRICES).fit(X, y)
    assert json.loads(model._model.to_json())["features"][0]["type"] == "category"
    # All of them texts, as pandas reads them from such a file.
    with pytest.warns(UserWarning, match="`12.3%`"):
        LireClassifier(**PRICES).fit(X.astype({"x": str}), y)


def decimals(cells):
    return [None if cell is None else decimal.Decimal(cell) for cell in cells]


LARGE = {
    "array": np.asarray,
    "nested list": np.ndarray.tolist,
    "frame": pd.DataFrame,
    "list with fractions": lambda X: [[cell, 0.5] for cell, _ in X.tolist()],
    "list with gaps": lambda X: [*X.tolist(), [None, None]],
    "objects": lambda X: pd.DataFrame({"x": np.array([*X[:, 0].tolist(), None], dtype=object)}),
    "Decimal": lambda X: pd.DataFrame({"x": decimals([*X[:, 0].tolist(), None])}),
    "pandas decimals": lambda X: pd.DataFrame(
        {"x": pd.array(decimals(X[:, 0].tolist()), pd.ArrowDtype(pa.decimal128(38, 0)))}
    ),
    "polars decimals": lambda X: pl.DataFrame({"x": decimals(X[:, 0].tolist())}),
    "polars 128 bits": lambda X: pl.DataFrame({"x": pl.Series(X[:, 0].tolist(), dtype=pl.Int128)}),
    "arrow decimals": lambda X: pa.table({"x": pa.array(decimals(X[:, 0].tolist()), pa.decimal128(38, 0))}),
    "nullable": lambda X: pd.DataFrame({"x": pd.array([*X[:, 0].tolist(), None], "Int64")}),
    "beyond 64 bits": lambda X: pd.DataFrame(
        {"x": np.array([2**70 + cell for cell in X[:, 0].tolist()], object)}
    ),
}


@pytest.mark.parametrize("form", LARGE)
def test_large_integers_are_categories_of_their_own(form):
    ids = (1 << 60) + np.arange(400) % 4
    X = LARGE[form](np.column_stack([ids, np.arange(400)]))
    y = np.where(np.arange(len(X)) % 4 == 1, "b", "a")
    model = LireClassifier(**PRICES, categorical_features=[0]).fit(X, y)
    assert (model.predict(X)[:400] == y[:400]).all()
    levels = json.loads(model._model.to_json())["features"][0]["levels"]
    assert levels == [str((2**70 if "beyond" in form else 0) + (1 << 60) + place) for place in range(4)]


@pytest.mark.parametrize("form", ["array", "nested list", "objects", "Decimal", "polars 128 bits"])
def test_large_integers_that_are_taken_as_numbers_are_told(form):
    ids = (1 << 60) + np.arange(400) % 4
    X = LARGE[form](np.column_stack([ids, np.arange(400)]))
    with pytest.warns(
        UserWarning, match="such as `1152921504606846976`; if these are identifiers, name the column"
    ):
        LireClassifier(**PRICES).fit(X, ["a", "b"] * (len(X) // 2) + ["a"] * (len(X) % 2))


def test_decimals_are_the_nearest_numbers_from_wherever_they_come():
    cells = [decimal.Decimal(place) / 1000 for place in range(3000)]
    right = [float(cell) for cell in cells]
    for frame in (
        pd.DataFrame({"x": cells}),
        pd.DataFrame({"x": pd.array(cells, pd.ArrowDtype(pa.decimal128(10, 3)))}),
        pl.DataFrame({"x": cells}),
        pa.table({"x": pa.array(cells, pa.decimal128(10, 3))}),
    ):
        [(_, numbers)] = _columns.frame_columns(frame, ["x"])
        assert numbers.tolist() == right, type(frame)


def test_decimals_are_numbers():
    X = pd.DataFrame(
        {"x": [decimal.Decimal(row % 50) / 10 for row in range(300)] + [None, decimal.Decimal("NaN")]}
    )
    y = ["b" if row % 50 > 25 else "a" for row in range(302)]
    model = LireClassifier(**PRICES).fit(X, y)
    assert json.loads(model._model.to_json())["features"][0]["type"] == "real"
    assert model.score(X[:300], y[:300]) == 1


def test_names_of_several_levels_are_joined():
    columns = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "")])
    X = pd.DataFrame(np.random.default_rng(0).uniform(size=(300, 3)), columns=columns)
    y = np.where(X[("a", "y")] > 0.5, "b", "a")
    model = LireClassifier(**PRICES).fit(X, y)
    assert list(model.feature_names_in_) == ["a.x", "a.y", "b"]
    assert model.score(X, y) > 0.95
    assert any("a.y" in rule for rule in model.rules_)


TARGETS = {
    "list": list,
    "objects": lambda y: np.array(y, dtype=object),
    "pandas": pd.Series,
    "pandas categories": lambda y: pd.Series(y).astype("category"),
    "polars": lambda y: pl.Series([None if label != label else label for label in y]),
    "pyarrow": lambda y: pa.chunked_array([[None if label != label else label for label in y]]),
}


@pytest.mark.parametrize("form", TARGETS)
@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, "", " "])
@pytest.mark.parametrize(
    ("estimator", "labels"),
    [(LireClassifier, ("a", "b")), (LireRegressor, (1.5, 2.5)), (RuleTransformer, ("a", "b"))],
)
def test_a_gap_in_y_is_told_with_its_row(form, gap, estimator, labels):
    if (gap is pd.NA and form in ("polars", "pyarrow")) or (isinstance(gap, str) and labels[0] == 1.5):
        pytest.skip("there is no such target")
    y = list(labels) * 20
    y[7] = y[9] = gap
    X = np.random.default_rng(0).uniform(size=(40, 2))
    for table in (X, pd.DataFrame(X, columns=["u", "v"])):
        with pytest.raises(
            ValueError, match="y is missing in row 7 \\(counted from 0\\), and in 2 of 40 rows"
        ):
            estimator(gamma=0.01).fit(table, TARGETS[form](y))


def test_classes_that_differ_in_blanks_are_refused_and_in_case_are_told():
    X = np.arange(40.0).reshape(-1, 1)
    with pytest.raises(ValueError, match="the classes 'yes' and 'yes ' differ only in surrounding blanks"):
        LireClassifier(**PRICES).fit(X, ["yes", "yes ", "no", "no"] * 10)
    with pytest.warns(UserWarning, match="`Yes`, `no`, `yes` differ in upper and lower case only"):
        LireClassifier(**PRICES).fit(X, ["yes", "Yes", "no", "no"] * 10)


def test_classes_that_differ_in_case_stay_apart():
    X = np.arange(300.0).reshape(-1, 1)
    y = np.array(["yes", "Yes", "YES "])[(np.arange(300) // 100)]
    assert list(LireClassifier(**PRICES).fit(X, y).classes_) == ["YES ", "Yes", "yes"]


def test_a_model_with_blanks_in_its_levels_sees_no_strangers(tmp_path):
    """Models of earlier versions kept blanks around levels."""
    X = pd.DataFrame({"x": ["a", "b", "c"] * 100, "z": np.arange(300.0) % 7})
    y = np.where(X.x == "b", "yes", "no")
    model = LireClassifier(**PRICES).fit(X, y)
    text = model._model.to_json()
    for level in "abc":
        text = text.replace(f'"{level}"', f'"{level} "')
        text = re.sub(f'x (=|≠) {level}(?=[ "])', rf'x \1 \\"{level} \\"', text)
    path, data = tmp_path / "m.lire.json", tmp_path / "x.csv"
    path.write_text(text)
    X.to_csv(data, index=False)
    ran = subprocess.run([COMMAND, "predict", path, data], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "did not see" not in ran.stderr
    labels = pd.read_csv(io.StringIO(ran.stdout))["label"]
    assert (labels.to_numpy() == y).all()
