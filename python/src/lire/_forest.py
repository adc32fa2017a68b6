"""Forests and boosting as predictors, to compare rule ensembles with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from lire import _native
from lire._estimator import Classes, Numbers, TableEstimator
from lire._parameters import as_json, threads
from lire._progress import Callback, Progress

# The depth of boosted trees if neither depth nor leaves are limited.
_BOOSTED_DEPTH = 3


class Forest(TableEstimator):
    """An ensemble of trees."""

    def __init__(
        self,
        *,
        tree_generator: str = "random-forest",
        n_estimators: int = 100,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        max_features: str | float | int | None = None,
        subsample: str | float | None = None,
        learning_rate: float = 0.25,
        min_leaf_weight: float = 1.0,
        one_hot: bool = False,
        categorical_features: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        callback: Callback | None = None,
    ) -> None:
        self.tree_generator = tree_generator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.max_features = max_features
        self.subsample = subsample
        self.learning_rate = learning_rate
        self.min_leaf_weight = min_leaf_weight
        self.one_hot = one_hot
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array, sparse matrix, data frame of pandas or polars, table of pyarrow: (n_samples, n_features)
            Numbers, truth values, texts and categories; NaN and None are missing.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            The weights of rows: a weight of 2 counts like two copies of the row, a weight of 0 like no row.

        Returns
        -------
        self
        """
        given = self._training(X, y, sample_weight)
        self._model = _native.grow(
            given.columns,
            given.target,
            given.weights,
            json.dumps(given.config),
            json.dumps(self._growth(given.config["seed"])),
            n_threads=threads(self.n_jobs),
            on_progress=Progress.of(self.verbose, self.callback, type(self).__name__),
        )
        self._kinds = self._model.features()
        return self

    def _growth(self, seed: int) -> dict[str, Any]:
        """The library's options for growing trees."""
        is_boosting = self.tree_generator == "boosting"
        is_unlimited = self.max_depth is None and self.max_leaves is None
        max_features = ("all" if is_boosting else "sqrt") if self.max_features is None else self.max_features
        bootstrap = "bootstrap" if self.tree_generator == "random-forest" else "all"
        wishes = {
            "generator": self.tree_generator,
            "n_trees": self.n_estimators,
            "max_depth": _BOOSTED_DEPTH if is_boosting and is_unlimited else self.max_depth,
            "max_leaves": self.max_leaves,
            "features_per_split": max_features,
            "row_sampling": bootstrap if self.subsample is None else self.subsample,
            "learning_rate": self.learning_rate,
            "min_leaf_weight": self.min_leaf_weight,
            "levels_as_columns": self.one_hot,
            "seed": seed,
        }
        return {name: as_json(name, value) for name, value in wishes.items()}

    def _predicted(self, X: Any, n_trees: int | None) -> np.ndarray:
        columns, n_rows = self._to_predict(X)
        if n_trees is not None and n_trees < 1:
            raise ValueError(f"n_trees is {n_trees}; give 1 or more, or None for all trees")
        return self._model.predict(columns, n_rows, n_trees=n_trees, n_threads=threads(self.n_jobs))


