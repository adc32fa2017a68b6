"""Explanations say exactly what the model does."""

import json

import matplotlib
import numpy as np
import pytest

from lire import LireClassifier, RuleFitRegressor

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def fitted(heart):
    X, y = heart
    return LireClassifier(n_estimators=40, random_state=0).fit(X, y)


def test_contributions_add_up_to_the_score_bit_for_bit(fitted, heart, numbers):
    X, _ = heart
    linear = RuleFitRegressor(n_estimators=10, linear_terms=True, gamma=0.01, random_state=0).fit(*numbers)
    for model, rows, scores in (
        (fitted, X, fitted.decision_function(X)),
        (linear, numbers[0], linear.predict(numbers[0])),
    ):
        for explanation, score in zip(model.explain_local(rows), scores, strict=True):
            total = explanation.intercept
            for row in explanation.rows():
                total += row["contribution"]
            assert total == score == explanation.score


def test_local_explanations_hold_the_rules_that_hold(fitted, heart):
    X, _ = heart
    matrix = fitted.rule_matrix(X[:20])
    for explanation, holds in zip(fitted.explain_local(X[:20]), matrix, strict=True):
        expected = [rule for rule, h in zip(fitted.rules_, holds, strict=True) if h]
        assert list(explanation.to_frame()["rule"]) == expected
        assert explanation.label in {"no", "yes"} and explanation.class_ == "yes"
        for name, value in explanation.values.items():
            assert name in X.columns and (value is None or value in set(X[name]))
    np.testing.assert_allclose(
        [explanation.probability for explanation in fitted.explain_local(X)], fitted.predict_proba(X)[:, 1]
    )


def test_rules_come_as_a_frame_with_their_coverage(fitted, heart):
    X, _ = heart
    rules = fitted.get_rules()
    assert list(rules.columns) == ["rule", "weight", "coverage", "importance"]
    assert rules["importance"].is_monotonic_decreasing
    coverage = dict(zip(fitted.rules_, fitted.rule_matrix(X).mean(axis=0), strict=True))
    weight = dict(zip(fitted.rules_, fitted.coef_, strict=True))
    for row in rules.itertuples():
        assert row.coverage == pytest.approx(coverage[row.rule], abs=1e-12) and row.weight == weight[row.rule]
        assert row.importance == pytest.approx(abs(row.weight) * (row.coverage * (1 - row.coverage)) ** 0.5)
    assert fitted.explain_global().to_frame().equals(rules)


def test_pages_and_pictures(fitted, heart):
    X, _ = heart
    for explanation in (fitted.explain_global(), fitted.explain_local(X[:1])[0]):
        page = explanation._repr_html_()
        for row in explanation.rows():
            shown = row["rule"].replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")
            assert shown in page and row["rule"] in repr(explanation)
        axes = explanation.plot()
        assert len(axes.patches) == len(explanation.rows()) + 1
        assert json.loads(json.dumps(explanation.to_dict())) == explanation.to_dict()
        matplotlib.pyplot.close(axes.figure)


def test_names_in_pages_are_escaped():
    X = np.array([["<b>x</b>"], ["other"]] * 50, dtype=object)
    model = LireClassifier(n_estimators=5, random_state=0).fit(X, [1, 0] * 50)
    assert "<b>" not in model.explain_global()._repr_html_()
