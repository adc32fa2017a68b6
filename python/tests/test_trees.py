"""Trees of other libraries: our rules send every row where the library sends it."""

import json
from itertools import pairwise

import lightgbm as lgb
import numpy as np
import pandas as pd
import pytest
import xgboost as xgb
from sklearn import ensemble
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import KFold

import lire
from lire import _columns, _native, _trees
from lire._tree_readers import doubles_up_to

SMALL = {"n_estimators": 6, "random_state": 0}
LIGHT = {
    "n_estimators": 6,
    "num_leaves": 8,
    "min_child_samples": 5,
    "min_data_per_group": 1,
    "cat_smooth": 0,
    "max_cat_to_onehot": 2,
    "verbose": -1,
    "n_jobs": 1,
}
XGB = {"n_estimators": 6, "max_depth": 3, "n_jobs": 1, "random_state": 0}
SETS = {"enable_categorical": True, "max_cat_to_onehot": 2}


def numbers(n_rows=300, gaps=True, seed=3):
    """Numbers of all sizes, some of them repeated, with gaps."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 5))
    X[:, 1] = random.integers(-3, 4, n_rows)
    X[:, 2] = np.where(random.random(n_rows) < 0.4, 0.0, X[:, 2] * 1e-3)
    X[:, 3] *= 1e6
    # Doubles between two neighbouring float32 numbers.
    X[:, 4] = 1.0 + random.integers(0, 40, n_rows) * 2.0**-26
    y = (X[:, 0] > 0.2) + (X[:, 1] > 0) * (X[:, 2] > 0) + (X[:, 4] > 1.0 + 2.0**-22) + (X[:, 3] > 3e5)
    if gaps:
        X[random.random(X.shape) < 0.15] = np.nan
    return X, y.astype(float)


def frame(n_rows=300):
    """The same beside truth values and two columns of categories, one of them of numbers, with gaps."""
    X, y = numbers(n_rows)
    random = np.random.default_rng(4)
    colours = random.choice(["red", "green", "blue", "grey", "pink", "teal"], n_rows).astype(object)
    colours[random.random(n_rows) < 0.1] = None
    areas = random.choice([10, 20, 30, 40, 50], n_rows)
    table = pd.DataFrame(X, columns=["a", "b", "c", "d", "e"])
    table.insert(2, "colour", pd.Categorical(colours, categories=[*sorted(set(colours) - {None}), "gold"]))
    table["on"] = random.random(n_rows) < 0.5
    table["area"] = pd.Categorical(areas)
    y = y + 2 * table["colour"].isin(["red", "grey", "teal"]) + np.isin(areas, [20, 50]) + table["on"]
    return table, y.to_numpy(float)


def adversarial(X, nodes, largest=1.7e308):
    """Rows that take, one feature at a time, each value at which a comparison could go wrong."""
    feature, threshold = nodes[:2]
    base = X[:40]
    rows = [X]
    for at in range(X.shape[1]):
        t = threshold[feature == at]
        near = np.concatenate([t, np.nextafter(t, np.inf), np.nextafter(t, -np.inf)])
        with np.errstate(over="ignore"):
            singles = t.astype(np.float32)
        for towards in (np.inf, -np.inf):
            neighbours = np.nextafter(singles, np.float32(towards))
            middles = (singles.astype(float) + neighbours) / 2
            between = (np.nextafter(middles, np.inf), np.nextafter(middles, -np.inf))
            near = np.concatenate([near, neighbours, middles, *between])
        fixed = [0.0, -0.0, np.nan, 1e-35, -1e-35, 1e-40, 1e-45, -1e-45, 5e-324, largest, -largest]
        zeros = np.float32(1e-35).astype(float)
        fixed += [s * v for s in (1, -1) for v in (zeros, np.nextafter(zeros, 1), np.nextafter(zeros, 0))]
        values = np.unique(np.concatenate([near, singles, fixed]))
        values = values[np.isnan(values) | (np.abs(values) <= largest)]
        others = base[np.arange(len(values)) % len(base)].copy()
        others[:, at] = values
        rows.append(others)
    return np.concatenate(rows)


def trees_of(model, X, categorical=()):
    """The columns of a fit and the nodes of a fitted model's trees."""
    columns = columns_of(X)
    numeric = [len(column) == 2 for column in columns]
    for at in categorical:
        columns[at] = _columns.as_category(columns[at])
    data = _trees.Data(columns, numeric, getattr(X, "columns", None), np.zeros(len(X)), None, True, 0)
    columns, (_, nodes, _), _ = _trees.imported(model, data, None, lambda: None)
    return columns, nodes