class ForestClassifier(Classes, Forest):
    """Classifier: a random forest, extra trees or boosting, as a baseline without readable rules.

    Parameters
    ----------
    tree_generator : 'random-forest', 'extra-trees' or 'boosting', default 'random-forest'
        How to grow the trees. With more than two classes, each class has its own trees.
    n_estimators : int, default 100
        The number of trees.
    max_depth : int, optional
        The maximum depth of a tree; by default no limit, and 3 for boosting if leaves are not limited.
    max_leaves : int, optional
        The maximum number of leaves per tree; trees are then grown best leaf first.
    max_features : 'sqrt', 'log2', 'all', float or int, optional
        Features tried at each split: a share or a number. The default is 'sqrt', and 'all' for boosting.
    subsample : 'bootstrap', 'all' or float, optional
        Rows used for each tree. The default is 'bootstrap' for a random forest, else 'all'.
    learning_rate : float, default 0.25
        Boosting: the learning rate, by which each tree's contribution is multiplied.
    min_leaf_weight : float, default 1
        The minimum weight of a leaf, in rows.
    one_hot : bool, default False
        Whether each category counts as a column when features are sampled, as with one-hot encoded data.
    class_weight : 'balanced' or dict of class to weight, optional
        Weights of the classes; probabilities refer to the weighted rows.
    categorical_features : array of names, positions or truth values, optional
        Features to treat as categories although they hold numbers. Texts and categories always are
        categories.
    n_jobs : int, optional
        The number of threads; by default one per core. Results do not depend on it.
    random_state : int, RandomState or None
        The seed of all random numbers.
    verbose : int, default 0
        Print progress: 1 about once a second, 2 every step.
    callback : callable, optional
        Called with a dict for each step of the fit: how far it is, and after how many seconds. If it
        returns True, the fit ends with the trees there are; an exception ends it without a model.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The classes.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : array of shape (n_features_in_,)
        The names of the features, if all column names of X are strings.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lire import ForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ForestClassifier(random_state=0).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    def __init__(
        self,
        *,
        tree_generator: str = "random-forest",
        n_estimators: int = 100,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        max_features: str | float | int | None = None,
        subsample: str | float | None = None,
        learning_rate: float = 0.25,
        min_leaf_weight: float = 1.0,
        one_hot: bool = False,
        class_weight: str | dict[Any, float] | None = None,
        categorical_features: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        callback: Callback | None = None,
    ) -> None:
        super().__init__(
            tree_generator=tree_generator,
            n_estimators=n_estimators,
            max_depth=max_depth,
            max_leaves=max_leaves,
            max_features=max_features,
            subsample=subsample,
            learning_rate=learning_rate,
            min_leaf_weight=min_leaf_weight,
            one_hot=one_hot,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
            callback=callback,
        )
        self.class_weight = class_weight

    def predict(self, X: Any, n_trees: int | None = None) -> np.ndarray:
        """The class of each row, by the first ``n_trees`` trees or by all."""
        places = self.predict_proba(X, n_trees).argmax(axis=1)
        return self.classes_[places]

    def predict_proba(self, X: Any, n_trees: int | None = None) -> np.ndarray:
        """The probability of each class, of shape (n_samples, n_classes), by the first trees or by all."""
        found = self._predicted(X, n_trees)
        return np.hstack([1.0 - found, found]) if found.shape[1] == 1 else found


class ForestRegressor(Numbers, Forest):
    """Regressor: a random forest, extra trees or boosting, as a baseline without readable rules.

    Parameters
    ----------
    tree_generator : 'random-forest', 'extra-trees' or 'boosting', default 'random-forest'
        How to grow the trees.
    n_estimators : int, default 100
        The number of trees.
    max_depth : int, optional
        The maximum depth of a tree; by default no limit, and 3 for boosting if leaves are not limited.
    max_leaves : int, optional
        The maximum number of leaves per tree; trees are then grown best leaf first.
    max_features : 'sqrt', 'log2', 'all', float or int, optional
        Features tried at each split: a share or a number. The default is 'sqrt', and 'all' for boosting.
    subsample : 'bootstrap', 'all' or float, optional
        Rows used for each tree. The default is 'bootstrap' for a random forest, else 'all'.
    learning_rate : float, default 0.25
        Boosting: the learning rate, by which each tree's contribution is multiplied.
    min_leaf_weight : float, default 1
        The minimum weight of a leaf, in rows.
    one_hot : bool, default False
        Whether each category counts as a column when features are sampled, as with one-hot encoded data.
    categorical_features : array of names, positions or truth values, optional
        Features to treat as categories although they hold numbers. Texts and categories always are
        categories.
    n_jobs : int, optional
        The number of threads; by default one per core. Results do not depend on it.
    random_state : int, RandomState or None
        The seed of all random numbers.
    verbose : int, default 0
        Print progress: 1 about once a second, 2 every step.
    callback : callable, optional
        Called with a dict for each step of the fit: how far it is, and after how many seconds. If it
        returns True, the fit ends with the trees there are; an exception ends it without a model.

    Attributes
    ----------
    n_features_in_ : int
        The number of features.
    feature_names_in_ : array of shape (n_features_in_,)
        The names of the features, if all column names of X are strings.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from lire import ForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ForestRegressor(random_state=0).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.3)
    True
    """

    def predict(self, X: Any, n_trees: int | None = None) -> np.ndarray:
        """The number of each row, by the first ``n_trees`` trees or by all."""
        return self._predicted(X, n_trees)[:, 0]
