"""Tables of all kinds lead to the same model."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from lire import LireClassifier, LireRegressor, RuleFitClassifier


def quick(**parameters):
    """Few trees and given prices, so that nothing is chosen by validation."""
    return LireClassifier(
        **({"n_estimators": 30, "gamma": 0.01, "lambda_": 0.1, "random_state": 0} | parameters)
    )


@pytest.fixture(scope="module")
def mixed():
    """Each kind of column, with gaps, in pandas' oldest types."""
    random = np.random.default_rng(3)
    n_rows = 200
    age = random.integers(20, 80, n_rows).astype(float)
    age[::17] = np.nan
    plan = random.choice(["basic", "plus", "pro"], n_rows).astype(object)
    plan[::13] = None
    smokes = random.random(n_rows) < 0.4
    y = (np.nan_to_num(age, nan=30) > 50) ^ (plan == "pro") | smokes
    return pd.DataFrame({"age": age, "plan": plan, "smokes": smokes}), y.astype(int)


class Stream:
    """Any library's table that speaks the C stream of Arrow, and nothing else."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def variants(frame):
    """The same table in other types and from other libraries."""
    yield "object", frame.astype(object)
    yield "nullable", frame.convert_dtypes()
    yield "category", frame.assign(plan=frame["plan"].astype("category"))
    yield "boolean", frame.assign(smokes=frame["smokes"].astype("boolean"))
    known = {name: [None if value != value else value for value in frame[name].tolist()] for name in frame}
    yield "polars", pl.DataFrame(known)
    yield "polars categorical", pl.DataFrame(known).with_columns(pl.col("plan").cast(pl.Categorical))
    yield "arrow", pa.table(known)
    plan = pa.array(known["plan"]).dictionary_encode()
    yield "arrow dictionary", pa.table(known | {"plan": plan})
    yield "arrow batch", pa.RecordBatch.from_pydict(known)
    yield "arrow strings", pa.table(known | {"plan": pa.array(known["plan"], pa.large_string())})
    yield "arrow chunks", pa.concat_tables([pa.table(known)[:70], pa.table(known)[70:]])
    yield "arrow stream", Stream(pa.table(known))


def test_all_tables_give_the_same_model(mixed):
    X, y = mixed
    plain = quick().fit(X, y)
    assert plain.score(X, y) > 0.95
    kinds = {feature["name"]: feature["type"] for feature in plain._file["features"]}
    assert kinds == {"age": "integer", "plan": "category", "smokes": "boolean"}
    for what, other in variants(X):
        fitted = quick().fit(other, y)
        assert fitted.rules_ == plain.rules_, what
        np.testing.assert_array_equal(fitted.decision_function(other), plain.decision_function(X), what)
        np.testing.assert_array_equal(plain.decision_function(other), plain.decision_function(X), what)


def test_arrays_of_objects_and_lists_keep_their_types(mixed):
    X, y = mixed
    plain = quick().fit(X, y)
    for other in (X.to_numpy(dtype=object), X.to_numpy(dtype=object).tolist()):
        fitted = quick().fit(other, y)
        np.testing.assert_array_equal(fitted.predict_proba(other), plain.predict_proba(X))
        assert not hasattr(fitted, "feature_names_in_")


def test_rules_hold_where_they_say(numbers):
    """The rule matrix against the rules' texts, read here anew."""
    X, y = numbers
    model = LireRegressor(n_estimators=30, gamma=0.003, lambda_=0.1, random_state=0).fit(X, y)

    def holds(condition):
        match condition.split():
            case [name, "≤", high]:
                return X[:, int(name[1])] <= float(high)
            case [name, ">", low]:
                return X[:, int(name[1])] > float(low)
            case [low, "<", name, "≤", high]:
                column = X[:, int(name[1])]
                return (float(low) < column) & (column <= float(high))
        raise AssertionError(condition)

    expected = [np.logical_and.reduce([holds(part) for part in rule.split(" & ")]) for rule in model.rules_]
    assert len(expected) >= 2
    np.testing.assert_array_equal(model.rule_matrix(X), np.array(expected).T)
    np.testing.assert_array_equal(model.local_support(X), np.sum(expected, axis=0))
    np.testing.assert_allclose(model.predict(X), model.intercept_ + np.array(expected).T @ model.coef_)


