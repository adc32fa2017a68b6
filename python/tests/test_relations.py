"""Rows that belong together, and rows in time: ``fit(X, y, groups=..., time=...)``."""

import datetime
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate

from lire import GLRMClassifier, LireClassifier, LireRegressor, RuleFitClassifier, RuleFitRegressor
from lire._columns import time_column


@pytest.fixture(scope="module")
def visits():
    """Ten visits of each of sixty patients: only what holds for the patient decides, drawn at random."""
    draws = np.random.default_rng(3)
    patients = np.repeat(np.arange(60), 10)
    lasting = draws.random((60, 6))[patients]
    X = pd.DataFrame(np.column_stack([lasting, draws.random(600)]), columns=list("abcdefm"))
    return X, patients % 2, patients


def best(model):
    return np.max(model.cv_results_["mean_test_score"])


def test_what_holds_for_known_groups_only_is_worth_nothing_on_others(visits):
    X, y, patients = visits
    plain = LireClassifier(random_state=0, n_estimators=60).fit(X, y)
    assert best(plain) > 0.95
    grouped = LireClassifier(random_state=0, n_estimators=60).fit(X, y, groups=patients)
    assert 0.3 < best(grouped) < 0.7
    # The same as with the splits of scikit-learn's splitter, which gets the groups too.
    split = LireClassifier(random_state=0, n_estimators=60, cv=GroupKFold(5)).fit(X, y, groups=patients)
    assert 0.3 < best(split) < 0.7
    sections = json.loads(grouped._model.to_json())
    assert sections["provenance"]["data"]["divided_by"] == {"groups": {"distinct": 60}}
    assert sections["selection"]["divided_by"] == {"groups": {"distinct": 60}}
    assert "divided_by" not in json.loads(split._model.to_json())["selection"]


def test_names_and_kinds_of_groups_do_not_matter(visits):
    X, y, patients = visits
    kinds = [
        patients,
        patients.tolist(),
        [f"P{patient:03}" for patient in patients],
        pd.Series(patients * 1.0, name="patient"),
        pd.Series([f"P{patient}" for patient in 7 * patients], dtype="category"),
        pl.Series("patient", 2**60 + patients),
    ]
    models = [LireClassifier(random_state=0, n_estimators=20).fit(X, y, groups=groups) for groups in kinds]
    for model in models[1:]:
        assert model.rules_ == models[0].rules_
        np.testing.assert_array_equal(model.coef_, models[0].coef_)
        np.testing.assert_array_equal(
            model.cv_results_["mean_test_score"], models[0].cv_results_["mean_test_score"]
        )


def test_weights_and_repetition_mean_the_same_with_groups(visits):
    X, y, patients = visits
    quick = {"random_state": 0, "n_estimators": 20}
    weights = np.where(np.arange(600) % 3 == 0, 2.0, 1.0)
    weighted = LireClassifier(**quick).fit(X, y, sample_weight=weights, groups=patients)
    twice = np.concatenate([np.arange(600)[::-1], np.arange(0, 600, 3)])
    repeated = LireClassifier(**quick).fit(X.iloc[twice], y[twice], groups=patients[twice])
    assert weighted.rules_ == repeated.rules_
    np.testing.assert_allclose(
        weighted.cv_results_["mean_test_score"], repeated.cv_results_["mean_test_score"]
    )
    some = np.where(np.arange(600) < 300, 1.0, 0.0)
    part = LireClassifier(**quick).fit(X, y, sample_weight=some, groups=patients)
    alone = LireClassifier(**quick).fit(X[:300], y[:300], groups=patients[:300])
    assert part.rules_ == alone.rules_


@pytest.mark.parametrize("calibrate", [None, "platt"])
def test_every_method_takes_groups(visits, calibrate):
    X, y, patients = visits
    lire = LireClassifier(gamma=0.0005, lambda_=0.01, calibrate=calibrate, random_state=0)
    rulefit = RuleFitClassifier(n_estimators=40, calibrate=calibrate, random_state=0)
    glrm = GLRMClassifier(lambda0=0.0005, calibrate=calibrate, random_state=0)
    for model in (lire, rulefit, glrm):
        plain = model.fit(X, y).predict_proba(X)[:, 1]
        grouped = model.fit(X, y, groups=patients).predict_proba(X)[:, 1]
        if calibrate is None and model is not rulefit:
            np.testing.assert_array_equal(plain, grouped)  # nothing was left out
        else:
            assert np.abs(grouped - 0.5).mean() < 0.7 * np.abs(plain - 0.5).mean(), type(model).__name__


def test_numbers_have_groups_too(visits):
    X, _, patients = visits
    y = np.random.default_rng(1).normal(size=60)[patients]
    lire = LireRegressor(n_estimators=40, random_state=0, metric="r2")
    assert best(lire.fit(X, y)) > 0.7
    assert best(lire.fit(X, y, groups=patients)) < 0.2
    rulefit = RuleFitRegressor(n_estimators=40, random_state=0)
    assert rulefit.fit(X, y).score(X, y) > rulefit.fit(X, y, groups=patients).score(X, y) + 0.3