def columns_of(X):
    if isinstance(X, pd.DataFrame):
        return _columns.frame_columns(X, list(X.columns))
    return _columns.array_columns(np.asfortranarray(X), [f"x{at}" for at in range(X.shape[1])])


def leaves(model, X):
    """The leaf of each tree that each row reaches, as the library says, in shape (rows, trees)."""
    if isinstance(model, lgb.LGBMModel | lgb.Booster):
        return model.predict(X, pred_leaf=True).reshape(len(X), -1)
    if isinstance(model, xgb.XGBModel):
        return model.apply(X).reshape(len(X), -1)
    if isinstance(model, xgb.Booster):
        return model.predict(xgb.DMatrix(X), pred_leaf=True).reshape(len(X), -1)
    if hasattr(model, "_predictors"):
        # scikit-learn has no `apply` here: give each leaf its number as value, and let it predict.
        X = X if model._preprocessor is None else model._preprocessor.transform(X)
        known, places = model._bin_mapper.make_known_categories_bitsets()
        found = []
        for predictor in (predictor for iteration in model._predictors for predictor in iteration):
            values = predictor.nodes["value"].copy()
            predictor.nodes["value"] = np.arange(len(values))
            found.append(predictor.predict(np.asarray(X, dtype=float), known, places, n_threads=1))
            predictor.nodes["value"] = values
        return np.column_stack(found)
    return model.apply(X).reshape(len(X), -1)


def check_routes(model, train, rows, categorical=()):
    """Rows that our rules take to one leaf are exactly the rows that the library takes to one leaf."""
    columns, nodes = trees_of(model, train, categorical)
    queries = columns_of(rows)
    for at, column in enumerate(columns):
        if len(column) == 4:
            queries[at] = _columns.as_category(queries[at])
    reached = _native.reached(columns, nodes, queries, len(rows))
    feature, left, right = nodes[0], nodes[2], nodes[3]
    inner = np.flatnonzero(feature >= 0)
    roots = np.setdiff1d(np.arange(len(feature)), np.concatenate([left[inner], right[inner]]))
    theirs = leaves(model, rows)
    ends = np.append(roots, len(feature))
    assert theirs.shape[1] == len(roots)
    for tree, (start, end) in enumerate(pairwise(ends)):
        of_tree = np.arange(start, end)
        at_leaf = reached[:, of_tree[feature[of_tree] < 0]]
        assert (at_leaf.sum(axis=1) == 1).all()
        ours = at_leaf.argmax(axis=1)
        pairs = np.unique(np.column_stack([ours, theirs[:, tree]]), axis=0)
        assert len(pairs) == len(np.unique(ours)) == len(np.unique(theirs[:, tree]))
        # What reaches a node reaches one of its children.
        for node in of_tree[feature[of_tree] >= 0]:
            children = reached[:, left[node]] + reached[:, right[node]]
            assert (reached[:, node] == children).all()
    assert len(inner) > len(roots), "trees of one split test little"
    return nodes


