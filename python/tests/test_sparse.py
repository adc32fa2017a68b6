"""Sparse matrices and sparse columns: the same models and predictions as of dense ones."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

import lire

FORMATS = [
    f"{form}_{kind}"
    for form in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")
    for kind in ("matrix", "array")
]
ESTIMATORS = [
    lire.LireClassifier(gamma=0.002, lambda_=0.01, n_estimators=30),
    lire.LireClassifier(gamma=0.002, lambda_=0.01, n_estimators=15, tree_generator="random-forest"),
    lire.LireClassifier(n_estimators=10, cv=2, min_coverage=0.03),
    lire.LireRegressor(gamma=0.002, lambda_=0.01, n_estimators=30),
    lire.RuleFitClassifier(n_estimators=15, linear_terms=True),
    lire.RuleFitRegressor(n_estimators=15),
    lire.GLRMClassifier(max_rounds=10),
    lire.RuleTransformer(gamma=0.002, lambda_=0.01, n_estimators=15),
]


def drawn(seed=0, n_rows=200, n_columns=14):
    """A matrix with gaps, explicit zeros, an empty row and an empty column; and classes that follow it."""
    random = np.random.default_rng(seed)
    X = random.integers(-2, 5, size=(n_rows, n_columns)) / 2
    X[random.random(X.shape) > np.linspace(0.03, 0.5, n_columns)] = 0
    X[random.random(X.shape) < 0.01] = np.nan
    X[:, 3] = 0
    X[7] = 0
    score = (X[:, 9] > 0) + (np.nan_to_num(X[:, 12]) == 0) - 1.0 * (X[:, 5] < 0)
    return X, random.random(n_rows) < 0.1 + 0.35 * score.clip(0, 2)


def with_explicit_zeros(X):
    """CSR of a matrix that lists some of its zeros."""
    rows, columns = np.nonzero((X != 0) | (np.arange(X.size).reshape(X.shape) % 11 == 0))
    listed = sp.csr_array((X[rows, columns], (rows, columns)), shape=X.shape)
    assert listed.nnz > np.count_nonzero(X)
    return listed


def content(model):
    return json.loads(model._model.to_json())


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda it: type(it).__name__)
def test_a_sparse_matrix_gives_the_model_of_its_dense_array(estimator):
    X, y = drawn()
    weights = np.arange(len(y)) % 3
    listed = with_explicit_zeros(X)
    for given in [{}, {"sample_weight": weights}]:
        dense = clone(estimator).set_params(random_state=0).fit(X, y, **given)
        for n_jobs in (1, 2):
            model = clone(estimator).set_params(random_state=0, n_jobs=n_jobs).fit(listed, y, **given)
            assert model._model.to_json() == dense._model.to_json()
        assert model.n_features_in_ == X.shape[1]
        for method in ("predict", "predict_proba", "decision_function", "transform", "rule_matrix"):
            if hasattr(model, method):
                found = getattr(model, method)(listed)
                np.testing.assert_array_equal(found, getattr(dense, method)(X))
        if hasattr(model, "score"):
            assert model.score(listed, y) == dense.score(X, y)
        own, others = model.explain_local(listed[:9]), dense.explain_local(X[:9])
        assert [why.to_dict() for why in own] == [why.to_dict() for why in others]


@pytest.mark.parametrize("tree_generator", ["random-forest", "extra-trees", "boosting"])
def test_forests_take_sparse_matrices(tree_generator):
    X, y = drawn(1)
    listed = with_explicit_zeros(X)
    forests = [
        lire.ForestClassifier(n_estimators=15, tree_generator=tree_generator, random_state=0) for _ in "ab"
    ]
    expected = forests[0].fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(forests[1].fit(listed, y).predict_proba(listed), expected)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_taken(form):
    X, y = drawn(2)
    model = lire.LireClassifier(gamma=0.002, lambda_=0.01, n_estimators=20, random_state=0)
    expected = clone(model).fit(X, y)
    listed = getattr(sp, form)(X)
    assert clone(model).fit(listed, y)._model.to_json() == expected._model.to_json()
    np.testing.assert_array_equal(expected.predict_proba(listed), expected.predict_proba(X))


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint64, np.float32, bool])
def test_every_type_of_number_is_taken(dtype):
    X, y = drawn(3)
    X = np.nan_to_num(X).clip(0).astype(dtype)
    model = lire.LireClassifier(gamma=0.002, lambda_=0.01, n_estimators=20, random_state=0)
    dense = clone(model).fit(X, y)
    assert clone(model).fit(sp.csr_array(X), y)._model.to_json() == dense._model.to_json()


def test_entries_of_one_cell_are_summed_and_the_matrix_stays_as_it_is():
    X, y = drawn(4)
    X = np.nan_to_num(X)
    half = sp.coo_array(X / 2)
    twice = np.tile(half.coords[0], 2), np.tile(half.coords[1], 2)
    coo = sp.coo_array((np.tile(half.data, 2), twice), shape=X.shape)
    unsorted = sp.csr_array(X)
    for start, end in zip(unsorted.indptr, unsorted.indptr[1:], strict=False):
        unsorted.indices[start:end] = unsorted.indices[start:end][::-1].copy()
        unsorted.data[start:end] = unsorted.data[start:end][::-1].copy()
    unsorted.has_sorted_indices = False
    columns = sp.csc_array((coo.data, (coo.coords[0], coo.coords[1])), shape=X.shape)
    doubled = sp.csc_array(
        (np.repeat(columns.data / 2, 2), np.repeat(columns.indices, 2), 2 * columns.indptr), shape=X.shape
    )
    model = lire.LireClassifier(gamma=0.002, lambda_=0.01, n_estimators=20, random_state=0)
    expected = clone(model).fit(X, y)._model.to_json()
    for listed in (coo, unsorted, doubled):
        before = listed.data.copy()
        assert clone(model).fit(listed, y)._model.to_json() == expected
        np.testing.assert_array_equal(listed.data, before)


def test_zeros_are_values_and_not_gaps():
    X, y = drawn(5)
    X = np.nan_to_num(X)
    model = lire.LireClassifier(gamma=0.001, lambda_=0.01, random_state=0).fit(sp.csr_array(X), y)
    assert model.rules_ and not any("missing" in rule for rule in model.rules_)
    assert not any(feature["has_missing"] for feature in content(model)["features"])
    with_gaps, y = drawn(5)
    model = lire.LireClassifier(gamma=0.001, lambda_=0.01, random_state=0).fit(sp.csr_array(with_gaps), y)
    missing = [feature["has_missing"] for feature in content(model)["features"]]
    assert missing == np.isnan(with_gaps).any(axis=0).tolist()


def sparse_frame(X):
    """Sparse columns with several fill values, beside a dense one and a text."""
    frame = pd.DataFrame(X, columns=[f"c{at}" for at in range(X.shape[1])])
    whole = frame["c1"].fillna(0).mul(2).astype(int)
    dense = frame.assign(c1=whole, truth=frame["c9"] > 0, kind=np.where(X[:, 10] > 0, "a", "b"))
    dense["some"] = dense["c8"].where(dense["c8"] > 0)
    kinds = {
        **{f"c{at}": pd.SparseDtype("float64", 0.0) for at in (0, 2, 4, 5, 6)},
        "c1": pd.SparseDtype("int64", 0),
        "c7": pd.SparseDtype("float64", 1.5),
        "c11": pd.SparseDtype("float32", 0.0),
        "some": pd.SparseDtype("float64", np.nan),
        "truth": pd.SparseDtype(bool, False),
    }
    dense["c11"] = dense["c11"].astype("float32")
    return dense, dense.astype(kinds)


@pytest.mark.parametrize("estimator", ESTIMATORS[:1] + ESTIMATORS[4:], ids=lambda it: type(it).__name__)
def test_sparse_columns_of_pandas_are_those_of_the_dense_frame(estimator):
    X, y = drawn(6)
    dense, listed = sparse_frame(X)
    expected = clone(estimator).set_params(random_state=0).fit(dense, y)
    model = clone(estimator).set_params(random_state=0).fit(listed, y)
    assert model._model.to_json() == expected._model.to_json()
    np.testing.assert_array_equal(model.rule_matrix(listed), expected.rule_matrix(dense))
    # What is told to be a category is one, whichever way it is stored.
    told = clone(estimator).set_params(random_state=0, categorical_features=["c1"])
    assert told.fit(listed, y)._model.to_json() == clone(told).fit(dense, y)._model.to_json()


def test_all_sparse_truth_values_may_be_predicted_dense():
    X, y = drawn(7)
    truth = pd.DataFrame(np.nan_to_num(X) > 0).add_prefix("t")
    listed = truth.astype(pd.SparseDtype(bool, False))
    model = lire.LireClassifier(gamma=0.002, lambda_=0.01, random_state=0)
    dense = clone(model).fit(truth, y)
    model.fit(listed, y)
    assert model._model.to_json() == dense._model.to_json()
    for rows in (truth, listed, truth.astype(float), listed.astype(pd.SparseDtype(float, 0.0))):
        np.testing.assert_array_equal(model.predict_proba(rows), dense.predict_proba(truth))


def test_trees_of_other_libraries_take_sparse_matrices():
    X, y = drawn(8)
    X = np.nan_to_num(X)
    grown = RandomForestClassifier(10, max_depth=3, random_state=0)
    model = lire.LireClassifier(gamma=0.002, lambda_=0.01, tree_generator=grown, random_state=0)
    expected = clone(model).fit(X, y)
    assert clone(model).fit(sp.csr_array(X), y)._model.to_json() == expected._model.to_json()


def test_what_cannot_be_read_is_refused_in_a_sentence():
    X, y = drawn(9)
    listed = sp.csr_array(X)
    model = lire.LireClassifier(gamma=0.002, lambda_=0.01, n_estimators=10).fit(listed, y)
    with pytest.raises(ValueError, match="X has 13 features, but LireClassifier is expecting 14 features"):
        model.predict(listed[:, :13])
    with pytest.raises(TypeError, match=r"y is a sparse matrix; .* y\.toarray\(\)\.ravel\(\)"):
        model.fit(listed, sp.csr_array(y[:, None]))
    with pytest.raises(ValueError, match="contains infinity"):
        model.fit(sp.csr_array(np.where(X == 1, np.inf, X)), y)
    with pytest.raises(ValueError, match="Complex data not supported"):
        model.fit(sp.csr_array(np.nan_to_num(X).astype(complex)), y)
    with pytest.raises(ValueError, match="Found array with 0 sample"):
        model.predict(listed[:0])
    with pytest.raises(ValueError, match="infinity, in column `c0`"):
        model.fit(pd.DataFrame({"c0": pd.arrays.SparseArray([0.0, np.inf, 0.0, 0.0])}), [0, 1, 0, 1])
    with pytest.warns(UserWarning, match="more digits than float64 can distinguish"):
        model.fit(sp.csr_array(np.nan_to_num(X).astype(np.int64) * (2**53 + 1)), y)


def test_the_file_of_a_wide_model_has_the_spread_of_what_it_uses_alone():
    random = np.random.default_rng(10)
    tells = random.random(300) < 0.4
    others = sp.random_array((300, 3000), density=0.01, rng=random)
    X = sp.hstack([tells[:, None].astype(float), others]).tocsr()
    model = lire.LireClassifier(gamma=0.01, lambda_=0.01, n_estimators=5, random_state=0).fit(X, tells)
    assert model.rules_ and set(model.predict(X) == tells) == {True}
    named = {
        name
        for name, importance in zip(model._names(), model.feature_importances_, strict=True)
        if importance
    }
    assert set(content(model)["spread"]["quantiles"]) == named
    assert len(content(model)["features"]) == 3001
