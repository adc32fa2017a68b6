"""Calibration and base rates move probabilities; scores, explanations and labels stay."""

import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import StratifiedKFold
from the_command import command

import lire
from lire import GLRMClassifier, LireClassifier, LireRegressor, RuleFitClassifier

PRICES = {"gamma": 0.003, "lambda_": 0.1, "n_estimators": 20, "random_state": 0}
METHODS = [
    LireClassifier(**PRICES, ridge=0.01),
    RuleFitClassifier(gamma=0.003, n_estimators=20, random_state=0),
    GLRMClassifier(lambda0=0.01, random_state=0),
]
BY_NAME = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)


@pytest.fixture(scope="module")
def skewed():
    """Numbers, and a class that one row in six has."""
    draws = np.random.default_rng(11)
    X = pd.DataFrame(draws.normal(size=(900, 4)).round(2), columns=list("abcd"))
    chance = 1 / (1 + np.exp(-(2.0 * (X.a > 0.5) + 1.5 * (X.b > 0) - 3.2)))
    return X, np.where(draws.random(len(X)) < chance, "yes", "no")


def log_odds(share):
    return np.log(share / (1 - share))


@BY_NAME
@pytest.mark.parametrize(
    "wishes",
    [
        {"calibrate": "platt"},
        {"calibrate": "isotonic"},
        {"base_rate": 0.9},
        {"class_weight": "balanced", "calibrate": "platt"},
        {"class_weight": "balanced", "calibrate": "isotonic"},
        {"class_weight": "balanced", "base_rate": 0.02},
    ],
    ids=str,
)
def test_only_probabilities_change(skewed, method, wishes):
    X, y = skewed
    plain = clone(method).set_params(class_weight=wishes.get("class_weight")).fit(X, y)
    folds = {"cv": 3} if "calibrate" in wishes else {}
    model = clone(clone(method).set_params(**wishes, **folds)).fit(X, y)
    assert model.get_params().items() >= wishes.items()
    scores = plain.decision_function(X)
    assert np.array_equal(model.decision_function(X), scores)
    assert np.array_equal(model.predict(X) == "yes", scores > 0)
    chances = model.predict_proba(X)[:, 1]
    assert not np.allclose(chances, plain.predict_proba(X)[:, 1], atol=1e-3)
    # They rise with the score, and calibrated ones are true on average.
    assert (np.diff(chances[np.argsort(scores, kind="stable")]) >= -1e-12).all()
    if "calibrate" in wishes:
        assert abs(chances.mean() - np.mean(y == "yes")) < 0.03
    assert [one.probability for one in model.explain_local(X[:9])] == list(chances[:9])


def scores_left_out(method, X, y, splits):
    """The scores that models of the other parts give, and whether rows are positive."""
    parts = [(clone(method).fit(X.iloc[train], y[train]), test) for train, test in splits]
    scores = np.concatenate([model.decision_function(X.iloc[test]) for model, test in parts])
    return scores, np.concatenate([y[test] for _, test in parts]) == "yes"


@BY_NAME
def test_curves_are_those_of_scores_left_out(skewed, method):
    X, y = skewed
    splits = list(StratifiedKFold(4, shuffle=True, random_state=3).split(X, y))
    scores, positive = scores_left_out(method, X, y, splits)

    def calibrated(kind):
        model = clone(method).set_params(calibrate=kind, cv=splits).fit(X, y)
        return model.decision_function(X), model.predict_proba(X)[:, 1]

    # Platt draws the targets in, as if there were one more row of each class.
    n_positive, n_negative = positive.sum(), (~positive).sum()
    goals = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))

    def loss(curve):
        at = curve[0] * scores + curve[1]
        return np.sum(np.logaddexp(0, at) - goals * at)

    slope, offset = minimize(loss, [1.0, 0.0], method="BFGS").x
    at, chances = calibrated("platt")
    np.testing.assert_allclose(chances, 1 / (1 + np.exp(-(slope * at + offset))), atol=1e-4)

    curve = IsotonicRegression(out_of_bounds="clip").fit(scores, positive)
    at, chances = calibrated("isotonic")
    np.testing.assert_allclose(chances, curve.predict(at), atol=1e-9)


@BY_NAME
def test_base_rates_shift_the_log_odds(skewed, method):
    X, y = skewed
    plain = clone(method).fit(X, y).predict_proba(X)[:, 1]
    share = np.mean(y == "yes")
    for rate in (0.02, np.float32(0.5)):
        moved = clone(method).set_params(base_rate=rate).fit(X, y).predict_proba(X)[:, 1]
        np.testing.assert_allclose(log_odds(moved), log_odds(plain) + log_odds(float(rate)) - log_odds(share))
    same = clone(method).set_params(base_rate="data").fit(X, y).predict_proba(X)[:, 1]
    np.testing.assert_allclose(same, plain)


