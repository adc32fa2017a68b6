"""Weights: of classes, which move labels and not probabilities, and of rows, whose scale does not matter."""

import numpy as np
import pytest

from lire import GLRMClassifier, LireClassifier, LireRegressor, RuleFitClassifier


def rare(n_rows=4000, seed=5):
    """Numbers, and a class that one row in twenty has."""
    draws = np.random.default_rng(seed)
    X = draws.normal(size=(n_rows, 4))
    chance = 1 / (1 + np.exp(-(1.5 * (X[:, 0] > 0.5) + 1.5 * (X[:, 1] > 0) - 4.2)))
    return X, np.where(draws.random(n_rows) < chance, "yes", "no")


@pytest.mark.parametrize(
    "estimator",
    [
        LireClassifier(gamma=0.003, lambda_=0.1, n_estimators=20, random_state=0, class_weight="balanced"),
        RuleFitClassifier(gamma=0.003, n_estimators=20, random_state=0, class_weight="balanced"),
        GLRMClassifier(class_weight="balanced"),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_class_weights_move_labels_and_not_probabilities(estimator):
    X, y = rare()
    model = estimator.fit(X, y)
    scores, chances = model.decision_function(X), model.predict_proba(X)[:, 1]
    assert np.array_equal(model.predict(X) == "yes", scores > 0)
    share = np.mean(y == "yes")
    assert abs(chances.mean() - share) < 0.4 * share
    assert np.mean(model.predict(X) == "yes") > 3 * share, "balanced classes make many labels positive"
    # Balanced classes have odds of one, which the shift takes back to those of the rows.
    odds = chances / (1 - chances)
    np.testing.assert_allclose(odds, np.exp(scores) * share / (1 - share), rtol=1e-9)


def test_the_same_weight_on_every_row_changes_nothing():
    X, y = rare()
    plain = LireClassifier(n_estimators=20, random_state=0).fit(X, y)
    heavy = LireClassifier(n_estimators=20, random_state=0).fit(X, y, sample_weight=np.full(len(y), 1000.0))
    assert heavy.rules_ == plain.rules_
    assert np.array_equal(heavy.decision_function(X), plain.decision_function(X))


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (
            LireClassifier(gamma=1.0, lambda_=0.1, n_estimators=5),
            "at `gamma` 1 a rule costs more than it gains",
        ),
        (GLRMClassifier(lambda0=1.0), "at `lambda0` 1 a rule costs more"),
        (LireClassifier(max_rules=0, cv=2, n_estimators=5), "`max_rules` asks for none"),
        (
            LireClassifier(gamma=0.01, lambda_=0.1, min_rows=4001),
            "no rule covers enough of the 4000 rows; .* `min_rows`",
        ),
        (LireClassifier(n_estimators=5, callback=lambda step: True), "the search ended before it chose one"),
    ],
)
def test_a_model_without_rules_says_why(estimator, message):
    X, _ = rare()
    y = np.where(X[:, 0] > 0, "yes", "no")
    with pytest.warns(UserWarning, match=f"the model has no rules, .*{message}"):
        assert estimator.fit(X, y).rules_ == []


def test_a_rare_class_and_constant_columns_are_named():
    X, y = rare()
    few = np.where(np.arange(len(y)) < 20, "rare", "common")
    with pytest.warns(UserWarning, match="only 20 of 4000 rows are `rare`, .* try `class_weight` balanced"):
        LireClassifier(gamma=0.01, lambda_=0.1, n_estimators=5).fit(X, few)
    with pytest.warns(UserWarning, match="no column differs from row to row"):
        LireClassifier(gamma=0.01, lambda_=0.1).fit(np.ones((len(y), 2)), y)


def test_rules_cover_as_many_rows_as_asked_for():
    X, y = rare()
    given = {"gamma": 1e-4, "n_estimators": 20, "random_state": 0, "class_weight": "balanced"}
    for estimator in (LireClassifier(lambda_=0.01, **given), RuleFitClassifier(**given)):
        for least in (1, 300):
            model = estimator.set_params(min_rows=least, min_coverage=0.0).fit(
                X, y, sample_weight=1 + 9 * (y == "yes")
            )
            assert model.rule_matrix(X).sum(axis=0).min() >= least
            assert (model.rule_matrix(X).sum(axis=0).min() < 300) == (least == 1)


@pytest.mark.parametrize(("scale", "message"), [(1e300, "too large"), (1e-200, "too little")])
def test_numbers_beyond_reason_are_refused(scale, message):
    X, _ = rare(200)
    with pytest.raises(ValueError, match=message):
        LireRegressor(random_state=0).fit(X, X[:, 0] * scale)
