"""Models of other libraries as ``tree_generator``, and their trees for the native library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from sklearn import ensemble
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import check_is_fitted

from lire import _columns, _tree_readers
from lire._columns import Column, DenseColumn
from lire._tree_readers import Levels, Tree

# All nodes of all trees; see `crates/lire-python/src/trees.rs`.
Nodes: TypeAlias = tuple[
    np.ndarray,
    np.ndarray,
    np.ndarray,
    np.ndarray,
    np.ndarray,
    np.ndarray,
    list[tuple[int, list[int], bool]],
]
Splits: TypeAlias = list[tuple[np.ndarray, np.ndarray]]

_FORESTS = (
    ensemble.RandomForestClassifier,
    ensemble.RandomForestRegressor,
    ensemble.ExtraTreesClassifier,
    ensemble.ExtraTreesRegressor,
    ensemble.GradientBoostingClassifier,
    ensemble.GradientBoostingRegressor,
)
_HISTOGRAM = (ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor)


@dataclass
class Data:
    """Training rows for models of other libraries."""

    columns: list[DenseColumn]
    numeric: list[bool]  # which columns held numbers, before some of them were declared categories
    feature_names: Sequence[str] | None
    y: np.ndarray
    weights: np.ndarray | None
    is_classification: bool
    seed: int


def columns_for_trees(columns: list[Column]) -> list[DenseColumn]:
    """The columns as other libraries take them, which may take what a sparse one does not list as missing."""
    for column in columns:
        if _columns.is_moments(column):
            raise TypeError(
                f"column `{column[0]}` holds dates, times or durations, of which trees of other libraries "
                "know nothing; turn it into numbers, such as days, or drop it"
            )
    return [_columns.dense(column) for column in columns]


def imported(
    generator: Any, data: Data, splits: Splits | None, needed: Callable[[], Splits | None]
) -> tuple[list[DenseColumn], tuple[str, Nodes, list[Nodes]], Splits | None]:
    """The trees of a model. If it is not fitted, copies are fitted to all rows and to those of each split.

    `needed` gives the splits that the fit would learn anew on if none were given, if it does so at all. The
    columns come back with all categories that the trees know; and the splits that the trees are for.
    """
    if isinstance(generator, FrozenEstimator):
        generator = generator.estimator
    library = _library(generator)
    if _is_fitted(generator):
        _check_features(generator, library, data)
        forests = [list(_read(generator, library, data, own=None))]
    else:
        found = needed()
        # Splits that are given but not needed are passed on to the fit, which refuses them.
        splits = splits or found
        needed_splits = (splits or []) if found else []
        rows = np.arange(len(data.y)) if data.weights is None else np.flatnonzero(data.weights)
        parts = [rows, *(np.intersect1d(train, rows) for train, _ in needed_splits)]
        own = _levels(data.columns)
        forests = [
            list(_read(_fit(generator, library, data, part, list(own)), library, data, own)) for part in parts
        ]
    columns, nodes = _joined(forests, data.columns)
    origin = f"{type(generator).__module__.split('.')[0]}.{type(generator).__name__}"
    return columns, (origin, nodes[0], nodes[1:]), splits


def _library(model: Any) -> str:
    """The library that a model belongs to."""
    if isinstance(model, _FORESTS):
        return "scikit-learn"
    if isinstance(model, _HISTOGRAM):
        return "histogram"
    for module, kinds in {"lightgbm": ("Booster", "LGBMModel"), "xgboost": ("Booster", "XGBModel")}.items():
        if any(_columns._is(model, module, kind) for kind in kinds):
            return module
    what = f"the class {model.__name__}" if isinstance(model, type) else f"a {type(model).__name__}"
    raise TypeError(
        "tree_generator must be 'boosting', 'random-forest' or 'extra-trees', or a RandomForest, "
        "ExtraTrees, GradientBoosting or HistGradientBoosting of scikit-learn, or a model or booster of "
        f"LightGBM or XGBoost; it is {what}"
    )


def _is_fitted(model: Any) -> bool:
    if not hasattr(model, "fit"):  # a booster of LightGBM or XGBoost
        return True
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True


def _booster(model: Any) -> Any:
    if hasattr(model, "get_booster"):
        return model.get_booster()
    return getattr(model, "booster_", model)


def _check_features(model: Any, library: str, data: Data) -> None:
    """Refuses a model fitted on other features."""
    booster = _booster(model)
    names: Any
    if library == "lightgbm":
        n_features, names = booster.num_feature(), booster.feature_name()
        names = None if names == [f"Column_{at}" for at in range(n_features)] else names
    elif library == "xgboost":
        n_features, names = booster.num_features(), booster.feature_names
    else:
        n_features, names = model.n_features_in_, getattr(model, "feature_names_in_", None)
    if n_features != len(data.columns):
        raise ValueError(
            f"tree_generator was fitted on {n_features} features, but X has {len(data.columns)}; "
            "fit it on the same columns, or give it unfitted"
        )
    if names is None or data.feature_names is None:
        return
    for theirs, ours in zip(names, data.feature_names, strict=True):
        # LightGBM replaces blanks in names.
        if theirs not in (ours, ours.replace(" ", "_") if library == "lightgbm" else ours):
            raise ValueError(
                f"tree_generator was fitted on a feature `{theirs}` where X has `{ours}`; "
                "fit it on the same columns, or give it unfitted"
            )


def _fit(model: Any, library: str, data: Data, rows: np.ndarray, categorical: list[int]) -> Any:
    """A copy of a model fitted on some rows."""
    if not data.is_classification and is_classifier(model):
        raise ValueError(
            f"tree_generator: {type(model).__name__} predicts classes, but y holds numbers; give a regressor"
        )
    model = clone(model)
    parameters = model.get_params()
    if parameters.get("random_state", 0) is None:
        model.set_params(random_state=data.seed)
    options: dict[str, Any] = {}
    if data.weights is not None:
        options["sample_weight"] = data.weights[rows]
    y = data.y[rows]
    if data.is_classification and (library == "xgboost" or is_regressor(model)):
        y = np.unique(y, return_inverse=True)[1]
    if library == "xgboost":
        _refuse_other_missing(model)
    if categorical:
        if library == "scikit-learn":
            raise ValueError(
                f"tree_generator: {type(model).__name__} only takes numbers, but column "
                f"`{data.columns[categorical[0]][0]}` holds categories; encode them as numbers, or use "
                "HistGradientBoosting, LightGBM, XGBoost or one of lire's own generators"
            )
        if library == "histogram":
            model.set_params(categorical_features=categorical)
        elif library == "lightgbm":
            options["categorical_feature"] = categorical
        else:
            kinds = ["c" if at in categorical else "q" for at in range(len(data.columns))]
            model.set_params(enable_categorical=True, feature_types=kinds)
    return model.fit(_matrix(data.columns)[rows], y, **options)


def _matrix(columns: list[DenseColumn]) -> np.ndarray:
    """All columns as numbers: categories as codes, missing values as NaN."""
    X = np.empty((len(columns[0][1]), len(columns)))
    for at, column in enumerate(columns):
        values = column[1]
        X[:, at] = values if len(column) == 2 else np.where(values == _columns.MISSING, np.nan, values)
    return X


def _refuse_other_missing(model: Any) -> None:
    missing = getattr(model, "missing", np.nan)
    if missing == missing:
        raise ValueError(
            f"tree_generator treats {missing} as missing; replace it by NaN in X, and leave out `missing`"
        )


def _read(model: Any, library: str, data: Data, own: Levels | None) -> Iterator[Tree]:
    """The trees of a fitted model. `own` holds the levels of our codes, if it was fitted on them."""
    if library == "scikit-learn":
        return _tree_readers.sklearn_trees(model)
    if library == "histogram":
        return _tree_readers.histogram_trees(model, own)

    def decode(at: int, codes: Sequence[int], levels: Levels) -> list[str]:
        return _decode(data, at, codes, levels)

    booster = _booster(model)
    if library == "lightgbm":
        levels = _pandas_levels(booster, data) if own is None else own
        return _tree_readers.lightgbm_trees(booster, levels, decode)
    _refuse_other_missing(model)
    trees, known = _tree_readers.xgboost_model(booster)
    # A booster without names uses the codes of the frame that it is given.
    frame = {at: levels for at, levels in _levels(data.columns).items() if not data.numeric[at]}
    return _tree_readers.xgboost_trees(trees, frame | known if own is None else own, decode)


def _pandas_levels(booster: Any, data: Data) -> Levels:
    """The levels of LightGBM's codes of a pandas frame, which it counts by categorical columns."""
    known = booster.pandas_categorical or []
    places = [at for at in _levels(data.columns) if not data.numeric[at]]
    if known and len(known) != len(places):
        raise ValueError(
            f"tree_generator was fitted on {len(known)} columns of categories, but X has {len(places)}"
        )
    return {
        at: [_columns.text_of(value) for value in values] for at, values in zip(places, known, strict=False)
    }