FORESTS = [
    ensemble.RandomForestClassifier(**SMALL, max_depth=5),
    ensemble.RandomForestRegressor(**SMALL),
    ensemble.ExtraTreesClassifier(**SMALL),
    ensemble.ExtraTreesRegressor(**SMALL, max_depth=5),
    ensemble.HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5),
    ensemble.HistGradientBoostingRegressor(max_iter=6, min_samples_leaf=5),
    lgb.LGBMClassifier(**LIGHT),
    lgb.LGBMRegressor(**LIGHT, zero_as_missing=True),
    lgb.LGBMRegressor(**LIGHT, use_missing=False),
    xgb.XGBClassifier(**XGB),
    xgb.XGBRegressor(**XGB, tree_method="exact"),
    xgb.XGBRFClassifier(**XGB),
]
WITHOUT_GAPS = [
    ensemble.GradientBoostingClassifier(**SMALL),
    ensemble.GradientBoostingRegressor(**SMALL, loss="absolute_error"),
    lgb.LGBMClassifier(**LIGHT),
    xgb.XGBRegressor(**XGB, booster="dart"),
]


def largest_of(model):
    """What is no infinity to the library."""
    doubles = isinstance(model, lgb.LGBMModel) or hasattr(model, "max_iter")
    return 1.7e308 if doubles else 3e38


@pytest.mark.parametrize("model", FORESTS, ids=lambda model: type(model).__name__)
def test_rows_go_where_the_library_sends_them(model):
    X, y = numbers()
    model = clone(model).fit(X, y)
    _, nodes = trees_of(model, X)
    check_routes(model, X, adversarial(X, nodes, largest_of(model)))


@pytest.mark.parametrize("model", WITHOUT_GAPS, ids=lambda model: type(model).__name__)
def test_the_same_where_training_had_no_gaps(model):
    X, y = numbers(gaps=False)
    model = clone(model).fit(X, y)
    _, nodes = trees_of(model, X)
    rows = adversarial(X, nodes, largest_of(model))
    if isinstance(model, lgb.LGBMModel):  # The data to explain have gaps all the same, and it routes them.
        check_routes(model, np.vstack([X, np.full(5, np.nan)]), rows)
    else:
        check_routes(model, X, rows[~np.isnan(rows).any(axis=1)])


def hostile_frame(table, nodes):
    """Adversarial numbers beside all categories, also one that no training row has."""
    coded = table.assign(colour=0.0, area=0.0, on=table["on"].astype(float)).to_numpy(float)
    rows = pd.DataFrame(adversarial(coded, nodes), columns=table.columns)
    random = np.random.default_rng(5)
    colours = np.array([*table["colour"].cat.categories, None], dtype=object)
    dtypes = table.dtypes
    rows["colour"] = pd.Categorical(random.choice(colours, len(rows)), dtype=dtypes["colour"])
    rows["area"] = pd.Categorical(random.choice([10, 20, 30, 40, 50], len(rows)), dtype=dtypes["area"])
    rows["on"] = random.random(len(rows)) < 0.5
    return rows


CATEGORICAL = [
    ensemble.HistGradientBoostingRegressor(max_iter=6, min_samples_leaf=5, categorical_features="from_dtype"),
    ensemble.HistGradientBoostingClassifier(
        max_iter=3, min_samples_leaf=5, categorical_features="from_dtype"
    ),
    lgb.LGBMRegressor(**LIGHT),
    lgb.LGBMClassifier(**LIGHT),
    xgb.XGBRegressor(**XGB, **SETS),
    xgb.XGBClassifier(**XGB, enable_categorical=True, max_cat_to_onehot=10),
]


@pytest.mark.parametrize("model", CATEGORICAL, ids=lambda model: type(model).__name__)
def test_categories_go_where_the_library_sends_them(model):
    table, y = frame()
    model = clone(model).fit(table, y)
    _, nodes = trees_of(model, table)
    assert len(nodes[-1]) >= 3, "no splits by category"
    rows = hostile_frame(table, nodes)
    if isinstance(model, xgb.XGBModel):
        rows = rows[~(rows.select_dtypes(float).abs() > 3e38).any(axis=1)]
    check_routes(model, table, rows)


def test_unknown_categories_of_histogram_boosting_go_as_missing_ones():
    table, y = frame()
    model = clone(CATEGORICAL[0]).fit(table, y)
    rows = table.assign(colour=pd.Categorical(["mauve"] * len(table)))
    check_routes(model, table, rows)