def test_columns_are_taken_from_wherever_they_lie(numbers):
    """Rows first, columns first, every second row of something larger, other widths: no difference."""
    X, y = numbers
    model = LireRegressor(n_estimators=30, gamma=0.003, lambda_=0.1, random_state=0).fit(X, y)
    larger = np.zeros((600, 8))
    larger[::2, ::2] = X
    for same in (np.asfortranarray(X), larger[::2, ::2], X[::-1][::-1], pd.DataFrame(X).to_numpy()):
        np.testing.assert_array_equal(model.predict(same), model.predict(X))
        again = LireRegressor(n_estimators=30, gamma=0.003, lambda_=0.1, random_state=0).fit(same, y)
        np.testing.assert_array_equal(again.coef_, model.coef_)
    narrow = X.astype(np.float32)
    np.testing.assert_array_equal(model.predict(narrow), model.predict(narrow.astype(np.float64)))


def test_unseen_categories_and_gaps_are_predicted(mixed):
    X, y = mixed
    model = quick().fit(X, y)
    strange = pd.DataFrame({"age": [np.nan, 1e9], "plan": ["never seen", None], "smokes": [True, False]})
    assert model.predict(strange).shape == (2,)
    matrix = model.rule_matrix(strange)
    equal = [at for at, rule in enumerate(model.rules_) if "plan =" in rule]
    assert equal and not matrix[0, equal].any()


def test_numbers_can_be_declared_categories():
    code = np.tile([1, 2, 3, 4], 50)
    X = np.column_stack([code, np.arange(200) % 7])
    y = np.isin(code, [2, 4]).astype(int)
    for wish in ([0], [True, False]):
        model = quick(categorical_features=wish).fit(X, y)
        assert model.score(X, y) == 1.0
        assert all("≤" not in rule and ">" not in rule for rule in model.rules_)
        assert model._file["features"][0]["levels"] == ["1", "2", "3", "4"]
    frame = pd.DataFrame(X, columns=["code", "other"])
    for wish in (["code"], ["code", 0], "code", np.array(["code"]), 0):
        assert quick(categorical_features=wish).fit(frame, y)._file["features"][0]["type"] == "category", wish
    assert quick(categorical_features=["code", 1]).fit(frame, y)._file["config"]["categorical"] == [
        "code",
        "other",
    ]
    with pytest.raises(ValueError, match="no feature `cod`"):
        quick(categorical_features=["cod"]).fit(frame, y)