def _decode(data: Data, at: int, codes: Sequence[int], levels: Levels) -> list[str]:
    """The levels for some codes: by name, or numbers that are the codes themselves."""
    if at in levels:
        return [levels[at][code] for code in codes if code < len(levels[at])]
    column = data.columns[at]
    if not data.numeric[at]:
        raise ValueError(
            f"tree_generator knows the categories of `{column[0]}` only as numbers; "
            "give the column as these numbers"
        )
    wanted = set(codes)
    # The libraries truncate fractions.
    ours = [level for level in _columns.as_category(column)[2] if int(float(level)) in wanted]
    return list(dict.fromkeys([*ours, *(str(code) for code in codes)]))


def _joined(forests: list[list[Tree]], columns: list[DenseColumn]) -> tuple[list[DenseColumn], list[Nodes]]:
    """The nodes of each forest, concatenated; and the columns with all levels that they know."""
    columns = list(columns)
    places: dict[int, dict[str, int]] = {}

    def place(at: int, level: str) -> int:
        if at not in places:
            columns[at] = column = _columns.as_category(columns[at])
            places[at] = {level: place for place, level in enumerate(column[2])}
        return places[at].setdefault(level, len(places[at]))

    def nodes(trees: list[Tree]) -> Nodes:
        starts = np.cumsum([0, *(len(tree.feature) for tree in trees)])
        sets = [
            (int(start) + node, [place(int(tree.feature[node]), level) for level in levels], left)
            for tree, start in zip(trees, starts, strict=False)
            for node, (levels, left) in tree.sets.items()
        ]

        def joined(part: Callable[[Tree, int], Any], dtype: Any) -> np.ndarray:
            parts = [part(tree, start) for tree, start in zip(trees, starts.tolist(), strict=False)]
            return np.concatenate(parts or [np.empty(0)]).astype(dtype)

        return (
            joined(lambda tree, _: tree.feature, np.int64),
            joined(lambda tree, _: tree.threshold, np.float64),
            joined(lambda tree, start: tree.left.astype(np.int64) + start, np.int64),
            joined(lambda tree, start: tree.right.astype(np.int64) + start, np.int64),
            joined(lambda tree, _: tree.missing_left, bool),
            joined(lambda tree, _: _zeros(tree), np.int8),
            sets,
        )

    found = [nodes(trees) for trees in forests]
    for at, known in places.items():
        column = columns[at]
        assert len(column) == 4
        columns[at] = (*column[:2], list(known), column[3])
    return columns, found


def _zeros(tree: Tree) -> np.ndarray:
    return np.full(len(tree.feature), -1) if tree.zero_left is None else tree.zero_left


def _levels(columns: list[DenseColumn]) -> dict[int, list[str]]:
    """The levels of the columns that hold categories."""
    return {at: column[2] for at, column in enumerate(columns) if len(column) == 4 and column[3] != "truth"}
