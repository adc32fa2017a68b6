"""The choice of gamma and lambda_, and budgets."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

from lire import ForestClassifier, LireClassifier, LireRegressor, RuleFitClassifier, load


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True, as_frame=True)


def quick(**parameters):
    return LireClassifier(**{"n_estimators": 30, "cv": 3, "random_state": 0} | parameters)


def test_the_path_is_told(cancer):
    model = quick(select="best").fit(*cancer)
    results, path = model.cv_results_, model.path_
    assert len(path) == len(results["params"]) > 3
    chosen = int(np.flatnonzero(results["chosen"])[0])
    assert results["rank_test_score"][chosen] == 1
    assert model.best_params_ == results["params"][chosen]
    assert results["n_rules"][chosen] == len(model.rules_)
    assert results["local_support_mean"][chosen] == pytest.approx(model.local_support(cancer[0]).mean())
    train = roc_auc_score(cancer[1], model.decision_function(cancer[0]))
    assert results["mean_train_score"][chosen] == pytest.approx(train)
    assert {"mean", "std"} <= set(path[chosen]["validation"]["auc"])


def test_given_prices_leave_nothing_to_choose(cancer):
    model = quick(gamma=0.01, lambda_=0.1, cv=5).fit(*cancer)
    assert model.path_ == [] and model.best_params_ == {"gamma": 0.01, "lambda_": 0.1}
    with pytest.raises(AttributeError, match="no models were compared"):
        model.cv_results_  # noqa: B018
    one = quick(gamma=0.01).fit(*cancer)
    assert {model["gamma"] for model in one.path_} == {0.01}


def test_budgets_hold(cancer):
    assert len(quick(max_rules=4).fit(*cancer).rules_) <= 4
    short = quick(max_local_rules=1.5).fit(*cancer)
    assert 0 < short.local_support(cancer[0]).mean() <= 1.5
    never_long = quick(max_local_rules=3, max_local_rules_any=True).fit(*cancer)
    assert never_long.local_support(cancer[0]).max() <= 3


def test_splits_of_the_user_are_used(cancer):
    X, y = cancer
    splits = list(KFold(4, shuffle=True, random_state=1).split(X))
    by_list, by_splitter = (
        quick(cv=splits).fit(X, y),
        quick(cv=KFold(4, shuffle=True, random_state=1)).fit(X, y),
    )
    assert by_list.path_ == by_splitter.path_
    assert by_list.path_ != quick(cv=splits[:2]).fit(X, y).path_


def test_numbers_are_chosen_by_their_error():
    model = LireRegressor(n_estimators=30, cv=3, random_state=0).fit(*load_diabetes(return_X_y=True))
    results = model.cv_results_
    assert results["mean_test_score"].max() < 0 and model._selection["metric"] == "rmse"
    r2 = LireRegressor(n_estimators=30, cv=3, metric="r2", random_state=0).fit(
        *load_diabetes(return_X_y=True)
    )
    assert r2.cv_results_["mean_test_score"].max() > 0.2


def test_the_path_is_drawn(cancer):
    pytest.importorskip("matplotlib").use("agg")
    axes = quick(metric="log_loss").fit(*cancer).plot_path()
    assert axes.get_xlabel() == "rules per explanation" and "log_loss" in axes.get_ylabel()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["compared", "chosen"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"metric": "rmse"}, "`metric`"),
        ({"metric": "auk"}, "`metric`"),
        ({"select": "worst"}, "`select`"),
        ({"max_rules": -1}, "`max_rules`"),
        ({"max_local_rules": -0.5}, "`max_local_rules`"),
        ({"max_local_rules_any": True}, "`max_local_rules_any`"),
        ({"gamma": 0.0001, "lambda_": 0.0, "max_local_rules": 0.01}, "the nearest has"),
    ],
)
def test_mistakes_are_named(cancer, parameters, message):
    with pytest.raises(ValueError, match=message):
        quick(**parameters).fit(*cancer)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (quick(gamma=0.01, lambda_=0.1), "`cv`: gamma and lambda are given"),
        (quick(gamma=0.01, lambda_=0.1, cv=KFold(3)), "`cv`: gamma and lambda are given"),
        (quick(gamma=0.01, lambda_=0.1, cv=5, metric="auc"), "`metric`: gamma and lambda are given"),
        (RuleFitClassifier(gamma=0.01, cv=3), "`cv`: gamma is given"),
        (quick(tree_generator="random-forest", learning_rate=0.1), "`learning_rate`: only boosting"),
        (ForestClassifier(learning_rate=0.1), "`learning_rate`: only boosting"),
    ],
    ids=str,
)
def test_what_has_no_effect_is_refused(cancer, model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*cancer)


def test_a_model_from_a_file_can_be_fitted_again(cancer, tmp_path):
    model = quick(select="best", metric="accuracy").fit(*cancer)
    model.save(tmp_path / "m.lire.json")
    again = clone(load(tmp_path / "m.lire.json")).fit(*cancer)
    assert again.best_params_ == model.best_params_ and again.path_ == []