@pytest.mark.parametrize("kind", ["histogram", "lightgbm", "xgboost"])
def test_numbers_that_are_categories(kind):
    X, y = numbers()
    random = np.random.default_rng(6)
    X[:, 1] = random.integers(0, 7, len(X))
    y = y + 2 * np.isin(X[:, 1], [1, 4, 6])
    X[random.random(len(X)) < 0.1, 1] = np.nan
    if kind == "histogram":
        model = ensemble.HistGradientBoostingRegressor(max_iter=5, categorical_features=[1]).fit(X, y)
    elif kind == "lightgbm":
        data = lgb.Dataset(X, y, categorical_feature=[1], params={"verbose": -1})
        options = {"min_data_per_group": 1, "cat_smooth": 0, "max_cat_to_onehot": 2, "verbose": -1}
        model = lgb.train(options | {"num_leaves": 8}, data, 5)
    else:
        types = ["q", "c", "q", "q", "q"]
        model = xgb.XGBRegressor(**XGB, **SETS, feature_types=types).fit(X, y)
    columns, nodes = trees_of(model, X)
    assert len(nodes[-1]) >= 3 and len(columns[1]) == 4
    rows = adversarial(X, nodes, 3e38)
    rows[:, 1] = random.choice([0, 1, 2, 3, 4, 5, 6, np.nan], len(rows))
    check_routes(model, X, rows)
    check_routes(model, X, rows, categorical=[1])
    rules = lire.LireRegressor(gamma=1e-4, lambda_=0.0, tree_generator=model).fit(X, y).rules_
    assert any("x1 in {" in rule or "x1 = " in rule for rule in rules)


def test_native_boosters():
    X, y = numbers()
    light = lgb.train({"num_leaves": 8, "verbose": -1}, lgb.Dataset(X, y), 4)
    check_routes(light, X, adversarial(X, trees_of(light, X)[1]))
    extreme = xgb.train({"max_depth": 3}, xgb.DMatrix(X, y), 4)
    check_routes(extreme, X, adversarial(X, trees_of(extreme, X)[1], 3e38))


def test_the_double_image_of_a_single():
    random = np.random.default_rng(8)
    bits = random.integers(0, 2**32, 20_000, dtype=np.uint32).view(np.float32)
    singles = np.concatenate([bits[np.isfinite(bits)], np.float32([0.0, -0.0, 1e-45, -1e-45, 3.4028235e38])])
    image = doubles_up_to(singles)
    with np.errstate(over="ignore"):
        assert (image.astype(np.float32) <= singles).all()
        assert (np.nextafter(image, np.inf).astype(np.float32) > singles).all()


GIVEN = {"gamma": 1e-3, "lambda_": 0.1, "ridge": 1e-3}
ESTIMATORS = {
    "classes": [lire.LireClassifier(**GIVEN), lire.RuleFitClassifier(gamma=0.01)],
    "numbers": [
        lire.LireRegressor(**GIVEN),
        lire.RuleFitRegressor(gamma=0.01),
        lire.RuleTransformer(**GIVEN),
    ],
}


def test_every_estimator_takes_them(heart, three_classes):
    X, y = heart
    X = X.assign(**{name: X[name].astype("category") for name in X.select_dtypes(exclude="number")})
    rules = set()
    for generator in (lgb.LGBMClassifier(**LIGHT), xgb.XGBClassifier(**XGB, **SETS)):
        for estimator in ESTIMATORS["classes"]:
            model = clone(estimator).set_params(tree_generator=generator).fit(X, y)
            assert model.score(X, y) > 0.8
            rules |= set(model.rules_)
            file = json.loads(model._model.to_json())
            assert file["training"]["trees_from"].endswith(type(generator).__name__)
    assert any(" in {" in rule for rule in rules)
    X, y = numbers()
    for estimator in ESTIMATORS["numbers"]:
        generator = ensemble.HistGradientBoostingRegressor(max_iter=3)
        model = clone(estimator).set_params(tree_generator=generator).fit(X, y)
        assert model.rules_
    X, y = three_classes
    for generator in (ensemble.GradientBoostingClassifier(**SMALL), xgb.XGBClassifier(**XGB)):
        model = lire.LireClassifier(**GIVEN, tree_generator=generator).fit(X, y)
        assert model.score(X, y) > 0.9