def test_groups_and_times_are_routed(visits):
    X, y, patients = visits
    with sklearn.config_context(enable_metadata_routing=True):
        model = LireClassifier(n_estimators=20, random_state=0, cv=3)
        model.set_fit_request(groups=True, time=True)
        routed = cross_validate(
            model, X, y, cv=GroupKFold(3), params={"groups": patients, "time": np.arange(600)},
            return_estimator=True, return_indices=True,
        )  # fmt: skip
        search = GridSearchCV(
            LireClassifier(lambda_=0.05, n_estimators=20, random_state=0, cv=3).set_fit_request(groups=True),
            {"max_depth": [2, 3]},
            cv=GroupKFold(3),
        ).fit(X, y, groups=patients)
    for part in range(3):
        train, test = routed["indices"]["train"][part], routed["indices"]["test"][part]
        assert not set(patients[train]) & set(patients[test])
        alone = LireClassifier(n_estimators=20, random_state=0, cv=3)
        alone.fit(X.iloc[train], y[train], groups=patients[train], time=train)
        np.testing.assert_array_equal(alone.coef_, routed["estimator"][part].coef_)
    assert search.best_score_ < 0.7
    alone = LireClassifier(lambda_=0.05, n_estimators=20, random_state=0, cv=3, **search.best_params_)
    np.testing.assert_array_equal(alone.fit(X, y, groups=patients).coef_, search.best_estimator_.coef_)


def test_times_are_validated_forwards():
    draws = np.random.default_rng(0)
    X = draws.random((600, 3))
    years = np.tile(np.arange(2010, 2020), 60)
    y = (X[:, 0] > 0.5) ^ (years >= 2018)
    plain = LireClassifier(n_estimators=20, random_state=0, gamma=0.01).fit(X, y)
    forwards = LireClassifier(n_estimators=20, random_state=0, gamma=0.01, cv=4).fit(X, y, time=years)
    # Three splits of four in which the past tells the future, and one in which all is the other way round.
    assert best(forwards) == pytest.approx(0.75, abs=0.05)
    assert best(plain) == pytest.approx(0.8, abs=0.05)
    dates = [datetime.date(year, 4, 1) for year in years]
    for times in (
        dates,
        pd.Series(pd.to_datetime(dates)),
        pd.Series(pd.to_datetime(dates)).dt.tz_localize("Europe/Berlin"),
        pl.Series("day", dates),
        np.array(dates, dtype="datetime64[D]"),
        [date.isoformat() for date in dates],
        years.astype(float),
    ):
        again = LireClassifier(n_estimators=20, random_state=0, gamma=0.01, cv=4).fit(X, y, time=times)
        assert again.rules_ == forwards.rules_
        np.testing.assert_array_equal(
            again.cv_results_["mean_test_score"], forwards.cv_results_["mean_test_score"]
        )


def test_times_with_zones_are_in_utc():
    zone = datetime.timezone(datetime.timedelta(hours=2))
    moments = [
        datetime.datetime(1970, 1, 1, 2, tzinfo=zone),
        datetime.datetime(1970, 1, 1, 1, tzinfo=datetime.UTC),
    ]
    np.testing.assert_array_equal(time_column(moments)[1], [0.0, 3.6e9])
    np.testing.assert_array_equal(
        time_column(pd.Series(moments, dtype="datetime64[us, UTC]"))[1], [0.0, 3.6e9]
    )


def test_what_cannot_be_is_said(visits):
    X, y, patients = visits
    model = LireClassifier(n_estimators=5, random_state=0)
    with pytest.raises(ValueError, match="groups has 599 values for 600 rows"):
        model.fit(X, y, groups=patients[1:])
    gaps = pd.Series(patients * 1.0)
    gaps[3] = np.nan
    with pytest.raises(ValueError, match="column `groups`, row 4: the group is missing"):
        model.fit(X, y, groups=gaps)
    with pytest.raises(ValueError, match="column `time`, row 4: the time is missing"):
        model.fit(X, y, time=gaps)
    with pytest.raises(ValueError, match="`spring` is no time"):
        model.fit(X, y, time=["spring"] * 600)
    with pytest.raises(ValueError, match="one value a row is needed"):
        model.fit(X, y, groups=np.zeros((600, 2)))


def test_a_column_like_an_identifier_gets_a_hint(visits):
    X, y, patients = visits
    model = LireClassifier(n_estimators=5, random_state=0, gamma=0.01, lambda_=0.1)
    for column in (patients, [f"P{patient}" for patient in patients]):
        with pytest.warns(
            UserWarning, match="column `patient`: it looks like an identifier .* give it to `fit`"
        ):
            model.fit(X.assign(patient=column), y)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("load", [load_breast_cancer, load_diabetes, load_iris, load_wine])
def test_usual_tables_get_no_hint(load):
    X, y = load(return_X_y=True, as_frame=True, **({"scaled": False} if load is load_diabetes else {}))
    method = LireRegressor if load is load_diabetes else LireClassifier
    method(n_estimators=5, random_state=0, gamma=0.01, lambda_=0.1).fit(X, y)