@pytest.mark.parametrize(
    ("wishes", "options"),
    [
        ({"calibrate": "platt"}, ["--calibrate", "platt"]),
        (
            {"calibrate": "isotonic", "class_weight": "balanced"},
            ["--calibrate=isotonic", "--class-weight=balanced"],
        ),
        (
            {"base_rate": 0.05, "class_weight": {"yes": 4.0}},
            ["--base-rate", "0.05", "--class-weight", "yes=4"],
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("method", METHODS[:2], ids=["lire", "rulefit"])
def test_the_command_says_the_same(skewed, tmp_path, method, wishes, options):
    X, y = skewed
    data, out = tmp_path / "x.csv", tmp_path / "m.lire.json"
    X.assign(y=y).to_csv(data, index=False)
    prices = ["--gamma", "0.003", "--n-estimators", "20", "--seed", "0"]
    prices += ["--lambda", "0.1", "--ridge", "0.01"] if method is METHODS[0] else ["--method", "rulefit"]
    fit = [command(), "fit", data, "--target", "y", "--positive", "yes", "--no-holdout", "--out", out]
    ran = subprocess.run([*fit, *prices, *options], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    model = clone(method).set_params(**wishes).fit(X, y)
    ours = json.loads(model._model.to_json())
    theirs = json.loads(out.read_text())
    assert {key: ours[key] for key in ("terms", "outputs", "threshold")} == {
        key: theirs[key] for key in ("terms", "outputs", "threshold")
    }
    predict = [command(), "predict", out, data, "--format", "json"]
    told = pd.DataFrame(json.loads(subprocess.run(predict, capture_output=True, check=True).stdout))
    np.testing.assert_array_equal(told["probability"], model.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(told["label"], model.predict(X))


def test_a_file_keeps_the_wishes_of_its_fit(skewed, tmp_path):
    X, y = skewed
    wishes = {"class_weight": {"yes": 3.0}, "base_rate": 0.1, "monotone_constraints": {"a": 1, "b": 1}}
    model = LireClassifier(**PRICES, **wishes, categorical_features=["d"]).fit(X, y)
    model.save(tmp_path / "m.lire.json")
    again = lire.load(tmp_path / "m.lire.json")
    assert again.get_params().items() >= (wishes | {"categorical_features": ["d"]}).items()
    anew = clone(again).fit(X, y)
    np.testing.assert_array_equal(anew.predict_proba(X), model.predict_proba(X))
    numbered = LireClassifier(**PRICES, class_weight={1: 3.0}, calibrate="platt").fit(
        X, (y == "yes").astype(int)
    )
    numbered.save(tmp_path / "m.lire.json")
    again = lire.load(tmp_path / "m.lire.json")
    assert again.class_weight == {1: 3.0} and again.calibrate == "platt"


def test_scores_that_mislead_give_one_probability():
    draws = np.random.default_rng(4)
    X, y = draws.normal(size=(200, 3)), draws.integers(0, 2, 200)
    # Each model is learned from rows of the wrong class.
    halves = [(np.flatnonzero(X[:, 0] > 0), np.flatnonzero(X[:, 0] <= 0))]
    y = np.where(X[:, 0] > 0, X[:, 1] > 0, X[:, 1] <= 0).astype(int)
    model = LireClassifier(**PRICES, calibrate="platt", cv=halves).fit(X, y)
    chances = model.predict_proba(X)[:, 1]
    assert len(model.rules_) and np.ptp(chances) == 0 and 0.3 < chances[0] < 0.7


def test_a_fit_that_is_ended_early_is_calibrated_all_the_same(skewed):
    X, y = skewed
    model = LireClassifier(**PRICES, calibrate="platt", callback=lambda step: step.get("n_rules", 0) >= 2)
    chances = model.fit(X, y).predict_proba(X)[:, 1]
    assert not model.certified_ and len(np.unique(chances)) > 1
    assert abs(chances.mean() - np.mean(y == "yes")) < 0.02


def test_neither_the_order_of_rows_nor_their_scale_matters(skewed):
    X, y = skewed
    order = np.random.default_rng(1).permutation(len(y))
    for kind in ("platt", "isotonic"):
        model = LireClassifier(**PRICES, calibrate=kind)
        chances = model.fit(X, y).predict_proba(X)
        np.testing.assert_array_equal(model.fit(X.iloc[order], y[order]).predict_proba(X), chances)
        heavy = model.fit(X, y, sample_weight=np.full(len(y), 1000.0))
        np.testing.assert_array_equal(heavy.predict_proba(X), chances)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"calibrate": "plat"}, "`calibrate`: unknown variant `plat`"),
        ({"calibrate": "auto"}, "`calibrate`"),
        ({"base_rate": 1.5}, "`base_rate`: 1.5 is not a share"),
        ({"base_rate": "train"}, "base_rate: 'train' is neither 'data' nor a share"),
        ({"base_rate": True}, "base_rate: True is neither"),
        ({"base_rate": float("nan")}, "`base_rate`: nan"),
        ({"calibrate": "platt", "base_rate": 0.2}, "leave base_rate out"),
    ],
)
def test_mistakes_are_named(skewed, wishes, message):
    with pytest.raises(ValueError, match=message):
        LireClassifier(**PRICES, **wishes).fit(*skewed)


def test_what_has_no_share_of_one_class_is_refused(skewed):
    X, y = skewed
    with pytest.raises(ValueError, match="a share is for a target of two classes, and `target` has 3"):
        LireClassifier(**PRICES, base_rate=0.2).fit(X, np.where(X.a > 1, "maybe", y))
    assert not {"calibrate", "base_rate"} & set(LireRegressor().get_params())