def test_the_model_keeps_thresholds_and_routes(tmp_path):
    X, y = numbers()
    forest = ensemble.RandomForestRegressor(**SMALL, max_depth=2).fit(X, y)
    columns, nodes = trees_of(forest, X)
    model = lire.LireRegressor(gamma=1e-4, lambda_=0.1, ridge=1e-3, tree_generator=forest).fit(X, y)
    rows = adversarial(X, nodes, 3e38)
    reached = _native.reached(columns, nodes, columns_of(rows), len(rows)).T
    known = {column.tobytes() for column in reached}
    fired = model.rule_matrix(rows).T
    assert len(fired) >= 5 and all(column.tobytes() in known for column in fired)
    model.save(tmp_path / "m.json")
    assert (lire.load(tmp_path / "m.json").predict(rows) == model.predict(rows)).all()
    [why] = model.explain_local(rows[-1:])
    assert np.isclose(
        why.intercept + sum(row["contribution"] for row in why.rows()), model.predict(rows[-1:])[0]
    )


def test_weights_and_threads_and_seeds():
    X, y = numbers()
    weights = np.random.default_rng(1).integers(0, 3, len(X)).astype(float)
    twice = np.repeat(np.arange(len(X)), weights.astype(int))
    fitted = ensemble.RandomForestRegressor(**SMALL, max_depth=3).fit(X, y)
    options = {"tree_generator": fitted, "random_state": 0, **GIVEN}
    one = lire.LireRegressor(**options, n_jobs=1).fit(X, y, sample_weight=weights)
    other = lire.LireRegressor(**options, n_jobs=2).fit(X[twice[::-1]], y[twice[::-1]])
    assert one.rules_ == other.rules_ and (one.coef_ == other.coef_).all()
    unfitted = ensemble.RandomForestRegressor(n_estimators=5, max_depth=3)
    options = {"tree_generator": unfitted, "random_state": 5, **GIVEN}
    first, second = (lire.LireRegressor(**options).fit(X, y) for _ in range(2))
    assert first.rules_ == second.rules_ and not hasattr(unfitted, "estimators_")


@pytest.mark.parametrize(("class_weight", "factors"), [("balanced", None), ({1: 3.0}, [1.0, 3.0])])
def test_class_weights_are_weights_of_the_rows_that_trees_are_fitted_on(class_weight, factors):
    X, y = numbers(gaps=False)
    y = y.astype(int)
    # Of few bits, so that sums do not round.
    weights = np.random.default_rng(2).integers(2, 8, len(y)) / 4
    if factors is None:
        totals = np.array([weights[y == 0].sum(), weights[y == 1].sum()])
        factors = totals.sum() / (2 * totals)
    unfitted = ensemble.GradientBoostingClassifier(n_estimators=5, random_state=0)
    weighted = clone(unfitted).fit(X, y, sample_weight=weights * np.take(factors, y))
    options = {"class_weight": class_weight, "random_state": 0, **GIVEN}
    ours = lire.LireClassifier(tree_generator=unfitted, **options).fit(X, y, sample_weight=weights)
    same = lire.LireClassifier(tree_generator=weighted, **options).fit(X, y, sample_weight=weights)
    assert ours.rules_ == same.rules_
    np.testing.assert_allclose(ours.coef_, same.coef_)


