"""Models among the tools of scikit-learn, joblib and interpret."""

import interpret
import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from interpret.api.base import ExplanationMixin
from interpret.provider import InlineProvider, PreserveProvider
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.inspection import permutation_importance
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from lire import GLRMClassifier, LireClassifier, LireRegressor, RuleFitClassifier, RuleTransformer

CLASSIFIERS = [LireClassifier, RuleFitClassifier, GLRMClassifier]


def quick(**parameters):
    """Few trees and given prices, so that nothing is chosen by validation."""
    return LireClassifier(
        **({"n_estimators": 30, "gamma": 0.01, "lambda_": 0.1, "random_state": 0} | parameters)
    )


@pytest.fixture(scope="module")
def fitted(heart):
    return quick().fit(*heart)


@pytest.fixture(scope="module")
def explanations(fitted, heart, three_classes):
    """Of each kind: one, many, and of several classes."""
    X, _ = heart
    several = quick().fit(*three_classes)
    many = fitted.explain_local(X[:4])
    return [fitted.explain_global(), many, many[0], several.explain_global()]


def test_behind_a_column_transformer(heart):
    X, y = heart
    texts = X.select_dtypes(exclude="number").columns
    encode = ColumnTransformer(
        [("code", OrdinalEncoder(), texts)], remainder=StandardScaler(), verbose_feature_names_out=False
    ).set_output(transform="pandas")
    model = make_pipeline(encode, quick()).fit(X, y)
    assert model.score(X, y) > 0.8
    assert set(model[-1].feature_names_in_) == set(X.columns)


def test_inside_a_column_transformer(heart):
    X, y = heart
    names = ["age", "chest_pain", "sex"]
    rules = ColumnTransformer([("rules", RuleTransformer(n_estimators=20, random_state=0), names)])
    matrix = rules.set_output(transform="pandas").fit_transform(X, y)
    expected = rules.named_transformers_["rules"].rules_
    assert [name.removeprefix("rules__") for name in matrix.columns] == expected
    assert set(np.unique(matrix)) == {0.0, 1.0}


def test_permutation_importance_finds_the_features_in_rules(heart, fitted):
    X, y = heart
    importance = permutation_importance(fitted, X, y, n_repeats=3, random_state=0).importances_mean
    unused = fitted.feature_importances_ == 0.0
    assert unused.any() and (importance[unused] == 0.0).all() and importance.max() > 0.01


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_weights_are_routed(heart, method):
    X, y = heart
    weights = np.where(y == "yes", 5.0, 1.0)
    cheap = {"n_estimators": 20} if method is not GLRMClassifier else {}
    with sklearn.config_context(enable_metadata_routing=True):
        model = method(random_state=0, **cheap).set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        routed = cross_validate(
            model, X, y, cv=2, params={"sample_weight": weights}, return_estimator=True, return_indices=True
        )
    for part in (0, 1):
        train, test = routed["indices"]["train"][part], routed["indices"]["test"][part]
        alone = method(random_state=0, **cheap).fit(X.iloc[train], y.iloc[train], weights[train])
        np.testing.assert_array_equal(alone.coef_, routed["estimator"][part].coef_)
        assert alone.score(X.iloc[test], y.iloc[test], weights[test]) == routed["test_score"][part]
    plain = method(random_state=0, **cheap).fit(X.iloc[train], y.iloc[train])
    assert np.mean(alone.predict(X) == "yes") > np.mean(plain.predict(X) == "yes")


def test_weights_reach_a_grid_search(heart):
    X, y = heart
    weights = np.where(y == "yes", 5.0, 1.0)
    grid = GridSearchCV(quick(), {"lambda_": [0.1]}, cv=2).fit(X, y, sample_weight=weights)
    alone = quick().fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(grid.best_estimator_.coef_, alone.coef_)


def test_models_travel_between_processes(heart, fitted):
    X, y = heart
    halves = (X[:100], X[100:])
    parts = joblib.Parallel(n_jobs=2)(joblib.delayed(fitted.predict_proba)(half) for half in halves)
    np.testing.assert_array_equal(np.vstack(parts), fitted.predict_proba(X))
    fits = joblib.Parallel(n_jobs=2)(joblib.delayed(quick(n_jobs=1).fit)(X, y) for _ in range(2))
    for one in fits:
        np.testing.assert_array_equal(one.coef_, fitted.coef_)


