"""Explanations say exactly what the model does."""

import json
import pickle
import re

import matplotlib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from lire import LireClassifier, LireRegressor, RuleFitClassifier, RuleFitRegressor

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def fitted(heart):
    X, y = heart
    return LireClassifier(n_estimators=40, gamma=0.01, lambda_=0.1, random_state=0).fit(X, y)


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
        heights = [bar.get_width() for bar in axes.patches]
        for row in explanation.rows():
            assert row.get("contribution", row.get("weight")) in heights
        is_local = explanation.explanation_type == "local"
        assert len(heights) == len(explanation.rows()) + (2 if is_local else 1)
        if is_local:
            assert explanation.score in heights and f"{explanation.score:+.3f}" in page
        assert json.loads(json.dumps(explanation.to_dict())) == explanation.to_dict()
        matplotlib.pyplot.close(axes.figure)


def test_several_explanations_are_a_sequence(fitted, three_classes, heart):
    X, _ = heart
    why = fitted.explain_local(X[:30])
    assert len(why) == 30 and [one.to_dict() for one in why] == why.to_dict() and why[3:5][1] is why[4]
    frame = why.to_frame()
    n_rules = frame.groupby("row").size().reindex(range(1, 31), fill_value=0)
    assert (n_rules == fitted.local_support(X[:30])).all()
    assert "and 20 more" in repr(why) and "and 20 more" in why._repr_html_()
    model = LireClassifier(n_estimators=30, gamma=0.003, lambda_=0.1, random_state=0).fit(*three_classes)
    learned = model.explain_global()
    assert list(learned.selector["class"]) == ["low", "mid", "top"]
    assert learned.to_frame().equals(model.get_rules()) and len(learned.plot(2).patches) > 1
    matplotlib.pyplot.close("all")


def test_printed_rules_are_whole(fitted, monkeypatch):
    rules = fitted.get_rules()
    lines = repr(rules).splitlines()
    assert lines[0].split() == ["weight", "coverage", "importance", "rule"]
    assert all(line.endswith(rule) for line, rule in zip(lines[1:], rules["rule"], strict=True))
    assert f"{rules['weight'][0]:+.3f}" in lines[1] and max(map(len, rules["rule"])) > 50
    with pd.option_context("display.max_rows", 2):
        assert repr(rules).splitlines()[-1] == f"and {len(rules) - 2} more"
    assert "..." not in rules._repr_html_()
    assert "weight" in repr(rules[["weight"]]) and type(pickle.loads(pickle.dumps(rules))) is type(rules)


def test_without_pandas_rules_are_dicts(fitted, monkeypatch):
    monkeypatch.setattr("lire._base._has_pandas", lambda: False)
    assert fitted.get_rules() == fitted.explain_global().rows()


def test_what_is_shown_stays_on_its_line():
    X = pd.DataFrame({"x": ["\u202eevil", "a", "b"] * 40})
    y = np.where(X.x == "a", "yes\nno", "no")
    model = LireClassifier(n_estimators=5, gamma=0.01, lambda_=0.1, random_state=0).fit(X, y)
    X = X[:2].assign(x=["\u202eevil", "a\nb"])
    shown = [repr(model.get_rules()), model.explain_global()._repr_html_()]
    for one in model.explain_local(X):
        assert repr(one).count("\n") == 2 + len(one.rows())
        shown += [repr(one), one._repr_html_()]
    assert not set("\u202e\r") & set("".join(shown)) and "yes\\nno" in shown[2]


def test_names_in_pages_are_escaped():
    X = np.array([["<b>x</b>"], ["other"]] * 50, dtype=object)
    model = LireClassifier(n_estimators=5, gamma=0.01, lambda_=0.1, random_state=0).fit(X, [1, 0] * 50)
    assert "<b>" not in model.explain_global()._repr_html_()


def in_thousandths(texts):
    """Signed numbers of three decimals, which is how all are shown."""
    assert all(re.fullmatch(r"[+-]\d+\.\d{3}", text) for text in texts)
    return [int(text.replace(".", "")) for text in texts]


def test_the_parts_shown_add_to_the_sum_shown(fitted, heart, numbers, three_classes):
    given = {"gamma": 0.003, "n_estimators": 30, "random_state": 0}
    linear = RuleFitRegressor(gamma=0.01, n_estimators=2, max_depth=1, linear_terms=True, random_state=0)
    why = [
        *fitted.explain_local(heart[0]),
        *LireRegressor(**given, lambda_=0.1).fit(*numbers).explain_local(numbers[0]),
        *linear.fit(numbers[0], numbers[1] + 100 * numbers[0][:, 3]).explain_local(numbers[0]),
        *LireClassifier(**given, lambda_=0.1).fit(*three_classes).explain_local(three_classes[0][:50]),
    ]
    assert len(linear.coef_) > len(linear.rules_)
    for one in why:
        lines = repr(one).split("\n")[1:]
        cells = re.findall(r"tabular-nums\">([^<]*)<", one._repr_html_())
        for texts in ([line.split()[0] for line in lines], cells):
            shown = in_thousandths(texts)
            assert len(shown) == len(one.rows()) + 2
            assert sum(shown[:-1]) == shown[-1]
            assert shown[-1] == pytest.approx(1e3 * one.score, abs=0.5001)


def test_local_support_is_the_size_of_each_explanation(three_classes):
    X, y = three_classes
    of_classes = LireClassifier(gamma=0.003, lambda_=0.1, n_estimators=30, random_state=0).fit(X, y)
    # Few stumps leave something for linear terms.
    linear = RuleFitClassifier(gamma=0.01, n_estimators=2, max_depth=1, linear_terms=True, random_state=0)
    with_linear_terms = clone(linear).fit(X, X[:, 0] + X[:, 1] > 0.2)
    both = clone(linear).fit(X, np.where(X[:, 3] > 1, "top", X[:, 0] > X[:, 1]))
    for model in (with_linear_terms, both):
        assert model.coef_.shape[-1] > len(model.rules_) > 0
    for model, rows in [(of_classes, X), (with_linear_terms, X), (both, X)]:
        sizes = [len(one.rows()) for one in model.explain_local(rows)]
        np.testing.assert_array_equal(model.local_support(rows), sizes)
        training = json.loads(model._model.to_json())["training"]
        assert training["local_support_mean"] == pytest.approx(np.mean(sizes))
        assert training["local_support_max"] == np.max(sizes)
