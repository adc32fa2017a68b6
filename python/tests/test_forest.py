"""Trees that predict by themselves, beside those of scikit-learn."""

import pickle

import numpy as np
import pytest
from sklearn import ensemble
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import train_test_split

from lire import ForestClassifier, ForestRegressor

PEERS = {
    "random-forest": (ensemble.RandomForestClassifier, ensemble.RandomForestRegressor),
    "extra-trees": (ensemble.ExtraTreesClassifier, ensemble.ExtraTreesRegressor),
    "boosting": (ensemble.GradientBoostingClassifier, ensemble.GradientBoostingRegressor),
}


@pytest.mark.parametrize("generator", PEERS)
def test_classes_are_ranked_as_well_as_by_scikit_learn(generator):
    X, y = make_classification(1200, 12, n_informative=6, flip_y=0.1, random_state=4)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    ours, theirs = [
        np.mean(
            [
                roc_auc_score(y_test, make(seed).fit(X_train, y_train).predict_proba(X_test)[:, 1])
                for seed in range(3)
            ]
        )
        for make in (
            lambda seed: ForestClassifier(tree_generator=generator, random_state=seed),
            lambda seed: PEERS[generator][0](random_state=seed),
        )
    ]
    assert ours > theirs - 0.02


@pytest.mark.parametrize("generator", PEERS)
def test_numbers_are_predicted_as_well_as_by_scikit_learn(generator):
    X, y = make_regression(1200, 8, n_informative=5, noise=20.0, random_state=4)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    ours = ForestRegressor(tree_generator=generator, max_features="all", random_state=0)
    theirs = PEERS[generator][1](random_state=0)
    found, expected = [
        r2_score(y_test, model.fit(X_train, y_train).predict(X_test)) for model in (ours, theirs)
    ]
    assert found > expected - 0.03


@pytest.mark.parametrize("generator", PEERS)
def test_the_first_trees_are_those_of_a_smaller_forest(generator, heart):
    X, y = heart
    many = ForestClassifier(tree_generator=generator, n_estimators=20, max_depth=4, random_state=3).fit(X, y)
    few = clone(many).set_params(n_estimators=7).fit(X, y)
    assert np.array_equal(many.predict_proba(X, n_trees=7), few.predict_proba(X))
    assert np.array_equal(many.predict(X, n_trees=7), few.predict(X))
    assert np.array_equal(many.predict_proba(X, n_trees=1000), many.predict_proba(X))
    assert not np.array_equal(many.predict_proba(X), few.predict_proba(X))


def test_a_fully_grown_tree_of_all_rows_knows_them(heart):
    X, y = heart
    model = ForestClassifier(subsample="all", max_features="all", random_state=0).fit(X, y)
    assert (model.predict(X) == y).all()
    stump = ForestClassifier(n_estimators=1, max_leaves=2, random_state=0).fit(X, y)
    assert len(np.unique(stump.predict_proba(X)[:, 1])) == 2


def test_several_classes_have_probabilities_that_sum_to_one():
    X, y = load_iris(return_X_y=True)
    model = ForestClassifier(random_state=0).fit(X, y)
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1.0)
    assert model.score(X, y) > 0.95


def test_a_copy_by_pickle_predicts_the_same(heart):
    X, y = heart
    model = ForestClassifier(random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


def test_class_weights_count_like_rows(heart):
    X, y = heart
    positive = y == np.unique(y)[1]
    weighted = ForestClassifier(class_weight={np.unique(y)[1]: 5.0}, random_state=0).fit(X, y)
    plain = ForestClassifier(random_state=0).fit(X, y)
    rows = ForestClassifier(random_state=0).fit(X, y, sample_weight=np.where(positive, 5.0, 1.0))
    assert np.array_equal(weighted.predict_proba(X), rows.predict_proba(X))
    assert not np.array_equal(weighted.predict_proba(X), plain.predict_proba(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"tree_generator": "forest"}, "tree_generator"),
        ({"n_estimators": 0}, "n_estimators"),
        ({"n_estimators": 1.5}, "n_estimators"),
        ({"max_features": "many"}, "max_features"),
        ({"max_leaves": 1}, "max_leaves"),
        ({"subsample": 2.0}, "subsample"),
        ({"min_leaf_weight": -1.0}, "min_leaf_weight"),
    ],
)
def test_parameters_that_cannot_be_meant_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        ForestClassifier(**parameters).fit([[0.0], [1.0]] * 10, [0, 1] * 10)


def test_no_trees_at_all_cannot_be_asked():
    model = ForestRegressor(n_estimators=3).fit([[0.0], [1.0]] * 10, [0.0, 1.0] * 10)
    with pytest.raises(ValueError, match="n_trees is 0"):
        model.predict([[0.0]], n_trees=0)