class Watched(ensemble.RandomForestRegressor):
    """Notes what it is fitted on."""

    seen: list = []  # noqa: RUF012

    def fit(self, X, y, sample_weight=None):
        """Fit, and note the first column."""
        Watched.seen.append(sorted(X[:, 0]))
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("cv", [3, KFold(3)])
@pytest.mark.parametrize("estimator", [lire.RuleFitRegressor, lire.LireRegressor])
def test_a_cross_validation_fits_anew_on_each_part(estimator, cv):
    X, y = numbers(gaps=False)
    Watched.seen = []
    generator = Watched(n_estimators=4, max_depth=3)
    model = estimator(cv=cv, tree_generator=generator, random_state=0).fit(X, y)
    everything, *parts = Watched.seen
    assert len(everything) == len(X) and len(parts) == 3
    assert sum(len(X) - len(part) for part in parts) == len(X)
    if cv != 3:
        assert parts == [sorted(X[train, 0]) for train, _ in KFold(3).split(X)]
    assert model.rules_
    Watched.seen = []
    prices = GIVEN if estimator is lire.LireRegressor else {"gamma": 0.01}
    estimator(**prices, tree_generator=generator).fit(X, y)
    assert len(Watched.seen) == 1, "nothing to choose"
    with pytest.raises(ValueError, match=r"`cv`: .* given, so that no models are compared"):
        estimator(**prices, cv=cv, tree_generator=generator).fit(X, y)
    fitted = Watched(n_estimators=4, max_depth=3).fit(X, y)
    Watched.seen = []
    estimator(cv=cv, tree_generator=fitted).fit(X, y)
    assert len(Watched.seen) == 0, "taken as it is"
    with pytest.raises(ValueError, match="`max_depth`: the trees are given, so that none are grown"):
        estimator(max_depth=5, tree_generator=fitted).fit(X, y)


def test_clones_forget_a_fit_unless_it_is_frozen():
    X, y = load_iris(return_X_y=True)
    forest = ensemble.RandomForestClassifier(**SMALL, max_depth=2).fit(X, y)
    model = lire.LireClassifier(**GIVEN, tree_generator=FrozenEstimator(forest))
    assert clone(model).get_params()["tree_generator"].estimator is forest
    assert clone(model).fit(X, y).score(X, y) > 0.9
    assert not hasattr(clone(model.set_params(tree_generator=forest)).tree_generator, "estimators_")
    model.set_params(tree_generator__n_estimators=3)
    assert forest.n_estimators == 3


def test_what_cannot_be_used_is_refused(heart):
    X, y = numbers()

    def refuses(error, message, generator, X=X, y=y, estimator=lire.LireRegressor):
        with pytest.raises(error, match=message):
            estimator(**GIVEN, tree_generator=generator).fit(X, y)

    forest = ensemble.RandomForestRegressor(**SMALL).fit(X, y)
    refuses(ValueError, "fitted on 5 features, but X has 4", forest, X[:, :4])
    named = pd.DataFrame(X, columns=list("abcde"))
    for model in (
        ensemble.RandomForestRegressor(**SMALL),
        lgb.LGBMRegressor(**LIGHT),
        xgb.XGBRegressor(**XGB),
    ):
        model.fit(named, y)
        refuses(ValueError, "fitted on a feature `a` where X has `b`", model, named[list("bacde")])
    for thing in (lire.LireRegressor(), ensemble.RandomForestRegressor, 3, KFold(3)):
        refuses(TypeError, "RandomForest, ExtraTrees.*LightGBM or XGBoost; it is", thing)
    refuses(ValueError, "predicts classes, but y holds numbers", ensemble.RandomForestClassifier())
    refuses(ValueError, "has no trees", xgb.train({"booster": "gblinear"}, xgb.DMatrix(X, y), 1))
    refuses(ValueError, "treats -1 as missing", xgb.XGBRegressor(missing=-1))
    texts, ill = heart
    classes = lire.LireClassifier
    message = "only takes numbers, but column `sex` holds categories; encode them"
    refuses(ValueError, message, ensemble.ExtraTreesClassifier(), texts, ill, classes)
    coded = texts.apply(lambda column: column if column.dtype.kind in "if" else pd.factorize(column)[0])
    forest = ensemble.ExtraTreesClassifier(**SMALL).fit(coded.to_numpy(float), ill)
    refuses(ValueError, "for numbers, but in the data it is a category", forest, texts, ill, classes)
    refuses(ValueError, "tree_generator", "oak")
