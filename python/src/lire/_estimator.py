"""What all estimators share: the handling of parameters and tables."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from lire import _columns, _moments, _native
from lire._parameters import categorical_places, seed, threads

if TYPE_CHECKING:
    from lire._columns import Column

# Integers are kept, so that large ones stay distinct; all other numbers become the first of these types.
_NUMBERS = [np.float64, np.int64, np.uint64]
# How scikit-learn checks arrays and sparse matrices.
_ARRAYS: dict[str, Any] = {"dtype": _NUMBERS, "ensure_all_finite": "allow-nan", "accept_sparse": "csc"}


@dataclass
class Training:
    """Training rows, and the configuration that describes them."""

    columns: list[Column]
    names: list[str]
    numeric: list[bool]
    """Which columns held numbers, even if they are treated as categories."""
    y: np.ndarray
    target: tuple[Any, ...]
    weights: np.ndarray | None
    config: dict[str, Any]
    relations: dict[str, Any]
    """Columns of groups and times, by argument, if there are any."""


class TableEstimator(BaseEstimator):
    """An estimator that learns from tables, and keeps the names and kinds of the features."""

    _task: str
    # The native model once fitted, and the name of each feature and whether it is a category.
    _model: Any
    _kinds: list[tuple[str, bool]]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _checked(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        """X and y, validated by scikit-learn's checks."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None"
            )
        refuse_gaps(y)
        numeric = self._task == "regression"
        if numeric:
            _refuse_moments(y)
        X = _by_columns(X)
        if _columns.is_frame(X) or X.dtype.kind in "OmM":
            X = self._check_table(X, reset=True)
            y = column_or_1d(y, warn=True)
            assert_all_finite(y, input_name="y")
            check_consistent_length(X, y)
            return X, (y.astype(np.float64) if numeric and y.dtype.kind == "O" else y)
        return validate_data(self, X, y, **_ARRAYS, y_numeric=numeric)

    def _check_table(self, X: Any, reset: bool) -> Any:
        if not _columns.is_frame(X):
            return validate_data(self, X, dtype=None, ensure_all_finite=False, reset=reset)
        n_rows, n_columns = X.shape
        for what, n_found in (("sample(s)", n_rows), ("feature(s)", n_columns)):
            if n_found == 0:
                raise ValueError(
                    f"Found array with 0 {what} (shape={X.shape}) while a minimum of 1 is required."
                )
        validate_data(self, X, skip_check_array=True, reset=reset)
        return X

    def _to_predict(self, X: Any) -> tuple[list[Column], int]:
        check_is_fitted(self)
        X = _by_columns(X)
        if _columns.is_frame(X) or X.dtype.kind in "OmM":
            X = self._check_table(X, reset=False)
        else:
            X = validate_data(self, X, **_ARRAYS, reset=False)
        columns = self._read(X, [name for name, _ in self._kinds])
        for at, (_, is_category) in enumerate(self._kinds):
            if _columns.is_moments(columns[at]):
                continue
            if not is_category:
                columns[at] = _columns.as_numbers(columns[at])
            elif not _columns.is_category(columns[at]):
                columns[at] = _columns.as_category(columns[at])
        return columns, X.shape[0]

    def _read(self, X: Any, names: list[str]) -> list[Column]:
        if _columns.is_frame(X):
            return _columns.frame_columns(X, names, threads(self.n_jobs))
        if sparse.issparse(X):
            return _columns.sparse_columns(X, names)
        return _columns.array_columns(X, names)

    def _names(self) -> list[str]:
        named = getattr(self, "feature_names_in_", None)
        names = [f"x{at}" for at in range(self.n_features_in_)] if named is None else list(named)
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"two columns are named `{twice}`; rename one of them")
        return names

    def _training(self, X: Any, y: Any, sample_weight: Any, groups: Any = None, time: Any = None) -> Training:
        """The training rows, validated by scikit-learn's checks."""
        name = getattr(y, "name", None)
        X, y = self._checked(X, y)
        target = (name if isinstance(name, str) else "target", *self._target(y))
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            weights = np.ascontiguousarray(weights)
        relations = _relations(X, groups, time)
        names = self._names()
        columns = self._read(X, names)
        numeric = [not _columns.is_category(column) for column in columns]
        categorical = categorical_places(self.categorical_features, names)
        for at in categorical:
            columns[at] = _columns.as_category(columns[at])
        for column in columns:
            if (number := _columns.too_long(column)) is not None:
                warnings.warn(
                    f"column `{column[0]}`: read as numbers, but some have more digits than float64 can "
                    f"distinguish, such as `{_columns.text_of(number)}`; if these are identifiers, name the "
                    "column in categorical_features",
                    UserWarning,
                    stacklevel=3,
                )
        columns = [_columns.as_numbers(column) for column in columns]
        config = {
            "task": self._task,
            "seed": seed(self.random_state),
            "target": target[0],
            "categorical": [names[at] for at in categorical],
        }
        if (class_weight := self._class_weight()) is not None:
            config["class_weight"] = class_weight
        return Training(columns, names, numeric, y, target, weights, config, relations)

    def _class_weight(self) -> Any:
        return None

    def _weights_by_class(self, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        """The weights of rows times those of their classes, as the library computes them."""
        return weights


class Classes(ClassifierMixin):
    """The target of classifiers, in the library's form."""

    _task = "classification"

    def _target(self, y: np.ndarray) -> tuple[Any, ...]:
        check_classification_targets(y)
        self.classes_, places = np.unique(y, return_inverse=True)
        # As a list, numpy's dates would be numbers.
        labels = list(self.classes_) if self.classes_.dtype.kind in "mM" else self.classes_.tolist()
        classes = [_columns.text_of(label) for label in labels]
        _refuse_blanks(classes)
        if len(classes) == 1:
            raise ValueError(f"y has only one class, {classes[0]}; at least two classes are needed")
        return places.astype(np.uint32), classes

    def _class_weight(self) -> Any:
        wish = self.class_weight
        if wish is None or wish == "balanced":
            return wish
        if not isinstance(wish, dict):
            raise ValueError(f"class_weight: {wish!r} is neither 'balanced' nor a dict of class to weight")
        unknown = set(wish) - set(self.classes_.tolist())
        if unknown:
            raise ValueError(f"class_weight: {unknown.pop()!r} is not a class in y")
        return {_columns.text_of(label): float(weight) for label, weight in wish.items()}

    def _weights_by_class(self, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        if self.class_weight is None:
            return weights
        of_rows = np.ones(len(y)) if weights is None else weights
        places = np.searchsorted(self.classes_, y)
        if self.class_weight == "balanced":
            totals = np.bincount(places, of_rows, len(self.classes_))
            factors = np.divide(
                totals.sum(), len(totals) * totals, out=np.ones_like(totals), where=totals > 0
            )
        else:
            factors = np.array([float(self.class_weight.get(label, 1.0)) for label in self.classes_.tolist()])
        return of_rows * factors[places]


class Numbers(RegressorMixin):
    """The target of regressors, in the library's form."""

    _task = "regression"

    def _target(self, y: np.ndarray) -> tuple[Any, ...]:
        return (np.ascontiguousarray(y, dtype=np.float64),)


def _refuse_blanks(classes: list[str]) -> None:
    """Refuses classes that would be equal in files, where blanks around a text are ignored."""
    known: dict[str, str] = {}
    for label in classes:
        if (other := known.setdefault(label.strip(_columns.BLANKS), label)) != label:
            raise ValueError(
                f"y: the classes {other!r} and {label!r} differ only in surrounding blanks, which are "
                "ignored; strip them, as with y.str.strip()"
            )


def refuse_gaps(y: Any) -> None:
    """Refuses a target with missing values, and a sparse one."""
    if sparse.issparse(y):
        raise TypeError("y is a sparse matrix; give the target as an array, as with y.toarray().ravel()")
    try:
        # In a list with texts, numpy would turn NaN into the text "nan".
        labels = np.asarray(y, dtype=None if hasattr(y, "dtype") else object).ravel()
    except ValueError:
        return
    rows = _gaps(labels)
    if len(rows):
        raise ValueError(
            f"y is missing in row {rows[0]} (counted from 0), and in {len(rows)} of {len(labels)} rows "
            "in total; fill it in, or leave such rows out. Input y contains NaN."
        )


def _refuse_moments(y: Any) -> None:
    """Refuses dates as numbers to predict."""
    labels = np.asarray(y)
    if labels.dtype.kind in "mM" or any(_moments.is_moment(label) for label in labels.ravel()[:1]):
        raise TypeError(
            "y holds dates or durations, and a regression predicts numbers; turn it into numbers, such as "
            "y / np.timedelta64(1, 'D') or (y - y.min()) / np.timedelta64(1, 'D')"
        )


def _gaps(labels: np.ndarray) -> np.ndarray:
    """The rows without a label. As in files, an empty text is missing."""
    if labels.dtype.kind == "f":
        return np.flatnonzero(np.isnan(labels))
    if labels.dtype.kind in "mM":
        return np.flatnonzero(np.isnat(labels))
    if labels.dtype.kind in "OU":
        coded = _native.encode_objects(labels.astype(object))
        if coded is None:  # numbers, or other things
            return np.array([row for row, label in enumerate(labels.tolist()) if _columns.is_missing(label)])
        codes, texts = coded
        empty = [code for code, text in enumerate(texts) if not text.strip(_columns.BLANKS)]
        return np.flatnonzero((codes == _columns.MISSING) | np.isin(codes, empty))
    return np.array([], dtype=np.int64)


def _relations(X: Any, groups: Any, time: Any) -> dict[str, Column]:
    """Which rows belong together, and when they were."""
    relations: dict[str, Any] = {}
    if groups is not None:
        relations["groups"] = _columns.group_column(groups)
    if time is not None:
        relations["time"] = _columns.time_column(time)
    for argument, column in relations.items():
        if (n_values := len(column[1])) != X.shape[0]:
            raise ValueError(f"{argument} has {n_values} values for {X.shape[0]} rows")
    return relations


def _by_columns(X: Any) -> Any:
    """A data frame, a matrix, or an array for scikit-learn to check. Numbers next to texts stay numbers."""
    X = _columns.with_plain_names(_columns.as_frame(X))
    if sparse.issparse(X):
        return _canonical(X)
    if _columns.is_frame(X):
        return X
    array = X if isinstance(X, np.ndarray) else np.asarray(X)
    if array.dtype.kind == "f" and not hasattr(X, "dtype") and (np.abs(array) > 2.0**53).any():
        # In a list with fractions, numpy rounds large integers.
        array = np.asarray(X, dtype=object)
    if array.dtype.kind in "USO" and array.ndim == 2:
        return np.asarray(X, dtype=object)
    return array


def _canonical(X: Any) -> Any:
    """A sparse matrix by columns, with the rows of each in order and entries of the same cell added up."""
    if X.ndim != 2:
        return X
    if X.format == "coo":
        # Adds up in the matrix's own type, as `.toarray()` does.
        return X.tocsc()
    X = X.tocsc()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