def test_what_cannot_be_used_is_refused_helpfully(mixed):
    X, y = mixed
    arrow = [pa.list_(pa.int8()), pa.binary()]
    period = pd.Series(pd.period_range("2026-01", periods=len(X), freq="M"))
    for other in (pd.Series(pd.array([None] * len(X), pd.ArrowDtype(kind))) for kind in arrow):
        with pytest.raises(TypeError, match="column `other` holds values of type"):
            quick().fit(X.assign(other=other), y)
    with pytest.raises(TypeError, match=r"column `other`: .* not 'Period'"):
        quick().fit(X.assign(other=period), y)
    with pytest.raises(ValueError, match=r"infinity.*`age`"):
        quick().fit(X.assign(age=np.inf), y)
    with pytest.raises(ValueError, match="age"):
        quick().fit(pd.concat([X, X[["age"]]], axis=1), y)
    with pytest.raises(ValueError, match="sample_weight"):
        quick().fit(X, y, sample_weight=np.full(len(y), 1e308))
    with pytest.raises(TypeError, match="collect"):
        quick().fit(pl.LazyFrame({"a": [1.0]}), [1])
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        quick().fit(X["age"], y)
    model = quick().fit(X, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[["plan", "age", "smokes"]])
    with pytest.raises(ValueError, match="column `age` held numbers in training"):
        model.predict(X.assign(age="old"))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"gamma": -1.0}, "`gamma`"),
        ({"lambda_": -1.0}, "`lambda_`"),
        ({"loss": "hinge"}, "`loss`: unknown variant `hinge`"),
        ({"loss": "squared"}, "`loss`"),
        ({"n_estimators": 0}, "`n_estimators`"),
        ({"n_estimators": "many"}, "`n_estimators`"),
        ({"class_weight": {7: 1.0}}, "class_weight: 7 is not a class"),
        ({"monotone_constraints": {"ages": 1}}, "no feature `ages`"),
        ({"monotone_constraints": {"age": 2}}, "not -1, 0 or 1"),
        ({"monotone_constraints": {"plan": 1}}, "`monotone_constraints`"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"random_state": -3}, "random_state"),
        ({"n_estimators": 2.5}, "`n_estimators`: got floating point `2.5`, expected a whole number"),
        ({"gamma": "small"}, '`gamma`: got string "small", expected a number'),
        ({"gamma": float("nan")}, "`gamma`: nan is not a finite number"),
        ({"class_weight": "balance"}, "class_weight: 'balance' is neither"),
        ({"monotone_constraints": [1, 0]}, "2 entries for 3 features"),
    ],
)
def test_wrong_parameters_are_named(mixed, parameters, message):
    X, y = mixed
    with pytest.raises(ValueError, match=message):
        LireClassifier().set_params(**parameters).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_jobs": "two"}, "n_jobs"),
        ({"verbose": "loud"}, "verbose"),
        ({"monotone_constraints": 5}, "monotone_constraints"),
        ({"categorical_features": [1.5]}, "categorical_features: 1.5 is neither"),
    ],
)
def test_parameters_of_a_wrong_type_are_named(mixed, parameters, message):
    X, y = mixed
    with pytest.raises(TypeError, match=message):
        LireClassifier().set_params(**parameters).fit(X, y)


@pytest.mark.parametrize("cv", [1, [], [([0, 1], [2, 200])], [([0, 1], [])], [([0, -1], [2])], "five"])
def test_impossible_folds_are_refused(mixed, cv):
    X, y = mixed
    with pytest.raises(ValueError, match="cv"):
        RuleFitClassifier(n_estimators=5, cv=cv).fit(X, y)


def test_so_many_threads_are_not_started(mixed):
    X, y = mixed
    assert quick(n_jobs=10**9).fit(X, y).rules_ == quick(n_jobs=1).fit(X, y).rules_


def test_weights_mean_repetition_also_in_a_cross_validation(mixed):
    X, y = mixed
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    for linear in (False, True):
        model = RuleFitClassifier(n_estimators=10, random_state=0, linear_terms=linear)
        weighted = model.fit(X, y, sample_weight=weights).predict_proba(X)
        repeated = model.fit(
            X.iloc[rows].sample(frac=1, random_state=1), y[rows][_order(rows)]
        ).predict_proba(X)
        np.testing.assert_allclose(weighted, repeated, atol=1e-9 if not linear else 1e-6)


def _order(rows):
    """The order that `sample(frac=1, random_state=1)` brings rows into."""
    return pd.Series(np.arange(len(rows))).sample(frac=1, random_state=1).to_numpy()


def test_monotone_constraints_hold(numbers):
    X, y = numbers
    model = LireRegressor(n_estimators=30, random_state=0, monotone_constraints=[1, -1, 0, 0]).fit(X, y)
    line = np.linspace(-3, 3, 200)
    for row in X[:20]:
        for at, sign in ((0, 1), (1, -1)):
            points = np.tile(row, (200, 1))
            points[:, at] = line
            assert (sign * np.diff(model.predict(points)) >= -1e-12).all()