def test_models_are_shared_by_threads(heart, fitted):
    X, _ = heart
    expected = fitted.predict_proba(X)
    for found in joblib.Parallel(n_jobs=4, backend="threading")(
        joblib.delayed(fitted.predict_proba)(X) for _ in range(16)
    ):
        np.testing.assert_array_equal(found, expected)


def test_scores_are_those_of_scikit_learn(heart, fitted):
    X, y = heart
    weights = np.arange(len(y)) % 3
    expected = accuracy_score(y, fitted.predict(X), sample_weight=weights)
    assert fitted.score(X, y, sample_weight=weights) == expected


def test_the_number_of_threads_does_not_matter(heart):
    X, y = heart
    one, four = quick(n_jobs=1).fit(X, y), quick(n_jobs=4).fit(X, y)
    np.testing.assert_array_equal(one.coef_, four.coef_)
    np.testing.assert_array_equal(one.predict_proba(X), four.predict_proba(X))


@pytest.mark.parametrize(
    "ask", ["predict", "predict_proba", "decision_function", "rule_matrix", "local_support", "explain_local"]
)
def test_an_unfitted_model_says_so(ask, numbers):
    with pytest.raises(NotFittedError, match="LireClassifier instance is not fitted yet"):
        getattr(LireClassifier(), ask)(numbers[0])


def test_an_unfitted_model_has_nothing_to_tell(tmp_path):
    model = LireRegressor()
    for ask in (model.get_rules, model.explain_global, lambda: model.save(tmp_path / "m.json")):
        with pytest.raises(NotFittedError):
            ask()
    fitted = ["rules_", "coef_", "intercept_", "objective_", "certified_", "n_iter_", "feature_importances_"]
    for name in fitted:
        assert not hasattr(model, name), name
    assert not list(tmp_path.iterdir())


def test_explanations_keep_the_contract_of_interpret(explanations):
    needed = ExplanationMixin.__abstractmethods__ | {"name", "selector"}
    for explanation in explanations:
        assert all(hasattr(explanation, name) for name in needed)
        assert explanation.explanation_type in {"global", "local"} and isinstance(explanation.name, str)
        selector = explanation.selector
        keys = [None] if selector is None else range(len(selector))
        for key in keys:
            data = explanation.data(key)
            assert len(data["names"]) == len(data["scores"])
            assert all(isinstance(value, float) for value in data["scores"])


def test_interpret_shows_explanations(explanations, monkeypatch):
    """``show`` as in a notebook: what it would display is caught."""
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda what, *_, **__: shown.append(what))
    before = interpret.get_visualize_provider()
    try:
        interpret.set_visualize_provider(InlineProvider(detected_envs=[], js_url="none.js"))
        for explanation in explanations:
            shown.clear()
            interpret.show(explanation)
            html = "".join(str(getattr(one, "data", one)) for one in shown)
            assert explanation.name in html and '"type": "html"' in html
            assert "not yet supported" not in html and '"name": "Error"' not in html
    finally:
        interpret.set_visualize_provider(before)


def test_interpret_preserves_explanations(explanations, tmp_path):
    for explanation in explanations:
        path = tmp_path / "page.html"
        PreserveProvider().render(explanation, file_name=str(path))
        assert path.read_text() == explanation.visualize()
    local = explanations[1]
    interpret.preserve(local, selector_key=2, file_name=str(path))
    assert path.read_text() == local[2]._repr_html_()


def test_the_dashboard_of_interpret_takes_explanations(explanations):
    """Its server is not started; these are the parts that it puts on the page."""
    from interpret.visual import _udash as dashboard

    for explanation in explanations:
        selector = explanation.selector
        part = dashboard.gen_overall_plot(explanation, 0)
        assert explanation.name in str(part.to_plotly_json())
        if selector is not None:
            assert isinstance(selector, pd.DataFrame)
            part = dashboard.gen_plot(explanation, 0, 0, 0)
            assert explanation.name in str(part.to_plotly_json())
